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
 * that carries both the cumulative number and the frame's own; the sender sends again only what is
 * missing.
 *
 * A frame is taken for lost when a frame LossThreshold further on has arrived. It is sent again
 * once; the first missing frame is sent once more when a frame arrives that was new after its last
 * transmission. Everything else is left to the timeout, which takes all frames that are not
 * acknowledged for lost and begins anew. A sender is never more than ReorderWindow frames ahead of
 * the first missing frame, so its receiver refuses none.
 *
 * With AdaptiveTimeout the time-out follows the measured round trips and doubles from one to the
 * next, and each frame that is known to have arrived restarts it, in order or not.
 *
 * Bitmaps exist only while there is a hole.
 */
class SelectiveRepeatLossRecovery : public LossRecovery
{
  public:
    class Sender;
    class Receiver;

    static TypeId GetTypeId();

    bool NeedsOrder() const override;
    uint32_t GetLossThreshold() const override;
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
    /// The receiver of this scheme sends none; what it acknowledges counts.
    bool OnNak(uint64_t cumulative, uint64_t psn) override;
    bool MindsTimeoutWhileSending() const override;
    Loss OnTimeout() override;

    /// \return true while memory is held for holes
    bool HasHoles() const;

  private:
    /// What is known of the frames from the first missing one on.
    struct Holes
    {
        explicit Holes(uint32_t window);

        PsnBitmap acknowledged; //!< arrived
        PsnBitmap lost;         //!< to be sent again
        uint64_t firstLost{0};  //!< none in `lost` is lower
        uint64_t judged{0};     //!< below, each has been taken for lost or is acknowledged
        uint64_t firstFresh{0}; //!< first that was new after the first missing one was last sent
    };

    bool Acknowledge(uint64_t cumulative);
    void TakeForLost(uint64_t psn);
    Holes& OpenHoles();
    void CloseHoles();

    uint64_t m_unacknowledged{0};
    uint64_t m_next{0}; // first that has never been sent
    std::unique_ptr<Holes> m_holes;
    Ptr<const SelectiveRepeatLossRecovery> m_recovery;
    RoundTripEstimator m_roundTrips;
    bool m_hasRoundTrip{false};
    uint32_t m_timeouts{0}; // since the cumulative number moved
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
    std::unique_ptr<PsnBitmap> m_received; // beyond the one it expects
    Ptr<const SelectiveRepeatLossRecovery> m_recovery;
};

} // namespace ns3::rails

#endif // SELECTIVE_REPEAT_LOSS_RECOVERY_H
