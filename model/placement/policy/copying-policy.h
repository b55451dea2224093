// SPDX-License-Identifier: GPL-2.0-only
#ifndef COPYING_POLICY_H
#define COPYING_POLICY_H

#include "expert-division.h"

#include "ns3/runtime-policy.h"

#include <vector>

namespace ns3::rails
{

/**
 * Base of policies that keep each expert at its single home. They add temporary replicas for a
 * micro-batch once its exact counts are known (the common frame of MoonEP, UltraEP, ECHO and LLEP:
 * moe-runtime-2026, section 1). The backward pass keeps the plan; gradients of a replica return to
 * its home.
 */
class CopyingPolicy : public RuntimePolicy
{
  public:
    static TypeId GetTypeId();

    CopyingPolicy()
    {
        m_traits.plansOneGroup = true;
        m_traits.fetchesAgain = true;
    }

    /// \return Overlapped: parameters overlap with tokens, gradients until the end of the layer
    CopyTiming GetCopyTiming() const override;

    /// \return unlimited slots, unless overridden
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) final;

    /// Moves tokens from homes of their experts to replicas.
    virtual void Divide(ExpertDivision& division) const = 0;
    /// \return routes of tokens by source. \param quota tokens by expert and host, home first
    virtual std::vector<TokenRoute> Route(const TokenCounts& counts, ExpertQuota quota) const = 0;
};

} // namespace ns3::rails

#endif // COPYING_POLICY_H
