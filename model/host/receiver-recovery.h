// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECEIVER_RECOVERY_H
#define RECEIVER_RECOVERY_H

#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/// Receiver's half of loss recovery: which frames the receiver accepts, and its replies.
class ReceiverRecovery
{
  public:
    virtual ~ReceiverRecovery() = default;

    /// Reply of the receiver to a data frame.
    enum class Reply
    {
        None,
        Ack,
        Nak
    };

    /// A data frame at the receiver.
    struct Arrival
    {
        uint64_t psn;     //!< SenderRecovery::Departure::number
        uint32_t payload; //!< in bytes
        uint64_t missing; //!< bytes of its message that have not arrived
    };

    /// Decision of the receiver about a data frame.
    struct Verdict
    {
        uint32_t bytes;      //!< new bytes of its message
        Reply reply;         //!< frame to send back
        uint64_t cumulative; //!< all PSNs below have arrived; carried by the reply
    };

    /// A data frame arrived.
    virtual Verdict OnData(TimePs now, const Arrival& frame) = 0;
};

} // namespace ns3::rails

#endif // RECEIVER_RECOVERY_H
