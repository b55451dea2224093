// SPDX-License-Identifier: GPL-2.0-only
#include "placement-policy.h"

#include "token-routing.h"

#include "ns3/component-documentation.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PlacementPolicy);

TypeId
PlacementPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::PlacementPolicy").SetParent<ExpertPolicy>(),
            "Places experts between iterations, knowing what they had to do up to the last.")
            .SetGroupName("Rails");
    return tid;
}

PlacementPolicy::PlacementPolicy()
    : ExpertPolicy(ExpertKnowledge::Past)
{
}

uint32_t
PlacementPolicy::GetPeriod() const
{
    constexpr uint32_t usual = 10;
    return usual;
}

std::vector<ExpertTransfer>
PlacementPolicy::DoBeginIteration(uint32_t layer, const LoadHistory& history)
{
    std::optional<ExpertPlacement> placement = Place(layer, history);
    if (!placement)
    {
        return {};
    }
    CountPlanning(layer);
    return Move(layer, std::move(*placement));
}

ExpertPlan
PlacementPolicy::DoPlan(uint32_t layer, const TokenCounts& counts)
{
    const ExpertPlacement& placement = *GetPlacement(layer);
    ExpertPlan plan;
    plan.routes.reserve(counts.GetCounts().size());
    for (uint32_t source = 0; source < counts.GetSources(); ++source)
    {
        const std::vector<TokenRoute> own = Route(SourceCounts(counts, source), placement);
        plan.routes.insert(plan.routes.end(), own.begin(), own.end());
    }
    // The order of routes in other policies.
    std::stable_sort(
        plan.routes.begin(),
        plan.routes.end(),
        [](const TokenRoute& left, const TokenRoute& right) { return left.expert < right.expert; });
    return plan;
}

std::vector<TokenRoute>
PlacementPolicy::Route(const SourceCounts& own, const ExpertPlacement& placement) const
{
    std::vector<TokenRoute> routes;
    RouteEvenly(own, placement, routes);
    return routes;
}

} // namespace ns3::rails
