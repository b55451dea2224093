// SPDX-License-Identifier: GPL-2.0-only
#ifndef DESTINATION_SPREAD_H
#define DESTINATION_SPREAD_H

#include "fabric-ports.h"
#include "next-hop-table.h"
#include "path-spread.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Spread of the traffic to one edge switch over the ports of the switches on its paths, where the
 * shares are fixed. Start() names the destination, Follow() a switch where traffic enters. The
 * stages are the switches on these paths, each with the shares of its ports.
 */
class DestinationSpread
{
  public:
    /// A switch on the paths, and the shares of its ports.
    struct Stage
    {
        uint32_t at;          //!< number of the switch
        const NextHops* hops; //!< next hops at the switch
        uint64_t total;       //!< sum of their weights
    };

    /**
     * \param hops next hops; they may change between two calls of Start()
     * \param ports of the fabric
     * \param spread Even, Weighted or Routes
     */
    DestinationSpread(const NextHopTable& hops, const FabricPorts& ports, PathSpread spread);

    /// Clears the stages. \param to number of the destination, an edge switch
    void Start(uint32_t to);

    /**
     * Adds the stages of traffic that enters at a switch, unless they are present.
     * \param from number of the switch, not the destination
     * \return true when all of this traffic arrives. False when some of it has no path, or loops in
     * next hops of a user. With source routes, one route to the destination is enough, but no route
     * may be longer than a Route.
     */
    bool Follow(uint32_t from);

    /// \return the stages, each after its next hops; without the destination
    const std::vector<Stage>& GetStages() const
    {
        return m_stages;
    }

    /**
     * \param stage one of the stages
     * \param index of a port among the next hops of the stage
     * \param neighbour number of the switch at the other end of the port
     * \return the weight of the port; weights of a stage add up to its total, and may be 0
     */
    uint64_t GetWeight(const Stage& stage, std::size_t index, uint32_t neighbour) const
    {
        switch (m_spread)
        {
        case PathSpread::Weighted:
            return stage.hops->weights[index];
        case PathSpread::Routes:
            return neighbour == FabricPorts::kNoSwitch ? 0 : m_visits[neighbour].routes;
        default:
            return 1;
        }
    }

    /// \return the ports of the fabric
    const FabricPorts& GetPorts() const
    {
        return m_ports;
    }

  private:
    // Result of the search at a switch.
    enum class State : uint8_t
    {
        Unknown,
        Open,    // on the stack of the search: meeting it again is a loop
        Arrives, // all traffic from here arrives
        Lost,    // some traffic from here has no path
        Circles  // some traffic loops, or its route is too long
    };

    struct Visit
    {
        uint64_t start{0}; // number of the Start() in which the visit is valid
        State state{State::Unknown};
        uint8_t length{0};  // ports of the longest source route
        uint64_t routes{0}; // number of source routes to the destination
    };

    Visit& GetVisit(uint32_t at);
    State Examine(uint32_t at);
    State ExamineBeyond(uint32_t at, const NextHops& hops);
    uint64_t GetTotal(uint32_t at, const NextHops& hops) const;

    const NextHopTable& m_hops;
    const FabricPorts& m_ports;
    PathSpread m_spread;
    uint32_t m_to{0};
    uint64_t m_start{0};
    std::vector<Visit> m_visits; // by number of the switch
    std::vector<Stage> m_stages;
};

} // namespace ns3::rails

#endif // DESTINATION_SPREAD_H
