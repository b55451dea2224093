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

/// Input of a CircuitPlanner: servers that circuits may join.
struct CircuitRegion
{
    uint32_t index{0};           //!< of the region in the cluster
    std::vector<uint32_t> ports; //!< by server: working NICs at the optical switch
    uint64_t rate{0};            //!< of a circuit, bit/s per direction
    /// By server, present rates of its ports at the optical switch, bit/s, fastest first. Empty:
    /// all ports have `rate`.
    std::vector<std::vector<uint64_t>> portRates{};
    uint64_t packetRate{0}; //!< sum over a server's NICs in the packet fabric, bit/s per direction
    CircuitMap standing{0}; //!< present circuits on working links
    TimePs delay{0};        //!< dark time of a reconfiguration
};

/// Circuits of one time slot.
struct CircuitSlot
{
    /// Unlimited bytes.
    static constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();

    CircuitMap circuits;
    uint64_t bytes{kAll};    //!< limit from one server to another in this slot
    TimePs duration{kNever}; //!< kNever: until the next plan
    /// Pairs of servers, the lower number first, in the order in which their circuits take NICs,
    /// fastest NICs first. Further pairs follow in the order of their numbers.
    std::vector<std::pair<uint32_t, uint32_t>> order{};
};

/// A sequence of slots. The region is reconfigured before each slot, and dark meanwhile.
struct CircuitPlan
{
    std::vector<CircuitSlot> slots;
    TimePs planningTime{0}; //!< time of planning, before the first reconfiguration
};

/**
 * \param plan with its slots
 * \param delay of a reconfiguration
 * \return time from the beginning of the first reconfiguration to the end of the last slot; kNever
 * for circuits that stay until the next plan
 */
TimePs FindLength(const CircuitPlan& plan, TimePs delay);

/**
 * \return bytes of a demand that take circuits, up to the limits of the slots: a server with
 * circuits to another in some slot never uses the packet fabric for that pair (MixNet, section 5.3)
 */
uint64_t CountServedBytes(const CircuitPlan& plan, const CircuitDemand& demand);

/**
 * Upper bound on the bytes that any full-duplex circuits can take. Each server takes at most the
 * bytes of its largest pairs, as many as it has ports. A pair counts at both servers, so the bound
 * is half of the sum, and at most the total demand.
 * \param demand bytes between the servers
 * \param ports by server, number of ports
 * \return bytes
 */
uint64_t FindServedBound(const CircuitDemand& demand, const std::vector<uint32_t>& ports);

} // namespace ns3::rails

#endif // CIRCUIT_PLAN_H
