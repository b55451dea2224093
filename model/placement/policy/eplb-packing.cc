// SPDX-License-Identifier: GPL-2.0-only
#include "eplb-packing.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ns3::rails
{

namespace
{

/// Replicas of the experts of a node.
struct ReplicaList
{
    std::vector<uint32_t> experts; //!< by replica
    std::vector<double> weights;   //!< by replica: its share of the load of its expert
};

/// \return each expert once, in the given order, then the further replicas of the heaviest experts
ReplicaList
Replicate(const std::vector<uint32_t>& experts, const std::vector<double>& loads, uint32_t replicas)
{
    ReplicaList list;
    std::vector<uint32_t> places(replicas); // of the expert of a replica, among the experts
    std::vector<uint32_t> counts(experts.size(), 1);
    const auto getWeight = [&](uint32_t place) { return loads[experts[place]] / counts[place]; };
    for (uint32_t replica = 0; replica < replicas; ++replica)
    {
        places[replica] = replica;
        if (replica >= experts.size())
        {
            uint32_t heaviest = 0;
            for (uint32_t place = 1; place < experts.size(); ++place)
            {
                heaviest = getWeight(place) > getWeight(heaviest) ? place : heaviest;
            }
            places[replica] = heaviest;
            ++counts[heaviest];
        }
    }
    for (const uint32_t place : places)
    {
        list.experts.push_back(experts[place]);
        list.weights.push_back(getWeight(place));
    }
    return list;
}

/// \return sums of the loads of groups of experts
std::vector<double>
AddUpGroups(const std::vector<double>& loads, uint32_t groups)
{
    std::vector<double> sums(groups);
    for (std::size_t expert = 0; expert < loads.size(); ++expert)
    {
        sums[expert / (loads.size() / groups)] += loads[expert];
    }
    return sums;
}

} // namespace

std::vector<std::vector<uint32_t>>
PackEvenly(const std::vector<double>& weights, uint32_t packs)
{
    const std::size_t room = weights.size() / packs;
    std::vector<uint32_t> order(weights.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::vector<uint32_t>> items(packs);
    if (room == 1)
    {
        for (const uint32_t item : order)
        {
            items[item].push_back(item);
        }
        return items;
    }
    std::stable_sort(order.begin(), order.end(), [&](uint32_t left, uint32_t right) {
        return weights[left] > weights[right];
    });
    std::vector<double> sums(packs);
    for (const uint32_t item : order)
    {
        uint32_t best = packs;
        for (uint32_t pack = 0; pack < packs; ++pack)
        {
            if (items[pack].size() < room && (best == packs || sums[pack] < sums[best]))
            {
                best = pack;
            }
        }
        items[best].push_back(item);
        sums[best] += weights[item];
    }
    return items;
}

std::vector<uint32_t>
PlaceByEplb(const std::vector<double>& loads, const EplbShape& shape)
{
    const auto groupSize = static_cast<uint32_t>(loads.size() / shape.groups);
    std::vector<uint32_t> slots;
    for (const auto& groups : PackEvenly(AddUpGroups(loads, shape.groups), shape.nodes))
    {
        std::vector<uint32_t> experts;
        for (const uint32_t group : groups)
        {
            for (uint32_t i = 0; i < groupSize; ++i)
            {
                experts.push_back(group * groupSize + i);
            }
        }
        const ReplicaList list = Replicate(experts, loads, shape.replicas / shape.nodes);
        for (const auto& replicas : PackEvenly(list.weights, shape.gpus / shape.nodes))
        {
            for (const uint32_t replica : replicas)
            {
                slots.push_back(list.experts[replica]);
            }
        }
    }
    return slots;
}

} // namespace ns3::rails
