// SPDX-License-Identifier: GPL-2.0-only
#ifndef PRO_PROPHET_EXPERT_POLICY_H
#define PRO_PROPHET_EXPERT_POLICY_H

#include "pro-prophet-estimate.h"

#include "ns3/data-rate.h"
#include "ns3/shadow-policy.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `pro-prophet` (arXiv 2411.10003): shadows of a few hot experts on all or almost all GPUs. As long
 * as GPUs are unbalanced (eq. 7), the experts of the busiest one are shadowed; of all these steps
 * as many are done as the time model says is best. The paper has one expert on each GPU. Of
 * several, those of a GPU are shadowed together as the released code does, or one by one, the
 * heaviest of the busiest GPU first: with one expert on each GPU both are the same. What planning
 * takes is not published; as it runs under an all-to-all, 0 is declared.
 */
class ProProphetExpertPolicy : public ShadowPolicy
{
  public:
    /// Which of its planners.
    enum Variant
    {
        ALGORITHM_1,
        RELEASED
    };

    static TypeId GetTypeId();

    /// \return Scheduled when its planner reckons with the scheduler, else Blocking
    CopyTiming GetCopyTiming() const override;

    LayerRates FindRates(const ExpertSetting& setting) const override;

    void Check(const ExpertSetting& setting) const override;
    std::vector<ExpertShadow> Choose(const TokenCounts& forecast) const override;

  private:
    /// \return shadows of the heaviest units, whatever they cost
    std::vector<ExpertShadow> ChooseHeaviest(std::vector<ShadowUnit> units) const;
    std::unique_ptr<ProProphetEstimate> MakeEstimate(const std::vector<ShadowUnit>& units,
                                                     uint32_t excluded) const;
    double FindBandwidth(const ClusterView& cluster) const;
    double FindFlops(const ClusterView& cluster) const;
    double FindSeconds(const LayerTime& time) const;

    Variant m_variant;
    std::optional<uint32_t> m_excluded;
    std::optional<uint32_t> m_heaviest;
    std::optional<double> m_balanceTolerance;
    bool m_scheduled;
    bool m_fused;
    std::optional<DataRate> m_bandwidth;
    std::optional<double> m_flops;
};

} // namespace ns3::rails

#endif // PRO_PROPHET_EXPERT_POLICY_H
