// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_ESTIMATE_H
#define COLLECTIVE_ESTIMATE_H

#include "collective.h"

#include <cstdint>
#include <limits>

namespace ns3::rails
{

/**
 * How long a collective of the slowest of some groups takes while all groups do the same, about:
 * the larger of what its busiest link needs for all bytes on it, and of the time until a part has
 * gone through all steps, each with its latency. Links are those that queue pairs take
 * (ClusterRates::ways). Of trees single messages of one group are followed from step to step, as
 * flows that share links (TreeRun), of many chunks the first ones, and of many GPUs those of some
 * channels, unless channels meet at links. Queues and failures are not considered.
 * \param groups who does it, with the rates and latencies of their cluster
 * \param operation all-reduce, all-gather or reduce-scatter
 * \param bytes of the buffer
 * \param choice how; nothing in it is automatic
 * \param ofOthers where the time is not below this, something else that is not below it may be
 * returned \return seconds
 */
double EstimateCollective(const CollectiveGroups& groups,
                          CollectiveOperation operation,
                          uint64_t bytes,
                          const CollectiveChoice& choice,
                          double ofOthers = std::numeric_limits<double>::infinity());

/**
 * \param groups who does it
 * \param operation all-reduce, all-gather or reduce-scatter
 * \param bytes of the buffer
 * \param asked for; automatic is replaced: by what EstimateCollective() finds to be the fastest;
 *     and rings by as many as groups have NICs near their GPUs on a server, or one where all of a
 *     group is on one server
 * \param hasTrees automatic may be trees
 * \return how it is done
 */
CollectiveChoice ChooseCollective(const CollectiveGroups& groups,
                                  CollectiveOperation operation,
                                  uint64_t bytes,
                                  const CollectiveChoice& asked,
                                  bool hasTrees = true);

} // namespace ns3::rails

#endif // COLLECTIVE_ESTIMATE_H
