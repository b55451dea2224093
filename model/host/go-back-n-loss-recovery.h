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

    bool NeedsOrder() const override;
    std::unique_ptr<SenderRecovery> MakeSender() const override;
    std::unique_ptr<ReceiverRecovery> MakeReceiver(uint32_t mtu) const override;

  private:
    class Sender;
    class Receiver;

    Time m_nakInterval;
};

} // namespace ns3::rails

#endif // GO_BACK_N_LOSS_RECOVERY_H
