// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLAIN_EP_EXPERT_POLICY_H
#define PLAIN_EP_EXPERT_POLICY_H

#include "ns3/runtime-policy.h"

namespace ns3::rails
{
class PlainEpExpertPolicy : public RuntimePolicy
{
  public:
    static TypeId GetTypeId();

  private:
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) override;
};
} // namespace ns3::rails

#endif // PLAIN_EP_EXPERT_POLICY_H
