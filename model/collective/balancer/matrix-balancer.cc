// SPDX-License-Identifier: GPL-2.0-only
#include "matrix-balancer.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(MatrixBalancer);

TypeId
MatrixBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::MatrixBalancer").SetParent<CountingBalancer>().SetGroupName("Rails");
    return tid;
}

std::vector<Piece>
MatrixBalancer::MakePieces(const ServerView& view, const ExchangeCounts* counts)
{
    return Plan(view, counts->GetMatrix());
}

} // namespace ns3::rails
