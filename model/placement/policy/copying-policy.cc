// SPDX-License-Identifier: GPL-2.0-only
#include "copying-policy.h"

#include "ns3/component-documentation.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(CopyingPolicy);

TypeId
CopyingPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::CopyingPolicy").SetParent<RuntimePolicy>(),
                         "Copies experts from the one home that each has, for a "
                         "micro-batch whose exact counts are known.")
            .SetGroupName("Rails");
    return tid;
}

CopyTiming
CopyingPolicy::GetCopyTiming() const
{
    return CopyTiming::Overlapped;
}

SlotRule
CopyingPolicy::GetSlotRule(const ExpertSetting&) const
{
    return {m_traits.fetchesAgain ? SlotUse::Shared : SlotUse::Copy};
}

ExpertPlan
CopyingPolicy::DoPlan(uint32_t layer, const TokenCounts& counts)
{
    ExpertDivision division(GetSetting(), counts);
    Divide(division);
    ExpertPlan plan;
    plan.placement = GetPlacement(layer);
    plan.routes = Route(counts, division.MakeQuota());
    AddCopies(GetSetting(), plan);
    plan.fetchesAgain = m_traits.fetchesAgain;
    return plan;
}

} // namespace ns3::rails
