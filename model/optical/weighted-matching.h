// SPDX-License-Identifier: GPL-2.0-only
#ifndef WEIGHTED_MATCHING_H
#define WEIGHTED_MATCHING_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// An edge of an undirected graph.
struct WeightedEdge
{
    uint32_t one{0};
    uint32_t other{0};
    int64_t weight{0}; //!< at most kLargestEdgeWeight; one below 1 is never taken
};

/// Far enough from overflow, as duals are sums of a few weights.
constexpr int64_t kLargestEdgeWeight = int64_t{1} << 58;

/**
 * Finds edges without common vertices whose weights add up to the most that is possible, by
 * Edmonds' primal-dual method: alternating trees grow over tight edges, odd cycles are shrunk, and
 * when nothing more can be reached, dual values of vertices and cycles change by as much as keeps
 * them feasible. After each change the trees grow anew, which keeps the method short: O(V^2 E).
 *
 * Not boost::maximum_weighted_matching(): that of the Boost which distributions have can return
 * less than the most, crash or run forever, also where all weights are equal (boostorg/graph,
 * issues 199, 223 and 399).
 *
 * \param vertices how many there are
 * \param edges in any order; the same order gives the same answer
 * \return by vertex the one that it is joined to, itself when it is alone
 * \throws std::invalid_argument for an edge without two vertices and for a weight that is too large
 */
std::vector<uint32_t> FindHeaviestMatching(uint32_t vertices,
                                           const std::vector<WeightedEdge>& edges);

} // namespace ns3::rails

#endif // WEIGHTED_MATCHING_H
