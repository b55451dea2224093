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

/// Somebody who has to know when the routing has found next hops anew.
class RouterListener
{
  public:
    virtual ~RouterListener() = default;

    /// The router has converged now.
    virtual void OnConverged() = 0;
};

/**
 * Global routing of a fabric in tiers: finds, for every switch and every edge switch (one with
 * NICs), the ports on the shortest paths that go up and then down over cables that work, with the
 * weights of weighted ECMP. Among relays, which have no tiers, all shortest paths count, and the
 * weight of a port is the rate of its own cable: paths through many relays may be more than can be
 * counted. What happens to cables between two calls of Converge() is not known to the router.
 */
class Router
{
  public:
    /// What becomes of the next hops that a user has given (Wiring::Override()).
    enum class Overrides
    {
        Obeyed,
        Ignored
    };

    /// \param wiring the fabric; the router converges on what works of it
    explicit Router(const Wiring& wiring, Overrides overrides = Overrides::Obeyed);

    Router(const Router&) = delete;
    Router& operator=(const Router&) = delete;

    /// \param listener told of each convergence from now on; to be removed before it is destroyed
    void AddListener(RouterListener& listener);
    void RemoveListener(RouterListener& listener);

    /// \return the fabric
    const Wiring& GetWiring() const;

    /// Finds all next hops anew.
    void Converge();

    /**
     * \param at number of a switch
     * \param edge number of an edge switch
     * \return the ports of the switch that lead to the edge switch; empty when none does
     */
    const NextHops& GetNextHops(uint32_t at, uint32_t edge) const;

    /// \return how often the router has converged
    uint32_t GetVersion() const;

    /// \return tiers of switches, on the way up
    uint32_t GetTiers() const;

    /// \return true when the router knows a path from one edge switch to another
    bool IsConnected(uint32_t from, uint32_t to) const;

    /**
     * \param from number of a NIC
     * \param to number of a NIC of another server
     * \return true when the server that sends knows of nothing against the way: the cable of its
     * own NIC works now, the cable of the other NIC worked when the router last converged, and the
     * router knows a path between the two; of two NICs of an optical switch, that a circuit joins
     * them, or will when it is its turn
     */
    bool Reaches(uint32_t from, uint32_t to) const;

    /// \return the rate of a NIC's cable when the router last converged, bit/s; 0 when it was cut
    uint64_t GetKnownRate(uint32_t nic) const;

    /// Lets servers with circuits pass on what is for others (MixNet, arXiv 2501.03905, section
    /// 5.4), see Wiring::FindDetour().
    void AllowDetours();

    bool AllowsDetours() const;

    /**
     * \param at number of a switch
     * \param port one of its ports that lead to another switch
     * \return the number of that other switch
     */
    uint32_t GetNeighbour(uint32_t at, uint16_t port) const;

    /**
     * \param from an edge switch
     * \param to another
     * \return all shortest paths that the router knows, in an order in which neighbours differ in
     * their first ports; empty when there is none, or when the two switches are the same. The list
     * stays in place until the next Converge().
     */
    const std::vector<Route>& GetRoutes(uint32_t from, uint32_t to) const;

  private:
    bool ReachesDirectly(uint32_t from, uint32_t to) const;
    bool Leads(uint32_t from, uint32_t to) const;

    // A cable as seen from one of its ends.
    struct Edge
    {
        uint32_t to;    // switch at the other end
        uint16_t port;  // of this end
        uint32_t cable; // its number
        uint32_t cost;
        uint64_t rateBps; // as Converge() found it; 0 when the cable was cut
        uint32_t back;    // of one that leads up: its index in Place::down of the other switch
    };

    // A switch: what it is joined to below and above, by port.
    struct Place
    {
        uint32_t tier{0};
        std::vector<Edge> down;
        std::vector<Edge> up;
        std::vector<Edge> level; // of a relay: to the others
        uint32_t likeness{0};    // the same number for places whose working cables up are alike
        // Next hops: destinations behind the same ports share a group.
        std::vector<uint32_t> groupOfEdge; // by number of the edge switch
        std::vector<NextHops> groups;
        std::vector<uint64_t> hashes; // of the groups, so that one is found among many
    };

    // Paths of one bandwidth.
    struct Bundle
    {
        uint64_t bandwidth; // bit/s
        uint64_t paths;
    };

    // What FindWays() has found about the way from a switch to one destination.
    struct Way
    {
        std::vector<uint32_t> below; // cables of Place::down that lead down to the destination
        std::vector<Bundle> bundles; // few: cables have few different rates
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
    std::vector<Way> m_ways;            // by number of the switch; to the destination looked at
    std::vector<uint32_t> m_costs;      // of these ways
    std::vector<uint32_t> m_sharing;    // whose Way it is: the switch itself, or one like it
    std::vector<uint32_t> m_examples;   // by likeness, a switch whose way up is known
    uint32_t m_cheapest{0};             // cost over the cables considered so far
    std::vector<const Edge*> m_first;   // cables with which a way of that cost begins
    std::vector<uint64_t> m_bandwidths; // of the ports being looked at
    std::vector<uint64_t> m_knownRates; // of NICs, as of the last convergence; 0: cut
    mutable std::map<std::pair<uint32_t, uint32_t>, std::vector<Route>> m_routes;
    uint32_t m_version{0};
};

} // namespace ns3::rails

#endif // RAILS_ROUTER_H
