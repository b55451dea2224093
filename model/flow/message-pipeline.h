// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_PIPELINE_H
#define MESSAGE_PIPELINE_H

#include "flow-interior.h"
#include "flow-network.h"
#include "flow-settings.h"

#include <cstdint>

namespace ns3::rails
{

/// Latencies of a message between servers in ps, besides the time at its rate and propagation.
struct MessagePipeline
{
    double sending{0}; //!< until its first byte leaves the NIC
    double before{0};  //!< the part of `sending` in which the message's slowest link is idle
    double behind{0};  //!< until its last byte is at the receiving NIC
    double handing{0}; //!< then, for the first segment, where the path to the GPU is the slowest
    double last{0};    //!< then, until the message is in the GPU's memory
};

/**
 * A message without contention takes its time on the slowest link of its path, and a latency: the
 * time of the first unit (segment or packet) on the links before, and the time of the largest unit
 * on the links behind, since a short last unit waits behind a whole one. The slowest link is the
 * one without contention, whatever share the flow had.
 *
 * \param bytes of the message
 * \param settings give the frame format
 * \param segmentBytes unit in which messages cross servers
 * \param out path from the source GPU to the sending NIC
 * \param times path between the NICs
 * \param in path from the receiving NIC to the destination GPU
 */
MessagePipeline MakeMessagePipeline(uint64_t bytes,
                                    const FlowSettings& settings,
                                    uint64_t segmentBytes,
                                    const FlowInterior::Crossing& out,
                                    const FlowNetwork::Times& times,
                                    const FlowInterior::Crossing& in);

} // namespace ns3::rails

#endif // MESSAGE_PIPELINE_H
