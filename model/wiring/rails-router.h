// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ROUTER_H
#define RAILS_ROUTER_H

#include "next-hops.h"
#include "rails-route.h"
#include "rails-wiring.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Interface of objects that need to know when the router has converged.
class RouterListener
{
  public:
    virtual ~RouterListener() = default;

    /// The router has converged now.
    virtual void OnConverged() = 0;
};

/**
 * Global routing of a fabric in tiers: finds, for every switch and every edge switch (one with
 * NICs), the ports on the shortest paths that go up and then down over working links, with the
 * weights of weighted ECMP. Relays have no tiers: among them all shortest paths count, and the
 * weight of a port is the rate of its link, as paths through many relays may be too many to count.
 * The router does not see link changes between two calls of Converge().
 */
class Router
{
  public:
    /// Use of the next hops given by a user (Wiring::Override()).
    enum class Overrides
    {
        Obeyed,
        Ignored
    };

    /// \param wiring the fabric; the router converges at once
    explicit Router(const Wiring& wiring, Overrides overrides = Overrides::Obeyed);

    Router(const Router&) = delete;
    Router& operator=(const Router&) = delete;

    /// \param listener must be removed before it is destroyed
    void AddListener(RouterListener& listener);
    void RemoveListener(RouterListener& listener);

    /// \return the fabric
    const Wiring& GetWiring() const
    {
        return m_wiring;
    }

    /// Finds all next hops anew.
    void Converge();

    /**
     * \param at number of a switch
     * \param edge number of an edge switch
     * \return the ports of the switch that lead to the edge switch; empty without a path
     */
    const NextHops& GetNextHops(uint32_t at, uint32_t edge) const;

    /// \return the number of convergences so far
    uint32_t GetVersion() const
    {
        return m_version;
    }

    /// \return the number of tiers of switches
    uint32_t GetTiers() const;

    /// \return true when the router knows a path from one edge switch to another
    bool IsConnected(uint32_t from, uint32_t to) const;

    /**
     * \param from number of a NIC
     * \param to number of a NIC of another server
     * \return true when the sending server believes that a path exists. The link of its NIC works
     * now, the link of the other NIC worked at the last convergence, and the router knows a path
     * between the two. Two NICs of an optical switch need a circuit, now or in a later time slot.
     */
    bool Reaches(uint32_t from, uint32_t to) const;

    /// \return the rate of a NIC's link at the last convergence, bit/s; 0 when it was cut
    uint64_t GetKnownRate(uint32_t nic) const;

    /// Lets servers with circuits forward messages of other servers (MixNet, arXiv 2501.03905,
    /// section 5.4), see CircuitTable::FindDetour().
    void AllowDetours();

    bool AllowsDetours() const
    {
        return m_allowsDetours;
    }

    /**
     * \param at number of a switch
     * \param port one of its ports that lead to another switch
     * \return the number of that other switch
     */
    uint32_t GetNeighbour(uint32_t at, uint16_t port) const;

    /**
     * \param from an edge switch
     * \param to another
     * \return all shortest paths known to the router, ordered so that adjacent paths differ in
     * their first ports; empty without a path, or for one switch. The reference is valid until the
     * next Converge().
     */
    const std::vector<Route>& GetRoutes(uint32_t from, uint32_t to) const;

  private:
    bool ReachesDirectly(uint32_t from, uint32_t to) const;
    bool Leads(uint32_t from, uint32_t to) const;

    // A link as seen from one of its ends.
    struct Edge
    {
        uint32_t to;    // switch at the other end
        uint16_t port;  // of this end
        uint32_t cable; // its number
        uint32_t cost;
        uint64_t rateBps; // as Converge() found it; 0 when the link was cut
        uint32_t back;    // upward links: index in Place::down of the other switch
    };

    // A switch with its links, by port.
    struct Place
    {
        uint32_t tier{0};
        std::vector<Edge> down;
        std::vector<Edge> up;
        std::vector<Edge> level; // from a relay to other relays
        uint32_t likeness{0};    // equal for switches with equal working upward links
        // Next hops: destinations with equal next hops share a group.
        std::vector<uint32_t> groupOfEdge; // by number of the edge switch
        std::vector<NextHops> groups;
        std::vector<uint64_t> hashes; // by group, to search groups quickly
    };

    // Paths of one bandwidth.
    struct Bundle
    {
        uint64_t bandwidth; // bit/s
        uint64_t paths;
    };

    // Paths from a switch to one destination, found by FindWays().
    struct Way
    {
        std::vector<uint32_t> below; // indices in Place::down of links down to the destination
        std::vector<Bundle> bundles; // few: links have few different rates
        NextHops hops;
        uint64_t hash; // of the hops
    };

    void AddPlaces();
    void SortByTier();
    void ReadCableStates();
    void FindAlike();
    void FindWays(uint32_t to);
    void FindWaysDown();
    void FindWaysUp();
    void FindWaysLevel(uint32_t to);
    void Consider(const Edge& cable);
    void Extend(uint32_t at);
    void SetWeights(NextHops& hops) const;
    static void SetNextHops(Place& place, uint32_t edge, const NextHops& hops, uint64_t hash);
    void FollowRoutes(uint32_t at, uint32_t to, Route route, std::vector<Route>& found) const;

    bool m_allowsDetours{false};
    const Wiring& m_wiring;
    Overrides m_overrides;
    std::vector<RouterListener*> m_listeners;
    std::vector<Place> m_places;        // by number of the switch
    std::vector<uint32_t> m_order;      // numbers of the switches, lowest tier first
    std::vector<Way> m_ways;            // by switch, to the current destination
    std::vector<uint32_t> m_costs;      // by switch, of these paths
    std::vector<uint32_t> m_sharing;    // by switch, the switch with its Way: itself or one alike
    std::vector<uint32_t> m_examples;   // by likeness, a switch with known upward paths
    uint32_t m_cheapest{0};             // least cost over the links considered so far
    std::vector<const Edge*> m_first;   // first links of paths of that cost
    std::vector<uint64_t> m_bandwidths; // of the current ports
    std::vector<uint64_t> m_knownRates; // of NICs, as of the last convergence; 0: cut
    mutable std::map<std::pair<uint32_t, uint32_t>, std::vector<Route>> m_routes;
    uint32_t m_version{0};
};

} // namespace ns3::rails

#endif // RAILS_ROUTER_H
