// SPDX-License-Identifier: GPL-2.0-only
#ifndef EAGER_SENDER_H
#define EAGER_SENDER_H

#include "exchange-messages.h"
#include "piece-sender.h"

namespace ns3::rails
{

/// Posts every message at once, on the rails that the planner gave it.
class EagerSender : public PieceSender
{
  public:
    /// \param messages what posts; they must outlive this object
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
