// SPDX-License-Identifier: GPL-2.0-only
#include "rail-destination-planner.h"

#include "demand-pieces.h"
#include "nic-turns.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RailDestinationPlanner);

TypeId
RailDestinationPlanner::GetTypeId()
{
    static TypeId tid = AddChunk(
        AddAbout(
            TypeId("ns3::rails::RailDestinationPlanner").SetParent<RowPlanner>(),
            "Everything on the rail of the destination GPU, or of several NICs near it, which take "
            "its messages in turn; the source's server forwards over NVLink. (the way of PXN in "
            "NCCL 2.12)")
            .SetGroupName("Rails")
            .AddConstructor<RailDestinationPlanner>(),
        &RailDestinationPlanner::m_chunk,
        ByteSize::Special());
    return tid;
}

std::vector<Piece>
RailDestinationPlanner::Plan(const ServerView& view)
{
    std::vector<Piece> pieces = CutDemands(view, m_chunk);
    const std::vector<NicTurn> turns = FindNicTurns(view, pieces);
    for (std::size_t i = 0; i < pieces.size(); ++i)
    {
        const LocalDemand& demand = view.demands[pieces[i].demand];
        pieces[i].txRail = view.MoveRail(view.shape.GetServer(demand.destination),
                                         view.GetNearNic(demand.destination, turns[i].destination));
        pieces[i].rxRail = pieces[i].txRail;
    }
    return pieces;
}

uint32_t
RailDestinationPlanner::GetPeriod(uint32_t /* nics */) const
{
    return 1;
}

bool
RailDestinationPlanner::PlansApart(const ServerLayout& layout) const
{
    return layout.GetNics() <= layout.GetGpus();
}

} // namespace ns3::rails
