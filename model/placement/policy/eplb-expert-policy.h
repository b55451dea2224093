// SPDX-License-Identifier: GPL-2.0-only
#ifndef EPLB_EXPERT_POLICY_H
#define EPLB_EXPERT_POLICY_H

#include "eplb-replacement.h"

#include "ns3/placement-policy.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `eplb`: DeepSeek's Expert Parallelism Load Balancer (deepseek-ai/EPLB, MIT). Each GPU has extra
 * slots beyond its experts at home. Experts with high loads fill several slots and split their
 * tokens evenly over them, or over the nearest ones. In hierarchical mode, if servers divide the
 * groups of experts, a group stays in one server with all replicas. Otherwise placement is global.
 *
 * Two replicas of an expert may be on one GPU, as in the source; they take two shares.
 */
class EplbExpertPolicy : public PlacementPolicy, public EplbReplacement
{
  public:
    static TypeId GetTypeId();

    EplbExpertPolicy();

    void Check(const ExpertSetting& setting) const override;
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;
    uint32_t GetPeriod() const override;

    bool DealsUnevenly() const override;

    /// Replicas over which a source splits its tokens of an expert.
    enum Replicas
    {
        EVEN,
        NEAR
    };

  private:
    void DoStart() override;
    std::optional<ExpertPlacement> Place(uint32_t layer, const LoadHistory& history) override;
    std::vector<TokenRoute> Route(const SourceCounts& own,
                                  const ExpertPlacement& placement) const override;

    Replicas m_replicas;
};

} // namespace ns3::rails

#endif // EPLB_EXPERT_POLICY_H
