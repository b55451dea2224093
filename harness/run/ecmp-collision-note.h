// SPDX-License-Identifier: GPL-2.0-only
#ifndef ECMP_COLLISION_NOTE_H
#define ECMP_COLLISION_NOTE_H

#include "ns3/fabric-traits.h"
#include "ns3/path-spread.h"
#include "ns3/rails-result.h"
#include "ns3/rails-wiring.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// The largest load of a link from ECMP hash collisions.
struct EcmpCollision
{
    /// Transmission time of the most loaded link between switches, relative to its value without
    /// collisions. That is the largest mean over equivalent ports, which lead up from one switch or
    /// down to one, or the largest time of a NIC's link.
    double overEven{1};
    std::string cable; //!< "leaf0 to spine1"
};

/**
 * \param result of a finished run, with its ports
 * \param wiring of its fabric
 * \return the effect of hash collisions over all links
 */
EcmpCollision FindEcmpCollision(const Result& result, const Wiring& wiring);

/**
 * \param spread how the packets of a queue pair spread over paths
 * \return a warning with the remedy, and the cost, when ECMP collisions cost at least 5 % and so
 * may decide comparisons with other fabrics; nothing when flows are not hashed, when links failed,
 * or when collisions cost less
 */
std::vector<std::string> FindEcmpCollisionNotes(std::optional<PathSpread> spread,
                                                const Wiring& wiring,
                                                const FabricTraits& traits,
                                                const Result& result);

} // namespace ns3::rails

#endif // ECMP_COLLISION_NOTE_H
