// SPDX-License-Identifier: GPL-2.0-only
#include "interior-network.h"

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

namespace ns3::rails
{

/// One direction of a port, or of a link shared by several ports.
class InteriorNetwork::Link
{
  public:
    Link(InteriorNetwork& network, uint64_t rateBps, uint32_t rank)
        : m_network(network),
          m_rateBps(rateBps),
          m_arrival(*this, TaskPhase::Arrival, rank)
    {
    }

    /// Times of the first and the last bit of a segment at a link.
    struct Passage
    {
        TimePs firstBit;
        TimePs lastBit;
    };

    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /**
     * A segment crosses in the first free interval of the link, also between other segments.
     * \param coming arrival of its bits; after a slower link it lasts longer than this link needs
     * \return departure of its bits
     */
    Passage Pass(uint64_t bytes, const Passage& coming)
    {
        m_bytes += bytes;
        const TimePs time = SerialisationTime(bytes, m_rateBps);
        const TimePs begin = Take(coming.firstBit, time);
        return {begin, std::max(coming.lastBit, begin + time)};
    }

    /// The last link of a hop: a segment that has passed it arrives.
    void Deliver(uint32_t end, MessageState& transfer, uint64_t bytes, TimePs at)
    {
        if (m_coming.full())
        {
            m_coming.set_capacity(std::max<std::size_t>(8, 2 * m_coming.capacity()));
        }
        m_coming.push_back({at, &transfer, bytes, end});
        // Behind segments that arrive earlier or at the same time.
        std::size_t place = m_coming.size() - 1;
        for (; place > 0 && m_coming[place - 1].at > at; --place)
        {
            std::swap(m_coming[place - 1], m_coming[place]);
        }
        if (place == 0)
        {
            m_network.m_agenda.Schedule(at, m_arrival);
        }
    }

  private:
    struct Segment
    {
        TimePs at;
        MessageState* transfer;
        uint64_t bytes;
        uint32_t end;
    };

    void Arrive()
    {
        if (m_coming.empty() || m_coming.front().at > m_network.m_agenda.Now())
        {
            return; // stale alarm: a segment inserted later was delivered earlier
        }
        const Segment segment = m_coming.front();
        m_coming.pop_front();
        if (!m_coming.empty())
        {
            m_network.m_agenda.Schedule(m_coming.front().at, m_arrival);
        }
        m_network.m_client.OnCrossed(*segment.transfer, segment.end, segment.bytes);
    }

    /// An interval in which the link is busy.
    struct Span
    {
        TimePs begin;
        TimePs end;
    };

    /// Takes the first free interval of a length. \return its begin
    TimePs Take(TimePs from, TimePs length)
    {
        const TimePs now = m_network.m_agenda.Now();
        while (!m_taken.empty() && m_taken.front().end <= now)
        {
            m_taken.erase(m_taken.begin());
        }
        TimePs begin = from;
        auto next = m_taken.begin();
        for (; next != m_taken.end() && begin + length > next->begin; ++next)
        {
            begin = std::max(begin, next->end);
        }
        const bool joinsLast = next != m_taken.begin() && std::prev(next)->end == begin;
        const bool joinsNext = next != m_taken.end() && next->begin == begin + length;
        if (joinsLast)
        {
            std::prev(next)->end = joinsNext ? next->end : begin + length;
            if (joinsNext)
            {
                m_taken.erase(next);
            }
        }
        else if (joinsNext)
        {
            next->begin = begin;
        }
        else
        {
            m_taken.insert(next, {begin, begin + length});
        }
        return begin;
    }

    InteriorNetwork& m_network;
    uint64_t m_rateBps;
    std::vector<Span> m_taken; // disjoint, in ascending order; few
    uint64_t m_bytes{0};
    boost::circular_buffer<Segment> m_coming; // by time
    MemberTask<Link, &Link::Arrive> m_arrival;
};

/// The first link of one or several hops, with its queues.
class InteriorNetwork::Port
{
  public:
    /// \param holds whether it is busy with a segment until all links of its hop have passed it
    Port(InteriorNetwork& network, Link& link, bool holds, uint32_t rank)
        : m_network(network),
          m_link(link),
          m_holds(holds),
          m_outDone(*this, TaskPhase::Timer, rank),
          m_decision(*this, TaskPhase::Decision, rank)
    {
    }

    /// \param lane lanes take turns; each lane is first in, first out
    void Send(const ServerInterior::Hop& hop, uint32_t lane, MessageState& transfer, uint64_t bytes)
    {
        if (hop.to >= m_waiting.size())
        {
            m_waiting.resize(hop.to + 1);
        }
        Queue& queue = m_waiting[hop.to];
        queue.crossings[{lane, m_nextCrossing++}] = {&transfer, bytes, &hop};
        WakeUp();
    }

  private:
    // Queued bytes of a message.
    struct Crossing
    {
        MessageState* transfer;
        uint64_t bytes;
        const ServerInterior::Hop* hop;
    };

    // Queue to one end, by lane.
    struct Queue
    {
        std::map<std::pair<uint32_t, uint64_t>, Crossing> crossings;
        uint32_t nextLane{0};
    };

    void WakeUp()
    {
        if (!m_busy)
        {
            m_network.m_agenda.Decide(m_decision);
        }
    }

