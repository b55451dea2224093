// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXACT_CIRCUIT_PLANNER_H
#define EXACT_CIRCUIT_PLANNER_H

#include "circuit-planner.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * \param demand what the servers have for each other
 * \param ports by server: pairs that it can be one of
 * \return the pairs of servers that have most bytes together: a b-matching of the largest weight.
 * Each server becomes as many vertices as it has ports, and each pair two vertices and an edge
 * between them, one for each end, so that FindHeaviestMatching() finds them
 */
std::vector<std::pair<uint32_t, uint32_t>> FindHeaviestPairs(const CircuitDemand& demand,
                                                             const std::vector<uint32_t>& ports);

/**
 * `exact`: most bytes by circuits, and then the shortest time of the pair that takes longest, which
 * is what `greedy` approaches. A pair with a circuit sends nothing by the other fabric (MixNet,
 * section 5.3), so what goes by circuits is what the pairs that have one have for each other, and
 * further circuits of a pair do not add to it but make it faster.
 *
 * So pairs come first, as FindHeaviestPairs() says, and the ports that are left go to the slowest
 * of them (AddSlowestFirst()), which for these pairs is the optimum: to be faster than some time
 * each pair needs a certain number of circuits, and before all have theirs none gets more. Where
 * there are ports for all pairs, this is MixNet's own aim. Of several sets of pairs with most bytes
 * one is taken, be another one faster.
 *
 * With N servers of p ports it takes O(V^2 E) steps at most, with V = N p + N (N - 1) vertices and
 * E = N (N - 1) (p + 1/2) edges; measured: some milliseconds for 16 servers of 6 ports, half a
 * second for 64.
 */
class ExactCircuitPlanner : public CircuitPlanner
{
  public:
    static TypeId GetTypeId();

  private:
    CircuitPlan DoPlan(const CircuitRegion& region, const CircuitDemand& demand) override;
};

} // namespace ns3::rails

#endif // EXACT_CIRCUIT_PLANNER_H
