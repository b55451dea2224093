// SPDX-License-Identifier: GPL-2.0-only
#include "port-selector.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PortSelector);

TypeId
PortSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::PortSelector").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

void
PortSelector::Check(const FabricTraits& /* fabric */) const
{
}

void
PortSelector::OnForward(const Switch& /* at */, Frame& /* frame */, uint16_t /* port */)
{
}

void
PortSelector::OnRoutesChanged(const Switch& /* at */)
{
}

int64_t
PortSelector::AssignStreams(int64_t)
{
    return 0;
}

} // namespace ns3::rails
