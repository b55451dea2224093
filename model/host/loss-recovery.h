// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSS_RECOVERY_H
#define LOSS_RECOVERY_H

#include "receiver-recovery.h"
#include "sender-recovery.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <memory>

namespace ns3::rails
{

class Transport;

/**
 * Loss recovery of queue pairs: the `loss_recovery` component. A configured object makes the
 * sender's and the receiver's half for every queue pair. Both read their parameters from the
 * component, which must not change afterwards.
 */
class LossRecovery : public Object
{
  public:
    /// Constant properties of a class.
    struct Traits
    {
        bool needsOrder{false}; //!< overtaken frames are retransmitted
    };

    static TypeId GetTypeId();

    const Traits& GetTraits() const
    {
        return m_traits;
    }

    /// By default the component works with every transport.
    /// \throws ConfigurationError when the parameters cannot work with the transport
    virtual void Check(const Transport& transport) const;

    /// \return difference of packet sequence numbers: a missing frame counts as lost when a frame
    /// this many numbers higher has arrived. By default 1 with Traits::needsOrder, else unlimited.
    virtual uint32_t GetLossThreshold() const;

    /// A threshold that sprayed frames hardly reach, see GetLossThreshold().
    static constexpr uint32_t kSprayThreshold = 32;

    /// Advice for transports with sprayed frames, for messages.
    static const char* const kSprayRemedy;

    /// \return the longest time-out of a sender
    TimePs GetTimeout() const;

    /// \return the sender's half of a new queue pair
    virtual std::unique_ptr<SenderRecovery> MakeSender() const = 0;

    /**
     * \param mtu payload of a full data frame, in bytes
     * \return the receiver's half of a new queue pair
     */
    virtual std::unique_ptr<ReceiverRecovery> MakeReceiver(uint32_t mtu) const = 0;

  protected:
    Traits m_traits; //!< set by constructors alone

    /// Help text of the attribute Timeout, which each type declares with its own initial value.
    static const char* const kTimeoutHelp;

    /**
     * Initial value of the attribute Timeout for types that do not prescribe one: 16 ms. A full
     * 64 MiB buffer takes 1.34 ms to drain at 400 Gbps, and frames for one hot NIC can fill the
     * buffers of eight spines and a leaf, 12.1 ms. A shorter time-out in a lossless fabric would
     * only add frames. Three time-outs in a row still fit into the watchdog's 50 ms.
     */
    static constexpr int64_t kTimeoutMs = 16;

    Time m_timeout;
};

} // namespace ns3::rails

#endif // LOSS_RECOVERY_H
