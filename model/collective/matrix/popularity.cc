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

std::vector<double>
Popularity::GetMean(uint32_t experts) const
{
    return std::vector<double>(experts, 1.0 / experts);
}

int64_t
Popularity::AssignStreams(int64_t)
{
    return 0;
}

} // namespace ns3::rails
