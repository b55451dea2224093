// SPDX-License-Identifier: GPL-2.0-only
#include "placement-policy.h"

#include "token-routing.h"

#include "ns3/rails-about.h"

#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PlacementPolicy);

TypeId
PlacementPolicy::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::PlacementPolicy").SetParent<ExpertPolicy>(),
                 "Places experts between iterations, knowing what they had to do up to the last.")
            .SetGroupName("Rails");
    return tid;
}

ExpertKnowledge
PlacementPolicy::GetKnowledge() const
{
    return ExpertKnowledge::Past;
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
    ExpertPlan plan;
    plan.routes = Route(counts, *GetPlacement(layer));
    return plan;
}

std::vector<TokenRoute>
PlacementPolicy::Route(const TokenCounts& counts, const ExpertPlacement& placement) const
{
    return RouteEvenly(counts, placement);
}

} // namespace ns3::rails
