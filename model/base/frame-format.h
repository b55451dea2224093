// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_FORMAT_H
#define FRAME_FORMAT_H

#include <cstdint>

namespace ns3::rails
{

/// Sizes of frames, in bytes.
struct FrameFormat
{
    uint64_t mtu{4096};        //!< largest payload of a data frame
    uint64_t dataHeader{62};   //!< headers of a data frame
    uint64_t ack{64};          //!< an ACK frame
    uint64_t wireOverhead{20}; //!< preamble and gap of every frame

    /// \return how many data frames a message of so much payload takes
    uint64_t CountFrames(uint64_t bytes) const
    {
        return (bytes + mtu - 1) / mtu;
    }

    /// \return what so much payload in so many data frames takes on the wire
    uint64_t GetDataWire(uint64_t bytes, uint64_t frames) const
    {
        return bytes + frames * (dataHeader + wireOverhead);
    }

    /// \return what a message of so much payload takes on the wire
    uint64_t GetMessageWire(uint64_t bytes) const
    {
        return GetDataWire(bytes, CountFrames(bytes));
    }

    /// \return what the last frame of such a message takes on the wire; the payload is at least 1
    uint64_t GetLastFrameWire(uint64_t bytes) const
    {
        return GetDataWire((bytes - 1) % mtu + 1, 1);
    }

    /// \return what the ACKs of so many data frames, one for each, take on the wire
    uint64_t GetAckWire(uint64_t frames) const
    {
        return frames * (ack + wireOverhead);
    }
};

} // namespace ns3::rails

#endif // FRAME_FORMAT_H
