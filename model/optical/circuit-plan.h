// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_PLAN_H
#define CIRCUIT_PLAN_H

#include "circuit-demand.h"
#include "circuit-map.h"

#include "ns3/rails-units.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Servers that circuits may join with each other, as a CircuitPlanner is told of them.
struct CircuitRegion
{
    uint32_t index{0};           //!< of the region in the cluster
    std::vector<uint32_t> ports; //!< by server: NICs at the optical switch that work
    uint64_t rate{0};            //!< of a circuit, bit/s each way
    /// Where NICs at the optical switch have unlike rates now: by server those of its ports, bit/s,
    /// fastest first. Empty: all have the rate of a circuit.
    std::vector<std::vector<uint64_t>> portRates{};
    uint64_t packetRate{0}; //!< of all NICs of a server at the packet fabric, bit/s each way
    CircuitMap standing{0}; //!< circuits that are there and work
    TimePs delay{0};        //!< how long the region is dark when circuits move
};

/// Circuits that stay for a while.
struct CircuitSlot
{
    /// As many bytes as there are.
    static constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();

    CircuitMap circuits;
    uint64_t bytes{kAll};    //!< most that a server sends another by them
    TimePs duration{kNever}; //!< how long they stay; kNever: until the next plan
    /// Pairs of servers, the lower number first, in the order in which their circuits take NICs,
    /// the fastest first. Those that are not in it come behind, by their numbers.
    std::vector<std::pair<uint32_t, uint32_t>> order{};
};

/// Circuits one after the other. Before each slot the region is dark while it is reconfigured.
struct CircuitPlan
{
    std::vector<CircuitSlot> slots;
    TimePs planningTime{0}; //!< what planning took, before anything changes
};

/**
 * \param delay what a reconfiguration takes
 * \return time from the beginning of the first reconfiguration to the end of the last slot; kNever
 * for circuits that stay until the next plan
 */
TimePs FindLength(const CircuitPlan& plan, TimePs delay);

/**
 * \return bytes of a demand that go by circuits: a server that has circuits to another at some time
 * sends by them, and never by both fabrics (MixNet, section 5.3), as much as slots take
 */
uint64_t CountServedBytes(const CircuitPlan& plan, const CircuitDemand& demand);

/**
 * What no full-duplex circuits exceed, however they are chosen: each server sends and receives, by
 * circuits, at most what it has for, and from, as many peers as it has ports, and a pair of servers
 * is counted at both of them, so half of the sum; and at most all there is.
 * \param ports by server
 * \return bytes
 */
uint64_t FindServedBound(const CircuitDemand& demand, const std::vector<uint32_t>& ports);

} // namespace ns3::rails

#endif // CIRCUIT_PLAN_H
