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

    /// What becomes of a data frame at the receiver.
    struct Verdict
    {
        bool deliver;        //!< true exactly once per PSN
        Reply reply;         //!< frame to send back
        uint64_t cumulative; //!< all PSNs below have arrived; carried by the reply
    };

    /// A data frame arrived.
    virtual Verdict OnData(TimePs now, uint64_t psn) = 0;
};

} // namespace ns3::rails

#endif // RECEIVER_RECOVERY_H
