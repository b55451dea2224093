// SPDX-License-Identifier: GPL-2.0-only
#include "epic-expert-policy.h"

#include "expert-swap.h"
#include "rail-aware-search.h"

#include "ns3/optional-accessor.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/token-routing.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EpicExpertPolicy);

TypeId
EpicExpertPolicy::GetTypeId()
{
    static TypeId tid =
        AddEplbAttributes(
            AddAbout(TypeId("ns3::rails::EpicExpertPolicy").SetParent<RuntimePolicy>(),
                     "EPLB places experts once in a period; in each micro-batch the heaviest GPU "
                     "of a server and the lightest swap one expert each, and so on in pairs. "
                     "(EPIC, SIGCOMM'26.)")
                .SetGroupName("Rails")
                .AddConstructor<EpicExpertPolicy>(),
            "By default none. (Our choice: EPIC is described without.)")
            .AddAttribute("MinGain",
                          "Tokens by which a swap lowers the larger load of its two GPUs at least. "
                          "By default what a GPU computes, forward, while the two experts change "
                          "places over NVLink. (EPIC's delta; its unit is our reading.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&EpicExpertPolicy::m_minGain),
                          MakeCountRange<uint32_t>());
    return tid;
}

EpicExpertPolicy::EpicExpertPolicy()
    : EplbReplacement(0)
{
}

SlotRule
EpicExpertPolicy::GetSlotRule(const ExpertSetting& setting) const
{
    SlotRule rule = GetEplbRule(setting);
    rule.shared = 1;
    return rule;
}

uint32_t
EpicExpertPolicy::GetPeriod() const
{
    return GetEplbPeriod();
}

CopyTiming
EpicExpertPolicy::GetCopyTiming() const
{
    return CopyTiming::Overlapped;
}

void
EpicExpertPolicy::Check(const ExpertSetting& setting) const
{
    RuntimePolicy::Check(setting);
    CheckEplb(setting);
    const ClusterView& cluster = setting.cluster;
    const bool hasPairs = std::min(cluster.gpus, cluster.gpusPerServer) > 1;
    const bool isKnown = cluster.flops > 0 && setting.tokenFlops > 0 && cluster.nvlinkRate > 0;
    if (hasPairs && !m_minGain && !isKnown)
    {
        throw ConfigurationError("min_gain",
                                 "it cannot be derived, as it is not known how quickly GPUs "
                                 "compute tokens and send experts over NVLink: give it");
    }
}

bool
EpicExpertPolicy::PlansOneGroup() const
{
    return true;
}

void
EpicExpertPolicy::DoStart()
{
    StartEplb(GetSetting());
}

std::vector<ExpertTransfer>
EpicExpertPolicy::DoBeginIteration(uint32_t layer, const LoadHistory& history)
{
    std::optional<ExpertPlacement> placement = PlaceWhenDue(GetSetting(), layer, history);
    return placement ? Move(layer, std::move(*placement)) : std::vector<ExpertTransfer>();
}

double
EpicExpertPolicy::GetMinGain() const
{
    const CopyPrices prices = CopyPrices::From(GetSetting());
    // A quotient that is a whole number may come out a little above it.
    return m_minGain ? *m_minGain : prices.inside / prices.token * (1 - 1e-12);
}

ExpertPlan
EpicExpertPolicy::DoPlan(uint32_t layer, const TokenCounts& counts)
{
    const ExpertSetting& setting = GetSetting();
    ExpertPlacement swapped = *GetPlacement(layer);
    const std::vector<ExpertSlot> slots = ListSlots(counts, swapped);
    ExpertPlan plan;
    plan.fetchesAgain = true;
    const auto send = [&](const ExpertSlot& slot, uint32_t to) {
        swapped.hosts[slot.expert][slot.replica] = to;
        plan.weights.push_back({slot.expert, slot.gpu, to, setting.weightBytes});
        plan.gradients.push_back({slot.expert, to, slot.gpu, setting.gradientBytes});
    };
    for (const SlotSwap& swap : FindSwaps(slots, setting.cluster, GetMinGain()))
    {
        send(slots[swap.heavy], slots[swap.light].gpu);
        send(slots[swap.light], slots[swap.heavy].gpu);
    }
    plan.routes = RouteEvenly(counts, swapped);
    return plan;
}

} // namespace ns3::rails
