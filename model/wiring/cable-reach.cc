// SPDX-License-Identifier: GPL-2.0-only
#include "cable-reach.h"

#include <cstddef>

namespace ns3::rails
{

CableReach::CableReach(const Wiring& wiring)
    : m_wiring(wiring),
      m_isUp(wiring.GetCables().size(), true)
{
}

void
CableReach::SetUp(uint32_t cable, bool up)
{
    m_isUp[cable] = up;
    m_above.clear();
}

bool
CableReach::IsUp(uint32_t cable) const
{
    return m_isUp[cable];
}

const std::vector<bool>&
CableReach::FindAbove(uint32_t edge) const
{
    const auto [known, isNew] = m_above.try_emplace(edge);
    std::vector<bool>& above = known->second;
    if (!isNew)
    {
        return above;
    }
    above.resize(m_wiring.GetSwitches().size());
    above[edge] = true;
    std::vector<uint32_t> found{edge};
    for (std::size_t i = 0; i < found.size(); ++i)
    {
        const WiredSwitch& at = m_wiring.GetSwitches()[found[i]];
        for (const uint32_t number : at.cables)
        {
            const Cable& cable = m_wiring.GetCables()[number];
            const bool isUp = cable.lower == found[i];
            const uint32_t next = isUp ? cable.upper : cable.lower;
            if (!cable.isNic && (isUp || at.isRelay) && m_isUp[number] && !above[next])
            {
                above[next] = true;
                found.push_back(next);
            }
        }
    }
    return above;
}

bool
CableReach::HasPath(uint32_t fromNic, uint32_t toNic) const
{
    if (!m_isUp[fromNic] || !m_isUp[toNic])
    {
        return false;
    }
    const uint32_t from = m_wiring.GetEdge(fromNic);
    const uint32_t to = m_wiring.GetEdge(toNic);
    if (from == to)
    {
        return true;
    }
    // Up to a common switch above both, then down. Every relay reachable from a relay counts as
    // above it.
    const std::vector<bool>& above = FindAbove(from);
    const std::vector<bool>& aboveOther = FindAbove(to);
    for (std::size_t i = 0; i < above.size(); ++i)
    {
        if (above[i] && aboveOther[i])
        {
            return true;
        }
    }
    return false;
}

} // namespace ns3::rails
