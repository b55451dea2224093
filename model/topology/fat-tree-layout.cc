// SPDX-License-Identifier: GPL-2.0-only
#include "fat-tree-layout.h"

#include <utility>

namespace ns3::rails
{

FatTreeLayout::FatTreeLayout(uint32_t ports, std::string prefix, uint32_t firstRegion)
    : m_ports(ports),
      m_half(ports / 2),
      m_prefix(std::move(prefix)),
      m_firstRegion(firstRegion)
{
}

uint32_t
FatTreeLayout::GetNics(uint32_t ports)
{
    return ports * (ports / 2) * (ports / 2);
}

std::string
FatTreeLayout::GetPodName(uint32_t pod) const
{
    return m_prefix + "pod" + std::to_string(pod);
}

void
FatTreeLayout::AddEdges(FabricSite& site)
{
    for (uint32_t pod = 0; pod < m_ports; ++pod)
    {
        for (uint32_t edge = 0; edge < m_half; ++edge)
        {
            m_edges.push_back(site.AddSwitch(GetPodName(pod) + "-edge" + std::to_string(edge)));
        }
    }
}

void
FatTreeLayout::Attach(FabricSite& site, uint32_t nic, uint32_t place) const
{
    const uint32_t edge = place / m_half;
    site.Attach(nic, m_edges[edge], m_firstRegion + edge / m_half);
}

void
FatTreeLayout::Join(FabricSite& site, const CableKind& toAggregation, const CableKind& toCore) const
{
    std::vector<uint32_t> aggregations; // pod by pod
    for (uint32_t pod = 0; pod < m_ports; ++pod)
    {
        for (uint32_t agg = 0; agg < m_half; ++agg)
        {
            aggregations.push_back(site.AddSwitch(GetPodName(pod) + "-agg" + std::to_string(agg)));
        }
    }
    std::vector<uint32_t> cores; // group by group
    for (uint32_t core = 0; core < m_half * m_half; ++core)
    {
        cores.push_back(site.AddSwitch(m_prefix + "core" + std::to_string(core)));
    }
    // This order makes uplink j of an edge switch lead to aggregation switch j, and so on.
    for (uint32_t edge = 0; edge < m_edges.size(); ++edge)
    {
        const uint32_t pod = edge / m_half;
        for (uint32_t agg = 0; agg < m_half; ++agg)
        {
            site.Join(m_edges[edge], aggregations[pod * m_half + agg], toAggregation);
        }
    }
    for (uint32_t agg = 0; agg < aggregations.size(); ++agg)
    {
        const uint32_t group = agg % m_half;
        for (uint32_t uplink = 0; uplink < m_half; ++uplink)
        {
            site.Join(aggregations[agg], cores[group * m_half + uplink], toCore);
        }
    }
}

} // namespace ns3::rails
