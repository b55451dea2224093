// SPDX-License-Identifier: GPL-2.0-only
#include "fat-tree-wiring.h"

#include <utility>

namespace ns3::rails
{

FatTreeWiring::FatTreeWiring(uint32_t ports, std::string prefix, uint32_t firstRegion)
    : m_ports(ports),
      m_half(ports / 2),
      m_prefix(std::move(prefix)),
      m_firstRegion(firstRegion)
{
}

uint32_t
FatTreeWiring::GetNics(uint32_t ports)
{
    return ports * (ports / 2) * (ports / 2);
}

uint32_t
FatTreeWiring::CountLinks(uint32_t ports, uint32_t nic)
{
    const uint32_t half = ports / 2;
    return nic < half ? 2 : nic < half * half ? 4 : 6;
}

std::string
FatTreeWiring::GetPodName(uint32_t pod) const
{
    return m_prefix + "pod" + std::to_string(pod);
}

void
FatTreeWiring::AddEdges(FabricBuilder& builder)
{
    for (uint32_t pod = 0; pod < m_ports; ++pod)
    {
        for (uint32_t edge = 0; edge < m_half; ++edge)
        {
            m_edges.push_back(&builder.AddSwitch(GetPodName(pod) + "-edge" + std::to_string(edge)));
        }
    }
}

void
FatTreeWiring::Attach(FabricBuilder& builder, uint32_t domain, uint32_t rail, uint32_t nic) const
{
    const uint32_t edge = nic / m_half;
    builder.Attach(domain, rail, *m_edges[edge], m_firstRegion + edge / m_half);
}

void
FatTreeWiring::Join(FabricBuilder& builder, uint64_t edgeRateBps, uint64_t coreRateBps) const
{
    const FabricBuilder::CableKind toAggregation{"edge_up", "agg_down", edgeRateBps};
    const FabricBuilder::CableKind toCore{"agg_up", "core_down", coreRateBps};
    std::vector<Switch*> aggregations; // pod by pod
    for (uint32_t pod = 0; pod < m_ports; ++pod)
    {
        for (uint32_t agg = 0; agg < m_half; ++agg)
        {
            aggregations.push_back(
                &builder.AddSwitch(GetPodName(pod) + "-agg" + std::to_string(agg)));
        }
    }
    std::vector<Switch*> cores; // group by group
    for (uint32_t core = 0; core < m_half * m_half; ++core)
    {
        cores.push_back(&builder.AddSwitch(m_prefix + "core" + std::to_string(core)));
    }
    // In this order port j of an edge switch leads to aggregation j, and so on.
    for (uint32_t edge = 0; edge < m_edges.size(); ++edge)
    {
        const uint32_t pod = edge / m_half;
        for (uint32_t agg = 0; agg < m_half; ++agg)
        {
            builder.Join(*m_edges[edge], *aggregations[pod * m_half + agg], toAggregation);
        }
    }
    for (uint32_t agg = 0; agg < aggregations.size(); ++agg)
    {
        const uint32_t group = agg % m_half;
        for (uint32_t uplink = 0; uplink < m_half; ++uplink)
        {
            builder.Join(*aggregations[agg], *cores[group * m_half + uplink], toCore);
        }
    }
}

const std::vector<Switch*>&
FatTreeWiring::GetEdges() const
{
    return m_edges;
}

} // namespace ns3::rails
