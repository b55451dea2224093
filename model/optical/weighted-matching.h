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
    int64_t weight{0}; //!< at most kLargestEdgeWeight; an edge below 1 is never chosen
};

/// Dual values are sums of a few weights, so they do not overflow.
constexpr int64_t kLargestEdgeWeight = int64_t{1} << 58;

/**
 * Finds a matching of largest total weight by Edmonds' primal-dual method. Alternating trees grow
 * over tight edges, and odd cycles are shrunk. When no tree can grow, the dual values of vertices
 * and cycles change as far as they stay feasible. After each change the trees grow from scratch,
 * which keeps the code short: O(V^2 E).
 *
 * Not boost::maximum_weighted_matching(): the versions in distributions can return a lighter
 * matching, crash or run forever, also with equal weights (boostorg/graph, issues 199, 223 and
 * 399).
 *
 * \param vertices number of vertices
 * \param edges in any order; the same order gives the same matching
 * \return by vertex, its mate; itself without one
 * \throws std::invalid_argument for an edge without two vertices and for a weight that is too large
 */
std::vector<uint32_t> FindHeaviestMatching(uint32_t vertices,
                                           const std::vector<WeightedEdge>& edges);

} // namespace ns3::rails

#endif // WEIGHTED_MATCHING_H
