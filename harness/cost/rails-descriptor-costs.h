// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_DESCRIPTOR_COSTS_H
#define RAILS_DESCRIPTOR_COSTS_H

#include "rails-fabric-prices.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// How the devices of a descriptor's topology are counted.
enum class CostRule
{
    Wiring, //!< cable by cable, as a run connects them
    Mixnet  //!< by the rule of MixNet's paper for fabrics of the type
};

/// The devices of a topology of a descriptor.
struct TopologyCost
{
    std::string experiment; //!< name of the descriptor
    std::string values;     //!< sweep values that determine the topology; empty without any
    uint32_t servers{0};
    std::vector<uint64_t> rates; //!< distinct rates of its cables, NICs first, bit/s
    FabricCost cost;
    std::string note; //!< the aspect of the topology that the rule ignores, or empty
};

/**
 * Counts each topology of a descriptor once, without any simulation. Ignores all other sections but
 * for their values.
 * \param file the descriptor
 * \param prices of the devices, with the rules of the paper
 * \return the topologies in the order of the points
 * \throws DescriptorError with all errors, including a rate without a price and a type without a
 * rule
 */
std::vector<TopologyCost> CountTopologies(const std::string& file,
                                          const FabricPrices& prices,
                                          CostRule rule);

} // namespace ns3::rails

#endif // RAILS_DESCRIPTOR_COSTS_H
