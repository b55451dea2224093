// SPDX-License-Identifier: GPL-2.0-only
#include "drill-port-selector.h"

#include "ns3/rails-about.h"
#include "ns3/rails-switch.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(DrillPortSelector);

TypeId
DrillPortSelector::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::DrillPortSelector").SetParent<PortSelector>(),
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

Ptr<PortSelector>
DrillPortSelector::Fork() const
{
    return CopyObject<DrillPortSelector>(Ptr<const DrillPortSelector>(this));
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

bool
DrillPortSelector::ScattersFrames() const
{
    return true;
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
