// SPDX-License-Identifier: GPL-2.0-only
#include "exact-circuit-planner.h"

#include "circuit-filling.h"
#include "weighted-matching.h"

#include "ns3/rails-about.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ExactCircuitPlanner);

TypeId
ExactCircuitPlanner::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::ExactCircuitPlanner").SetParent<CircuitPlanner>(),
                 "Most bytes by circuits, and then the shortest time of the pair of servers that "
                 "takes longest: what greedy approaches.")
            .SetGroupName("Rails")
            .AddConstructor<ExactCircuitPlanner>();
    return tid;
}

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
    // A pair that is taken has both its vertices at servers, and weighs twice what its own edge
    // does; others have just that.
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
