// SPDX-License-Identifier: GPL-2.0-only
#ifndef GO_BACK_N_LOSS_RECOVERY_H
#define GO_BACK_N_LOSS_RECOVERY_H

#include "loss-recovery.h"

#include "ns3/nstime.h"

namespace ns3::rails
{

/**
 * Go-back-N, as RoCE NICs do it (InfiniBand specification, reliable connection): the receiver
 * accepts frames in order only, acknowledges each one and answers the first frame behind a gap
 * with a NAK; the sender then starts again from the missing frame. Frames that arrive again are
 * acknowledged again.
 */
class GoBackNLossRecovery : public LossRecovery
{
  public:
    static TypeId GetTypeId();
    GoBackNLossRecovery() = default;
    /// Copies the parameters; the state is that of a new queue pair.
    GoBackNLossRecovery(const GoBackNLossRecovery& other);

    Ptr<LossRecovery> Fork() const override;
    bool NeedsOrder() const override;

    uint64_t GetNext(uint64_t end) const override;
    uint64_t OnSent(uint64_t psn) override;
    uint64_t GetUnacknowledged() const override;
    uint64_t GetInFlight() const override;
    bool OnAck(uint64_t cumulative, uint64_t psn) override;
    bool OnNak(uint64_t cumulative, uint64_t psn) override;
    void OnTimeout() override;

    Verdict OnData(TimePs now, uint64_t psn) override;

  private:
    Time m_nakInterval;

    uint64_t m_unacknowledged{0}; // sender
    uint64_t m_next{0};           // sender
    uint64_t m_expected{0};       // receiver
    TimePs m_nakFrom{0};          // receiver: earliest NAK for the frame it expects
};

} // namespace ns3::rails

#endif // GO_BACK_N_LOSS_RECOVERY_H
