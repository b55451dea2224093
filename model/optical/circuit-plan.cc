// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-plan.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

namespace ns3::rails
{

TimePs
FindLength(const CircuitPlan& plan, TimePs delay)
{
    TimePs length = 0;
    for (const CircuitSlot& slot : plan.slots)
    {
        if (slot.duration == kNever)
        {
            return kNever;
        }
        length += delay + slot.duration;
    }
    return length;
}

uint64_t
CountServedBytes(const CircuitPlan& plan, const CircuitDemand& demand)
{
    uint64_t served = 0;
    for (uint32_t from = 0; from < demand.GetServers(); ++from)
    {
        for (uint32_t to = 0; to < demand.GetServers(); ++to)
        {
            uint64_t left = demand.GetBytes(from, to);
            for (const CircuitSlot& slot : plan.slots)
            {
                const bool isLit = slot.circuits.Count(from, to) > 0;
                const uint64_t sent = isLit ? std::min(left, slot.bytes) : 0;
                left -= sent;
                served += sent;
            }
        }
    }
    return served;
}

uint64_t
FindServedBound(const CircuitDemand& demand, const std::vector<uint32_t>& ports)
{
    uint64_t twice = 0;
    for (uint32_t server = 0; server < demand.GetServers(); ++server)
    {
        std::vector<uint64_t> pairs;
        for (uint32_t other = 0; other < demand.GetServers(); ++other)
        {
            pairs.push_back(demand.GetPairBytes(server, other));
        }
        std::sort(pairs.begin(), pairs.end(), std::greater<>());
        pairs.resize(std::min<std::size_t>(pairs.size(), ports[server]));
        twice += std::accumulate(pairs.begin(), pairs.end(), uint64_t{0});
    }
    return std::min(twice / 2, demand.GetTotalBytes());
}

} // namespace ns3::rails
