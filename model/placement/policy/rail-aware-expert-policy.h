// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAIL_AWARE_EXPERT_POLICY_H
#define RAIL_AWARE_EXPERT_POLICY_H

#include "copying-policy.h"

#include <cstdint>
#include <optional>

namespace ns3::rails
{

/**
 * `rail-aware`, our own: copies cost what the link takes that they cross (RailAwareSearch), and
 * tokens stay on their GPU, then in their server, as far as its share reaches.
 */
class RailAwareExpertPolicy : public CopyingPolicy
{
  public:
    static TypeId GetTypeId();

    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    void Divide(ExpertDivision& division) const override;
    std::vector<TokenRoute> Route(const TokenCounts& counts, ExpertQuota quota) const override;
    double GetPublishedPlanningTime() const override;

    std::optional<uint32_t> m_slots;
    double m_worth;
    uint32_t m_limits;
};

} // namespace ns3::rails

#endif // RAIL_AWARE_EXPERT_POLICY_H
