// SPDX-License-Identifier: GPL-2.0-only
#ifndef HASH_NOTE_H
#define HASH_NOTE_H

#include "ns3/fabric-traits.h"
#include "ns3/path-spread.h"
#include "ns3/rails-result.h"
#include "ns3/rails-wiring.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Where the hash of flows has put most.
struct HashLoad
{
    /// Time of the most loaded cable between switches, over that of the most loaded one if each
    /// switch, and each one's neighbours above it, spread what they send evenly; at least that of a
    /// NIC.
    double overEven{1};
    std::string cable; //!< "leaf0 to spine1"
};

/**
 * \param result of a run that is done, with its ports
 * \param wiring its fabric
 * \return what all cables together say of hashing in that run
 */
HashLoad FindHashLoad(const Result& result, const Wiring& wiring);

/**
 * \param spread how what a queue pair sends spreads
 * \return what to say of a run whose hash has cost so much that fabrics should not be compared by
 * it: a warning with the remedy, and how much it was; nothing when flows are not hashed, or cables
 * failed, or it cost little
 */
std::vector<std::string> FindHashNotes(std::optional<PathSpread> spread,
                                       const Wiring& wiring,
                                       const FabricTraits& traits,
                                       const Result& result);

} // namespace ns3::rails

#endif // HASH_NOTE_H
