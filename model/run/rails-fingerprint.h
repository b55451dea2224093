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
 * A fingerprint is the SHA-256 over the events of a run: equal for the same descriptor, seed and
 * engine, whatever the event scheduler, the version of ns-3, or the number of simulator events per
 * hop. Each engine has one of the functions below. The hashed bytes are 64-bit numbers, least
 * significant byte first; 2^63 - 1 is the time of an event that never happened.
 */

/**
 * Hashes a packet-level simulation: the number of messages; for each message in order of its id the
 * times of start and end in ps; the number of ports; for each port in order of (node, port) the
 * bytes, marks, pauses, paused time in ps, and drops.
 *
 * \param messages of the run, in any order
 * \param ports with their counts of frames, in any order
 * \return 64 hexadecimal digits
 */
std::string ComputeFrameFingerprint(const std::deque<Message>& messages,
                                    const std::vector<PortRecord>& ports);

/// Data of a queue pair for the fingerprint of a flow-level simulation, over the whole run.
struct FlowRecord
{
    uint32_t source{0};      //!< number of the sending NIC
    uint32_t destination{0}; //!< number of the receiving NIC
    uint64_t number{0};      //!< distinguishes the queue pairs of the two NICs
    uint64_t bytes{0};       //!< payload that it delivered
    TimePs start{kNever};    //!< post time of its first message
    TimePs end{kNever};      //!< delivery of its last byte
};

/**
 * Hashes a flow-level simulation: the number of queue pairs; for each queue pair in order of
 * (source, destination, number) its bytes and its times of start and end in ps; the number of
 * ports; for each port in order of (node, port) the bytes. Messages are not hashed, as they may be
 * forgotten by then.
 *
 * \param flows the queue pairs that were used, in any order
 * \param ports in any order
 * \return 64 hexadecimal digits
 */
std::string ComputeFlowFingerprint(std::vector<FlowRecord> flows,
                                   const std::vector<PortRecord>& ports);

} // namespace ns3::rails

#endif // RAILS_FINGERPRINT_H
