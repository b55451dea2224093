// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp-planner.h"

#include "demand-pieces.h"
#include "nic-turns.h"

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
    const std::vector<NicTurn> turns = FindNicTurns(view, pieces);
    for (std::size_t i = 0; i < pieces.size(); ++i)
    {
        const LocalDemand& demand = view.demands[pieces[i].demand];
        std::tie(pieces[i].txRail, pieces[i].rxRail) =
            view.MoveRails(view.shape.GetServer(demand.destination),
                           view.GetNearNic(demand.source, turns[i].source),
                           view.GetNearNic(demand.destination, turns[i].destination));
    }
    return pieces;
}

bool
EcmpPlanner::CrossesRails() const
{
    return true;
}

} // namespace ns3::rails
