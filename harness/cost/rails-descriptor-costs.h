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
    Wiring, //!< cable by cable, as a run lays them
    Mixnet  //!< by the rule that MixNet's paper has for fabrics of its type
};

/// What a topology of a descriptor is made of.
struct TopologyCost
{
    std::string experiment; //!< name of the descriptor
    std::string values;     //!< those of its sweep that make the topology; empty without any
    uint32_t servers{0};
    std::vector<uint64_t> rates; //!< of its cables, each once, those of NICs first, bit/s
    FabricCost cost;
    std::string note; //!< what the rule does not know of it, or empty
};

/**
 * Counts each topology of a descriptor once. Nothing is simulated, and no other section is looked
 * at beyond its values.
 * \param file the descriptor
 * \param prices of the devices, with the rules of the paper
 * \param rule how to count
 * \return in the order of the points
 * \throws DescriptorError with all that is wrong, among it a rate without a price and a type that
 * the rule does not know
 */
std::vector<TopologyCost> CountTopologies(const std::string& file,
                                          const FabricPrices& prices,
                                          CostRule rule);

} // namespace ns3::rails

#endif // RAILS_DESCRIPTOR_COSTS_H
