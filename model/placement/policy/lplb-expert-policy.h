// SPDX-License-Identifier: GPL-2.0-only
#ifndef LPLB_EXPERT_POLICY_H
#define LPLB_EXPERT_POLICY_H

#include "copy-topology.h"
#include "replacement-clock.h"

#include "ns3/balanced-split.h"
#include "ns3/runtime-policy.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `lplb`: DeepSeek's Linear-Programming-Based Load Balancer. Between iterations EPLB puts experts
 * in another order by their history, without replicas; then the heaviest of each GPU get one copy
 * each, on the GPU that a fixed topology says. In each micro-batch a linear program decides how
 * many tokens of an expert go to its copy, so that the largest load of a GPU of a block is as small
 * as it can be. Here it is solved exactly and in whole tokens (BalancedSplit).
 *
 * Copies are there for good: they are part of the placement, and what moves with it moves when
 * experts are placed anew. (The source tells which slot holds which expert whenever it re-orders,
 * and between two re-orderings nothing of that changes.)
 */
class LplbExpertPolicy : public RuntimePolicy
{
  public:
    /// Which GPU holds copies of whose experts.
    enum Topology
    {
        AUTOMATIC, //!< by the cluster, see ChooseShape()
        CUBE,
        RING,
        HYPERCUBE,
        TORUS
    };

    static TypeId GetTypeId();

    void Check(const ExpertSetting& setting) const override;
    uint32_t GetPeriod() const override;
    /// Each GPU has as many experts with a copy elsewhere as copies: it has no more states for
    /// them.
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

    bool PlansOneGroup() const override;

  private:
    /// GPUs that share their load, one after the other, and the experts at home there.
    struct Block
    {
        uint32_t firstGpu{0};
        std::vector<uint32_t> experts;
        std::unique_ptr<BalancedSplit> split; //!< of these, in this order, GPUs counted from 0
    };

    void DoStart() override;
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer,
                                                 const LoadHistory& history) override;
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) override;
    double GetPublishedPlanningTime() const override;

    /// A topology with its sizes.
    struct Shape
    {
        Topology topology{CUBE};
        uint32_t rows{1};    //!< of a torus
        uint32_t columns{1}; //!< of a torus; of a ring its GPUs

        CopyTopology Make() const;
        /// \return copies that each GPU has from others
        uint32_t CountEdges() const;
        /// \return GPUs, which may be too many to make it
        uint64_t CountGpus() const;
    };

    Shape ChooseShape(const ExpertSetting& setting) const;
    /// \return experts of a GPU that get a copy
    uint32_t GetCopies() const;
    /// \return the experts at home on each GPU, one GPU after the other, by what they had to do
    std::vector<uint32_t> Reorder(const std::vector<double>& loads) const;
    /// \return a placement with copies of the first experts of each GPU
    ExpertPlacement AddCopiesTo(const std::vector<uint32_t>& order) const;
    std::vector<ExpertTransfer> Settle(uint32_t layer, const std::vector<uint32_t>& order);

    Topology m_topology;
    uint32_t m_ringGpus;
    uint32_t m_torusRows;
    uint32_t m_torusColumns;
    std::optional<uint32_t> m_copies;
    uint32_t m_period;
    uint32_t m_window;
    ReplacementClock m_clock;
    CopyTopology m_edges;                     //!< of a block
    std::vector<std::vector<Block>> m_blocks; //!< by layer
};

} // namespace ns3::rails

#endif // LPLB_EXPERT_POLICY_H
