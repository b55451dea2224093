// SPDX-License-Identifier: GPL-2.0-only
#include "rails-hop-groups.h"

#include <algorithm>

namespace ns3::rails
{

uint32_t
HopGroups::Meet(uint32_t edge, const NextHops& hops)
{
    const auto known = std::find(m_groups.begin(), m_groups.end(), hops.ports);
    const auto group = static_cast<uint32_t>(known - m_groups.begin());
    if (known == m_groups.end())
    {
        m_groups.push_back(hops.ports);
    }
    if (edge >= m_groupOfEdge.size())
    {
        m_groupOfEdge.resize(edge + 1, kUnknown);
    }
    m_groupOfEdge[edge] = group;
    return group;
}

void
HopGroups::OnRoutesChanged()
{
    m_groupOfEdge.clear();
}

} // namespace ns3::rails
