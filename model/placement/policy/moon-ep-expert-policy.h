// SPDX-License-Identifier: GPL-2.0-only
#ifndef MOON_EP_EXPERT_POLICY_H
#define MOON_EP_EXPERT_POLICY_H

#include "copying-policy.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `moon-ep`: every GPU computes exactly the mean (MoonEP, README and tests/planning_reference.py;
 * moe-runtime-2026, section 2). The GPU with most tokens too many fills the one with most too few,
 * until nobody has too many: a GPU is filled once and hence by one other, so that it never needs
 * more copies than an expert's home has experts. Which tokens of an expert go is a matter of their
 * number, source by source, and not of where they are. It works within one NVLink domain.
 *
 * Declared planning time: 51 us, the larger of its two figures (8 H200, 896 experts, 8,192 tokens;
 * 43 us with 1,024).
 */
class MoonEpExpertPolicy : public CopyingPolicy
{
  public:
    /// What becomes of experts for which a GPU has no slot.
    enum Overflow
    {
        READ, //!< computed there nonetheless, with weights that are read from the home each time
        HOME  //!< their tokens stay at home
    };

    static TypeId GetTypeId();

    void Check(const ExpertSetting& setting) const override;
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    void Divide(ExpertDivision& division) const override;
    std::vector<TokenRoute> Route(const TokenCounts& counts, ExpertQuota quota) const override;
    double GetPublishedPlanningTime() const override;

    std::optional<uint32_t> m_slots;
    Overflow m_overflow;
    bool m_acrossServers;
};

} // namespace ns3::rails

#endif // MOON_EP_EXPERT_POLICY_H
