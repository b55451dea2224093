// SPDX-License-Identifier: GPL-2.0-only
#include "nvlink-domain.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::rails
{

/// The NVLink port of one GPU.
class NvlinkDomain::Gpu
{
  public:
    Gpu(NvlinkDomain& domain, uint32_t gpus, uint32_t index)
        : m_domain(domain),
          m_waiting(gpus),
          m_outDone(*this, TaskPhase::Timer, index),
          m_arrival(*this, TaskPhase::Arrival, index),
          m_decision(*this, TaskPhase::Decision, index)
    {
    }

    void Send(uint32_t to, Transfer& transfer, uint64_t bytes)
    {
        m_waiting[to].crossings[{transfer.lane, m_nextCrossing++}] = {&transfer, bytes};
        WakeUp();
    }

    uint64_t GetTxBytes() const
    {
        return m_txBytes;
    }

  private:
    // Bytes of a message that have to cross.
    struct Crossing
    {
        Transfer* transfer;
        uint64_t bytes;
    };

    // What waits for the way to one GPU: lane by lane, and in order within a lane.
    struct Queue
    {
        std::map<std::pair<uint32_t, uint64_t>, Crossing> crossings;
        uint32_t nextLane{0};
    };

    struct Segment
    {
        TimePs at;
        Transfer* transfer;
        uint64_t bytes;
    };

    void WakeUp()
    {
        if (!m_busy)
        {
            m_domain.m_agenda.Decide(m_decision);
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
        const auto gpus = static_cast<uint32_t>(m_waiting.size());
        for (uint32_t step = 1; step <= gpus; ++step)
        {
            const uint32_t to = (m_lastServed + step) % gpus;
            if (!m_waiting[to].crossings.empty())
            {
                m_lastServed = to;
                SendSegment(to);
                return;
            }
        }
    }

    void SendSegment(uint32_t to)
    {
        Queue& queue = m_waiting[to];
        auto next = queue.crossings.lower_bound({queue.nextLane, 0});
        if (next == queue.crossings.end())
        {
            next = queue.crossings.begin();
        }
        queue.nextLane = next->first.first + 1;
        Crossing& crossing = next->second;
        const uint64_t bytes = std::min(crossing.bytes, m_domain.m_segmentBytes);
        Transfer& transfer = *crossing.transfer;
        crossing.bytes -= bytes;
        if (crossing.bytes == 0)
        {
            queue.crossings.erase(next);
        }
        m_txBytes += bytes;
        m_busy = true;
        const TimePs time = SerialisationTime(bytes, m_domain.m_rateBps);
        const TimePs lastBit = m_domain.m_agenda.Now() + time;
        m_domain.m_agenda.Schedule(lastBit, m_outDone);
        m_domain.m_gpus[to]->Accept(transfer, bytes, lastBit + m_domain.m_latency, time);
    }

    // A segment that has the way in for itself is through when its last bit is; one that has to
    // wait follows the one before it at the rate of the port.
    void Accept(Transfer& transfer, uint64_t bytes, TimePs lastBit, TimePs time)
    {
        m_inFreeAt = std::max(lastBit, m_inFreeAt + time);
        if (m_coming.full())
        {
            m_coming.set_capacity(std::max<std::size_t>(8, 2 * m_coming.capacity()));
        }
        m_coming.push_back({m_inFreeAt, &transfer, bytes});
        if (m_coming.size() == 1)
        {
            m_domain.m_agenda.Schedule(m_inFreeAt, m_arrival);
        }
    }

    void Arrive()
    {
        const Segment segment = m_coming.front();
        m_coming.pop_front();
        if (!m_coming.empty())
        {
            m_domain.m_agenda.Schedule(m_coming.front().at, m_arrival);
        }
        m_domain.m_client.OnCrossed(*segment.transfer, segment.bytes);
    }

    NvlinkDomain& m_domain;
    std::vector<Queue> m_waiting; // by destination
    uint64_t m_nextCrossing{0};
    uint32_t m_lastServed{0};
    bool m_busy{false};
    TimePs m_inFreeAt{0};
    boost::circular_buffer<Segment> m_coming;
    uint64_t m_txBytes{0};
    MemberTask<Gpu, &Gpu::OutDone> m_outDone;
    MemberTask<Gpu, &Gpu::Arrive> m_arrival;
    MemberTask<Gpu, &Gpu::Decide> m_decision;
};

NvlinkDomain::NvlinkDomain(uint32_t gpus,
                           uint64_t rateBps,
                           TimePs latency,
                           uint64_t segmentBytes,
                           NvlinkClient& client,
                           Agenda& agenda,
                           uint32_t firstIndex)
    : m_rateBps(rateBps),
      m_latency(latency),
      m_segmentBytes(segmentBytes),
      m_client(client),
      m_agenda(agenda)
{
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        m_gpus.push_back(std::make_unique<Gpu>(*this, gpus, firstIndex + gpu));
    }
}

NvlinkDomain::~NvlinkDomain() = default;

void
NvlinkDomain::Send(uint32_t from, uint32_t to, Transfer& transfer, uint64_t bytes)
{
    m_gpus[from]->Send(to, transfer, bytes);
}

uint64_t
NvlinkDomain::GetTxBytes(uint32_t gpu) const
{
    return m_gpus[gpu]->GetTxBytes();
}

uint64_t
NvlinkDomain::GetSegmentBytes() const
{
    return m_segmentBytes;
}

} // namespace ns3::rails
