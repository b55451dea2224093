// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATH_SPREAD_H
#define PATH_SPREAD_H

#include <optional>

namespace ns3::rails
{

/**
 * How what a queue pair sends spreads over the ways through the fabric, as far as that can be told
 * without looking at frames: an engine that moves no frames takes the paths from here and from the
 * next hops. Strategies of hosts and of switches each state theirs; see Combine() for both at once.
 */
enum class PathSpread
{
    /// One path for all that a queue pair sends. Host: the entropy of its frames is the queue
    /// pair's number. Switch: the hash of EcmpHash chooses.
    OnePath,
    /// Host: another entropy for every frame, none more often than others. Switch: every port that
    /// leads to the destination takes the same share of what goes there, whatever the weights.
    Even,
    /// Switch: every port takes the share of what goes to a destination that its weight in the
    /// next hops says.
    Weighted,
    /// Host: all shortest paths in equal parts, by source routes.
    Routes,
    /// It depends on what happens in the fabric (queues, marks, round trips, gaps between frames),
    /// or nothing is known.
    Adaptive
};

/**
 * \param host how the strategy of hosts spreads what they send
 * \param atSwitch how the strategy of switches does
 * \return what becomes of a queue pair's bytes under both; nothing when it cannot be told without
 * frames. It is never Adaptive.
 */
std::optional<PathSpread> Combine(PathSpread host, PathSpread atSwitch);

} // namespace ns3::rails

#endif // PATH_SPREAD_H
