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
 * What queue pairs do about lost frames: the `loss_recovery` component. A configured object makes
 * the two halves of every queue pair, one for its sender and one for its receiver. They look up
 * their parameters in the component, which must not change any more.
 */
class LossRecovery : public Object
{
  public:
    static TypeId GetTypeId();

    /// By default it works with every transport.
    /// \throws ConfigurationError when the parameters cannot work with such a transport
    virtual void Check(const Transport& transport) const;

    /// \return true when frames that have been overtaken are sent again
    virtual bool NeedsOrder() const = 0;

    /// \return by how many numbers a frame that arrived is higher than another one that passes for
    /// lost then; by default 1 where NeedsOrder(), otherwise more than there are
    virtual uint32_t GetLossThreshold() const;

    /// A threshold that sprayed frames hardly reach, see GetLossThreshold().
    static constexpr uint32_t kSprayThreshold = 32;

    /// What a transport is to be set to where frames are sprayed.
    static const char* const kSprayRemedy;

    /// \return the longest that the time-out of a sender will ever be
    TimePs GetTimeout() const;

    /// \return the sender's half of a new queue pair
    virtual std::unique_ptr<SenderRecovery> MakeSender() const = 0;

    /**
     * \param mtu payload of a full data frame, in bytes
     * \return the receiver's half of a new queue pair
     */
    virtual std::unique_ptr<ReceiverRecovery> MakeReceiver(uint32_t mtu) const = 0;

  protected:
    /// Help text of the attribute Timeout, which each type declares with its own initial value.
    static const char* const kTimeoutHelp;

    /**
     * Initial value of that attribute for types that promise nothing about losses: 16 ms. A full 64
     * MiB buffer takes 1.34 ms to drain at 400 Gbps, and frames for one hot NIC can stand in the
     * buffers of eight spines and a leaf, 12.1 ms. A time-out in a lossless fabric would only add
     * frames to that. Three in a row still fit into the watchdog's 50 ms.
     */
    static constexpr int64_t kTimeoutMs = 16;

    Time m_timeout;
};

} // namespace ns3::rails

#endif // LOSS_RECOVERY_H
