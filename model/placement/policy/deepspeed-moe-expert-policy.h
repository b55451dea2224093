// SPDX-License-Identifier: GPL-2.0-only
#ifndef DEEPSPEED_MOE_EXPERT_POLICY_H
#define DEEPSPEED_MOE_EXPERT_POLICY_H

#include "capacity-policy.h"

namespace ns3::rails
{

/**
 * `deepspeed-moe`: plain expert parallelism with buffers of a fixed size (DeepSpeed-MoE:
 * moe-load-balancing, part C.1). Without a capacity it drops nothing, and the largest number of
 * tokens that a GPU of the group has for an expert is the size of all; with one, the capacity is.
 * It plans nothing; agreeing on that number (a small all-reduce) is not charged.
 */
class DeepspeedMoeExpertPolicy : public CapacityPolicy
{
  public:
    static TypeId GetTypeId();

  private:
    Padding GetPadding() const override;
};

} // namespace ns3::rails

#endif // DEEPSPEED_MOE_EXPERT_POLICY_H
