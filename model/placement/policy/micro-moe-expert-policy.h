// SPDX-License-Identifier: GPL-2.0-only
#ifndef MICRO_MOE_EXPERT_POLICY_H
#define MICRO_MOE_EXPERT_POLICY_H

#include "ns3/balanced-split.h"
#include "ns3/communication-split.h"
#include "ns3/random-variable-stream.h"
#include "ns3/runtime-policy.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `micro-moe`: experts have replicas for good, and in every micro-batch and layer a linear program
 * splits the tokens of each expert over them so that the largest load of a GPU is as small as it
 * can be (MicroMoE, arXiv 2511.16947; also FineMoE). How good that is depends on the placement: of
 * little use to a hot expert that has no more replicas than others. With adaptive replacement,
 * loads of the last iterations decide anew how many replicas each expert has, and where.
 *
 * Replicas come from groups of expert parallelism side by side, which are merged into one, and from
 * slots besides.
 */
class MicroMoeExpertPolicy : public RuntimePolicy
{
  public:
    /// Where replicas are.
    enum Placement
    {
        SYMMETRIC,
        RANDOM,
        ASYMMETRIC
    };

    /// Linear program that splits tokens.
    enum Program
    {
        FLOW,
        COMMUNICATION,
        TOPOLOGY
    };

    /// Library that solves linear programs.
    enum Library
    {
        LP_SOLVE,
        HIGHS
    };

    /// Whose tokens a replica takes first.
    enum Locality
    {
        NONE,
        GPU,
        SERVER
    };

    static TypeId GetTypeId();

    MicroMoeExpertPolicy();

    void Check(const ExpertSetting& setting) const override;
    uint32_t GetPeriod() const override;
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /// Replicas of a layer.
    struct Layer
    {
        std::unique_ptr<BalancedSplit> split; //!< over the hosts of now
        uint32_t age{0};                      //!< iterations since loads were last looked at
        uint32_t searches{0};                 //!< how often a placement for loads was looked for
    };

    using Hosts = std::vector<std::vector<uint32_t>>;

    void DoStart() override;
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer,
                                                 const LoadHistory& history) override;
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) override;
    double GetPublishedPlanningTime() const override;

    uint32_t CountSlots() const;
    Hosts PlaceFirst(uint32_t layer) const;
    bool IsDue(uint32_t layer) const;
    Hosts Search(uint32_t layer, const std::vector<uint64_t>& loads, double limit);
    double FindBound(const std::vector<uint64_t>& loads,
                     const std::vector<uint32_t>& replicas) const;
    double FindLargestLoad(uint32_t layer, const std::vector<uint64_t>& loads) const;
    std::optional<double> FindLargestBelow(const std::vector<uint64_t>& loads,
                                           const Hosts& hosts,
                                           double limit) const;
    std::vector<ExpertTransfer> Place(uint32_t layer, Hosts hosts);
    ExpertQuota Split(uint32_t layer, const TokenCounts& counts);
    CommunicationWeights GetWeights() const;
    LinearSolver GetLibrary() const;

    Placement m_placement;
    std::optional<uint32_t> m_slots;
    bool m_isAdaptive;
    uint32_t m_period;
    uint32_t m_window;
    double m_threshold;
    uint32_t m_draws;
    Program m_program;
    std::optional<double> m_weight; //!< of COMMUNICATION
    double m_insideWeight;          //!< of TOPOLOGY
    double m_acrossWeight;          //!< of TOPOLOGY
    Library m_library;
    Locality m_locality;

    Ptr<UniformRandomVariable> m_random;
    std::optional<uint64_t> m_seed; //!< drawn once, so that every start draws the same
    std::vector<Layer> m_layers;
};

} // namespace ns3::rails

#endif // MICRO_MOE_EXPERT_POLICY_H
