// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_PLANNING_H
#define EXPERT_PLANNING_H

#include "ns3/grouped-policy.h"
#include "ns3/run-iterations.h"
#include "ns3/token-counts.h"
#include "ns3/token-load.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A layer of a group of GPUs that is planned together.
struct PlanningSite
{
    uint32_t stage{0};
    uint32_t group{0};
    uint32_t place{0}; //!< index among the stage's layers with experts
    uint32_t layer{0}; //!< number of the layer in the model
};

/// Groups, layers and iterations to be planned.
struct PlanningScope
{
    std::vector<std::vector<uint32_t>> members; //!< GPUs by group, all groups of equal size
    std::vector<std::vector<uint32_t>> groups;  //!< by stage; they hold the same experts
    std::vector<std::vector<uint32_t>> layers;  //!< layers with experts, by stage
    uint32_t gpusPerServer{1};                  //!< GPUs per server of the cluster
    RunIterations run{0, 1};
    uint32_t end{1}; //!< one past the last iteration; later than the run where moves are averaged
    bool plansBehind{false}; //!< the first micro-batch of iterations after the run is planned too
    bool isByLayer{false};   //!< plans groups layer by layer, not layers group by group
};

/// Transfers for the new placement of a layer before an iteration, by GPU numbers of the cluster:
/// parameters first, then optimizer states.
struct LayerMoves
{
    std::vector<ExpertTransfer> transfers{};
    double seconds{0}; //!< measured seconds of planning on this machine, slowest group
};

/// Interface of ExpertPlanning: supplies token counts and receives plans.
class PlanningClient
{
  public:
    virtual ~PlanningClient() = default;

    /// \param place when and where; its group is ignored
    /// \return token counts of the group, valid until the next call
    virtual const TokenCounts& Draw(const PlanningSite& site, const LoadPlace& place) = 0;

    /// Called at the beginning of an iteration. \param moves by stage and layer, in their order
    virtual void TakeMoves(uint32_t iteration, const std::vector<LayerMoves>& moves) = 0;

    /// \param plan a valid plan
    /// \param seconds measured seconds of planning on this machine
    virtual void TakePlan(const PlanningSite& site,
                          const LoadPlace& place,
                          const TokenCounts& counts,
                          ExpertPlan plan,
                          double seconds) = 0;

    /// Called in place of TakePlan() for an invalid plan; planning ends then.
    virtual void Reject(const LoadPlace& place, const std::string& defect) = 0;

    virtual void EndIteration(uint32_t iteration) = 0;
};

/**
 * Runs a policy over iterations, micro-batches and layers in time order: draws tokens, plans,
 * checks the plan, and passes it to the client. Iterations count all iterations that loads see
 * (RunIterations).
 */
class ExpertPlanning
{
  public:
    /// \param setting of one group
    ExpertPlanning(const Ptr<ExpertPolicy>& policy,
                   const ExpertSetting& setting,
                   PlanningScope scope);

    const GroupedPolicy& GetPolicy() const
    {
        return m_policy;
    }

    const PlanningScope& GetScope() const
    {
        return m_scope;
    }

    /// Plans the whole scope; to be called once.
    void Run(PlanningClient& client);

  private:
    using Hosts = std::vector<std::vector<uint32_t>>;

    Hosts ListHosts(uint32_t stage, uint32_t place) const;
    std::vector<LayerMoves> Move();
    bool Plan(const PlanningSite& site, const LoadPlace& place, PlanningClient& client);

    ExpertSetting m_setting;
    PlanningScope m_scope;
    GroupedPolicy m_policy;
    std::vector<PlanningSite> m_sites;  //!< sites in the order of planning
    std::vector<std::size_t> m_firstOf; //!< number of layers of earlier stages, by stage
    std::vector<Hosts> m_placed;        //!< current placement, by stage and layer
};

} // namespace ns3::rails

#endif // EXPERT_PLANNING_H
