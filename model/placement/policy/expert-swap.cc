// SPDX-License-Identifier: GPL-2.0-only
#include "expert-swap.h"

#include "ns3/token-routing.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace ns3::rails
{

namespace
{

/// A GPU and its slots.
struct SlotGpu
{
    std::vector<std::size_t> slots; //!< indices of slots
    uint64_t tokens{0};
};

/// \return by GPU what it has
std::vector<SlotGpu>
ListGpus(const std::vector<ExpertSlot>& slots, uint32_t many)
{
    std::vector<SlotGpu> gpus(many);
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
    {
        SlotGpu& gpu = gpus[slots[slot].gpu];
        gpu.slots.push_back(slot);
        gpu.tokens += slots[slot].tokens;
    }
    return gpus;
}

/// \return slots of a GPU whose experts another does not have
std::vector<std::size_t>
ListMovable(const std::vector<ExpertSlot>& slots, const SlotGpu& from, const SlotGpu& to)
{
    std::vector<std::size_t> movable;
    std::copy_if(from.slots.begin(),
                 from.slots.end(),
                 std::back_inserter(movable),
                 [&](std::size_t slot) {
                     return std::none_of(to.slots.begin(), to.slots.end(), [&](std::size_t other) {
                         return slots[other].expert == slots[slot].expert;
                     });
                 });
    return movable;
}

/// \return the best swap of a pair; one without a gain if there is none
SlotSwap
FindBest(const std::vector<ExpertSlot>& slots, const SlotGpu& heavy, const SlotGpu& light)
{
    const uint64_t gap = heavy.tokens - light.tokens;
    const std::vector<std::size_t> fromLight = ListMovable(slots, light, heavy);
    SlotSwap best;
    for (const std::size_t down : ListMovable(slots, heavy, light))
    {
        for (const std::size_t up : fromLight)
        {
            if (slots[down].tokens <= slots[up].tokens)
            {
                continue;
            }
            const uint64_t moved = slots[down].tokens - slots[up].tokens;
            // Moving more than the gap would overload the light GPU.
            const uint64_t gain = moved < gap ? std::min(moved, gap - moved) : 0;
            if (gain > best.gain)
            {
                best = {down, up, gain};
            }
        }
    }
    return best;
}

} // namespace

std::vector<ExpertSlot>
ListSlots(const TokenCounts& counts, const ExpertPlacement& placement)
{
    std::vector<ExpertSlot> slots;
    ExpertPlacement numbered; // hosts are slots instead of GPUs
    for (uint32_t expert = 0; expert < placement.hosts.size(); ++expert)
    {
        std::vector<uint32_t>& numbers = numbered.hosts.emplace_back();
        for (const uint32_t gpu : placement.hosts[expert])
        {
            const auto replica = static_cast<uint32_t>(numbers.size());
            numbers.push_back(static_cast<uint32_t>(slots.size()));
            slots.push_back({expert, replica, gpu, 0});
        }
    }
    for (const TokenRoute& route : RouteEvenly(counts, numbered))
    {
        slots[route.host].tokens += route.tokens;
    }
    return slots;
}

std::vector<SlotSwap>
FindSwaps(const std::vector<ExpertSlot>& slots, const ClusterView& cluster, double leastGain)
{
    const std::vector<SlotGpu> gpus = ListGpus(slots, cluster.gpus);
    std::vector<SlotSwap> swaps;
    for (uint32_t first = 0; first < cluster.gpus; first += cluster.gpusPerServer)
    {
        std::vector<uint32_t> order(std::min(cluster.gpusPerServer, cluster.gpus - first));
        std::iota(order.begin(), order.end(), first);
        std::stable_sort(order.begin(), order.end(), [&](uint32_t left, uint32_t right) {
            return gpus[left].tokens > gpus[right].tokens;
        });
        for (std::size_t i = 0; i < order.size() / 2; ++i)
        {
            const SlotSwap swap =
                FindBest(slots, gpus[order[i]], gpus[order[order.size() - 1 - i]]);
            if (swap.gain > 0 && static_cast<double>(swap.gain) >= leastGain)
            {
                swaps.push_back(swap);
            }
        }
    }
    return swaps;
}

} // namespace ns3::rails
