// SPDX-License-Identifier: GPL-2.0-only
#include "lpt-planner.h"

#include "demand-pieces.h"

#include "ns3/enum.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RailsPlanner);

TypeId
RailsPlanner::GetTypeId()
{
    // EnumValue is a class in older versions of ns-3 and a template in newer ones.
    using TieValue = decltype(EnumValue(TIE_ROTATED));
    static TypeId tid =
        TypeId("ns3::rails::RailsPlanner")
            .SetParent<Planner>()
            .SetGroupName("Rails")
            .AddConstructor<RailsPlanner>()
            .AddAttribute("About",
                          "RailS: a server takes its pieces longest first and gives each to its "
                          "NIC with the fewest bytes. (arXiv 2510.19262, section on the LPT "
                          "spraying scheduler)",
                          0,
                          EmptyAttributeValue(),
                          MakeEmptyAttributeAccessor(),
                          MakeEmptyAttributeChecker())
            .AddAttribute("Chunk",
                          "Largest piece of what one GPU has for another. (unknown in arXiv "
                          "2510.19262; within about 2 % of the optimum by load)",
                          ByteSizeValue(ByteSize(4'000'000)),
                          MakeByteSizeAccessor(&RailsPlanner::m_chunk),
                          MakeChunkChecker())
            .AddAttribute("Tie",
                          "Which of several least-loaded NICs gets a piece: the lowest, or the "
                          "first one counted from the server's own number on.",
                          TieValue(TIE_ROTATED),
                          MakeAccessorHelper<TieValue>(&RailsPlanner::m_tie),
                          MakeEnumChecker(TIE_LOWEST, "lowest", TIE_ROTATED, "rotated"));
    return tid;
}

std::vector<Piece>
RailsPlanner::Plan(const ServerView& view)
{
    std::vector<Piece> pieces = CutDemands(view, m_chunk);
    // Stable, so that pieces of one size keep the order of the demands.
    std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
        return a.bytes > b.bytes;
    });

    const uint32_t rails = view.shape.gpusPerDomain;
    const uint32_t first = m_tie == TIE_ROTATED ? view.domain % rails : 0;
    using Load = std::pair<uint64_t, uint32_t>; // bytes, and steps from the first rail
    std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
    for (uint32_t step = 0; step < rails; ++step)
    {
        loads.emplace(0, step);
    }
    for (Piece& piece : pieces)
    {
        const uint32_t to = view.shape.GetDomain(view.demands[piece.demand].destination);
        const auto getRail = [&](const Load& load) { return (first + load.second) % rails; };
        std::vector<Load> passedOver; // rails that do not lead there
        while (!view.Reaches(to, getRail(loads.top()), getRail(loads.top())))
        {
            passedOver.push_back(loads.top());
            loads.pop();
        }
        const auto [bytes, step] = loads.top();
        loads.pop();
        piece.txRail = (first + step) % rails;
        piece.rxRail = piece.txRail;
        loads.emplace(bytes + piece.bytes, step);
        for (const Load& load : passedOver)
        {
            loads.push(load);
        }
    }
    return pieces;
}

} // namespace ns3::rails
