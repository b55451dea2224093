// SPDX-License-Identifier: GPL-2.0-only
#include "rails-plus-row-planner.h"

#include "demand-pieces.h"
#include "paced-pieces.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RailsPlusRowPlanner);

TypeId
RailsPlusRowPlanner::GetTypeId()
{
    static TypeId tid =
        AddChunk(AddAbout(TypeId("ns3::rails::RailsPlusRowPlanner").SetParent<RowPlanner>(),
                          "rails-plus for a server that knows its own row alone (ours): an even "
                          "split over its NICs, paced so that all that it sends ends together, "
                          "from the server behind its own on.")
                     .SetGroupName("Rails")
                     .AddConstructor<RailsPlusRowPlanner>(),
                 &RailsPlusRowPlanner::m_chunk,
                 ByteSize(1'000'000),
                 "Largest piece, cut at borders of frames. (ours: what a NIC that dies loses)");
    return tid;
}

std::vector<Piece>
RailsPlusRowPlanner::Plan(const ServerView& view)
{
    uint64_t wire = 0;
    for (const LocalDemand& demand : view.demands)
    {
        wire += view.frames.GetMessageWire(demand.bytes);
    }
    const double rate = GetServerRate(view, view.server);
    const double seconds = rate > 0 ? 8 * static_cast<double>(wire) / rate : 0;
    return MakePacedPieces(view, m_chunk, [&](uint32_t to) {
        return MakeEvenSchedule(view.GetRailRates(to), seconds);
    });
}

bool
RailsPlusRowPlanner::Paces() const
{
    return true;
}

} // namespace ns3::rails
