// SPDX-License-Identifier: GPL-2.0-only
#ifndef PERFECT_BALANCE_EXPERT_POLICY_H
#define PERFECT_BALANCE_EXPERT_POLICY_H

#include "ns3/runtime-policy.h"
#include "ns3/token-routing.h"

#include <vector>

namespace ns3::rails
{

/**
 * `perfect-balance`: no GPU computes more than the mean, rounded up (ours). No policy has a lower
 * largest load; one with a larger load can take less time, as copies and what tokens cross cost
 * time here as for others. It knows the exact counts, plans in no time, and has memory for all
 * copies until the way back. The GPU with most tokens too many gives of the expert that it has most
 * of to the GPU with most room, in its own server if there is one; tokens stay on their GPU and in
 * their server where the shares allow it. Each step fills a GPU, empties an excess or gives away
 * all that a GPU has of an expert; the copies are few, not the fewest.
 */
class PerfectBalanceExpertPolicy : public RuntimePolicy
{
  public:
    static TypeId GetTypeId();

    bool IsOracle() const override;
    /// Without a limit, whatever the budget.
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) override;
};

} // namespace ns3::rails

#endif // PERFECT_BALANCE_EXPERT_POLICY_H
