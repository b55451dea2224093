// SPDX-License-Identifier: GPL-2.0-only
#include "message-service.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(MessageService);

TypeId
MessageService::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::MessageService").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

void
MessageService::CatchUpThroughNow()
{
}

bool
MessageService::Reaches(uint32_t, uint32_t, uint32_t, uint32_t) const
{
    return true;
}

bool
MessageService::IsImpaired() const
{
    return false;
}

void
MessageService::SetDeliveredCallback(MessageCallback callback)
{
    m_delivered = callback;
}

void
MessageService::SetAcknowledgedCallback(MessageCallback callback)
{
    m_acknowledged = callback;
}

void
MessageService::SetSentCallback(MessageCallback callback)
{
    m_sent = callback;
}

uint32_t
MessageService::GetSubflows() const
{
    return 1;
}

} // namespace ns3::rails
