// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_FILLING_H
#define CIRCUIT_FILLING_H

#include "circuit-plan.h"

namespace ns3::rails
{

/**
 * Adds full-duplex circuits, one by one, to the slowest pair of servers. The time of a pair is its
 * bytes over its circuits, and infinite without a circuit (MixNet, Algorithm 1). Pairs without
 * bytes get no circuit. Ours: where ports have different rates, a circuit takes the fastest free
 * port of both servers and has the lower of their rates, and time is bytes over the sum of rates.
 *
 * Ours: among pairs without a circuit, the pair with most bytes is first. Ties go to the pair whose
 * servers have most free ports together, so that no port stays free when all pairs have equal
 * bytes, and then to the lower numbers.
 * \param demand bytes between the servers
 * \param region with the free ports
 * \param endsWhenFull whether to stop when the slowest pair has no free port; otherwise the next
 * pair is tried
 * \param slot has circuits already; new ones are added, also to its order where ports have
 * different rates
 */
void AddSlowestFirst(const CircuitDemand& demand,
                     const CircuitRegion& region,
                     bool endsWhenFull,
                     CircuitSlot& slot);

} // namespace ns3::rails

#endif // CIRCUIT_FILLING_H
