// SPDX-License-Identifier: GPL-2.0-only
#include "rails-hop-groups.h"
#include "rails-port-draw.h"

#include "ns3/component-documentation.h"
#include "ns3/port-selector.h"
#include "ns3/rails-switch.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * DRILL(d, m): each frame takes the shortest queue of d ports drawn by lot and of the m best ports
 * of the time before (Ghorbani et al., "DRILL: Micro Load Balancing for Low-latency Data Center
 * Networks", SIGCOMM'17). The drawn ports differ from each other; weights are ignored. Of queues
 * that tie, a remembered port is taken first, then the one drawn first.
 *
 * There is a memory for each set of next hops, not for each destination.
 */
class DrillPortSelector : public Forkable<DrillPortSelector, PortSelector>
{
  public:
    static TypeId GetTypeId();

    DrillPortSelector()
    {
        m_traits.scattersFrames = true;
    }

    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    void OnRoutesChanged(const Switch& at) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    struct Candidate
    {
        uint64_t bytes; // of its queue
        uint16_t port;
    };

    void Consider(const Switch& at, uint16_t port);

    uint32_t m_samples;
    uint32_t m_memory;

    PortDraw m_draw;
    HopGroups m_groups;
    std::vector<std::vector<uint16_t>> m_remembered; // by group, best first
    std::vector<Candidate> m_candidates;             // of the frame at hand
    std::vector<uint32_t> m_ranks;                   // of hops, in an order by lot
};

NS_OBJECT_ENSURE_REGISTERED(DrillPortSelector);

TypeId
DrillPortSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::DrillPortSelector").SetParent<PortSelector>(),
                         "DRILL: each frame takes the shortest queue of some ports drawn by lot "
                         "and of the best ones of the time before. (Ghorbani et al., SIGCOMM'17)")
            .SetGroupName("Rails")
            .AddConstructor<DrillPortSelector>()
            .AddAttribute("Samples",
                          "Ports drawn by lot for each frame (d). (DRILL, SIGCOMM'17)",
                          UintegerValue(2),
                          MakeUintegerAccessor(&DrillPortSelector::m_samples),
                          MakeCountRange<uint32_t>(1, 64))
            .AddAttribute("Memory",
                          "Best ports remembered from frame to frame (m); with 0, the best of d "
                          "drawn ports is taken. (DRILL, SIGCOMM'17)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&DrillPortSelector::m_memory),
                          MakeCountRange<uint32_t>(0, 64));
    return tid;
}

// Puts a port behind those whose queues are not longer, unless it is there already.
void
DrillPortSelector::Consider(const Switch& at, uint16_t port)
{
    for (const Candidate& known : m_candidates)
    {
        if (known.port == port)
        {
            return;
        }
    }
    const uint64_t bytes = at.GetPort(port).GetQueueBytes();
    auto place = m_candidates.end();
    while (place != m_candidates.begin() && (place - 1)->bytes > bytes)
    {
        --place;
    }
    m_candidates.insert(place, {bytes, port});
}

uint16_t
DrillPortSelector::Select(const Switch& at, Frame& frame, const NextHops& hops)
{
    const uint32_t group = m_groups.Find(frame.destination.edge, hops);
    if (group >= m_remembered.size())
    {
        m_remembered.resize(group + 1);
    }
    std::vector<uint16_t>& remembered = m_remembered[group];

    m_candidates.clear();
    for (const uint16_t port : remembered)
    {
        Consider(at, port);
    }
    // The first steps of a shuffle (Fisher and Yates), from whatever order the last one left.
    const auto ports = static_cast<uint32_t>(hops.ports.size());
    if (m_ranks.size() != ports)
    {
        m_ranks.resize(ports);
        std::iota(m_ranks.begin(), m_ranks.end(), 0);
    }
    for (uint32_t i = 0; i < std::min(m_samples, ports); ++i)
    {
        std::swap(m_ranks[i], m_ranks[i + m_draw.Below(ports - i)]);
        Consider(at, hops.ports[m_ranks[i]]);
    }

    remembered.clear();
    for (std::size_t i = 0; i < std::min<std::size_t>(m_memory, m_candidates.size()); ++i)
    {
        remembered.push_back(m_candidates[i].port);
    }
    return m_candidates.front().port;
}

void
DrillPortSelector::OnRoutesChanged(const Switch& /* at */)
{
    m_groups.OnRoutesChanged();
    m_remembered.clear();
}

int64_t
DrillPortSelector::AssignStreams(int64_t stream)
{
    return m_draw.AssignStreams(stream);
}

} // namespace ns3::rails
