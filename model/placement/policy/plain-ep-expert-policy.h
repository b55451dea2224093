// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLAIN_EP_EXPERT_POLICY_H
#define PLAIN_EP_EXPERT_POLICY_H

#include "capacity-policy.h"

namespace ns3::rails
{

/**
 * `plain-ep`: every token goes to the home of its expert (as in Megatron-LM, which drops nothing
 * and pads nothing unless told to: moe-load-balancing, parts C.1 and C.6). It plans nothing, which
 * takes no time.
 */
class PlainEpExpertPolicy : public CapacityPolicy
{
  public:
    static TypeId GetTypeId();

    void Check(const ExpertSetting& setting) const override;
    bool IsPlain() const override;
    bool DealsUnevenly() const override;

  private:
    Padding GetPadding() const override;

    Padding m_padding;
};

} // namespace ns3::rails

#endif // PLAIN_EP_EXPERT_POLICY_H
