// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_SETTINGS_H
#define FLOW_SETTINGS_H

#include "ns3/path-spread.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/// How messages move as flows.
struct FlowSettings
{
    /// Which messages share a queue pair, and so go in order.
    enum class QueuePairPer
    {
        NicPair, //!< all from one NIC to another
        GpuPair, //!< all from one GPU to another, on one NIC at each end
        Message  //!< each has its own
    };

    uint64_t mtu{4096};        //!< largest payload of a frame in bytes
    uint64_t dataHeader{62};   //!< bytes of headers of a data frame
    uint64_t ackBytes{64};     //!< length of an ACK in bytes
    uint64_t wireOverhead{20}; //!< preamble and gap of every frame in bytes
    QueuePairPer queuePairPer{QueuePairPer::NicPair};
    TimePs messageGap{0};                   //!< between two messages that a NIC begins to post
    PathSpread spread{PathSpread::OnePath}; //!< over which ways the bytes of a queue pair go
    int64_t streamsPerSwitch{1};            //!< random streams from one switch's salt to the next
    double tolerance{0}; //!< part of the elapsed time in which completions are taken together

    /// \return frames that a message is cut into
    constexpr uint64_t GetFrames(uint64_t messageBytes) const
    {
        return (messageBytes + mtu - 1) / mtu;
    }

    /// \return what a message weighs on the wire, in bytes
    constexpr uint64_t GetWireBytes(uint64_t messageBytes) const
    {
        return messageBytes + GetFrames(messageBytes) * (dataHeader + wireOverhead);
    }

    /// \return what the last frame of a message weighs on the wire, in bytes
    constexpr uint64_t GetLastFrameWireBytes(uint64_t messageBytes) const
    {
        return (messageBytes - 1) % mtu + 1 + dataHeader + wireOverhead;
    }

    /// \return what the ACKs of so many frames weigh on the wire, in bytes
    constexpr uint64_t GetAckWireBytes(uint64_t frames) const
    {
        return frames * (ackBytes + wireOverhead);
    }
};

} // namespace ns3::rails

#endif // FLOW_SETTINGS_H
