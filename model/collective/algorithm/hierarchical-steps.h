// SPDX-License-Identifier: GPL-2.0-only
#ifndef HIERARCHICAL_STEPS_H
#define HIERARCHICAL_STEPS_H

#include "group-collective.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * \param groups the GPUs of a cluster
 * \return how many GPUs each group has on each of its servers; 0 when these numbers differ
 */
uint32_t CountOnServers(const GpuGroups& groups);

/**
 * A broadcast in two levels, with m of a group's GPUs on each of k servers: the root hands out
 * parts of 1/m on its server, they go down chains over the servers in chunks, and each server
 * gathers them, without the root; reduce is the same backwards. A group on one server, or with a
 * GPU on each, does as MakeFlatSteps().
 * \param groups the GPUs of the cluster, for which CountOnServers() is not 0
 * \param collective what they do
 * \return what each step moves
 */
CollectiveSteps MakeHierarchicalSteps(const GpuGroups& groups, const GroupCollective& collective);

/// \return how many steps MakeHierarchicalSteps() makes
uint64_t CountHierarchicalSteps(const GpuGroups& groups, const GroupCollective& collective);

} // namespace ns3::rails

#endif // HIERARCHICAL_STEPS_H
