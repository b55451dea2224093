// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TRAITS_H
#define FABRIC_TRAITS_H

#include <cstdint>

namespace ns3::rails
{

class Router;
class Wiring;

/// What a scheme, a bound or a port selector has to know of a fabric as it was laid.
struct FabricTraits
{
    uint32_t tiers{1};          //!< of switches, on the way up
    uint32_t shortestLinks{2};  //!< cables between two NICs of different servers, at the least
    uint32_t longestLinks{2};   //!< cables between the two NICs that are farthest apart
    double meanLinks{2};        //!< cables between two NICs of different servers, in the mean
    double meanRailLinks{2};    //!< the same of NICs of edge switches that share a rail
    bool connectsRails{false};  //!< whether a way leads from every rail to every other
    bool forksInRail{false};    //!< whether several shortest ways lead from one NIC to another
                                //!< within a rail
    bool forksAcross{false};    //!< whether several lead from a NIC of one rail to one of another
    double oversubscription{1}; //!< largest ratio of rates below and above a switch; 1 without any;
                                //!< all that leads from relay to relay is above both
};

/**
 * \param wiring a fabric, all of whose cables work
 * \return its traits; next hops that replace the shortest paths (Wiring::Override()) do not count
 */
FabricTraits FindTraits(const Wiring& wiring);

/**
 * \param router of a fabric, all of whose cables work and none of whose next hops are replaced
 * \return the traits of the fabric
 */
FabricTraits FindTraits(const Router& router);

/**
 * How many cables a bound may count with the rate of the fastest NIC on the way between two NICs of
 * different servers: those of the shortest way, unless one of them may be faster than a NIC; then
 * only those at its ends.
 */
uint32_t CountBoundedLinks(const Wiring& wiring, const FabricTraits& traits);

} // namespace ns3::rails

#endif // FABRIC_TRAITS_H
