// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLACEMENT_POLICY_H
#define PLACEMENT_POLICY_H

#include "expert-policy.h"

#include <optional>

namespace ns3::rails
{

/**
 * Base of policies that place experts between iterations, by loads up to the last one. Each source
 * then splits its tokens over the hosts of their experts by local counts only, without a load
 * exchange.
 */
class PlacementPolicy : public ExpertPolicy
{
  public:
    static TypeId GetTypeId();

    PlacementPolicy();

    /// \return 10 unless overridden
    uint32_t GetPeriod() const override;

  protected:
    /**
     * \param own tokens of a source
     * \param placement of experts
     * \return routes of these tokens; unless overridden RouteEvenly()
     */
    virtual std::vector<TokenRoute> Route(const SourceCounts& own,
                                          const ExpertPlacement& placement) const;

  private:
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer, const LoadHistory& history) final;
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) final;

    /// \return the new placement of a layer; nothing: unchanged
    virtual std::optional<ExpertPlacement> Place(uint32_t layer, const LoadHistory& history) = 0;
};

} // namespace ns3::rails

#endif // PLACEMENT_POLICY_H
