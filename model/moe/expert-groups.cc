// SPDX-License-Identifier: GPL-2.0-only
#include "expert-groups.h"

#include <utility>

namespace ns3::rails
{

namespace
{

/// \return the groups of expert parallelism of each stage
std::vector<std::vector<std::vector<uint32_t>>>
FindByStage(const TrainingPlan& plan)
{
    std::vector<std::vector<std::vector<uint32_t>>> byStage(plan.pp);
    const GpuGroupTable table(plan.experts, {"ep"});
    for (const std::vector<uint32_t>& members : table.GetGroups())
    {
        byStage[plan.attention.GetCoordinate(members.front(), "pp")].push_back(members);
    }
    return byStage;
}

std::vector<std::vector<uint32_t>>
Merge(const TrainingPlan& plan)
{
    std::vector<std::vector<uint32_t>> merged;
    for (const auto& groups : FindByStage(plan))
    {
        for (std::size_t number = 0; number < groups.size(); ++number)
        {
            if (number % plan.handling.merged == 0)
            {
                merged.emplace_back();
            }
            merged.back().insert(merged.back().end(), groups[number].begin(), groups[number].end());
        }
    }
    return merged;
}

} // namespace

ExpertGroups::ExpertGroups(const TrainingPlan& plan)
    : m_table(Merge(plan)),
      m_ofStage(plan.pp)
{
    for (const std::vector<uint32_t>& members : m_table.GetGroups())
    {
        const uint32_t stage = plan.attention.GetCoordinate(members.front(), "pp");
        m_firstParts.push_back(static_cast<uint32_t>(m_ofStage[stage].size()) *
                               plan.handling.merged);
        m_ofStage[stage].push_back(static_cast<uint32_t>(m_stages.size()));
        m_stages.push_back(stage);
        m_servers.emplace_back(plan.shape, members);
    }
}

const GpuGroupTable&
ExpertGroups::GetTable() const
{
    return m_table;
}

const GroupServers&
ExpertGroups::GetServers(uint32_t group) const
{
    return m_servers[group];
}

uint32_t
ExpertGroups::GetStage(uint32_t group) const
{
    return m_stages[group];
}

uint32_t
ExpertGroups::GetFirstPart(uint32_t group) const
{
    return m_firstParts[group];
}

const std::vector<uint32_t>&
ExpertGroups::GetOfStage(uint32_t stage) const
{
    return m_ofStage[stage];
}

uint32_t
ExpertGroups::CountPerServer(uint32_t group) const
{
    const GroupServers& servers = m_servers[group];
    const uint32_t each = m_table.GetSize() / servers.GetCount();
    for (uint32_t place = 0; place < m_table.GetSize(); ++place)
    {
        if (each * servers.GetCount() != m_table.GetSize() ||
            servers.GetServer(place) != place / each)
        {
            return 0;
        }
    }
    return each;
}

} // namespace ns3::rails
