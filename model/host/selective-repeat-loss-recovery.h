// SPDX-License-Identifier: GPL-2.0-only
#ifndef SELECTIVE_REPEAT_LOSS_RECOVERY_H
#define SELECTIVE_REPEAT_LOSS_RECOVERY_H

#include "loss-recovery.h"
#include "psn-bitmap.h"

#include "ns3/round-trip-estimator.h"

#include <memory>

namespace ns3::rails
{

/**
 * Selective repeat in the manner of IRN (Mittal et al., "Revisiting Network Support for RDMA",
 * SIGCOMM'18, section 3.1): the receiver accepts frames out of order and answers each with an ACK
 * that carries the cumulative PSN and the PSN of the frame; the sender retransmits only missing
 * frames.
 *
 * A frame counts as lost when a frame LossThreshold numbers higher has arrived, and is
 * retransmitted once. The first missing frame is retransmitted again when a frame arrives that was
 * first sent after its last transmission. All other losses wait for the time-out, after which all
 * unacknowledged frames count as lost. A sender is never more than ReorderWindow frames ahead of
 * the first missing frame, so the receiver never drops a frame.
 *
 * With AdaptiveTimeout the time-out follows the measured round trips and doubles with each time-out
 * in a row, and each new arrival restarts it, in order or not.
 *
 * Bitmaps exist only while there is a hole.
 */
class SelectiveRepeatLossRecovery : public LossRecovery
{
  public:
    class Sender;
    class Receiver;

    static TypeId GetTypeId();

    uint32_t GetLossThreshold() const override
    {
        return m_lossThreshold;
    }

    std::unique_ptr<SenderRecovery> MakeSender() const override;
    std::unique_ptr<ReceiverRecovery> MakeReceiver(uint32_t mtu) const override;

  private:
    uint32_t m_reorderWindow{0};
    uint32_t m_lossThreshold{0};
    bool m_adaptiveTimeout{false};
    Time m_minimumTimeout;
};

/// The sender's half.
class SelectiveRepeatLossRecovery::Sender : public SenderRecovery
{
  public:
    explicit Sender(Ptr<const SelectiveRepeatLossRecovery> recovery);

    TimePs GetTimeout() const override;
    bool UsesRoundTrips() const override;
    void OnRoundTrip(TimePs roundTrip) override;
    uint64_t GetNext(uint64_t end) const override;
    Departure OnSent(uint64_t psn, bool isRepeat) override;
    uint64_t GetUnacknowledged() const override;
    uint64_t GetInFlight() const override;
    bool OnAck(uint64_t cumulative, uint64_t psn) override;
    /// Counts as an ACK: the receiver of this scheme sends no NAKs.
    bool OnNak(uint64_t cumulative, uint64_t psn) override;
    bool MindsTimeoutWhileSending() const override;
    Loss OnTimeout() override;

    /// \return true while memory is held for holes
    bool HasHoles() const;

  private:
    /// State of the frames from the first missing one on.
    struct Holes
    {
        explicit Holes(uint32_t window);

        PsnBitmap acknowledged; //!< arrived frames
        PsnBitmap lost;         //!< frames to be retransmitted
        uint64_t firstLost{0};  //!< lower bound of the numbers in `lost`
        uint64_t judged{0};     //!< all frames below have counted as lost or are acknowledged
        uint64_t firstFresh{0}; //!< first PSN sent after the last transmission of the first missing
    };

    bool Acknowledge(uint64_t cumulative);
    void TakeForLost(uint64_t psn);
    Holes& OpenHoles();
    void CloseHoles();

    uint64_t m_unacknowledged{0};
    uint64_t m_next{0}; // first PSN that has never been sent
    std::unique_ptr<Holes> m_holes;
    Ptr<const SelectiveRepeatLossRecovery> m_recovery;
    RoundTripEstimator m_roundTrips;
    bool m_hasRoundTrip{false};
    uint32_t m_timeouts{0}; // since the last progress of the cumulative PSN
};

/// The receiver's half.
class SelectiveRepeatLossRecovery::Receiver : public ReceiverRecovery
{
  public:
    explicit Receiver(Ptr<const SelectiveRepeatLossRecovery> recovery);

    Verdict OnData(TimePs now, const Arrival& frame) override;

    /// \return true while memory is held for holes
    bool HasHoles() const;

  private:
    uint64_t m_expected{0};
    std::unique_ptr<PsnBitmap> m_received; // PSNs above m_expected
    Ptr<const SelectiveRepeatLossRecovery> m_recovery;
};

} // namespace ns3::rails

#endif // SELECTIVE_REPEAT_LOSS_RECOVERY_H
