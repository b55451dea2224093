// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_FINGERPRINT_H
#define RAILS_FINGERPRINT_H

#include "engine-record.h"

#include "ns3/rails-message.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3::rails
{

/*
 * A fingerprint is the SHA-256 over what happened in a run: equal for the same descriptor, seed and
 * engine, whatever the event scheduler, the version of ns-3, or the number of events that a hop
 * costs. Each engine says what happens in it, by one of the functions below. The hashed bytes are
 * 64-bit numbers, least significant byte first; 2^63 - 1 is the time of what never happened.
 */

/**
 * Hashes what an engine of frames does: the number of messages; for each message in order of its
 * id the times of start and end in ps; the number of ports; for each port in order of (node, port)
 * the bytes, marks, pauses, paused time in ps, and drops.
 *
 * \param messages of the run, in any order
 * \param ports with their counts of frames, in any order
 * \return 64 hexadecimal digits
 */
std::string ComputeFrameFingerprint(const std::deque<Message>& messages,
                                    const std::vector<PortRecord>& ports);

/// What the fingerprint of an engine of flows needs of a queue pair, over the whole run.
struct FlowRecord
{
    uint32_t source{0};      //!< NIC that sends, by its number
    uint32_t destination{0}; //!< NIC that receives, by its number
    uint64_t number{0};      //!< tells the queue pairs of the two NICs apart
    uint64_t bytes{0};       //!< payload that it delivered
    TimePs start{kNever};    //!< when it sent its first byte
    TimePs end{kNever};      //!< when its last byte was delivered
};

/**
 * Hashes what an engine of flows does: the number of queue pairs; for each queue pair in order of
 * (source, destination, number) its bytes and its times of start and end in ps; the number of
 * ports; for each port in order of (node, port) the bytes. No time of a message is in it, and no
 * message needs to be known any more.
 *
 * \param flows the queue pairs that were used, in any order
 * \param ports in any order
 * \return 64 hexadecimal digits
 */
std::string ComputeFlowFingerprint(std::vector<FlowRecord> flows,
                                   const std::vector<PortRecord>& ports);

} // namespace ns3::rails

#endif // RAILS_FINGERPRINT_H
