// SPDX-License-Identifier: GPL-2.0-only
#include "rails-engine-choice.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EngineChoice);

TypeId
EngineChoice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::EngineChoice").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

} // namespace ns3::rails
