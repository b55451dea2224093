// SPDX-License-Identifier: GPL-2.0-only
#ifndef ULTRA_EP_EXPERT_POLICY_H
#define ULTRA_EP_EXPERT_POLICY_H

#include "copying-policy.h"
#include "ultra-ep-domain.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `ultra-ep`: looks for the lowest load that all GPUs of an NVLink domain can keep to with few
 * slots for copies (UltraEP 1.0.0, csrc/kernels/placement.cu; moe-runtime-2026, section 3). Nothing
 * is copied across domains. Tokens on a GPU that computes their expert stay there first.
 *
 * Declared planning time: 78 us, the largest of its figures (64 GPUs, 256 experts, max/mean 3.03;
 * 67 us at 1.51, 72 us at 2.01). Rewriting the destinations of tokens, 36 to 39 us, is not in it.
 */
class UltraEpExpertPolicy : public CopyingPolicy
{
  public:
    /// Which of the plans that the search comes across is used.
    enum Search
    {
        PUBLISHED, //!< that of the limit it ends at
        BEST       //!< that with the lowest largest load
    };

    static TypeId GetTypeId();

    SlotRule GetSlotRule(const ExpertSetting& setting) const override;
    /// \return Relays
    CopyWay GetCopyWay() const override;

  private:
    void Divide(ExpertDivision& division) const override;
    std::vector<TokenRoute> Route(const TokenCounts& counts, ExpertQuota quota) const override;
    double GetPublishedPlanningTime() const override;

    std::optional<uint32_t> m_slots;
    double m_threshold;
    double m_tolerance;
    uint32_t m_minTokens;
    bool m_zeroMaster;
    bool m_locality;
    Search m_search;
};

} // namespace ns3::rails

#endif // ULTRA_EP_EXPERT_POLICY_H
