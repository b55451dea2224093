// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_SETTINGS_H
#define FLOW_SETTINGS_H

#include "ns3/frame-format.h"
#include "ns3/path-spread.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/// Settings of the flow-level simulation.
struct FlowSettings
{
    /// Which messages share a queue pair, and hence stay in order.
    enum class QueuePairPer
    {
        NicPair, //!< all from one NIC to another
        GpuPair, //!< all from one GPU to another, on one NIC at each end
        Message  //!< each has its own
    };

    FrameFormat frames; //!< MTU and headers
    QueuePairPer queuePairPer{QueuePairPer::NicPair};
    TimePs messageGap{0};                   //!< between two messages that a NIC begins to post
    PathSpread spread{PathSpread::OnePath}; //!< over which paths the bytes of a queue pair go
    int64_t streamsPerSwitch{1};            //!< random streams from one switch's salt to the next
    double tolerance{0}; //!< largest error of a completion time, as a part of the message's time
};

} // namespace ns3::rails

#endif // FLOW_SETTINGS_H
