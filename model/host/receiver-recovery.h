// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECEIVER_RECOVERY_H
#define RECEIVER_RECOVERY_H

#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/// What the receiving end of a queue pair takes and what it answers.
class ReceiverRecovery
{
  public:
    virtual ~ReceiverRecovery() = default;

    /// What the receiver answers to a data frame.
    enum class Reply
    {
        None,
        Ack,
        Nak
    };

    /// What a data frame brings to the receiver.
    struct Arrival
    {
        uint64_t psn;     //!< number that the sender gave it
        uint32_t payload; //!< its bytes
        uint64_t missing; //!< bytes of its message that have not arrived
    };

    /// What becomes of a data frame at the receiver.
    struct Verdict
    {
        uint32_t bytes;      //!< of its message that it adds to those that have arrived
        Reply reply;         //!< frame to send back
        uint64_t cumulative; //!< all PSNs below have arrived; carried by the reply
    };

    /// A data frame arrived.
    virtual Verdict OnData(TimePs now, const Arrival& frame) = 0;
};

} // namespace ns3::rails

#endif // RECEIVER_RECOVERY_H
