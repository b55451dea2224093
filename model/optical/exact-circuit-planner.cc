// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-filling.h"
#include "circuit-planner.h"
#include "weighted-matching.h"

#include "ns3/component-documentation.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/**
 * Reduces a b-matching of largest weight to FindHeaviestMatching(): each server becomes one vertex
 * per port, and each pair two vertices, one per end, with an edge between them.
 * \param demand bytes between the servers
 * \param ports by server: largest number of its pairs
 * \return the pairs of servers with the largest sum of bytes
 */
std::vector<std::pair<uint32_t, uint32_t>>
FindHeaviestPairs(const CircuitDemand& demand, const std::vector<uint32_t>& ports)
{
    const uint32_t servers = demand.GetServers();
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    std::vector<uint32_t> peers(servers);
    for (uint32_t one = 0; one < servers; ++one)
    {
        for (uint32_t other = one + 1; other < servers; ++other)
        {
            if (demand.GetPairBytes(one, other) > 0)
            {
                pairs.emplace_back(one, other);
                ++peers[one];
                ++peers[other];
            }
        }
    }
    std::vector<uint32_t> first; // vertex by server
    uint32_t vertices = 0;
    for (uint32_t server = 0; server < servers; ++server)
    {
        first.push_back(vertices);
        vertices += std::min(ports[server], peers[server]);
    }
    first.push_back(vertices);
    // A chosen pair matches both its vertices with servers, which weighs twice its own edge. Other
    // pairs match their own edge.
    std::vector<WeightedEdge> edges;
    for (uint32_t pair = 0; pair < pairs.size(); ++pair)
    {
        const auto [one, other] = pairs[pair];
        const auto weight = static_cast<int64_t>(demand.GetPairBytes(one, other));
        const uint32_t inner = vertices + 2 * pair;
        edges.push_back({inner, inner + 1, weight});
        for (uint32_t vertex = first[one]; vertex < first[one + 1]; ++vertex)
        {
            edges.push_back({vertex, inner, weight});
        }
        for (uint32_t vertex = first[other]; vertex < first[other + 1]; ++vertex)
        {
            edges.push_back({vertex, inner + 1, weight});
        }
    }
    const auto all = static_cast<uint32_t>(vertices + 2 * pairs.size());
    const std::vector<uint32_t> mates = FindHeaviestMatching(all, edges);
    std::vector<std::pair<uint32_t, uint32_t>> heaviest;
    for (uint32_t pair = 0; pair < pairs.size(); ++pair)
    {
        const uint32_t inner = vertices + 2 * pair;
        if (mates[inner] < vertices && mates[inner + 1] < vertices)
        {
            heaviest.push_back(pairs[pair]);
        }
    }
    return heaviest;
}

} // namespace

/**
 * `exact`: maximizes the bytes on circuits, then minimizes the time of the slowest pair, which
 * `greedy` approximates. A pair with a circuit does not use the packet fabric (MixNet,
 * section 5.3). So the bytes on circuits are the bytes of all pairs with a circuit; further
 * circuits of a pair only make it faster.
 *
 * FindHeaviestPairs() chooses the pairs, and the free ports go to the slowest of them
 * (AddSlowestFirst()). This is optimal for these pairs: any target time needs a certain number of
 * circuits per pair, and no pair gets more before all pairs have theirs. With ports for all pairs
 * this is MixNet's own aim. Among several sets of pairs with most bytes, it does not search for the
 * fastest.
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

NS_OBJECT_ENSURE_REGISTERED(ExactCircuitPlanner);

TypeId
ExactCircuitPlanner::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ExactCircuitPlanner").SetParent<CircuitPlanner>(),
            "Most bytes by circuits, and then the shortest time of the pair of servers that "
            "takes longest: what greedy approaches.")
            .SetGroupName("Rails")
            .AddConstructor<ExactCircuitPlanner>();
    return tid;
}

CircuitPlan
ExactCircuitPlanner::DoPlan(const CircuitRegion& region, const CircuitDemand& demand)
{
    CircuitSlot slot{CircuitMap(demand.GetServers())};
    CircuitDemand chosen(demand.GetServers());
    for (const auto& [one, other] : FindHeaviestPairs(demand, region.ports))
    {
        slot.circuits.Join(one, other);
        chosen.Add(one, other, demand.GetPairBytes(one, other));
    }
    AddSlowestFirst(chosen, region, false, slot);
    CircuitPlan plan;
    plan.slots.push_back(std::move(slot));
    return plan;
}

} // namespace ns3::rails
