// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLANNED_DISPATCH_H
#define PLANNED_DISPATCH_H

#include "expert-planning.h"
#include "token-dispatch.h"

#include "ns3/copy-tally.h"
#include "ns3/expert-setting.h"
#include "ns3/expert-tally.h"
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

/// Planning between two iterations, for all layers of a group's stage; or the mean of many
/// iterations.
struct DecidedMoves
{
    double plannedLayers{0}; //!< planned layers, whose loads were exchanged
    TimePs planning{0};      //!< planning time
};

/// Traffic of experts that change their placement: parameters and optimizer states. Also holds the
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

    /// Divides all traffic, each entry rounded up to whole bytes.
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

    /// \return bytes that a GPU sends, by destination
    const std::map<uint32_t, uint64_t>& GetSends(uint32_t gpu) const
    {
        return m_sends[gpu];
    }

    /// \return bytes that a GPU receives
    uint64_t GetReceived(uint32_t gpu) const
    {
        return m_received[gpu];
    }

  private:
    std::vector<std::map<uint32_t, uint64_t>> m_sends;
    std::vector<uint64_t> m_received;
};

/**
 * Dispatches tokens as an expert policy has planned. Plans depend on token counts and not on time,
 * so the constructor plans all iterations in order and keeps the result.
 */
class PlannedDispatch : public TokenDispatch, private PlanningClient
{
  public:
    /**
     * \param plan a training with a policy, whose load is started
     * \param groups of GPUs that are planned together
     * \throws ConfigurationError when the kept plans need more than 8 GiB
     */
    PlannedDispatch(const TrainingSpec& spec, const GpuPartition& groups);

    std::shared_ptr<const ExpertRouting> Get(uint32_t group, const LoadPlace& place) const override;

    /// \return planning charged to an iteration: the planning before it, or the mean over whole
    ///     periods of the policy (ExpertHandling::meansMoves)
    const DecidedMoves& GetDecided(uint32_t group, uint32_t iteration) const;

    /// \return transfers for the placement of an iteration, all groups and stages; or the mean, as
    ///     for GetDecided()
    const ExpertMoves& GetMoves(uint32_t iteration) const;

    /// \return layers of a stage that have experts, ascending
    const std::vector<uint32_t>& GetLayers(uint32_t stage) const;

    /// \return GPUs of a stage that hold each expert of a layer in their placement, by expert
    const std::vector<std::vector<uint32_t>>& GetHosts(uint32_t stage,
                                                       uint32_t iteration,
                                                       uint32_t layer) const;

    /// \return true when the placement of the layer differs from the default placement
    bool IsMoved(uint32_t stage, uint32_t iteration, uint32_t layer) const;

    /// \return true when IsMoved() holds for any layer of the stage
    bool IsMoved(uint32_t stage, uint32_t iteration) const;

    ExpertFigures GetFigures() const override
    {
        return m_figures;
    }

    /// Lists copies if ExpertHandling::keepsCopies is set, otherwise none.
    std::vector<ExpertCopy> ListCopies(uint32_t iteration, uint32_t layer) const override;

  private:
    using Hosts = std::vector<std::vector<uint32_t>>;

    uint32_t FindPlace(uint32_t group, uint32_t layer) const;
    uint32_t FindLayer(uint32_t group, uint32_t layer) const;
    std::size_t FindHosts(uint32_t stage, uint32_t iteration, uint32_t layer) const;
    void CheckMemory() const;
    PlanningScope MakeScope() const;
    const TokenCounts& Draw(const PlanningSite& site, const LoadPlace& place) override;
    void TakeMoves(uint32_t iteration, const std::vector<LayerMoves>& moves) override;
    void TakePlan(const PlanningSite& site,
                  const LoadPlace& place,
                  const TokenCounts& counts,
                  ExpertPlan plan,
                  double seconds) override;
    void Reject(const LoadPlace& place, const std::string& defect) override;
    void EndIteration(uint32_t iteration) override;
    std::optional<std::size_t> FindCharged(uint32_t iteration) const;
    void CountPlanning(uint32_t group, uint32_t iteration, const ExpertPlan& plan);
    void SpreadMoves();
    void KeepHosts(uint32_t iteration, uint32_t group, uint32_t layer, const ExpertPlan& plan);
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
    ExpertSetting m_setting; //!< its `layers` counts the layers of all groups
    SlotTally m_slots;
    ExpertPlanning m_planning;
    const std::vector<std::vector<uint32_t>>& m_layers; //!< layers with experts, by stage
    uint32_t m_mostLayers{0};                           //!< most layers with experts of a stage
    std::optional<TokenCounts> m_drawn;                 //!< latest counts that Draw() returned
    // Of simulated iterations; the first index is the iteration.
    std::vector<std::shared_ptr<const ExpertRouting>> m_routings; //!< by micro-batch, layer
    std::vector<DecidedMoves> m_decided;                          //!< by group
    std::vector<ExpertMoves> m_moves;
    std::vector<Hosts> m_hosts;  //!< by stage and layer
    std::vector<bool> m_isMoved; //!< by stage and layer: the placement differs from the default
    ExpertFigures m_figures;
    std::map<uint32_t, CopyTally> m_tallies; //!< of the iteration being planned, by layer
    std::map<std::pair<uint32_t, uint32_t>, std::vector<ExpertCopy>>
        m_kept;                                  //!< by iteration, layer
    std::vector<std::vector<uint64_t>> m_copies; //!< by policy layer and GPU: most copies
};

/// \return the setting of policies for a training
ExpertSetting MakeExpertSetting(const TrainingSpec& spec, const GpuPartition& groups);

} // namespace ns3::rails

#endif // PLANNED_DISPATCH_H
