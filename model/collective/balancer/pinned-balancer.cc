// SPDX-License-Identifier: GPL-2.0-only
#include "pinned-balancer.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PinnedBalancer);

TypeId
PinnedBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::PinnedBalancer").SetParent<RowBalancer>().SetGroupName("Rails");
    return tid;
}

std::vector<Piece>
PinnedBalancer::Plan(const ServerView& view)
{
    std::vector<Piece> pieces;
    for (uint32_t number = 0; number < view.demands.size(); ++number)
    {
        const LocalDemand& demand = view.demands[number];
        Piece piece{number, demand.bytes};
        piece.txRail = view.MoveRail(view.shape.GetServer(demand.destination), demand.on.rail);
        piece.rxRail = piece.txRail;
        piece.subflow = demand.on.queue;
        pieces.push_back(piece);
    }
    return pieces;
}

} // namespace ns3::rails
