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
 * `eplb`: DeepSeek's Expert Parallelism Load Balancer (deepseek-ai/EPLB, MIT). Each GPU has some
 * slots more than experts at home; experts with high loads fill several, and their tokens are dealt
 * evenly over them, or over the nearest of them. Hierarchical when the groups of experts can be
 * dealt to the servers: experts of a group then stay in one server, with all of their replicas.
 * Otherwise global.
 *
 * Two replicas of an expert may come to one GPU, as in the source; they take two shares.
 */
class EplbExpertPolicy : public PlacementPolicy, public EplbReplacement
{
  public:
    static TypeId GetTypeId();

    EplbExpertPolicy();

    void Check(const ExpertSetting& setting) const override;
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;
    uint32_t GetPeriod() const override;

    bool PlansOneGroup() const override;
    bool DealsUnevenly() const override;

    /// Over which replicas of an expert a source deals its tokens.
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
