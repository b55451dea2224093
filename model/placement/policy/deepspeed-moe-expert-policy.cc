// SPDX-License-Identifier: GPL-2.0-only
#include "deepspeed-moe-expert-policy.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(DeepspeedMoeExpertPolicy);

TypeId
DeepspeedMoeExpertPolicy::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::DeepspeedMoeExpertPolicy").SetParent<CapacityPolicy>(),
                 "Every token goes to the home of its expert, in buffers of a fixed size: its "
                 "capacity, or without one the largest need for any expert. (DeepSpeed-MoE.)")
            .SetGroupName("Rails")
            .AddConstructor<DeepspeedMoeExpertPolicy>();
    return tid;
}

CapacityPolicy::Padding
DeepspeedMoeExpertPolicy::GetPadding() const
{
    return HasCapacity() ? CAPACITY : MAX;
}

} // namespace ns3::rails
