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
    class Sender;
    class Receiver;

    static TypeId GetTypeId();

    /// \throws ConfigurationError when messages share queue pairs
    void Check(const Transport& transport) const override;
    bool NeedsOrder() const override;
    std::unique_ptr<SenderRecovery> MakeSender() const override;
    std::unique_ptr<ReceiverRecovery> MakeReceiver(uint32_t mtu) const override;

  private:
    Time m_minimumTimeout;
    bool m_persistent{false};
};

/// The sender's half.
class IdealLossRecovery::Sender : public SenderRecovery
{
  public:
    explicit Sender(Ptr<const IdealLossRecovery> recovery);

    TimePs GetTimeout() const override;
    bool UsesRoundTrips() const override;
    void OnRoundTrip(TimePs roundTrip) override;

    /**
     * The frames of the message go once each, in order; those that are sent for lost ones are as
     * long as the first.
     */
    uint64_t GetNext(uint64_t end) const override;
    /// Its number is the frame's serial number among all that this queue pair has sent.
    Departure OnSent(uint64_t psn, bool isRepeat) override;
    /// \return frames that are known to have arrived, of a complete message possibly more than it
    /// has
    uint64_t GetUnacknowledged() const override;
    uint64_t GetInFlight() const override;
    /**
     * \param cumulative frames that have arrived in all
     * \param psn serial number of the frame that is answered
     * \return false: the time-out counts from the last frame sent
     */
    bool OnAck(uint64_t cumulative, uint64_t psn) override;
    /// The receiver of this scheme sends none.
    bool OnNak(uint64_t cumulative, uint64_t psn) override;
    /// \return true for a persistent sender that has stopped once: after that it waits for nothing
    bool MindsTimeoutWhileSending() const override;
    Loss OnTimeout() override;

    /// \return frames that are taken for lost
    uint64_t GetLost() const;

  private:
    uint64_t m_sent{0};            // serial of the next frame
    uint64_t m_judged{0};          // below, what has not arrived counts as lost
    uint64_t m_arrived{0};         // as far as it knows
    mutable bool m_stopped{false}; // has once sent all it had to, as far as it knew
    bool m_resumed{false};         // has met a time-out
    bool m_hasRoundTrip{false};
    RoundTripEstimator m_roundTrips;
    Ptr<const IdealLossRecovery> m_recovery;
};

/// The receiver's half.
class IdealLossRecovery::Receiver : public ReceiverRecovery
{
  public:
    explicit Receiver(uint32_t mtu);

    /// Each frame brings as much of what its message lacks as a full one has room for.
    Verdict OnData(TimePs now, const Arrival& frame) override;

  private:
    uint32_t m_mtu;
    uint64_t m_arrived{0};
};

} // namespace ns3::rails

#endif // IDEAL_LOSS_RECOVERY_H
