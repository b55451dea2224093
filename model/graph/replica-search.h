// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_SEARCH_H
#define REPLICA_SEARCH_H

#include "graph-program.h"
#include "replica-fold.h"

#include <optional>
#include <string>

namespace ns3::rails
{

/// What replicas may do, and still answer for each other.
struct ReplicaRules
{
    /// They send nearly as much, but for exchanges: parts of a ring that differ by a byte.
    bool isClose{false};
    /// A GPU sends something to several others in one step, of which some are in other replicas:
    /// who plans it looks at nothing else (Planner::PlansApart()).
    bool plansApart{false};
    /// The first nodes alone of the first and the last place are looked at: for estimates.
    bool isBrief{false};
};

/**
 * Compares all that replicas of a program do, and what they send to each other: each does what the
 * first does, and gets from others, taken together, what the first gets.
 * \param program whose every node is asked for
 * \param fold its replicas, as they may be; takes up who sends to whom (ReplicaFold::AddCrossing())
 * \return the name of a kind of nodes in which they differ, or what else; none: they do the same
 */
std::optional<std::string> FindDifference(const GraphProgram& program,
                                          ReplicaFold& fold,
                                          const ReplicaRules& rules = {});

} // namespace ns3::rails

#endif // REPLICA_SEARCH_H
