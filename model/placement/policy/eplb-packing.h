// SPDX-License-Identifier: GPL-2.0-only
#ifndef EPLB_PACKING_H
#define EPLB_PACKING_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Input of EPLB besides the loads.
struct EplbShape
{
    uint32_t replicas{1}; //!< slots of all GPUs: a multiple of gpus
    uint32_t groups{1};   //!< groups of experts: a divisor of the experts, a multiple of nodes
    uint32_t nodes{1};    //!< servers: a divisor of gpus
    uint32_t gpus{1};
};

/**
 * Packs items into packs of equal size: in descending weight, each into the lightest pack with
 * room. With one item per pack the order is kept.
 * \param weights of the items
 * \param packs number of packs: a divisor of the items
 * \return items by pack, in packing order
 */
std::vector<std::vector<uint32_t>> PackEvenly(const std::vector<double>& weights, uint32_t packs);

/**
 * DeepSeek's EPLB: groups of experts are packed to nodes; in each node replicas are added one by
 * one to the expert with the largest load per replica; the replicas are packed to its GPUs. Its
 * global mode is one group and one node.
 * \param loads by expert
 * \param shape slots, groups, nodes and GPUs
 * \return the expert of each slot; slots of a GPU are contiguous
 */
std::vector<uint32_t> PlaceByEplb(const std::vector<double>& loads, const EplbShape& shape);

} // namespace ns3::rails

#endif // EPLB_PACKING_H
