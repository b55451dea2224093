// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-filling.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

/// Two servers that have something for each other.
struct ServerPair
{
    uint32_t one{0};
    uint32_t other{0};
    uint64_t bytes{0};
    uint32_t circuits{0};
};

/// \return above 0 when a pair takes longer than another, below 0 when the other does
int
CompareTimes(const ServerPair& pair, const ServerPair& other)
{
    const auto compare = [](uint64_t left, uint64_t right) {
        return left > right ? 1 : left < right ? -1 : 0;
    };
    if (pair.circuits == 0 || other.circuits == 0)
    {
        const int order = compare(other.circuits, pair.circuits);
        return order != 0 ? order : compare(pair.bytes, other.bytes);
    }
    // Fractions are compared exactly: first their whole part, then what is left.
    const int order = compare(pair.bytes / pair.circuits, other.bytes / other.circuits);
    return order != 0 ? order
                      : compare(pair.bytes % pair.circuits * other.circuits,
                                other.bytes % other.circuits * pair.circuits);
}

std::vector<ServerPair>
ListServerPairs(const CircuitDemand& demand, const CircuitMap& circuits)
{
    std::vector<ServerPair> pairs;
    for (uint32_t one = 0; one < demand.GetServers(); ++one)
    {
        for (uint32_t other = one + 1; other < demand.GetServers(); ++other)
        {
            const uint64_t bytes = demand.GetPairBytes(one, other);
            if (bytes > 0)
            {
                pairs.push_back({one, other, bytes, circuits.Count(one, other)});
            }
        }
    }
    return pairs;
}

} // namespace

void
AddSlowestFirst(const CircuitDemand& demand,
                const std::vector<uint32_t>& ports,
                bool endsWhenFull,
                CircuitMap& circuits)
{
    std::vector<ServerPair> pairs = ListServerPairs(demand, circuits);
    const auto countFree = [&](uint32_t server) {
        return ports[server] - std::min(ports[server], circuits.CountLeaving(server));
    };
    const auto isFree = [&](const ServerPair& pair) {
        return countFree(pair.one) > 0 && countFree(pair.other) > 0;
    };
    const auto comesBefore = [&](const ServerPair& pair, const ServerPair& other) {
        const int order = CompareTimes(pair, other);
        return order > 0 || (order == 0 && countFree(pair.one) + countFree(pair.other) >
                                               countFree(other.one) + countFree(other.other));
    };
    for (;;)
    {
        ServerPair* slowest = nullptr;
        for (ServerPair& pair : pairs)
        {
            const bool isLookedAt = endsWhenFull || isFree(pair);
            if (isLookedAt && (!slowest || comesBefore(pair, *slowest)))
            {
                slowest = &pair;
            }
        }
        if (!slowest || !isFree(*slowest))
        {
            return;
        }
        circuits.Join(slowest->one, slowest->other);
        ++slowest->circuits;
    }
}

} // namespace ns3::rails
