// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHADOW_POLICY_H
#define SHADOW_POLICY_H

#include "expert-policy.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// An expert whose parameters are sent to other GPUs.
struct ExpertShadow
{
    uint32_t expert{0};
    std::vector<uint32_t> gpus; //!< without its home
};

/**
 * Chooses before a layer which experts are shadowed, with a forecast of its counts: those of the
 * iteration before. Tokens on a GPU that has a shadow are computed there, all others at home. It
 * knows the time that the rest of a layer computes, which can hide the transfers
 * (ExpertSetting::otherForward and otherBackward).
 */
class ShadowPolicy : public ExpertPolicy
{
  public:
    static TypeId GetTypeId();

    ShadowPolicy();

    bool PlansOneGroup() const override;

    /// \return Chain: shadows are on all or almost all GPUs, a broadcast brings them there
    CopyWay GetCopyWay() const override;

    /// \return slots for copies that stay until the way back, without a limit
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

    /// \return which experts are shadowed, in the order in which they were chosen
    /// \param forecast what the gate is expected to decide
    virtual std::vector<ExpertShadow> Choose(const TokenCounts& forecast) const = 0;

  private:
    void DoStart() override;
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer, const LoadHistory& history) final;
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) final;

    uint32_t m_period;
    std::vector<std::vector<ExpertShadow>> m_shadows; //!< by layer
    std::vector<uint32_t> m_ages; //!< by layer: iterations since the last choice
};

/**
 * \return a plan in which tokens on a GPU that has a shadow are computed there, all others at home
 * \param setting of one group of expert parallelism
 * \param placement where experts are for good
 */
ExpertPlan MakeShadowPlan(const ExpertSetting& setting,
                          const ExpertPlacement& placement,
                          const TokenCounts& counts,
                          const std::vector<ExpertShadow>& shadows);

} // namespace ns3::rails

#endif // SHADOW_POLICY_H
