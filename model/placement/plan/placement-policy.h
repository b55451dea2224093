// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLACEMENT_POLICY_H
#define PLACEMENT_POLICY_H

#include "expert-policy.h"

#include <optional>

namespace ns3::rails
{

/**
 * Places experts between iterations, knowing what they had to do up to the last one. Each source
 * then deals its tokens of an expert evenly over the GPUs that hold it.
 */
class PlacementPolicy : public ExpertPolicy
{
  public:
    static TypeId GetTypeId();

    ExpertKnowledge GetKnowledge() const override;

  private:
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer, const LoadHistory& history) final;
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) final;

    /// \return where the experts of a layer are from now on; nothing: they stay
    virtual std::optional<ExpertPlacement> Place(uint32_t layer, const LoadHistory& history) = 0;
    /// \return where the tokens go; unless overridden RouteEvenly()
    virtual std::vector<TokenRoute> Route(const TokenCounts& counts,
                                          const ExpertPlacement& placement) const;
};

} // namespace ns3::rails

#endif // PLACEMENT_POLICY_H
