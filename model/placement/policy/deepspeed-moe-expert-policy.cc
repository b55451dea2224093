// SPDX-License-Identifier: GPL-2.0-only
#include "capacity-policy.h"

#include "ns3/component-documentation.h"

namespace ns3::rails
{

/**
 * `deepspeed-moe`: plain expert parallelism with buffers of a fixed size (DeepSpeed-MoE:
 * moe-load-balancing, part C.1). With a capacity, it is the size of all buffers, and tokens above
 * it are dropped. Without one, the size is the largest number of tokens that a GPU of the group has
 * for an expert, and nothing is dropped. The small all-reduce for this number takes no time here.
 * It needs no planning.
 */
class DeepspeedMoeExpertPolicy : public CapacityPolicy
{
  public:
    static TypeId GetTypeId();

  private:
    Padding GetPadding() const override;
};

NS_OBJECT_ENSURE_REGISTERED(DeepspeedMoeExpertPolicy);

TypeId
DeepspeedMoeExpertPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::DeepspeedMoeExpertPolicy").SetParent<CapacityPolicy>(),
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
