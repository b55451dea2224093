// SPDX-License-Identifier: GPL-2.0-only
#include "matrix-planner.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(MatrixPlanner);

TypeId
MatrixPlanner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::MatrixPlanner").SetParent<CountingPlanner>().SetGroupName("Rails");
    return tid;
}

std::vector<Piece>
MatrixPlanner::MakePieces(const ServerView& view, const ExchangeCounts* counts)
{
    return Plan(view, counts->GetMatrix());
}

} // namespace ns3::rails
