// SPDX-License-Identifier: GPL-2.0-only
#include "rail-source-planner.h"

#include "demand-pieces.h"
#include "nic-turns.h"

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
            "Everything on the rail of the source GPU, or of several NICs near it, which take its "
            "messages in turn; the destination's server forwards over NVLink.")
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
    const std::vector<NicTurn> turns = FindNicTurns(view, pieces);
    for (std::size_t i = 0; i < pieces.size(); ++i)
    {
        const LocalDemand& demand = view.demands[pieces[i].demand];
        pieces[i].txRail = view.MoveRail(view.shape.GetServer(demand.destination),
                                         view.GetNearNic(demand.source, turns[i].source));
        pieces[i].rxRail = pieces[i].txRail;
    }
    return pieces;
}

uint32_t
RailSourcePlanner::GetPeriod(uint32_t /* nics */) const
{
    return 1;
}

bool
RailSourcePlanner::PlansApart(const ServerLayout& layout) const
{
    return layout.GetNics() <= layout.GetGpus();
}

} // namespace ns3::rails
