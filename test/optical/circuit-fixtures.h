// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_FIXTURES_H
#define CIRCUIT_FIXTURES_H

#include "ns3/circuit-planner.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ns3::rails::test
{

using Square = std::vector<std::vector<uint64_t>>;

/// Tokens of eight ranks for eight experts, in MixNet's public code: the one matrix that it has.
inline const Square kPublicTokens{{9810, 5338, 1231, 3042, 4452, 2004, 841, 6050},
                                  {9278, 6282, 839, 3722, 3821, 2903, 909, 5014},
                                  {10684, 5165, 1044, 2634, 4344, 3333, 675, 4889},
                                  {10897, 5629, 1086, 2114, 2762, 3463, 1059, 5758},
                                  {8684, 5666, 1046, 3955, 4334, 2952, 944, 5187},
                                  {8361, 5908, 777, 3043, 3984, 3422, 897, 6376},
                                  {10208, 5507, 1117, 4148, 3967, 3119, 904, 3798},
                                  {9781, 5211, 902, 3343, 4289, 2839, 1008, 5395}};

/// \return what servers of one GPU have for each other
inline CircuitDemand
MakeDemand(const Square& bytes)
{
    CircuitDemand demand(static_cast<uint32_t>(bytes.size()));
    for (uint32_t from = 0; from < bytes.size(); ++from)
    {
        for (uint32_t to = 0; to < bytes.size(); ++to)
        {
            demand.Add(from, to, bytes[from][to]);
        }
    }
    return demand;
}

/// \return demand of which a share of the entries is zero, and the others differ much
inline CircuitDemand
DrawDemand(uint32_t servers, double zeros, uint32_t seed)
{
    std::mt19937 bits(seed);
    Square bytes(servers, std::vector<uint64_t>(servers));
    for (std::vector<uint64_t>& row : bytes)
    {
        for (uint64_t& entry : row)
        {
            const bool isZero = static_cast<double>(bits()) < zeros * 4294967296.0;
            const uint32_t scale = bits() % 20;
            entry = isZero ? 0 : 1 + bits() % (1U << scale);
        }
    }
    return MakeDemand(bytes);
}

/// \return a region whose servers all have as many ports
inline CircuitRegion
MakeRegion(uint32_t servers, uint32_t ports)
{
    CircuitRegion region;
    region.ports.assign(servers, ports);
    region.rate = 100'000'000'000;
    region.standing = CircuitMap(servers);
    return region;
}

/// \return a planner by its name, as "greedy", with its defaults
inline Ptr<CircuitPlanner>
MakePlanner(const std::string& name)
{
    ObjectFactory factory;
    const std::string begin(1, static_cast<char>(name[0] - 'a' + 'A'));
    factory.SetTypeId("ns3::rails::" + begin + name.substr(1) + "CircuitPlanner");
    return factory.Create<CircuitPlanner>();
}

/// \return circuits that stay, planned by a planner
inline CircuitMap
PlanCircuits(const std::string& planner, const CircuitRegion& region, const CircuitDemand& demand)
{
    return MakePlanner(planner)->Plan(region, demand).slots.at(0).circuits;
}

/// Pairs of servers that have circuits.
struct Joined
{
    uint32_t circuits{0};
    uint32_t pairs{0};
    uint32_t most{0}; //!< circuits of a pair
};

inline Joined
CountJoined(const CircuitMap& map)
{
    Joined joined;
    for (uint32_t one = 0; one < map.GetServers(); ++one)
    {
        for (uint32_t other = one + 1; other < map.GetServers(); ++other)
        {
            const uint32_t circuits = map.Count(one, other);
            joined.circuits += circuits;
            joined.pairs += circuits > 0 ? 1 : 0;
            joined.most = std::max(joined.most, circuits);
        }
    }
    return joined;
}

} // namespace ns3::rails::test

#endif // CIRCUIT_FIXTURES_H
