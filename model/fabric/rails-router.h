// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ROUTER_H
#define RAILS_ROUTER_H

#include "rails-frame.h"
#include "rails-switch.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Global routing of a fabric in tiers: finds, for every switch and every edge switch (one with
 * NICs), the ports on the shortest paths that go up and then down over cables that work, with the
 * weights of weighted ECMP, and tells the switches. What happens to cables between two calls of
 * Converge() nobody knows.
 */
class Router
{
  public:
    /**
     * Adds an edge switch.
     * \param edge a switch with NICs
     * \param region the part of the fabric (pod) that it belongs to
     */
    void AddEdge(Switch& edge, uint32_t region);

    /**
     * Adds a cable between two switches.
     * \param lower the switch nearer to the NICs
     * \param lowerPort its port
     * \param upper the other
     * \param upperPort its port
     * \param cost what it counts on a path, at least 1
     */
    void AddCable(Switch& lower,
                  uint16_t lowerPort,
                  Switch& upper,
                  uint16_t upperPort,
                  uint32_t cost);

    /**
     * Replaces what is found by what somebody says, from the next Converge() on.
     * \param at a switch
     * \param edge the destination
     * \param ports by which it is to be reached
     */
    void Override(Switch& at, uint32_t edge, const std::vector<uint16_t>& ports);

    /// Finds all next hops anew. All nodes must have been brought up to this instant.
    void Converge();

    /// \return how often it has converged
    uint32_t GetVersion() const;

    /// \return tiers of switches, on the way up
    uint32_t GetTiers() const;

    /// \return true when a path leads from one edge switch to another, as far as it knows
    bool IsConnected(uint32_t from, uint32_t to) const;

    /**
     * \param from an edge switch
     * \param to another
     * \return all shortest paths, as far as it knows, in an order in which neighbours differ in
     * their first ports; empty when there is none, or when the two are the same. It stays in place
     * until the next Converge().
     */
    const std::vector<Route>& GetRoutes(uint32_t from, uint32_t to) const;

  private:
    struct Cable
    {
        uint32_t to;       // switch at the other end
        uint16_t port;     // of this end
        uint16_t peerPort; // of the other
        uint32_t cost;
        uint64_t rateBps; // as Converge() found it; 0 when the cable was cut
    };

    // A switch in the order of Converge(): what it is joined to below and above, by port.
    struct Place
    {
        Switch* at{nullptr};
        uint32_t tier{0};
        std::vector<Cable> down;
        std::vector<Cable> up;
        std::vector<uint32_t> neighbours; // by port: the switch it leads to
    };

    // Paths of one bandwidth.
    struct Bundle
    {
        uint64_t bandwidth; // bit/s
        uint64_t paths;
    };

    // What is found about the way from a switch to one destination.
    struct Way
    {
        uint32_t cost;
        bool isAbove;                // joined to one below from where the destination is below
        std::vector<Bundle> bundles; // few: cables have few different rates
        NextHops hops;
    };

    Place& GetPlace(Switch& at);
    void Prepare();
    void SortByTier();
    void Look();
    void FindWays(uint32_t to);
    void Extend(const Place& place, const std::vector<Cable>& cables);
    void FollowRoutes(uint32_t at, uint32_t to, Route route, std::vector<Route>& found) const;

    std::vector<Place> m_places;   // by number of the switch
    std::vector<uint32_t> m_order; // numbers of the switches, lowest tier first
    std::vector<Way> m_ways;       // by number of the switch; to the destination being looked at
    std::vector<uint64_t> m_bandwidths; // of the ports being looked at
    std::vector<Switch*> m_edges;
    std::vector<uint32_t> m_regions; // by number of the edge switch
    std::map<std::pair<const Switch*, uint32_t>, NextHops> m_overrides;
    mutable std::map<std::pair<uint32_t, uint32_t>, std::vector<Route>> m_routes;
    uint32_t m_version{0};
};

} // namespace ns3::rails

#endif // RAILS_ROUTER_H
