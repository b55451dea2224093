// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_TRANSPORT_H
#define RAILS_TRANSPORT_H

#include "congestion-control.h"
#include "loss-recovery.h"

#include "ns3/frame-format.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/// Common settings of the queue pairs of all NICs: the `transport` section.
class Transport : public Object
{
  public:
    /// Messages that share a queue pair, and so are ordered.
    enum QueuePairPer
    {
        NIC_PAIR, //!< all messages from one NIC to another
        GPU_PAIR, //!< all messages from one GPU to another, on one NIC at each end
        MESSAGE   //!< one queue pair for each message
    };

    /// Traffic class of ACKs and NAKs.
    enum AckClass
    {
        ACKS_IN_CONTROL, //!< ahead of data, never paused
        ACKS_IN_DATA     //!< in the queues of data
    };

    /// Source of the ECN mark of an ACK.
    enum Echo
    {
        DATA_MARK,   //!< mark of the answered data frame
        ACK_OWN_MARK //!< mark set by switches on the path of the ACK
    };

    static TypeId GetTypeId();

    /// \throws ConfigurationError when the values contradict each other
    void Check() const;

    /// \return length in bytes of the largest data frame
    uint32_t GetLargestDataFrame() const;

    /// \return length in bytes of the largest frame of any kind
    uint32_t GetLargestFrame() const;

    /// \return data frames of a message
    uint64_t GetFrames(uint64_t messageBytes) const;

    /// \return sizes of frames
    FrameFormat GetFrameFormat() const
    {
        return {GetMtu(), GetDataHeader(), GetAckBytes(), GetWireOverhead()};
    }

    /// \return largest payload of a data frame in bytes
    uint64_t GetMtu() const
    {
        return m_mtu.Get();
    }

    /// \return bytes of headers of a data frame
    uint64_t GetDataHeader() const
    {
        return m_dataHeader.Get();
    }

    /// \return length of an ACK, NAK or CNP in bytes
    uint64_t GetAckBytes() const
    {
        return m_ackBytes.Get();
    }

    /// \return bytes of preamble and gap of every frame
    uint64_t GetWireOverhead() const
    {
        return m_wireOverhead.Get();
    }

    /// \return the messages that share a queue pair
    QueuePairPer GetQueuePairPer() const
    {
        return m_queuePairPer;
    }

    /// \return traffic class of ACKs and NAKs
    AckClass GetAckClass() const
    {
        return m_ackClass;
    }

    /// \return the source of the ECN mark of an ACK
    Echo GetEcho() const
    {
        return m_echo;
    }

    /// \return largest number of bytes in flight of a queue pair; special: unlimited
    ByteSize GetWindow() const
    {
        return m_window;
    }

    /// \return prototype of the queue pairs' congestion control
    Ptr<CongestionControl> GetCongestionControl() const
    {
        return m_congestionControl;
    }

    /// \return factory of the queue pairs' loss recovery
    Ptr<LossRecovery> GetLossRecovery() const
    {
        return m_lossRecovery;
    }

  private:
    ByteSize m_mtu;
    ByteSize m_dataHeader;
    ByteSize m_ackBytes;
    ByteSize m_wireOverhead;
    QueuePairPer m_queuePairPer{NIC_PAIR};
    AckClass m_ackClass{ACKS_IN_CONTROL};
    Echo m_echo{DATA_MARK};
    ByteSize m_window;
    Ptr<CongestionControl> m_congestionControl;
    Ptr<LossRecovery> m_lossRecovery;
};

} // namespace ns3::rails

#endif // RAILS_TRANSPORT_H
