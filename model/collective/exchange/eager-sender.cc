// SPDX-License-Identifier: GPL-2.0-only
#include "eager-sender.h"

namespace ns3::rails
{

EagerSender::EagerSender(ExchangeMessages& messages)
    : m_messages(messages)
{
}

void
EagerSender::Send(Message& message)
{
    m_messages.Post(message);
}

bool
EagerSender::HasRails(const Message&) const
{
    return true;
}

// Messages carry all needed data of a plan and never wait here, so these hooks do nothing.

void
EagerSender::StartPhase()
{
}

void
EagerSender::OnPlanned(ServerPlan&&, size_t)
{
}

void
EagerSender::OnSent(Message&)
{
}

void
EagerSender::OnAbandoning(const Message&)
{
}

void
EagerSender::OnConverged()
{
}

void
EagerSender::SendWaiting()
{
}

} // namespace ns3::rails
