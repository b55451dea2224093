// SPDX-License-Identifier: GPL-2.0-only
#include "next-hop-table.h"

#include <algorithm>
#include <unordered_map>

namespace ns3::rails
{

void
NextHopTable::Read(const Router& router)
{
    const std::vector<uint32_t>& edges = router.GetWiring().GetEdges();
    const auto switches = static_cast<uint32_t>(router.GetWiring().GetSwitches().size());
    m_width = edges.empty() ? 0 : *std::max_element(edges.begin(), edges.end()) + 1;
    m_groupOf.assign(std::size_t{switches} * m_width, 0);
    m_groups.clear();
    for (uint32_t at = 0; at < switches; ++at)
    {
        // The router shares one NextHops among destinations with equal next hops.
        std::unordered_map<const NextHops*, uint32_t> known;
        for (const uint32_t edge : edges)
        {
            const NextHops& hops = router.GetNextHops(at, edge);
            const auto next = static_cast<uint32_t>(m_groups.size());
            const auto [group, isNew] = known.try_emplace(&hops, next);
            if (isNew)
            {
                m_groups.push_back(hops);
            }
            m_groupOf[std::size_t{at} * m_width + edge] = group->second;
        }
    }
}

} // namespace ns3::rails
