// SPDX-License-Identifier: GPL-2.0-only
#ifndef IDEAL_LOSS_RECOVERY_H
#define IDEAL_LOSS_RECOVERY_H

#include "loss-recovery.h"

#include "ns3/round-trip-estimator.h"

namespace ns3::rails
{

/**
 * Ideal loss recovery: a rateless erasure code without overhead ("Load Balancing for AI Training
 * Workloads", arXiv 2507.21372, and its public simulator). Every frame is useful: a message of n
 * frames is complete after any n arrivals, and no frame is retransmitted.
 *
 * The receiver answers each frame with its serial number and the total of arrivals. Frames up to
 * the highest answered serial that are not among the arrivals count as lost; the sender continues
 * while sent - lost < frames of the message. If the message is not complete a time-out after the
 * sender stopped, all unanswered frames count as lost until their answers come. The sender then
 * sends as many more frames, at the rate of the queue pair.
 *
 * The time-out follows RFC 6298 from measured round trips, without its minimum of a second and
 * without back-off; before the first answer it is the attribute Timeout.
 *
 * A persistent sender behaves as in the authors' public simulator: a smoothed round trip after its
 * first stop, whatever the answers meanwhile, it resumes and sends until the message is complete.
 *
 * A code spans one message, so each message needs a separate queue pair.
 */
class IdealLossRecovery : public LossRecovery
{
  public:
    class Sender;
    class Receiver;

    static TypeId GetTypeId();

    /// \throws ConfigurationError when messages share queue pairs
    void Check(const Transport& transport) const override;
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
     * The frames of the message go once each, in order; each frame that makes up for a loss has the
     * length of the first frame.
     */
    uint64_t GetNext(uint64_t end) const override;
    /// The number of the departure is the serial number of the frame in this queue pair.
    Departure OnSent(uint64_t psn, bool isRepeat) override;
    /// \return frames known to have arrived; of a complete message possibly more than its frames
    uint64_t GetUnacknowledged() const override;
    uint64_t GetInFlight() const override;
    /**
     * \param cumulative total of arrived frames
     * \param psn serial number of the answered frame
     * \return false: the time-out counts from the last frame sent
     */
    bool OnAck(uint64_t cumulative, uint64_t psn) override;
    /// Never called: the receiver of this scheme sends no NAKs.
    bool OnNak(uint64_t cumulative, uint64_t psn) override;
    /// \return true for a persistent sender after its first stop: it no longer waits for answers
    bool MindsTimeoutWhileSending() const override;
    Loss OnTimeout() override;

    /// \return frames that count as lost
    uint64_t GetLost() const;

  private:
    uint64_t m_sent{0};            // serial of the next frame
    uint64_t m_judged{0};          // frames below this serial count as lost unless arrived
    uint64_t m_arrived{0};         // arrivals known to the sender
    mutable bool m_stopped{false}; // has stopped at least once
    bool m_resumed{false};         // a persistent sender has timed out
    bool m_hasRoundTrip{false};
    RoundTripEstimator m_roundTrips;
    Ptr<const IdealLossRecovery> m_recovery;
};

/// The receiver's half.
class IdealLossRecovery::Receiver : public ReceiverRecovery
{
  public:
    explicit Receiver(uint32_t mtu);

    /// Each frame adds the payload of a full frame, up to the missing bytes of its message.
    Verdict OnData(TimePs now, const Arrival& frame) override;

  private:
    uint32_t m_mtu;
    uint64_t m_arrived{0};
};

} // namespace ns3::rails

#endif // IDEAL_LOSS_RECOVERY_H
