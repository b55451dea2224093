// SPDX-License-Identifier: GPL-2.0-only
#include "rail-destination-planner.h"

#include "demand-pieces.h"

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
            "Everything on the rail of the destination GPU, or of several NICs near it on one for "
            "each source; the source's server forwards over NVLink. (the way of PXN in NCCL "
            "2.12)")
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
    for (Piece& piece : pieces)
    {
        const LocalDemand& demand = view.demands[piece.demand];
        piece.txRail = view.MoveRail(view.shape.GetServer(demand.destination),
                                     view.GetNearNic(demand.destination, demand.source));
        piece.rxRail = piece.txRail;
    }
    return pieces;
}

uint32_t
RailDestinationPlanner::GetPeriod(uint32_t /* nics */) const
{
    return 1;
}

bool
RailDestinationPlanner::PlansApart() const
{
    return true;
}

} // namespace ns3::rails
