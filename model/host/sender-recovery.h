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

    /**
     * \param end first PSN that has not been posted yet
     * \return the PSN to send next; end when there is nothing to send
     */
    virtual uint64_t GetNext(uint64_t end) const = 0;

    /// What the sending of a frame means.
    struct Departure
    {
        uint64_t number;    //!< that the frame carries, and that its answer brings back
        bool startsTimeout; //!< the time-out counts from now
        bool tellsOfLoss;   //!< that very frame was taken for lost
    };

    /**
     * The frame that GetNext() named is sent.
     * \param psn its number
     * \param isRepeat whether it had been sent before
     */
    virtual Departure OnSent(uint64_t psn, bool isRepeat) = 0;

    /// \return first PSN that is not acknowledged
    virtual uint64_t GetUnacknowledged() const = 0;

    /// \return frames sent and neither acknowledged nor taken for lost
    virtual uint64_t GetInFlight() const = 0;

    /**
     * An ACK arrived.
     * \param cumulative all PSNs below it have arrived
     * \param psn the data frame it answers
     * \return true when the time-out counts from now, because it brought news
     */
    virtual bool OnAck(uint64_t cumulative, uint64_t psn) = 0;

    /// A NAK arrived: like an ACK up to cumulative, and the frame `cumulative` is missing.
    virtual bool OnNak(uint64_t cumulative, uint64_t psn) = 0;

    /// \return true when a time-out counts even for a queue pair that has frames to send and may
    virtual bool MindsTimeoutWhileSending() const = 0;

    /// What a time-out tells of losses.
    enum class Loss
    {
        None,  //!< nothing
        Some,  //!< frames were lost, nobody knows which
        Oldest //!< the first one that is not acknowledged was lost
    };

    /// No progress for GetTimeout() with frames unacknowledged.
    virtual Loss OnTimeout() = 0;
};

} // namespace ns3::rails

#endif // SENDER_RECOVERY_H
