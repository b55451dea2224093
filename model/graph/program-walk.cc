// SPDX-License-Identifier: GPL-2.0-only
#include "program-walk.h"

#include "graph-times.h"

#include <stdexcept>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return both times plus a duration
ProgramTimes
After(const ProgramTimes& at, TimePs time)
{
    return at + ProgramTimes{time, time};
}

} // namespace

ProgramWalk::ProgramWalk(const GraphProgram& program,
                         const TransferBound* transfers,
                         WalkCallback callback)
    : m_program(program),
      m_transfers(transfers),
      m_callback(std::move(callback)),
      m_heads(program),
      m_isChanged(program.GetShape().GetGpus(), false)
{
    for (uint32_t gpu = 0; m_callback && gpu < program.GetShape().GetGpus(); ++gpu)
    {
        for (uint32_t stream = 0; stream < m_heads.Count(gpu); ++stream)
        {
            m_nodes += program.CountNodes(gpu, stream);
        }
    }
}

ProgramTimes
ProgramWalk::Go()
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
            while (Advance(gpu, stream))
            {
            }
        }
    }
    ProgramTimes last;
    for (const Head& head : m_heads.GetAll())
    {
        if (!head.isEnded)
        {
            throw std::logic_error("a program waits for ever");
        }
        last.Raise(head.ends.empty() ? ProgramTimes() : head.ends.back());
    }
    return last;
}

const std::vector<ProgramTimes>&
ProgramWalk::GetEnds(uint32_t gpu, uint32_t stream) const
{
    static const std::vector<ProgramTimes> none;
    return stream < m_heads.Count(gpu) ? m_heads.Get(gpu, stream).ends : none;
}

/// \return true when the stream has made progress
bool
ProgramWalk::Advance(uint32_t gpu, uint32_t stream)
{
    Head& head = m_heads.Get(gpu, stream);
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
        return End(gpu, head, After(head.at, head.node.duration));
    case GraphNode::Type::Barrier:
        return Pass(gpu, head);
    case GraphNode::Type::Transfer:
        return Receive(gpu, head);
    }
    return false;
}

/// Marks a GPU that may be able to go on.
void
ProgramWalk::Change(uint32_t gpu)
{
    if (!m_isChanged[gpu])
    {
        m_isChanged[gpu] = true;
        m_changed.push_back(gpu);
    }
}

bool
ProgramWalk::Begin(uint32_t gpu, Head& head)
{
    ProgramTimes at = head.ends.empty() ? ProgramTimes() : head.ends.back();
    for (const GraphNode::Wait& wait : head.node.waits)
    {
        const std::vector<ProgramTimes>& ends = m_heads.Get(gpu, wait.stream).ends;
        if (ends.size() < wait.count)
        {
            return false;
        }
        at.Raise(wait.count == 0 ? ProgramTimes() : ends[wait.count - 1]);
    }
    head.at = at;
    head.known = at;
    head.isBegun = true;
    if (head.node.type == GraphNode::Type::Transfer)
    {
        const CommOp& transfer = *head.node.transfer;
        const CommOpTraits& traits = transfer.GetTraits();
        const uint32_t lanes = traits.isTimed ? traits.steps : traits.lanes;
        const uint32_t steps = traits.steps / lanes;
        head.lanes.clear();
        for (uint32_t lane = 0; lane < lanes; ++lane)
        {
            const uint32_t step = lane * steps;
            head.lanes.push_back({step, step + steps, at, std::nullopt});
            Send(gpu, head, step, After(at, transfer.GetStart(step)));
        }
    }
    else if (head.node.type == GraphNode::Type::Barrier)
    {
        Barrier& barrier = m_barriers[head.node.step];
        ++barrier.come;
        barrier.latest.Raise(at);
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

void
ProgramWalk::Send(uint32_t gpu, Head& head, uint32_t step, const ProgramTimes& at)
{
    for (const Demand& demand : head.node.transfer->GetSends(gpu, step))
    {
        const uint32_t to = m_program.FindReceiver(gpu, demand.destination);
        Part& part = m_parts[GraphTimes::MakeKey(to, head.node.step + step)];
        ProgramTimes delivered = at;
        delivered.path += m_transfers ? m_transfers->GetMessageTime(gpu, to, demand.bytes) : 0;
        part.got += demand.bytes;
        part.latest.Raise(delivered);
        part.posted = std::min(part.posted, at.path);
        head.known.Raise(delivered);
        Change(to);
    }
}

bool
ProgramWalk::Receive(uint32_t gpu, Head& head)
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
    ProgramTimes at =
        head.node.transfer->GetTraits().endsWhenReceived ? ProgramTimes() : head.known;
    for (const Lane& lane : head.lanes)
    {
        at.Raise(lane.at);
    }
    return End(gpu, head, at);
}

/// \return false when bytes are missing; otherwise Lane::at is the begin of the next step
bool
ProgramWalk::ReceiveStep(uint32_t gpu, const GraphNode& node, Lane& lane)
{
    const auto found = m_parts.find(GraphTimes::MakeKey(gpu, node.step + lane.step));
    const Part part = found == m_parts.end() ? Part() : found->second;
    if (!lane.toGet) // asked once: each send to the GPU calls this again
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
    lane.at.Raise(part.latest);
    if (m_transfers && toGet > 0)
    {
        lane.at.path =
            std::max(lane.at.path, part.posted + m_transfers->GetReceivingTime(gpu, toGet));
    }
    return true;
}

bool
ProgramWalk::Pass(uint32_t gpu, Head& head)
{
    const Barrier& barrier = m_barriers[head.node.step];
    return barrier.come == head.node.barrier->CountMembers() &&
           End(gpu, head, After(barrier.latest, head.node.duration));
}

bool
ProgramWalk::End(uint32_t gpu, Head& head, const ProgramTimes& at)
{
    head.ends.push_back(at);
    head.isLoaded = false;
    Change(gpu); // other streams of the GPU may depend on this node
    Tell();
    return true;
}

void
ProgramWalk::Tell()
{
    constexpr uint64_t pause = 1 << 12; // nodes
    ++m_over;
    if (m_callback && m_over % pause == 0)
    {
        m_callback(static_cast<double>(m_over) / static_cast<double>(m_nodes));
    }
}

} // namespace ns3::rails
