// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATH_SPREAD_H
#define PATH_SPREAD_H

#include <optional>

namespace ns3::rails
{

/**
 * Spread of a queue pair's bytes over the paths of a fabric, as far as it is independent of single
 * frames: the flow engine finds paths from it and from the next hops. Strategies of hosts and of
 * switches each state a spread; see Combine().
 */
enum class PathSpread
{
    /// One path for all bytes of a queue pair. Host: the entropy of its frames is the number of the
    /// queue pair. Switch: EcmpHash chooses.
    OnePath,
    /// Host: the entropy changes with every frame, uniformly. Switch: all ports to the destination
    /// take equal shares, whatever their weights.
    Even,
    /// Switch: each port to the destination takes a share by its weight in the next hops.
    Weighted,
    /// Host: all shortest paths in equal shares, by source routes.
    Routes,
    /// It depends on events in the fabric (queues, marks, round trips, gaps between frames), or is
    /// not known.
    Adaptive
};

/**
 * \param host spread of the hosts' strategy
 * \param atSwitch spread of the switches' strategy
 * \return the spread of a queue pair's bytes under both strategies, never Adaptive; empty when it
 * depends on single frames
 */
std::optional<PathSpread> Combine(PathSpread host, PathSpread atSwitch);

} // namespace ns3::rails

#endif // PATH_SPREAD_H
