// SPDX-License-Identifier: GPL-2.0-only
#include "sums-balancer.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(SumsBalancer);

TypeId
SumsBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::SumsBalancer").SetParent<CountingBalancer>().SetGroupName("Rails");
    return tid;
}

std::vector<Piece>
SumsBalancer::MakePieces(const ServerView& view, const ExchangeCounts* counts)
{
    return Plan(view, counts->GetSums());
}

} // namespace ns3::rails
