// SPDX-License-Identifier: GPL-2.0-only
#include "plain-ep-expert-policy.h"

#include "ns3/rails-about.h"
#include "ns3/token-routing.h"

namespace ns3::rails
{
NS_OBJECT_ENSURE_REGISTERED(PlainEpExpertPolicy);

TypeId
PlainEpExpertPolicy::GetTypeId()
{
    static TypeId tid = AddAbout(TypeId("ns3::rails::PlainEpExpertPolicy").SetParent<RuntimePolicy>(), "Plain. (x.)")
                            .SetGroupName("Rails")
                            .AddConstructor<PlainEpExpertPolicy>();
    return tid;
}

ExpertPlan
PlainEpExpertPolicy::DoPlan(uint32_t, const TokenCounts& counts)
{
    ExpertPlan plan;
    plan.routes = RouteInGroups(counts, GetSetting());
    return plan;
}
} // namespace ns3::rails
