// SPDX-License-Identifier: GPL-2.0-only
#include "rails-engine.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(Engine);

TypeId
Engine::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::Engine").SetParent<MessageService>().SetGroupName("Rails");
    return tid;
}

} // namespace ns3::rails
