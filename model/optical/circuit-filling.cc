// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-filling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Two servers with bytes for each other.
struct ServerPair
{
    uint32_t one{0};
    uint32_t other{0};
    uint64_t bytes{0};
    uint64_t speed{0}; //!< sum over its circuits, see PortSpeeds
};

/// Relative rates and numbers of the free ports of servers.
class PortSpeeds
{
  public:
    explicit PortSpeeds(const CircuitRegion& region)
        : m_free(region.ports)
    {
        uint64_t fastest = 0;
        for (const std::vector<uint64_t>& rates : region.portRates)
        {
            fastest = rates.empty() ? fastest : std::max(fastest, rates.front());
        }
        for (const std::vector<uint64_t>& rates : region.portRates)
        {
            std::vector<uint64_t>& speeds = m_speeds.emplace_back();
            for (const uint64_t rate : rates)
            {
                const double part = static_cast<double>(rate) / static_cast<double>(fastest);
                speeds.push_back(std::max<uint64_t>(1, std::llround(kFastest * part)));
            }
        }
    }

    bool AreUnlike() const
    {
        return !m_speeds.empty();
    }

    uint32_t CountFree(uint32_t server) const
    {
        return m_free[server];
    }

    /// Takes the fastest free port of both servers, if any. \return the speed of a circuit between
    /// these: 1 where all ports are equal, else in thousandths of the fastest
    uint64_t Take(uint32_t one, uint32_t other)
    {
        return std::min(Take(one), Take(other));
    }

  private:
    static constexpr double kFastest = 1000;

    uint64_t Take(uint32_t server)
    {
        if (m_free[server] == 0)
        {
            return 1;
        }
        const uint32_t left = m_free[server]--;
        if (!AreUnlike())
        {
            return 1;
        }
        const std::vector<uint64_t>& speeds = m_speeds[server];
        return speeds[speeds.size() - left];
    }

    std::vector<uint32_t> m_free;                // by server
    std::vector<std::vector<uint64_t>> m_speeds; // by server, fastest first
};

/// \return above 0 when `pair` takes longer than `other`, below 0 when it is faster
int
CompareTimes(const ServerPair& pair, const ServerPair& other)
{
    const auto compare = [](uint64_t left, uint64_t right) {
        return left > right ? 1 : left < right ? -1 : 0;
    };
    if (pair.speed == 0 || other.speed == 0)
    {
        const int order = compare(other.speed, pair.speed);
        return order != 0 ? order : compare(pair.bytes, other.bytes);
    }
    // Fractions are compared exactly: first their integer parts, then the remainders.
    const int order = compare(pair.bytes / pair.speed, other.bytes / other.speed);
    return order != 0 ? order
                      : compare(pair.bytes % pair.speed * other.speed,
                                other.bytes % other.speed * pair.speed);
}

std::vector<ServerPair>
ListServerPairs(const CircuitDemand& demand, const CircuitMap& circuits, PortSpeeds& ports)
{
    std::vector<ServerPair> pairs;
    for (uint32_t one = 0; one < demand.GetServers(); ++one)
    {
        for (uint32_t other = one + 1; other < demand.GetServers(); ++other)
        {
            uint64_t speed = 0;
            for (uint32_t circuit = 0; circuit < circuits.Count(one, other); ++circuit)
            {
                speed += ports.Take(one, other);
            }
            const uint64_t bytes = demand.GetPairBytes(one, other);
            if (bytes > 0)
            {
                pairs.push_back({one, other, bytes, speed});
            }
        }
    }
    return pairs;
}

} // namespace

void
AddSlowestFirst(const CircuitDemand& demand,
                const CircuitRegion& region,
                bool endsWhenFull,
                CircuitSlot& slot)
{
    PortSpeeds ports(region);
    std::vector<ServerPair> pairs = ListServerPairs(demand, slot.circuits, ports);
    const auto isFree = [&](const ServerPair& pair) {
        return ports.CountFree(pair.one) > 0 && ports.CountFree(pair.other) > 0;
    };
    const auto comesBefore = [&](const ServerPair& pair, const ServerPair& other) {
        const int order = CompareTimes(pair, other);
        return order > 0 ||
               (order == 0 && ports.CountFree(pair.one) + ports.CountFree(pair.other) >
                                  ports.CountFree(other.one) + ports.CountFree(other.other));
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
        slot.circuits.Join(slowest->one, slowest->other);
        slowest->speed += ports.Take(slowest->one, slowest->other);
        if (ports.AreUnlike())
        {
            slot.order.emplace_back(slowest->one, slowest->other);
        }
    }
}

} // namespace ns3::rails
