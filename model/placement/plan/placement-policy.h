// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLACEMENT_POLICY_H
#define PLACEMENT_POLICY_H

#include "expert-policy.h"

#include <optional>

namespace ns3::rails
{

/**
 * Places experts between iterations, knowing what they had to do up to the last one. Each source
 * then sends its tokens to the GPUs that hold their experts, by what it has itself: of what others
 * have nothing was exchanged.
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
     * \param placement where experts are
     * \return where these tokens go; unless overridden RouteEvenly()
     */
    virtual std::vector<TokenRoute> Route(const SourceCounts& own,
                                          const ExpertPlacement& placement) const;

  private:
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer, const LoadHistory& history) final;
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) final;

    /// \return where the experts of a layer are from now on; nothing: they stay
    virtual std::optional<ExpertPlacement> Place(uint32_t layer, const LoadHistory& history) = 0;
};

} // namespace ns3::rails

#endif // PLACEMENT_POLICY_H
