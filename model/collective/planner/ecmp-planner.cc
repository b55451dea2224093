// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp-planner.h"

#include "demand-pieces.h"

#include "ns3/rails-about.h"

#include <tuple>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EcmpPlanner);

TypeId
EcmpPlanner::GetTypeId()
{
    static TypeId tid =
        AddChunk(AddAbout(TypeId("ns3::rails::EcmpPlanner").SetParent<RowPlanner>(),
                          "The conventional way, from the source GPU's own NIC to the destination "
                          "GPU's own NIC; the fabric changes the rail.")
                     .SetGroupName("Rails")
                     .AddConstructor<EcmpPlanner>(),
                 &EcmpPlanner::m_chunk,
                 ByteSize::Special());
    return tid;
}

std::vector<Piece>
EcmpPlanner::Plan(const ServerView& view)
{
    std::vector<Piece> pieces = CutDemands(view, m_chunk);
    for (Piece& piece : pieces)
    {
        const LocalDemand& demand = view.demands[piece.demand];
        std::tie(piece.txRail, piece.rxRail) =
            view.MoveRails(view.shape.GetServer(demand.destination),
                           view.GetNearNic(demand.source, demand.destination),
                           view.GetNearNic(demand.destination, demand.source));
    }
    return pieces;
}

bool
EcmpPlanner::CrossesRails() const
{
    return true;
}

} // namespace ns3::rails
