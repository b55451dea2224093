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

} // namespace ns3::rails
