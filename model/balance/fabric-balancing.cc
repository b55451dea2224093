// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-balancing.h"

#include "ns3/pointer.h"
#include "ns3/string.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(FabricBalancing);

TypeId
FabricBalancing::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::FabricBalancing")
            .SetParent<Object>()
            .SetGroupName("Rails")
            .AddConstructor<FabricBalancing>()
            .AddAttribute("Host",
                          "How hosts spread the frames of a queue pair over the paths of the "
                          "fabric; where they take several, set transport.loss_recovery to "
                          "selective-repeat.",
                          StringValue("ns3::rails::FlowPathSelector"),
                          MakePointerAccessor(&FabricBalancing::m_host),
                          MakePointerChecker<PathSelector>())
            .AddAttribute("Switch",
                          "How switches choose among the ports that lead to a destination; where "
                          "frames of a queue pair take several, set transport.loss_recovery to "
                          "selective-repeat.",
                          StringValue("ns3::rails::EcmpPortSelector"),
                          MakePointerAccessor(&FabricBalancing::m_switch),
                          MakePointerChecker<PortSelector>());
    return tid;
}

Ptr<PathSelector>
FabricBalancing::GetHost() const
{
    return m_host;
}

Ptr<PortSelector>
FabricBalancing::GetSwitch() const
{
    return m_switch;
}

} // namespace ns3::rails
