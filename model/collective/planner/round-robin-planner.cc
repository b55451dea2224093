// SPDX-License-Identifier: GPL-2.0-only
#include "round-robin-planner.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RoundRobinPlanner);

TypeId
RoundRobinPlanner::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::RoundRobinPlanner").SetParent<DealingPlanner>(),
                 "Gives pieces to the NICs of the server in turn, whatever their size.")
            .SetGroupName("Rails")
            .AddConstructor<RoundRobinPlanner>();
    return tid;
}

std::vector<Piece>
RoundRobinPlanner::Plan(const ServerView& view)
{
    std::vector<Piece> pieces = Cut(view);
    uint32_t turn = view.GetFirstRail();
    for (Piece& piece : pieces)
    {
        const uint32_t to = view.shape.GetServer(view.demands[piece.demand].destination);
        piece.txRail = view.MoveRail(to, turn % view.shape.nicsPerServer);
        turn = piece.txRail + 1U;
        piece.rxRail = piece.txRail;
    }
    return pieces;
}

} // namespace ns3::rails
