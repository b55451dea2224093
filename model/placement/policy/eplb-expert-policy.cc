// SPDX-License-Identifier: GPL-2.0-only
#include "eplb-expert-policy.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EplbExpertPolicy);

TypeId
EplbExpertPolicy::GetTypeId()
{
    static TypeId tid = AddEplbAttributes(
        AddAbout(TypeId("ns3::rails::EplbExpertPolicy").SetParent<PlacementPolicy>(),
                 "Replicates and packs experts by what they had to do, once in a period. "
                 "(DeepSeek's EPLB.)")
            .SetGroupName("Rails")
            .AddConstructor<EplbExpertPolicy>(),
        1,
        "1: DeepSeek-V3 report, prefill.");
    return tid;
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
EplbExpertPolicy::PlansOneGroup() const
{
    return true;
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

} // namespace ns3::rails
