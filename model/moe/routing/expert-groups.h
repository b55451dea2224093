// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_GROUPS_H
#define EXPERT_GROUPS_H

#include "ns3/cluster-view.h"
#include "ns3/gpu-group-table.h"
#include "ns3/group-servers.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * GPUs whose experts are planned together: a group of expert parallelism, or some that follow each
 * other in a stage of the pipeline (a MicroEP group of MicroMoE, arXiv 2511.16947).
 */
class ExpertGroups
{
  public:
    explicit ExpertGroups(const TrainingPlan& plan);

    /**
     * \param shape the cluster
     * \param groups of equal size, which have every GPU once; all are of the same stage, and each
     * is a group of expert parallelism
     */
    ExpertGroups(const ClusterShape& shape, std::vector<std::vector<uint32_t>> groups);

    /// \return who is in which; its numbers run through all stages
    const GpuGroupTable& GetTable() const;

    /// \return servers of the members of a group
    const GroupServers& GetServers(uint32_t group) const;

    /// \return the stage of the pipeline that a group is in
    uint32_t GetStage(uint32_t group) const;

    /// \return which of the groups of expert parallelism of its stage is the first of a group
    uint32_t GetFirstPart(uint32_t group) const;

    /// \return groups of a stage
    const std::vector<uint32_t>& GetOfStage(uint32_t stage) const;

    /**
     * \return members of a group in each of its servers, if they are as many in all, and side by
     * side; otherwise 0
     */
    uint32_t CountPerServer(uint32_t group) const;

    /// \return true when CountPerServer() is the same for all groups, and not 0
    bool AreEven() const;

    /// \return what a group sees of a cluster: its GPUs, and of each server its part of the NICs
    /// \param cluster whole servers
    ClusterView Narrow(ClusterView cluster) const;

  private:
    GpuGroupTable m_table;
    std::vector<GroupServers> m_servers;          //!< by group
    std::vector<uint32_t> m_stages;               //!< by group
    std::vector<uint32_t> m_firstParts;           //!< by group
    std::vector<std::vector<uint32_t>> m_ofStage; //!< by stage
};

} // namespace ns3::rails

#endif // EXPERT_GROUPS_H
