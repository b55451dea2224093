// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_FILLING_H
#define CIRCUIT_FILLING_H

#include "circuit-plan.h"

namespace ns3::rails
{

/**
 * Adds full-duplex circuits, one by one, to the pair of servers that would take longest: without a
 * circuit forever, with some its bytes over their number (MixNet, Algorithm 1). Pairs without
 * anything to send get none. Ours: where ports have unlike rates, a circuit takes the fastest free
 * port of both servers and has the rate of the slower, and time is bytes over the sum of rates.
 *
 * Ours: of pairs without a circuit that with most bytes is first, and of pairs that take as long
 * that whose servers have most free ports together, so that none is left over where all pairs have
 * the same, and then that with the lower numbers.
 * \param demand what the servers have for each other
 * \param region whose ports they take
 * \param endsWhenFull whether nothing more is added when the slowest pair has no free port;
 * otherwise the next one is looked at
 * \param slot has the circuits that there are, to which others are added, in its order too where
 * ports have unlike rates
 */
void AddSlowestFirst(const CircuitDemand& demand,
                     const CircuitRegion& region,
                     bool endsWhenFull,
                     CircuitSlot& slot);

} // namespace ns3::rails

#endif // CIRCUIT_FILLING_H
