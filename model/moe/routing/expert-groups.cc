// SPDX-License-Identifier: GPL-2.0-only
#include "expert-groups.h"

#include <algorithm>
#include <numeric>
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

ExpertGroups::ExpertGroups(const ClusterShape& shape, std::vector<std::vector<uint32_t>> groups)
    : m_table(std::move(groups)),
      m_stages(m_table.GetGroups().size()),
      m_firstParts(m_stages.size()),
      m_ofStage(1, std::vector<uint32_t>(m_stages.size()))
{
    std::iota(m_firstParts.begin(), m_firstParts.end(), 0U);
    std::iota(m_ofStage.front().begin(), m_ofStage.front().end(), 0U);
    for (const std::vector<uint32_t>& members : m_table.GetGroups())
    {
        m_servers.emplace_back(shape, members);
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

bool
ExpertGroups::AreEven() const
{
    for (uint32_t group = 0; group < m_servers.size(); ++group)
    {
        if (CountPerServer(group) == 0 || CountPerServer(group) != CountPerServer(0))
        {
            return false;
        }
    }
    return true;
}

ClusterView
ExpertGroups::Narrow(ClusterView cluster) const
{
    const uint32_t perServer = std::max(1U, CountPerServer(0));
    cluster.gpus = m_table.GetSize();
    cluster.nicsPerServer = std::max(1U, cluster.nicsPerServer * perServer / cluster.gpusPerServer);
    cluster.gpusPerServer = perServer;
    return cluster;
}

} // namespace ns3::rails
