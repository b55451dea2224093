// SPDX-License-Identifier: GPL-2.0-only
#include "local-policy.h"

#include "ns3/component-documentation.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(LocalPolicy);

TypeId
LocalPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::LocalPolicy").SetParent<ExpertPolicy>(),
            "Sends tokens of each GPU by a rule, knowing nothing of those of other GPUs.")
            .SetGroupName("Rails");
    return tid;
}

LocalPolicy::LocalPolicy()
    : ExpertPolicy(ExpertKnowledge::Nothing)
{
}

std::vector<ExpertTransfer>
LocalPolicy::DoBeginIteration(uint32_t, const LoadHistory&)
{
    return {};
}

ExpertPlan
LocalPolicy::DoPlan(uint32_t, const TokenCounts& counts)
{
    ExpertPlan plan;
    plan.routes.reserve(counts.GetCounts().size());
    plan.dropped = counts.GetTotal();
    for (uint32_t source = 0; source < counts.GetSources(); ++source)
    {
        for (const TokenRoute& route : Route(SourceCounts(counts, source)))
        {
            plan.routes.push_back(route);
            plan.dropped -= route.tokens;
        }
    }
    if (Pads())
    {
        Pad(plan);
    }
    return plan;
}

/// Pads the buffers of all GPU pairs of a group to the same number of rows.
void
LocalPolicy::Pad(ExpertPlan& plan) const
{
    const ExpertSetting& setting = GetSetting();
    const uint32_t peers = setting.expertParallel;
    std::vector<uint64_t> rows(setting.GetGroups(), GetLeastRows());
    for (const TokenRoute& route : plan.routes)
    {
        uint64_t& most = rows[route.source / peers];
        most = std::max<uint64_t>(most, route.tokens);
    }
    for (const uint64_t ofExpert : rows)
    {
        const uint64_t ofPair = ofExpert * setting.GetHomes();
        plan.padding.insert(plan.padding.end(), peers, ofPair * peers);
        plan.paddedTokens += ofPair * peers * (peers - 1);
    }
    for (const TokenRoute& route : plan.routes)
    {
        plan.padding[route.host] -= route.tokens;
        plan.paddedTokens -= route.source == route.host ? 0 : route.tokens;
    }
}

uint64_t
LocalPolicy::GetLeastRows() const
{
    return 0;
}

} // namespace ns3::rails
