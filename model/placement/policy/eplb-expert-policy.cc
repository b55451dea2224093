// SPDX-License-Identifier: GPL-2.0-only
#include "eplb-expert-policy.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/token-routing.h"
#include "ns3/word-accessor.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EplbExpertPolicy);

TypeId
EplbExpertPolicy::GetTypeId()
{
    static TypeId tid =
        AddEplbAttributes(
            SetDocumentation(
                TypeId("ns3::rails::EplbExpertPolicy").SetParent<PlacementPolicy>(),
                "Replicates and packs experts by what they had to do, once in a period. "
                "(DeepSeek's EPLB.)")
                .SetGroupName("Rails")
                .AddConstructor<EplbExpertPolicy>(),
            "By default 1. (DeepSeek-V3 report, prefill.)")
            .AddAttribute("Replicas",
                          "Over which replicas of an expert a source deals its tokens. even: over "
                          "all; near: over those on its own GPU, else in its server, else over "
                          "all. (near: SGLang's static dispatch.)",
                          EnumValue(EVEN),
                          MakeWordAccessor(&EplbExpertPolicy::m_replicas),
                          MakeEnumChecker(EVEN, "even", NEAR, "near"));
    return tid;
}

EplbExpertPolicy::EplbExpertPolicy()
    : EplbReplacement(1)
{
    m_traits.plansOneGroup = true;
}

SlotRule
EplbExpertPolicy::GetSlotRule(const ExpertSetting& setting) const
{
    return GetEplbRule(setting);
}

uint32_t
EplbExpertPolicy::GetPeriod() const
{
    return GetEplbPeriod();
}

void
EplbExpertPolicy::Check(const ExpertSetting& setting) const
{
    PlacementPolicy::Check(setting);
    CheckEplb(setting);
}

bool
EplbExpertPolicy::DealsUnevenly() const
{
    return true;
}

void
EplbExpertPolicy::DoStart()
{
    StartEplb(GetSetting());
}

std::optional<ExpertPlacement>
EplbExpertPolicy::Place(uint32_t layer, const LoadHistory& history)
{
    return PlaceWhenDue(GetSetting(), layer, history);
}

std::vector<TokenRoute>
EplbExpertPolicy::Route(const SourceCounts& own, const ExpertPlacement& placement) const
{
    if (m_replicas == EVEN)
    {
        return PlacementPolicy::Route(own, placement);
    }
    std::vector<TokenRoute> routes;
    RouteToNearest(own, placement, GetSetting().cluster, routes);
    return routes;
}

} // namespace ns3::rails
