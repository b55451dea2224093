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

} // namespace ns3::rails
