// SPDX-License-Identifier: GPL-2.0-only
#ifndef FASTER_MOE_EXPERT_POLICY_H
#define FASTER_MOE_EXPERT_POLICY_H

#include "ns3/data-rate.h"
#include "ns3/runtime-policy.h"
#include "ns3/shadow-units.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `faster-moe`: dynamic shadowing of FasterMoE. After the gate, experts are shadowed on all GPUs,
 * the heaviest first, as long as a time model says that it pays. What planning takes is not
 * published in seconds (2.6 to 6.8 % of an iteration in "previous systems" of arXiv 2411.10003,
 * Table I, whose time is not given), so 0 is declared.
 */
class FasterMoeExpertPolicy : public RuntimePolicy
{
  public:
    /// Which of its policies.
    enum Variant
    {
        PUBLISHED,
        ARTIFACT,
        MASTER
    };

    static TypeId GetTypeId();

    /// \return Interleaved: its smart schedule
    CopyTiming GetCopyTiming() const override;

    /// \return Chain: a shadow is on all GPUs, a broadcast brings it there
    CopyWay GetCopyWay() const override;
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

    void Check(const ExpertSetting& setting) const override;

    bool PlansOneGroup() const override;

    /// \return numbers of the experts that are shadowed, in the order in which they were chosen
    std::vector<uint32_t> Choose(const TokenCounts& counts) const;

  private:
    /// What its time models are made of.
    struct Costs
    {
        double compute;    //!< seconds that a token is computed, forward and backward
        double send;       //!< seconds that a token is sent, four times
        double parameters; //!< seconds that parameters of an expert are sent
        double gradients;  //!< seconds that gradients of an expert are sent
    };

    /// In what its policies differ.
    struct Rules
    {
        ShadowGrain grain;               //!< what is shadowed at once
        std::optional<double> bandwidth; //!< bytes per second; by default the cluster's
        std::optional<double> flops;     //!< in a second; by default the cluster's
        /// How many of the units, the heaviest first, are shadowed.
        uint32_t (FasterMoeExpertPolicy::*count)(const std::vector<ShadowUnit>& units) const;
    };

    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) final;

    Rules GetRules() const;
    double FindBandwidth(const ClusterView& cluster) const;
    double FindFlops(const ClusterView& cluster) const;
    Costs FindCosts(double bandwidth) const;
    uint32_t CountPublished(const std::vector<ShadowUnit>& units) const;
    uint32_t CountOfArtifact(const std::vector<ShadowUnit>& units) const;
    uint32_t CountOfMaster(const std::vector<ShadowUnit>& units) const;

    Variant m_variant;
    std::optional<DataRate> m_bandwidth;
    std::optional<double> m_flops;
};

} // namespace ns3::rails

#endif // FASTER_MOE_EXPERT_POLICY_H
