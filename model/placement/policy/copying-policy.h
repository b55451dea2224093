// SPDX-License-Identifier: GPL-2.0-only
#ifndef COPYING_POLICY_H
#define COPYING_POLICY_H

#include "expert-division.h"

#include "ns3/runtime-policy.h"

#include <vector>

namespace ns3::rails
{

/**
 * Leaves each expert at the one home that it has, and copies some for a micro-batch, once its exact
 * counts are known (the common frame of MoonEP, UltraEP, ECHO and LLEP: moe-runtime-2026, section
 * 1). The way back keeps the plan; gradients of a copy return to its home.
 */
class CopyingPolicy : public RuntimePolicy
{
  public:
    static TypeId GetTypeId();

    bool PlansOneGroup() const override;

    /// \return Overlapped: parameters travel beside tokens, gradients until the end of the layer
    CopyTiming GetCopyTiming() const override;

    /// \return slots without a limit, unless overridden
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) final;

    /// Gives tokens away from the homes of their experts.
    virtual void Divide(ExpertDivision& division) const = 0;
    /// \return whose tokens go where. \param quota how many: the home of an expert first
    virtual std::vector<TokenRoute> Route(const TokenCounts& counts, ExpertQuota quota) const = 0;
    /// \return true, unless overridden: copies sit in slots that all layers share, so that their
    /// weights are fetched a second time before the way back
    virtual bool FetchesAgain() const;
};

} // namespace ns3::rails

#endif // COPYING_POLICY_H
