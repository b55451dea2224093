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

    /// \return data frames of a message with `bytes` of payload
    uint64_t CountFrames(uint64_t bytes) const
    {
        return (bytes + mtu - 1) / mtu;
    }

    /// \return bytes on the wire of `frames` data frames with `bytes` of payload together
    uint64_t GetDataWire(uint64_t bytes, uint64_t frames) const
    {
        return bytes + frames * (dataHeader + wireOverhead);
    }

    /// \return bytes on the wire of a message with `bytes` of payload
    uint64_t GetMessageWire(uint64_t bytes) const
    {
        return GetDataWire(bytes, CountFrames(bytes));
    }

    /// \return bytes on the wire of the last frame of a message; `bytes` is at least 1
    uint64_t GetLastFrameWire(uint64_t bytes) const
    {
        return GetDataWire((bytes - 1) % mtu + 1, 1);
    }

    /// \return bytes on the wire of the ACKs of `frames` data frames, one ACK each
    uint64_t GetAckWire(uint64_t frames) const
    {
        return frames * (ack + wireOverhead);
    }
};

} // namespace ns3::rails

#endif // FRAME_FORMAT_H
