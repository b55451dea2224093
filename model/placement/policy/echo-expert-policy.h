// SPDX-License-Identifier: GPL-2.0-only
#ifndef ECHO_EXPERT_POLICY_H
#define ECHO_EXPERT_POLICY_H

#include "copying-policy.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `echo`: what the largest experts of a GPU have above the mean is spilled to GPUs below it (ECHO,
 * Megatron-LM pull request 2368, offloading_planner.py; moe-runtime-2026, section 4). What finds no
 * slot stays at home, so that some imbalance remains by design.
 *
 * Declared planning time: none is published, so 0.
 */
class EchoExpertPolicy : public CopyingPolicy
{
  public:
    /// How spills and GPUs with room are brought together.
    enum Algorithm
    {
        APPROX_BIN_PACKING, //!< the GPU with most room takes a spill out of the highest bucket
        ONE_SHOT_GREEDY     //!< spills and rooms on one line; where they overlap is a copy
    };

    static TypeId GetTypeId();

    void Check(const ExpertSetting& setting) const override;
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    void Divide(ExpertDivision& division) const override;
    std::vector<TokenRoute> Route(const TokenCounts& counts, ExpertQuota quota) const override;

    Algorithm m_algorithm;
    std::optional<uint32_t> m_slots;
    double m_threshold;
};

} // namespace ns3::rails

#endif // ECHO_EXPERT_POLICY_H
