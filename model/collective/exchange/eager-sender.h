// SPDX-License-Identifier: GPL-2.0-only
#ifndef EAGER_SENDER_H
#define EAGER_SENDER_H

#include "exchange-messages.h"
#include "piece-sender.h"

namespace ns3::rails
{

/// Posts every message immediately, on the rails of its plan.
class EagerSender : public PieceSender
{
  public:
    /// \param messages posts messages; must outlive this object
    explicit EagerSender(ExchangeMessages& messages);

    void StartPhase() override;
    void OnPlanned(ServerPlan&& plan, size_t first) override;
    void Send(Message& message) override;
    bool HasRails(const Message& message) const override;
    void OnSent(Message& message) override;
    void OnAbandoning(const Message& message) override;
    void OnConverged() override;
    void SendWaiting() override;

  private:
    ExchangeMessages& m_messages;
};

} // namespace ns3::rails

#endif // EAGER_SENDER_H
