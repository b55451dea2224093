// SPDX-License-Identifier: GPL-2.0-only
#ifndef SENDER_RECOVERY_H
#define SENDER_RECOVERY_H

#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Sender's half of loss recovery: chooses the next frame from answers and time-outs. Frames have
 * 64-bit packet sequence numbers (PSN) from 0.
 */
class SenderRecovery
{
  public:
    virtual ~SenderRecovery() = default;

    /// \return time without progress after which OnTimeout() is called
    virtual TimePs GetTimeout() const = 0;

    /// \return true when OnRoundTrip() must be called; then GetTimeout() changes
    virtual bool UsesRoundTrips() const = 0;

    /// Adds the round-trip time of an answer; called before OnAck() or OnNak().
    virtual void OnRoundTrip(TimePs roundTrip) = 0;

    /**
     * \param end first PSN that has not been posted yet
     * \return the PSN to send next; `end` without one
     */
    virtual uint64_t GetNext(uint64_t end) const = 0;

    /// Consequences of sending a frame.
    struct Departure
    {
        uint64_t number;    //!< carried by the frame and returned by its answer
        bool startsTimeout; //!< the time-out counts from now
        bool tellsOfLoss;   //!< the frame counted as lost
    };

    /**
     * The frame of GetNext() is sent.
     * \param psn its number
     * \param isRepeat whether it is a retransmission
     */
    virtual Departure OnSent(uint64_t psn, bool isRepeat) = 0;

    /// \return first PSN that is not acknowledged
    virtual uint64_t GetUnacknowledged() const = 0;

    /// \return frames sent that are neither acknowledged nor count as lost
    virtual uint64_t GetInFlight() const = 0;

    /**
     * An ACK arrived.
     * \param cumulative all PSNs below have arrived
     * \param psn of the answered data frame
     * \return true when the ACK restarts the time-out
     */
    virtual bool OnAck(uint64_t cumulative, uint64_t psn) = 0;

    /// A NAK arrived: like an ACK up to cumulative, and the frame `cumulative` is missing.
    virtual bool OnNak(uint64_t cumulative, uint64_t psn) = 0;

    /// \return true when a time-out also counts for a queue pair that can send frames
    virtual bool MindsTimeoutWhileSending() const = 0;

    /// Losses known from a time-out.
    enum class Loss
    {
        None,  //!< no losses
        Some,  //!< unknown frames were lost
        Oldest //!< the first unacknowledged frame was lost
    };

    /// No progress for GetTimeout() with unacknowledged frames.
    virtual Loss OnTimeout() = 0;
};

} // namespace ns3::rails

#endif // SENDER_RECOVERY_H