    void OutDone()
    {
        m_busy = false;
        WakeUp();
    }

    void Decide()
    {
        if (m_busy)
        {
            return;
        }
        const auto ends = static_cast<uint32_t>(m_waiting.size());
        for (uint32_t step = 1; step <= ends; ++step)
        {
            const uint32_t to = (m_lastServed + step) % ends;
            if (!m_waiting[to].crossings.empty())
            {
                m_lastServed = to;
                SendSegment(m_waiting[to]);
                return;
            }
        }
    }

    void SendSegment(Queue& queue)
    {
        auto next = queue.crossings.lower_bound({queue.nextLane, 0});
        if (next == queue.crossings.end())
        {
            next = queue.crossings.begin();
        }
        queue.nextLane = next->first.first + 1;
        Crossing& crossing = next->second;
        const uint64_t bytes = std::min(crossing.bytes, m_network.m_interior->GetSegmentBytes());
        MessageState& transfer = *crossing.transfer;
        const ServerInterior::Hop& hop = *crossing.hop;
        crossing.bytes -= bytes;
        if (crossing.bytes == 0)
        {
            queue.crossings.erase(next);
        }
        m_busy = true;
        const TimePs now = m_network.m_agenda.Now();
        const Link::Passage first = m_link.Pass(bytes, {now, now});
        // The latency lies between the first and the second link.
        Link::Passage passage{first.firstBit + hop.latency, first.lastBit + hop.latency};
        for (std::size_t i = 1; i < hop.links.size(); ++i)
        {
            passage = m_network.m_links[hop.links[i]]->Pass(bytes, passage);
        }
        const TimePs through = m_holds ? passage.lastBit - hop.latency : first.lastBit;
        m_network.m_agenda.Schedule(through, m_outDone);
        m_network.m_links[hop.links.back()]->Deliver(hop.to, transfer, bytes, passage.lastBit);
    }

    InteriorNetwork& m_network;
    Link& m_link;
    bool m_holds;
    std::vector<Queue> m_waiting; // by end
    uint64_t m_nextCrossing{0};
    uint32_t m_lastServed{0};
    bool m_busy{false};
    MemberTask<Port, &Port::OutDone> m_outDone;
    MemberTask<Port, &Port::Decide> m_decision;
};

InteriorNetwork::InteriorNetwork(std::shared_ptr<const ServerInterior> interior,
                                 InteriorClient& client,
                                 Agenda& agenda,
                                 uint32_t firstIndex)
    : m_interior(std::move(interior)),
      m_client(client),
      m_agenda(agenda),
      m_ports(m_interior->GetLinks().size())
{
    // The NVLink ports out of and into a GPU have successive numbers and share a rank.
    const auto isPcie = [&](uint32_t number) {
        return m_interior->GetLinks()[number].kind == ServerInterior::LinkKind::Pcie;
    };
    const auto getRank = [&](uint32_t number) {
        return firstIndex + (isPcie(number) ? number : number / 2);
    };
    for (uint32_t number = 0; number < m_ports.size(); ++number)
    {
        m_links.push_back(
            std::make_unique<Link>(*this, m_interior->GetLinks()[number].rateBps, getRank(number)));
    }
    for (uint32_t number = 0; number < m_interior->GetHopCount(); ++number)
    {
        const uint32_t first = m_interior->GetHop(number).links.front();
        if (!m_ports[first])
        {
            m_ports[first] =
                std::make_unique<Port>(*this, *m_links[first], isPcie(first), getRank(first));
        }
    }
    const ServerLayout& layout = m_interior->GetLayout();
    m_slots.resize(m_interior->GetEnds());
    for (uint32_t gpu = 0; gpu < layout.GetGpus(); ++gpu)
    {
        const std::vector<uint16_t>& near = layout.GetNearNics(gpu);
        m_mostNear = std::max(m_mostNear, static_cast<uint32_t>(near.size()));
        for (uint32_t slot = 0; slot < near.size(); ++slot)
        {
            m_slots[m_interior->GetNicEnd(near[slot])] = slot;
        }
    }
}

InteriorNetwork::~InteriorNetwork() = default;

bool
InteriorNetwork::IsRead(uint32_t from, uint32_t to) const
{
    return m_interior->GetHop(m_interior->GetFirstHop(from, to)).to >=
           m_interior->GetLayout().GetGpus();
}

bool
InteriorNetwork::HasHop(uint32_t from, uint32_t to) const
{
    return m_interior->GetFirstHop(from, to) != ServerInterior::kNone;
}

void
InteriorNetwork::Send(uint32_t from, uint32_t to, MessageState& transfer, uint64_t bytes)
{
    const ServerInterior::Hop& hop = m_interior->GetHop(m_interior->GetFirstHop(from, to));
    // A NIC reads in the order of its requests.
    const uint32_t lane = IsRead(from, to) ? 0 : transfer.lane * m_mostNear + m_slots[to];
    m_ports[hop.links.front()]->Send(hop, lane, transfer, bytes);
}

const ServerInterior&
InteriorNetwork::GetInterior() const
{
    return *m_interior;
}

uint64_t
InteriorNetwork::GetBytes(uint32_t link) const
{
    return m_links[link]->GetBytes();
}

} // namespace ns3::rails
