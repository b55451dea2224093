// SPDX-License-Identifier: GPL-2.0-only
#include "plain-ep-expert-policy.h"

#include "ns3/enum.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PlainEpExpertPolicy);

TypeId
PlainEpExpertPolicy::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using PaddingValue = decltype(EnumValue(NONE));

    static TypeId tid =
        AddAbout(TypeId("ns3::rails::PlainEpExpertPolicy").SetParent<CapacityPolicy>(),
                 "Every token goes to the home of its expert: expert parallelism without any "
                 "balancing. (GShard; Megatron-LM.)")
            .SetGroupName("Rails")
            .AddConstructor<PlainEpExpertPolicy>()
            .AddAttribute("Padding",
                          "Rows that an expert computes, and that travel to it, for each GPU. "
                          "none: its tokens; capacity: as many as it takes at most; max: as many "
                          "as any GPU has for any expert. (Tutel; DeepSpeed.)",
                          PaddingValue(NONE),
                          MakeAccessorHelper<PaddingValue>(&PlainEpExpertPolicy::m_padding),
                          MakeEnumChecker(NONE, "none", CAPACITY, "capacity", MAX, "max"));
    return tid;
}

void
PlainEpExpertPolicy::Check(const ExpertSetting& setting) const
{
    CapacityPolicy::Check(setting);
    if (m_padding == CAPACITY && !HasCapacity())
    {
        throw ConfigurationError("padding",
                                 "there is no capacity to pad to: give capacity_factor as well, "
                                 "or take padding: max");
    }
}

bool
PlainEpExpertPolicy::IsPlain() const
{
    return m_padding == NONE && !HasCapacity();
}

bool
PlainEpExpertPolicy::DealsUnevenly() const
{
    return IsPlain(); // rows are padded for as many experts on each GPU
}

CapacityPolicy::Padding
PlainEpExpertPolicy::GetPadding() const
{
    return m_padding;
}

} // namespace ns3::rails
