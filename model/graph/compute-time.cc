// SPDX-License-Identifier: GPL-2.0-only
#include "compute-time.h"

#include "graph-times.h"
#include "stream-heads.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Goes through a program; the order of its steps does not matter, as times only add and meet.
class Walk
{
  public:
    /// \param transfers what transfers take at the least; null: no time
    Walk(const GraphProgram& program, const TransferBound* transfers)
        : m_program(program),
          m_transfers(transfers),
          m_heads(program),
          m_isChanged(program.GetShape().GetGpus(), false)
    {
    }

    TimePs Go()
    {
        for (uint32_t gpu = m_program.GetShape().GetGpus(); gpu-- > 0;)
        {
            Change(gpu);
        }
        while (!m_changed.empty())
        {
            const uint32_t gpu = m_changed.back();
            m_changed.pop_back();
            m_isChanged[gpu] = false;
            for (uint32_t stream = 0; stream < m_heads.Count(gpu); ++stream)
            {
                while (GoOn(gpu, stream))
                {
                }
            }
        }
        TimePs last = 0;
        for (const Head& head : m_heads.GetAll())
        {
            if (!head.isEnded)
            {
                throw std::logic_error("a program waits for ever");
            }
            last = std::max(last, head.ends.empty() ? 0 : head.ends.back());
        }
        return last;
    }

  private:
    /// Steps of a transfer that follow each other.
    struct Lane
    {
        uint32_t step; //!< of the transfer, the next one that has to come
        uint32_t end;
        TimePs at;                     //!< when that one began
        std::optional<uint64_t> toGet; //!< of that one; none: not asked for yet
    };

    struct Head
    {
        GraphNode node;
        std::vector<TimePs> ends;  //!< of the nodes that are over
        TimePs at{0};              //!< when the node began
        TimePs known{0};           //!< of a transfer, when all own bytes have arrived at last
        std::vector<Lane> lanes{}; //!< of a transfer
        bool isLoaded{false};
        bool isBegun{false};
        bool isEnded{false};
    };

    /// What has come for a GPU in a step.
    struct Part
    {
        uint64_t got{0};
        TimePs latest{0};                                  //!< delivery
        TimePs posted{std::numeric_limits<TimePs>::max()}; //!< the first of it
    };

    struct Barrier
    {
        uint32_t come{0};
        TimePs latest{0};
        std::vector<uint32_t> gpus;
    };

    Head& GetHead(uint32_t gpu, uint32_t stream)
    {
        return m_heads.Get(gpu, stream);
    }

    /// \return true when the stream has come further
    bool GoOn(uint32_t gpu, uint32_t stream)
    {
        Head& head = GetHead(gpu, stream);
        if (head.isEnded)
        {
            return false;
        }
        if (!head.isLoaded)
        {
            head.node = GraphNode();
            head.isLoaded = m_program.GetNode(gpu, stream, head.ends.size(), head.node);
            head.isEnded = !head.isLoaded;
            head.isBegun = false;
            return head.isLoaded;
        }
        if (!head.isBegun)
        {
            return Begin(gpu, head);
        }
        switch (head.node.type)
        {
        case GraphNode::Type::Compute:
            return End(gpu, head, AddTimes(head.at, head.node.duration));
        case GraphNode::Type::Barrier:
            return Pass(gpu, head);
        case GraphNode::Type::Transfer:
            return Receive(gpu, head);
        }
        return false;
    }

    /// A GPU may go on.
    void Change(uint32_t gpu)
    {
        if (!m_isChanged[gpu])
        {
            m_isChanged[gpu] = true;
            m_changed.push_back(gpu);
        }
    }

