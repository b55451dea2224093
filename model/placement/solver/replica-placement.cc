// SPDX-License-Identifier: GPL-2.0-only
#include "replica-placement.h"

#include "ns3/draw-permutation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return length of a prefix of a permutation that almost always holds `some` of the `open`
///     numbers
uint32_t
CountToSearch(uint32_t count, uint32_t open, uint32_t some)
{
    const uint64_t deviations = 3 * static_cast<uint64_t>(std::ceil(std::sqrt(some)));
    return static_cast<uint32_t>(
        some >= open ? count : std::min<uint64_t>(count, (some + deviations) * count / open));
}

} // namespace

std::vector<uint32_t>
CountReplicas(const std::vector<uint64_t>& loads, uint32_t slots, uint32_t most)
{
    std::vector<uint32_t> replicas(loads.size(), 1);
    const auto comesLater = [&](uint32_t one, uint32_t other) {
        const uint64_t ofOne = loads[one] * replicas[other];
        const uint64_t ofOther = loads[other] * replicas[one];
        return ofOne != ofOther ? ofOne < ofOther : one > other;
    };
    std::priority_queue<uint32_t, std::vector<uint32_t>, decltype(comesLater)> heap(comesLater);
    for (uint32_t expert = 0; expert < loads.size(); ++expert)
    {
        heap.push(expert);
    }
    for (auto used = static_cast<uint32_t>(loads.size()); used < slots && !heap.empty();)
    {
        const uint32_t expert = heap.top();
        heap.pop();
        if (replicas[expert] < most)
        {
            ++replicas[expert];
            ++used;
            heap.push(expert);
        }
    }
    return replicas;
}

std::vector<std::vector<uint32_t>>
DealReplicas(const std::vector<uint32_t>& replicas, uint32_t gpus, SeededBits& bits)
{
    if (std::any_of(replicas.begin(), replicas.end(), [gpus](uint32_t r) { return r > gpus; }))
    {
        throw std::invalid_argument("an expert has more replicas than there are GPUs");
    }
    std::vector<std::vector<uint32_t>> hosts(replicas.size());
    std::vector<uint32_t> used(gpus);
    uint64_t dealt = 0;
    PermutationDraw draw(gpus);
    for (const uint32_t expert : DrawPermutation(static_cast<uint32_t>(replicas.size()), bits))
    {
        draw.Draw(bits);
        std::vector<uint32_t>& chosen = hosts[expert];
        chosen.reserve(replicas[expert]);
        // GPUs have equally many replicas, up to one; GPUs with fewer are used first.
        const auto fewest = static_cast<uint32_t>(dealt % gpus);
        uint32_t many = CountToSearch(gpus, gpus - fewest, replicas[expert]);
        for (uint64_t held = dealt / gpus; chosen.size() < replicas[expert];)
        {
            const std::vector<uint32_t>& order = draw.GetFirst(many);
            for (uint32_t i = 0; i < many && chosen.size() < replicas[expert]; ++i)
            {
                if (used[order[i]] == held)
                {
                    chosen.push_back(order[i]);
                }
            }
            if (many == gpus)
            {
                ++held;
            }
            else if (chosen.size() < replicas[expert])
            {
                chosen.clear();
                many = gpus;
            }
        }
        for (const uint32_t gpu : chosen)
        {
            ++used[gpu];
        }
        dealt += chosen.size();
    }
    return hosts;
}

std::vector<std::vector<uint32_t>>
ShuffleGroups(uint32_t gpus, uint32_t experts, uint32_t replicas, SeededBits& bits)
{
    if (gpus % replicas != 0 || experts % (gpus / replicas) != 0)
    {
        throw std::invalid_argument("groups of GPUs cannot be cut evenly");
    }
    std::vector<std::vector<uint32_t>> hosts;
    hosts.reserve(experts);
    while (hosts.size() < experts)
    {
        const std::vector<uint32_t> order = DrawPermutation(gpus, bits);
        for (auto first = order.begin(); first != order.end(); first += replicas)
        {
            hosts.emplace_back(first, first + replicas);
        }
    }
    return hosts;
}

} // namespace ns3::rails
