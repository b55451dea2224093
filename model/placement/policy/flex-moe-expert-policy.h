// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLEX_MOE_EXPERT_POLICY_H
#define FLEX_MOE_EXPERT_POLICY_H

#include "replacement-clock.h"

#include "ns3/placement-policy.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

class ExpertSlots;

/**
 * `flex-moe`: FlexMoE (SIGMOD'23; its code is closed). Each GPU has a number of slots, vExperts; an
 * expert fills one or more of them, wherever they are, and its tokens are dealt evenly over them.
 * When GPUs are out of balance, some rounds follow. In each the expert with the highest load per
 * vExpert gets one more (Expand) in place of one of the expert with the lowest (Shrink), on the GPU
 * where that leaves the lowest ratio of loads. The placement with the lowest ratio met is adopted.
 *
 * Its third operation, Migrate, is left out: what is known of it is not verified. Of GPUs that are
 * as good, Expand prefers one in a server that has the expert, which is what Migrate is for.
 */
class FlexMoeExpertPolicy : public PlacementPolicy
{
  public:
    /// What is out of balance.
    enum Ratio
    {
        MAX_OVER_MEAN,
        MAX_OVER_MIN
    };

    static TypeId GetTypeId();

    void Check(const ExpertSetting& setting) const override;
    uint32_t GetPeriod() const override;
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    void DoStart() override;
    std::optional<ExpertPlacement> Place(uint32_t layer, const LoadHistory& history) override;

    /// \return slots of a GPU besides those for as many experts as are at home there
    double FindRatio(const std::vector<double>& gpuLoads) const;
    /// A round. \return false when no slot can change hands
    bool Exchange(ExpertSlots& slots) const;

    Ratio m_ratio;
    double m_threshold;
    uint32_t m_rounds;
    uint32_t m_patience;
    std::optional<uint32_t> m_slots;
    uint32_t m_period;
    uint32_t m_window;
    ReplacementClock m_clock;
};

} // namespace ns3::rails

#endif // FLEX_MOE_EXPERT_POLICY_H
