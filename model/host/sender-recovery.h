// SPDX-License-Identifier: GPL-2.0-only
#ifndef SENDER_RECOVERY_H
#define SENDER_RECOVERY_H

#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * What the sending end of a queue pair makes of answers and of their absence: which frame goes
 * next. Frames are numbered by 64-bit packet sequence numbers (PSN) from 0.
 */
class SenderRecovery
{
  public:
    virtual ~SenderRecovery() = default;

    /// \return time without progress after which OnTimeout() is called
    virtual TimePs GetTimeout() const = 0;

    /// \return true when round trips matter: OnRoundTrip() is to be called, and GetTimeout()
    /// changes
    virtual bool UsesRoundTrips() const = 0;

    /// An answer came this long after its frame was sent; called before OnAck() or OnNak().
    virtual void OnRoundTrip(TimePs roundTrip) = 0;

    /// \return true when a coded sender's time-out goes on although frames are sent
    virtual bool KeepsTimer() const = 0;

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
};

} // namespace ns3::rails

#endif // SENDER_RECOVERY_H
