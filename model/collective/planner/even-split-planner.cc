// SPDX-License-Identifier: GPL-2.0-only
#include "even-split-planner.h"

#include "demand-pieces.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EvenSplitPlanner);

TypeId
EvenSplitPlanner::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::EvenSplitPlanner").SetParent<RowPlanner>(),
                 "Cuts what every GPU has for another into equal parts, one for each "
                 "NIC; into parts as the rates where NICs have several. Both ends of every "
                 "transfer are loaded evenly, which nothing "
                 "betters. (arXiv 2510.19262, the theorem that uniform sending gives "
                 "uniform receiving)")
            .SetGroupName("Rails")
            .AddConstructor<EvenSplitPlanner>();
    return tid;
}

std::vector<Piece>
EvenSplitPlanner::Plan(const ServerView& view)
{
    return SplitOverWays(view, [&](uint32_t to) {
        NicWays ways;
        for (const uint16_t rail : view.GetRails(to))
        {
            ways.push_back({rail, rail});
        }
        return ways;
    });
}

uint32_t
EvenSplitPlanner::GetPeriod(uint32_t nics) const
{
    return nics;
}

double
EvenSplitPlanner::EstimatePieces(double, const ClusterShape& shape, bool) const
{
    return shape.nicsPerServer;
}

} // namespace ns3::rails
