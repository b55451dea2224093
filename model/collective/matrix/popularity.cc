// SPDX-License-Identifier: GPL-2.0-only
#include "popularity.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(Popularity);

TypeId
Popularity::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::Popularity").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

void
Popularity::Check(uint32_t, uint32_t) const
{
}

int64_t
Popularity::AssignStreams(int64_t)
{
    return 0;
}

} // namespace ns3::rails
