// SPDX-License-Identifier: GPL-2.0-only
#include "rail-source-planner.h"

#include "demand-pieces.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RailSourcePlanner);

TypeId
RailSourcePlanner::GetTypeId()
{
    static TypeId tid = AddChunk(
        AddAbout(
            TypeId("ns3::rails::RailSourcePlanner").SetParent<RowPlanner>(),
            "Everything on the rail of the source GPU, or of several NICs near it on one for each "
            "destination; the destination's server forwards over NVLink.")
            .SetGroupName("Rails")
            .AddConstructor<RailSourcePlanner>(),
        &RailSourcePlanner::m_chunk,
        ByteSize::Special());
    return tid;
}

std::vector<Piece>
RailSourcePlanner::Plan(const ServerView& view)
{
    std::vector<Piece> pieces = CutDemands(view, m_chunk);
    for (Piece& piece : pieces)
    {
        const LocalDemand& demand = view.demands[piece.demand];
        piece.txRail = view.MoveRail(view.shape.GetServer(demand.destination),
                                     view.GetNearNic(demand.source, demand.destination));
        piece.rxRail = piece.txRail;
    }
    return pieces;
}

uint32_t
RailSourcePlanner::GetPeriod(uint32_t /* nics */) const
{
    return 1;
}

bool
RailSourcePlanner::PlansApart() const
{
    return true;
}

} // namespace ns3::rails
