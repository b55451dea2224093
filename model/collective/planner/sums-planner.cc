// SPDX-License-Identifier: GPL-2.0-only
#include "sums-planner.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(SumsPlanner);

TypeId
SumsPlanner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::SumsPlanner").SetParent<CountingPlanner>().SetGroupName("Rails");
    return tid;
}

std::vector<Piece>
SumsPlanner::MakePieces(const ServerView& view, const ExchangeCounts* counts)
{
    return Plan(view, counts->GetSums());
}

} // namespace ns3::rails
