// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_SEARCH_H
#define REPLICA_SEARCH_H

#include "graph-program.h"
#include "replica-fold.h"

#include <optional>
#include <string>

namespace ns3::rails
{

/// Tolerated differences of replicas that represent each other.
struct ReplicaRules
{
    /// Sizes may differ slightly, except in exchanges: parts of a ring that differ by a byte.
    bool isClose{false};
    /// In one step a GPU may send to several GPUs, some of them in other replicas: the balancer
    /// plans from the demands alone (Balancer::PlansApart()).
    bool plansApart{false};
    /// Only the first nodes of the first and the last place are compared: for estimates.
    bool isBrief{false};
};

/**
 * Compares the nodes and messages of the replicas of a program. Replicas are alike when each has
 * the nodes of the first one, and receives as much from others, taken together.
 * \param program every node is read
 * \param fold candidate replicas; gets the crossings (ReplicaFold::AddCrossing())
 * \return the kind of nodes in which replicas differ, or another difference; none: alike
 */
std::optional<std::string> FindDifference(const GraphProgram& program,
                                          ReplicaFold& fold,
                                          const ReplicaRules& rules = {});

} // namespace ns3::rails

#endif // REPLICA_SEARCH_H
