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
    std::vector<uint32_t> gpus; //!< GPUs with a shadow, without the home
};

/**
 * Base of policies that choose shadowed experts before a layer, by predicted counts: those of the
 * last iteration. A GPU with a shadow computes its own tokens for the expert; all others go home.
 * Policies know the computing time outside of experts, which can hide the transfers
 * (ExpertSetting::otherForward and otherBackward).
 */
class ShadowPolicy : public ExpertPolicy
{
  public:
    static TypeId GetTypeId();

    ShadowPolicy();

    /// \return unlimited slots for replicas that stay until the backward pass
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

    /// \return shadowed experts, in the order of choice
    /// \param forecast predicted decisions of the gate
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
 * \return a plan in which a GPU with a shadow computes its own tokens for the expert, and all
 *     others go home
 * \param setting of one expert-parallel group
 * \param placement persistent placement
 */
ExpertPlan MakeShadowPlan(const ExpertSetting& setting,
                          const ExpertPlacement& placement,
                          const TokenCounts& counts,
                          const std::vector<ExpertShadow>& shadows);

} // namespace ns3::rails

#endif // SHADOW_POLICY_H
