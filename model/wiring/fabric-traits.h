// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TRAITS_H
#define FABRIC_TRAITS_H

#include <cstdint>

namespace ns3::rails
{

class Router;
class Wiring;

/// Properties of a fabric as laid, for rail balancers, bounds and port selectors.
struct FabricTraits
{
    uint32_t tiers{1};          //!< of switches
    uint32_t shortestLinks{2};  //!< least links between two NICs of different servers
    uint32_t longestLinks{2};   //!< most links between two NICs of different servers
    double meanLinks{2};        //!< mean links between two NICs of different servers
    double meanRailLinks{2};    //!< `meanLinks` of NICs on edge switches that share a rail
    bool connectsRails{false};  //!< whether a path leads from every rail to every other
    bool forksInRail{false};    //!< whether two NICs of a rail have several shortest paths
    bool forksAcross{false};    //!< whether two NICs of different rails have several shortest paths
    double oversubscription{1}; //!< largest ratio of rates below and above a switch; 1 without any;
                                //!< links between relays are above both
};

/**
 * \param wiring a fabric, all of whose links work
 * \return its traits; next hops of Wiring::Override() are ignored
 */
FabricTraits FindTraits(const Wiring& wiring);

/**
 * \param router of a fabric, all of whose links work and none of whose next hops are replaced
 * \return the traits of the fabric
 */
FabricTraits FindTraits(const Router& router);

/**
 * Counts the links of a path between servers to which a lower bound may give the rate of the
 * fastest NIC: all links of the shortest path, or only its two end links where some link of the
 * fabric is faster than a NIC.
 * \return 1 with optical switches, where a circuit stores nothing
 */
uint32_t CountBoundedLinks(const Wiring& wiring, const FabricTraits& traits);

} // namespace ns3::rails

#endif // FABRIC_TRAITS_H
