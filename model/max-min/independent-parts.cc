// SPDX-License-Identifier: GPL-2.0-only
#include "independent-parts.h"

#include <algorithm>
#include <numeric>

namespace ns3::rails
{

IndependentParts::IndependentParts(const MaxMinSystem& system)
    : m_system(system)
{
}

uint32_t
IndependentParts::GetRoot(uint32_t constraint)
{
    while (m_roots[constraint] != constraint)
    {
        m_roots[constraint] = m_roots[m_roots[constraint]];
        constraint = m_roots[constraint];
    }
    return constraint;
}

void
IndependentParts::Find()
{
    m_roots.resize(m_system.GetConstraints().size());
    std::iota(m_roots.begin(), m_roots.end(), 0U);
    for (const MaxMinSystem::Variable& variable : m_system.GetVariables())
    {
        if (variable.weight == 0)
        {
            continue;
        }
        uint32_t root = GetRoot(m_system.GetElement(variable.first).constraint);
        for (const auto& elements : {m_system.GetUses(variable), m_system.GetLoads(variable)})
        {
            for (const MaxMinSystem::Element& element : elements)
            {
                const uint32_t other = GetRoot(element.constraint);
                m_roots[std::max(root, other)] = std::min(root, other);
                root = std::min(root, other);
            }
        }
    }
    m_isKnown = true;
}

const std::vector<IndependentParts::Constraints>&
IndependentParts::Sort(const Constraints& constraints)
{
    if (!IsKnown())
    {
        Find();
    }
    m_sorted.clear();
    m_order.assign(m_roots.size(), MaxMinSystem::kNone);
    for (const uint32_t constraint : constraints)
    {
        uint32_t& place = m_order[GetRoot(constraint)];
        if (place == MaxMinSystem::kNone)
        {
            place = static_cast<uint32_t>(m_sorted.size());
            m_sorted.emplace_back();
        }
        m_sorted[place].push_back(constraint);
    }
    std::stable_sort(
        m_sorted.begin(),
        m_sorted.end(),
        [](const Constraints& one, const Constraints& other) { return one.size() > other.size(); });
    return m_sorted;
}

} // namespace ns3::rails
