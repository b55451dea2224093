// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSS_RECOVERY_H
#define LOSS_RECOVERY_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

class Transport;

/**
 * Which frame a queue pair sends next and which frames its receiver accepts: the `loss_recovery`
 * component. A configured object serves as prototype; each end of a queue pair forks its own and
 * uses one half of it. Frames are numbered by 64-bit packet sequence numbers (PSN) from 0.
 */
class LossRecovery : public Object
{
  public:
    static TypeId GetTypeId();

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

    /// \return a new object with the same parameters and the state of a new queue pair
    virtual Ptr<LossRecovery> Fork() const = 0;

    /// \throws ConfigurationError when the parameters cannot work with such a transport
    virtual void Check(const Transport& transport) const;

    /**
     * \return true when frames are coded: each brings as much of what its message lacks as it has
     * room for, whichever frames were lost; by default false
     */
    virtual bool IsCoded() const;

    /// \return true when frames that have been overtaken are sent again; by default false
    virtual bool NeedsOrder() const;

    /// \return true when a coded sender's time-out goes on although frames are sent; by default
    /// false
    virtual bool KeepsTimer() const;

    /// \return true when OnRoundTrip() does anything and GetTimeout() may change; by default false
    virtual bool UsesRoundTrips() const;

    // Sender's half.

    /**
     * \return time without progress after which OnTimeout() is called; of a new object, the longest
     * that it will ever be
     */
    virtual TimePs GetTimeout() const;

    /// An answer came this long after its frame was sent; called before OnAck() or OnNak().
    virtual void OnRoundTrip(TimePs roundTrip);

    /**
     * \param end first PSN that has not been posted yet
     * \return the PSN to send next; end when there is nothing to send
     */
    virtual uint64_t GetNext(uint64_t end) const = 0;

    /**
     * The frame that GetNext() named was sent.
     * \return the number that it carries, and that its answer brings back
     */
    virtual uint64_t OnSent(uint64_t psn) = 0;

    /// \return first PSN that is not acknowledged
    virtual uint64_t GetUnacknowledged() const = 0;

    /// \return frames sent and neither acknowledged nor taken for lost
    virtual uint64_t GetInFlight() const = 0;

    /**
     * An ACK arrived.
     * \param cumulative all PSNs below it have arrived
     * \param psn the data frame it answers
     * \return true when it brought news, so that the time-out counts from now
     */
    virtual bool OnAck(uint64_t cumulative, uint64_t psn) = 0;

    /// A NAK arrived: like an ACK up to cumulative, and the frame `cumulative` is missing.
    virtual bool OnNak(uint64_t cumulative, uint64_t psn) = 0;

    /// No progress for GetTimeout() with frames unacknowledged.
    virtual void OnTimeout() = 0;

    // Receiver's half.

    /// A data frame arrived.
    virtual Verdict OnData(TimePs now, uint64_t psn) = 0;

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
