// SPDX-License-Identifier: GPL-2.0-only
#ifndef IDEAL_LOSS_RECOVERY_H
#define IDEAL_LOSS_RECOVERY_H

#include "loss-recovery.h"

#include "ns3/round-trip-estimator.h"

namespace ns3::rails
{

/**
 * Ideal loss recovery: a rateless erasure code without overhead ("Load Balancing for AI Training
 * Workloads", arXiv 2507.21372, and its public simulator). Each frame brings something new, so any
 * as many frames as the message has complete it, and no frame is ever sent again as such.
 *
 * The receiver answers each frame with its serial number and how many have arrived in all. What
 * was sent before the highest serial answered and is not among those counts as lost; the sender
 * goes on while sent - lost < frames of the message. When it has stopped and the message is not
 * complete a time-out later, everything that is not answered counts as lost until it is: so many
 * more frames go, at the rate of the queue pair.
 *
 * The time-out is that of RFC 6298 from measured round trips, without its minimum of a second and
 * without back-off; before the first answer it is the attribute Timeout.
 *
 * A persistent sender does as that of the authors' public simulator: a smoothed round trip after it
 * stopped for the first time, whatever has been answered meanwhile, it goes on sending until the
 * message is complete.
 *
 * A code spans one message, so each message needs a queue pair of its own.
 */
class IdealLossRecovery : public LossRecovery
{
  public:
    static TypeId GetTypeId();
    IdealLossRecovery() = default;
    /// Copies the parameters; the state is that of a new queue pair.
    IdealLossRecovery(const IdealLossRecovery& other);

    Ptr<LossRecovery> Fork() const override;
    /// \throws ConfigurationError when messages share queue pairs
    void Check(const Transport& transport) const override;
    bool IsCoded() const override;
    bool UsesRoundTrips() const override;
    void OnRoundTrip(TimePs roundTrip) override;
    TimePs GetTimeout() const override;
    bool KeepsTimer() const override;

    /**
     * The frames of the message go once each, in order; those that are sent for lost ones are as
     * long as the first.
     */
    uint64_t GetNext(uint64_t end) const override;
    /// \return the frame's serial number among all that this queue pair has sent
    uint64_t OnSent(uint64_t psn) override;
    /// \return frames that are known to have arrived, of a complete message possibly more than it
    /// has
    uint64_t GetUnacknowledged() const override;
    uint64_t GetInFlight() const override;
    /**
     * \param cumulative frames that have arrived in all
     * \param psn serial number of the frame that is answered
     */
    bool OnAck(uint64_t cumulative, uint64_t psn) override;
    /// The receiver of this scheme sends none.
    bool OnNak(uint64_t cumulative, uint64_t psn) override;
    void OnTimeout() override;

    Verdict OnData(TimePs now, uint64_t psn) override;

    /// \return frames that the sender takes for lost
    uint64_t GetLost() const;

  private:
    Time m_minimumTimeout;
    bool m_persistent{false};

    RoundTripEstimator m_roundTrips; // sender
    bool m_hasRoundTrip{false};      // sender
    uint64_t m_sent{0};              // sender: serial of the next frame
    uint64_t m_judged{0};            // sender: below, what has not arrived counts as lost
    uint64_t m_arrived{0};           // sender: as far as it knows; receiver: in all
    mutable bool m_stopped{false};   // sender: has once sent all it had to, as far as it knew
    bool m_resumed{false};           // sender: has met a time-out
};

} // namespace ns3::rails

#endif // IDEAL_LOSS_RECOVERY_H
