// SPDX-License-Identifier: GPL-2.0-only
#ifndef EPLB_PACKING_H
#define EPLB_PACKING_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// What EPLB is told besides the loads.
struct EplbShape
{
    uint32_t replicas{1}; //!< slots of all GPUs: a multiple of gpus
    uint32_t groups{1};   //!< of experts: a divisor of the experts, a multiple of nodes
    uint32_t nodes{1};    //!< servers: a divisor of gpus
    uint32_t gpus{1};
};

/**
 * Packs items so that every pack has as many: in descending weight, each to the lightest pack with
 * room. With one item for each pack they are left in order.
 * \param weights of the items
 * \param packs how many packs: a divisor of the items
 * \return items by pack, in the order in which they were packed
 */
std::vector<std::vector<uint32_t>> PackEvenly(const std::vector<double>& weights, uint32_t packs);

/**
 * DeepSeek's EPLB: groups of experts are packed to nodes; in each node replicas are added one by
 * one to the expert with the largest load per replica; the replicas are packed to its GPUs. Its
 * global mode is one group and one node.
 * \param loads by expert
 * \param shape what is placed where
 * \return the expert of each slot; those of a GPU side by side
 */
std::vector<uint32_t> PlaceByEplb(const std::vector<double>& loads, const EplbShape& shape);

} // namespace ns3::rails

#endif // EPLB_PACKING_H
