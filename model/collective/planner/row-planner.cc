// SPDX-License-Identifier: GPL-2.0-only
#include "row-planner.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RowPlanner);

TypeId
RowPlanner::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::RowPlanner").SetParent<Planner>().SetGroupName("Rails");
    return tid;
}

std::vector<Piece>
RowPlanner::MakePieces(const ServerView& view, const ExchangeCounts*)
{
    return Plan(view);
}

bool
RowPlanner::NeedsCounts() const
{
    return false;
}

} // namespace ns3::rails
