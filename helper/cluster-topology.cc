// SPDX-License-Identifier: GPL-2.0-only
#include "cluster-topology.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(Topology);

TypeId
Topology::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::Topology").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

} // namespace ns3::rails
