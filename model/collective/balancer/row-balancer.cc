// SPDX-License-Identifier: GPL-2.0-only
#include "row-balancer.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RowBalancer);

TypeId
RowBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::RowBalancer").SetParent<Balancer>().SetGroupName("Rails");
    return tid;
}

std::vector<Piece>
RowBalancer::MakePieces(const ServerView& view, const ExchangeCounts*)
{
    return Plan(view);
}

} // namespace ns3::rails
