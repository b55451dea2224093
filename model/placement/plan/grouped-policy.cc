// SPDX-License-Identifier: GPL-2.0-only
#include "grouped-policy.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

GroupedPolicy::GroupedPolicy(Ptr<ExpertPolicy> policy,
                             const ExpertSetting& setting,
                             uint32_t groups)
    : m_policy(std::move(policy)),
      m_setting(setting),
      m_layers(setting.layers)
{
    m_setting.layers *= groups;
}

void
GroupedPolicy::Start()
{
    m_histories.assign(m_setting.layers,
                       LoadHistory(m_setting.experts, LoadHistory::kLongestWindow));
    m_policy->Start(m_setting);
}

uint32_t
GroupedPolicy::FindLayer(uint32_t group, uint32_t layer) const
{
    return group * m_layers + layer;
}

std::vector<ExpertTransfer>
GroupedPolicy::BeginIteration(uint32_t group, uint32_t layer)
{
    const uint32_t number = FindLayer(group, layer);
    return m_policy->BeginIteration(number, m_histories[number]);
}

void
GroupedPolicy::AddHosts(uint32_t group,
                        uint32_t layer,
                        const std::vector<uint32_t>& members,
                        std::vector<std::vector<uint32_t>>& hosts) const
{
    const ExpertPlacement& placement = *m_policy->GetPlacement(FindLayer(group, layer));
    for (uint32_t expert = 0; expert < hosts.size(); ++expert)
    {
        for (const uint32_t place : placement.ListHosts(expert))
        {
            hosts[expert].push_back(members[place]);
        }
    }
}

ExpertPlan
GroupedPolicy::Plan(uint32_t group, uint32_t layer, const TokenCounts& counts)
{
    return m_policy->Plan(FindLayer(group, layer), counts);
}

void
GroupedPolicy::Remember(uint32_t group, uint32_t layer, const TokenCounts& counts)
{
    m_histories[FindLayer(group, layer)].Add(counts);
}

void
GroupedPolicy::EndIteration()
{
    for (LoadHistory& history : m_histories)
    {
        history.EndIteration();
    }
}

uint32_t
GroupedPolicy::GetLookBack() const
{
    uint32_t most = 0;
    for (const LoadHistory& history : m_histories)
    {
        most = std::max(most, history.GetLookBack());
    }
    return most;
}

} // namespace ns3::rails
