// SPDX-License-Identifier: GPL-2.0-only
#ifndef SMART_MOE_EXPERT_POLICY_H
#define SMART_MOE_EXPERT_POLICY_H

#include "replacement-clock.h"

#include "ns3/placement-policy.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `smart-moe`: the online part of SmartMoE (ATC'23). Once in a period the experts of each group of
 * expert parallelism change places: every GPU keeps as many, and none is replicated. Greedy, as in
 * its artifact: experts in descending load, each to the GPU with the lowest load that has room; of
 * several such GPUs to the one that holds it already. Adopted only if the largest load falls.
 *
 * Groups side by side change places alike, by the loads of all, and tokens stay in their group.
 */
class SmartMoeExpertPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId();
    uint32_t GetPeriod() const override;

  private:
    void DoStart() override;
    std::optional<ExpertPlacement> Place(uint32_t layer, const LoadHistory& history) override;
    std::vector<TokenRoute> Route(const SourceCounts& own,
                                  const ExpertPlacement& placement) const override;
    double GetPublishedPlanningTime() const override;

    /// \return by expert, the GPU of a group that holds it, greedily. \param old where it is now
    std::vector<uint32_t> Deal(const std::vector<double>& loads,
                               const std::vector<uint32_t>& old) const;

    uint32_t m_period;
    uint32_t m_window;
    ReplacementClock m_clock;
};

} // namespace ns3::rails

#endif // SMART_MOE_EXPERT_POLICY_H
