// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_PIPELINE_H
#define MESSAGE_PIPELINE_H

#include "flow-interior.h"
#include "flow-network.h"
#include "flow-settings.h"

#include <cstdint>

namespace ns3::rails
{

/// What a message between servers takes besides the time at its rate, in ps; propagation is not in
/// it.
struct MessagePipeline
{
    double sending{0}; //!< until its first byte leaves a NIC
    double before{0};  //!< the part of that in which its slowest link does nothing for it
    double behind{0};  //!< until its last byte is at the other NIC
    double handing{0}; //!< after that, what the first segment takes when the way to the GPU is slow
    double last{0};    //!< until it is in the GPU's memory
};

/**
 * A lone message takes its time on the slowest link of its way, and besides that a latency: the
 * links before need the time of the first unit (segment or frame), those behind that of the
 * largest, for a short last unit waits behind a whole one. The slowest link is that of a lone
 * message, whatever its flow has shared.
 *
 * \param bytes of the message
 * \param settings how it is cut into frames
 * \param segmentBytes unit in which messages cross servers
 * \param out its way to the sending NIC
 * \param times its way between the NICs
 * \param in its way from the receiving NIC
 */
MessagePipeline MakeMessagePipeline(uint64_t bytes,
                                    const FlowSettings& settings,
                                    uint64_t segmentBytes,
                                    const FlowInterior::Crossing& out,
                                    const FlowNetwork::Times& times,
                                    const FlowInterior::Crossing& in);

} // namespace ns3::rails

#endif // MESSAGE_PIPELINE_H
