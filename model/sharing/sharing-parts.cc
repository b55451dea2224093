// SPDX-License-Identifier: GPL-2.0-only
#include "sharing-parts.h"

#include <algorithm>
#include <numeric>

namespace ns3::rails
{

SharingParts::SharingParts(const SharingGraph& graph)
    : m_graph(graph)
{
}

uint32_t
SharingParts::GetRoot(uint32_t resource)
{
    while (m_roots[resource] != resource)
    {
        m_roots[resource] = m_roots[m_roots[resource]];
        resource = m_roots[resource];
    }
    return resource;
}

void
SharingParts::Find()
{
    m_roots.resize(m_graph.GetResources().size());
    std::iota(m_roots.begin(), m_roots.end(), 0U);
    for (const SharingGraph::FlowClass& flowClass : m_graph.GetClasses())
    {
        if (flowClass.weight == 0)
        {
            continue;
        }
        uint32_t root = GetRoot(m_graph.GetIncidence(flowClass.first).resource);
        for (const auto& incidences : {m_graph.GetUses(flowClass), m_graph.GetLoads(flowClass)})
        {
            for (const SharingGraph::Incidence& incidence : incidences)
            {
                const uint32_t other = GetRoot(incidence.resource);
                m_roots[std::max(root, other)] = std::min(root, other);
                root = std::min(root, other);
            }
        }
    }
    m_isKnown = true;
}

const std::vector<SharingParts::Resources>&
SharingParts::Sort(const Resources& resources)
{
    if (!IsKnown())
    {
        Find();
    }
    m_sorted.clear();
    m_order.assign(m_roots.size(), SharingGraph::kNone);
    for (const uint32_t resource : resources)
    {
        uint32_t& place = m_order[GetRoot(resource)];
        if (place == SharingGraph::kNone)
        {
            place = static_cast<uint32_t>(m_sorted.size());
            m_sorted.emplace_back();
        }
        m_sorted[place].push_back(resource);
    }
    std::stable_sort(
        m_sorted.begin(),
        m_sorted.end(),
        [](const Resources& one, const Resources& other) { return one.size() > other.size(); });
    return m_sorted;
}

} // namespace ns3::rails
