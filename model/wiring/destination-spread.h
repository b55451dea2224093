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
 * How what goes to one edge switch spreads over the ports of the switches on its way, where it
 * spreads in fixed shares. Start() names the destination, Follow() a switch where something comes
 * in; the stages are all the switches that it passes, each with the shares of its ports.
 */
class DestinationSpread
{
  public:
    /// A switch on the way, and what it does.
    struct Stage
    {
        uint32_t at;          //!< number of the switch
        const NextHops* hops; //!< the ports by which it sends on
        uint64_t total;       //!< sum of their weights
    };

    /**
     * \param hops next hops; they may be read anew between two calls of Start()
     * \param ports of its fabric
     * \param spread Even, Weighted or Routes
     */
    DestinationSpread(const NextHopTable& hops, const FabricPorts& ports, PathSpread spread);

    /// Forgets what was followed. \param to number of the edge switch that all goes to from now on
    void Start(uint32_t to);

    /**
     * Adds the stages that what comes in at a switch passes, unless they are there already.
     * \param from number of the switch, not the destination
     * \return true when all of it arrives; false when no way is known, or next hops that a user has
     * given lead into a circle, or some of it to where no way is known. For source routes it is
     * enough that one leads to the destination, but none may be longer than a Route is.
     */
    bool Follow(uint32_t from);

    /// \return the stages, each behind all those that it sends to; the destination is none
    const std::vector<Stage>& GetStages() const;

    /**
     * \param stage one of the stages
     * \param index of one of its ports
     * \param neighbour number of the switch that the port leads to
     * \return the weight of the port, of the total of the stage; it may be 0
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
    const FabricPorts& GetPorts() const;

  private:
    // What is known of a switch.
    enum class State : uint8_t
    {
        Unknown,
        Open,    // being looked at: whoever meets it has found a circle
        Arrives, // all of what comes here
        Lost,    // there is no way from here
        Circles  // something goes round, or too far
    };

    struct Visit
    {
        uint64_t start{0}; // number of the Start() that this holds for
        State state{State::Unknown};
        uint8_t length{0};  // source routes: ports of the longest
        uint64_t routes{0}; // how many lead to the destination
    };

    Visit& GetVisit(uint32_t at);
    State Look(uint32_t at);
    State LookBeyond(uint32_t at, const NextHops& hops);
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
