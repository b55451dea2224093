// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLANNED_ROUTER_H
#define PLANNED_ROUTER_H

#include "expert-router.h"

#include "ns3/copy-tally.h"
#include "ns3/expert-setting.h"
#include "ns3/grouped-policy.h"
#include "ns3/move-window.h"
#include "ns3/plan-figures.h"
#include "ns3/token-counts.h"
#include "ns3/token-split.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// What is decided between two iterations, of all layers of a group's stage; or the mean of many.
struct DecidedMoves
{
    double plannedLayers{0}; //!< layers that were planned: their loads had to be exchanged
    TimePs planning{0};      //!< how long that takes
};

/// What GPUs send each other of experts that move: parameters, and states of the optimizer; or the
/// mean of many iterations.
class ExpertMoves
{
  public:
    explicit ExpertMoves(const ClusterShape& shape)
        : m_sends(shape.GetGpus()),
          m_received(shape.GetGpus())
    {
    }

    void Add(uint32_t from, uint32_t to, uint64_t bytes)
    {
        m_sends[from][to] += bytes;
        m_received[to] += bytes;
    }

    /// Leaves a part of it, in whole bytes or a little more.
    void Divide(uint64_t parts)
    {
        std::fill(m_received.begin(), m_received.end(), 0);
        for (std::map<uint32_t, uint64_t>& sends : m_sends)
        {
            for (auto& [to, bytes] : sends)
            {
                bytes = (bytes + parts - 1) / parts;
                m_received[to] += bytes;
            }
        }
    }

    /// \return what a GPU sends, by destination
    const std::map<uint32_t, uint64_t>& GetSends(uint32_t gpu) const
    {
        return m_sends[gpu];
    }

    /// \return bytes that a GPU gets
    uint64_t GetReceived(uint32_t gpu) const
    {
        return m_received[gpu];
    }

  private:
    std::vector<std::map<uint32_t, uint64_t>> m_sends;
    std::vector<uint64_t> m_received;
};

/**
 * Goes where a policy says. A policy depends on counts alone, not on when anything happens; so all
 * iterations are planned at once, in their order, and kept.
 */
class PlannedRouter : public ExpertRouter
{
  public:
    /**
     * \param plan of a training with a policy, whose load is drawn
     * \param groups of it
     * \throws ConfigurationError when there is more to be kept than memory for it
     */
    PlannedRouter(const TrainingPlan& plan, const ExpertGroups& groups);

    std::shared_ptr<const ExpertRouting> Get(uint32_t group, const LoadPlace& place) const override;

    /// \return what an iteration is charged with: what was decided before it, or the mean over
    /// whole periods of the policy (ExpertHandling::meansMoves)
    const DecidedMoves& GetDecided(uint32_t group, uint32_t iteration) const;

    /// \return what moves before an iteration, in all groups and stages, or likewise the mean
    const ExpertMoves& GetMoves(uint32_t iteration) const;

    /// \return layers with experts of a stage, ascending
    const std::vector<uint32_t>& GetLayers(uint32_t stage) const;

    /// \return by expert the GPUs of a stage that hold it for good in a layer
    const std::vector<std::vector<uint32_t>>& GetHosts(uint32_t stage,
                                                       uint32_t iteration,
                                                       uint32_t layer) const;

    /// \return true when some expert of the layer is elsewhere than without any policy
    bool IsMoved(uint32_t stage, uint32_t iteration, uint32_t layer) const;

    /// \return the same, of any layer of the stage
    bool IsMoved(uint32_t stage, uint32_t iteration) const;

    ExpertFigures GetFigures() const override;

    /// What the plan says is to be kept (ExpertHandling::keepsCopies), otherwise none.
    std::vector<ExpertCopy> ListCopies(uint32_t iteration, uint32_t layer) const override;

  private:
    using Hosts = std::vector<std::vector<uint32_t>>;

    uint32_t FindPlace(uint32_t group, uint32_t layer) const;
    uint32_t FindLayer(uint32_t group, uint32_t layer) const;
    std::size_t FindHosts(uint32_t stage, uint32_t iteration, uint32_t layer) const;
    void CheckMemory() const;
    void PlanIteration(uint32_t iteration);
    void BeginIteration(uint32_t iteration);
    std::optional<std::size_t> FindCharged(uint32_t iteration) const;
    void CountPlanning(uint32_t group, uint32_t iteration, const ExpertPlan& plan);
    void SpreadMoves();
    Hosts ListHosts(uint32_t stage, uint32_t layer) const;
    void PlanLayer(uint32_t group, const LoadPlace& place);
    void KeepHosts(uint32_t iteration, uint32_t group, uint32_t layer, const ExpertPlan& plan);
    TokenCounts DrawGroup(uint32_t group, const LoadPlace& place) const;
    static std::vector<std::vector<uint32_t>> CountRows(uint32_t gpus, const ExpertPlan& plan);
    std::shared_ptr<const ExpertRouting> MakeRouting(uint32_t group,
                                                     const LoadPlace& place,
                                                     const TokenCounts& counts,
                                                     const ExpertPlan& plan) const;
    void AddPadding(ExpertRouting& routing) const;
    void AddIdle(uint32_t part,
                 uint32_t expert,
                 const ExpertPlan& plan,
                 std::vector<SplitPart>& parts) const;
    void CountCopies(uint32_t group,
                     const LoadPlace& place,
                     const TokenCounts& counts,
                     const ExpertPlan& plan,
                     ExpertRouting& routing) const;
    void AddFigures(uint32_t group,
                    const LoadPlace& place,
                    const TokenCounts& counts,
                    const ExpertPlan& plan);
    ExpertFigures::Held FindMostHeld(uint32_t stage) const;
    uint64_t FindMostCopies(uint32_t group) const;
    void FinishFigures();

    MoveWindow m_window;
    ExpertSetting m_setting;                     //!< its layers are those of all groups
    std::vector<std::vector<uint32_t>> m_layers; //!< with experts, by stage
    uint32_t m_mostLayers{0};                    //!< with experts, of a stage
    std::unique_ptr<GroupedPolicy> m_policy;
    // Of iterations that are run, by iteration first.
    std::vector<std::shared_ptr<const ExpertRouting>> m_routings; //!< by micro-batch, layer
    std::vector<DecidedMoves> m_decided;                          //!< by group
    std::vector<ExpertMoves> m_moves;
    std::vector<Hosts> m_hosts;  //!< by stage and layer
    std::vector<bool> m_isMoved; //!< likewise: some expert is elsewhere than without any policy
    std::map<std::pair<uint32_t, uint32_t>, Hosts> m_placed; //!< now, by stage and layer
    ExpertFigures m_figures;
    bool m_fetchesAgain{false};
    std::optional<uint32_t> m_copySlots;     //!< of a GPU, for copies of a micro-batch; or no limit
    uint64_t m_mostCopies{0};                //!< that fill them
    std::map<uint32_t, CopyTally> m_tallies; //!< of the iteration that is planned, by layer
    std::map<std::pair<uint32_t, uint32_t>, std::vector<ExpertCopy>>
        m_kept;                                  //!< by iteration, layer
    std::vector<std::vector<uint64_t>> m_copies; //!< by layer as the policy counts, and GPU
};

/// \return what policies are told of a training
ExpertSetting MakeExpertSetting(const TrainingPlan& plan, const ExpertGroups& groups);

} // namespace ns3::rails

#endif // PLANNED_ROUTER_H
