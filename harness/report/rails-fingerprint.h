// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_FINGERPRINT_H
#define RAILS_FINGERPRINT_H

#include "rails-result.h"

#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * SHA-256 over what happened in a run: equal for the same descriptor and seed, whatever the event
 * scheduler, the version of ns-3, or the number of events that a hop costs.
 *
 * The hashed bytes are 64-bit numbers, least significant byte first: the number of messages; for
 * each message in order of its id the times of start and end in ps (2^63 - 1 for what never
 * happened); the number of ports; for each port in order of (node, port) the bytes, marks, pauses,
 * paused time in ps, and drops.
 *
 * \param messages in any order
 * \param ports in any order
 * \return 64 hexadecimal digits
 */
std::string ComputeFingerprint(const std::vector<MessageRecord>& messages,
                               const std::vector<PortRecord>& ports);

} // namespace ns3::rails

#endif // RAILS_FINGERPRINT_H