    bool Begin(uint32_t gpu, Head& head)
    {
        TimePs at = head.ends.empty() ? 0 : head.ends.back();
        for (const GraphNode::Wait& wait : head.node.waits)
        {
            const std::vector<TimePs>& ends = GetHead(gpu, wait.stream).ends;
            if (ends.size() < wait.count)
            {
                return false;
            }
            at = std::max(at, wait.count == 0 ? 0 : ends[wait.count - 1]);
        }
        head.at = at;
        head.known = at;
        head.isBegun = true;
        if (head.node.type == GraphNode::Type::Transfer)
        {
            const GraphTransfer& transfer = *head.node.transfer;
            const TransferTraits& traits = transfer.GetTraits();
            const uint32_t lanes = traits.isTimed ? traits.steps : traits.lanes;
            const uint32_t steps = traits.steps / lanes;
            head.lanes.clear();
            for (uint32_t lane = 0; lane < lanes; ++lane)
            {
                const uint32_t step = lane * steps;
                head.lanes.push_back({step, step + steps, at, std::nullopt});
                Send(gpu, head, step, at + transfer.GetStart(step));
            }
        }
        else if (head.node.type == GraphNode::Type::Barrier)
        {
            Barrier& barrier = m_barriers[head.node.step];
            ++barrier.come;
            barrier.latest = std::max(barrier.latest, at);
            barrier.gpus.push_back(gpu);
            if (barrier.come == head.node.barrier->CountMembers())
            {
                for (const uint32_t other : barrier.gpus)
                {
                    Change(other);
                }
            }
        }
        return true;
    }

    void Send(uint32_t gpu, Head& head, uint32_t step, TimePs at)
    {
        for (const Demand& demand : head.node.transfer->GetSends(gpu, step))
        {
            const uint32_t to = m_program.FindReceiver(gpu, demand.destination);
            Part& part = m_parts[GraphTimes::MakeKey(to, head.node.step + step)];
            const TimePs delivered =
                at + (m_transfers ? m_transfers->GetMessageTime(gpu, to, demand.bytes) : 0);
            part.got += demand.bytes;
            part.latest = std::max(part.latest, delivered);
            part.posted = std::min(part.posted, at);
            head.known = std::max(head.known, delivered);
            Change(to);
        }
    }

    bool Receive(uint32_t gpu, Head& head)
    {
        bool hasGot = false;
        bool isOver = true;
        for (Lane& lane : head.lanes)
        {
            while (lane.step < lane.end && ReceiveStep(gpu, head.node, lane))
            {
                hasGot = true;
                if (++lane.step < lane.end)
                {
                    Send(gpu, head, lane.step, lane.at);
                }
            }
            isOver = isOver && lane.step == lane.end;
        }
        if (!isOver)
        {
            return hasGot;
        }
        TimePs at = head.node.transfer->GetTraits().endsWhenReceived ? 0 : head.known;
        for (const Lane& lane : head.lanes)
        {
            at = std::max(at, lane.at);
        }
        return End(gpu, head, at);
    }

    /// \return false when something is missing yet; otherwise the lane is where the next step
    /// begins
    bool ReceiveStep(uint32_t gpu, const GraphNode& node, Lane& lane)
    {
        const auto found = m_parts.find(GraphTimes::MakeKey(gpu, node.step + lane.step));
        const Part part = found == m_parts.end() ? Part() : found->second;
        if (!lane.toGet) // whoever sends something makes a GPU look again
        {
            lane.toGet = node.transfer->GetReceived(gpu, lane.step);
        }
        if (part.got < *lane.toGet)
        {
            return false;
        }
        const uint64_t toGet = *std::exchange(lane.toGet, std::nullopt);
        if (found != m_parts.end())
        {
            m_parts.erase(found);
        }
        lane.at = std::max(lane.at, part.latest);
        if (m_transfers && toGet > 0)
        {
            lane.at = std::max(lane.at, part.posted + m_transfers->GetReceivingTime(gpu, toGet));
        }
        return true;
    }

    bool Pass(uint32_t gpu, Head& head)
    {
        const Barrier& barrier = m_barriers[head.node.step];
        return barrier.come == head.node.barrier->CountMembers() &&
               End(gpu, head, AddTimes(barrier.latest, head.node.duration));
    }

    bool End(uint32_t gpu, Head& head, TimePs at)
    {
        head.ends.push_back(at);
        head.isLoaded = false;
        Change(gpu); // other streams of it may wait for that
        return true;
    }

    const GraphProgram& m_program;
    const TransferBound* m_transfers;
    StreamHeads<Head> m_heads;
    std::unordered_map<uint64_t, Part> m_parts;
    std::unordered_map<uint32_t, Barrier> m_barriers;
    std::vector<uint32_t> m_changed;
    std::vector<bool> m_isChanged; //!< by GPU
};

} // namespace

TimePs
FindComputeTime(const GraphProgram& program)
{
    return Walk(program, nullptr).Go();
}

TimePs
FindPathTime(const GraphProgram& program, const TransferBound& transfers)
{
    return Walk(program, &transfers).Go();
}

} // namespace ns3::rails
