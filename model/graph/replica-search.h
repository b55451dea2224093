// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_SEARCH_H
#define REPLICA_SEARCH_H

#include "graph-program.h"
#include "replica-fold.h"

#include <optional>
#include <string>

namespace ns3::rails
{

/**
 * Compares all that replicas of a program do, and what they send to each other: that of each has to
 * be that of the first, with all GPUs so many replicas further on.
 * \param program whose every node is asked for
 * \param fold its replicas, as they may be; takes up who sends to whom (ReplicaFold::AddPair())
 * \param isClose whether they may send nearly as much, but for exchanges: parts of a ring that
 *     differ by a byte
 * \return the name of a kind of nodes in which they differ; none: they do the same
 */
std::optional<std::string> FindDifference(const GraphProgram& program,
                                          ReplicaFold& fold,
                                          bool isClose = false);

} // namespace ns3::rails

#endif // REPLICA_SEARCH_H
