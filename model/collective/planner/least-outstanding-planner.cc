// SPDX-License-Identifier: GPL-2.0-only
#include "least-outstanding-planner.h"

#include "ns3/rails-about.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(LeastOutstandingPlanner);

TypeId
LeastOutstandingPlanner::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::LeastOutstandingPlanner").SetParent<DealingPlanner>(),
                 "Gives each piece, as it is sent, to the NIC of its server that has the "
                 "fewest bytes to send.")
            .SetGroupName("Rails")
            .AddConstructor<LeastOutstandingPlanner>()
            .AddAttribute("Depth",
                          "Pieces that a server keeps posted and unsent on each NIC; the others "
                          "wait for a NIC to become free.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&LeastOutstandingPlanner::m_depth),
                          MakeCountRange<uint32_t>(1));
    return tid;
}

std::vector<Piece>
LeastOutstandingPlanner::Plan(const ServerView& view)
{
    return Cut(view);
}

bool
LeastOutstandingPlanner::ChoosesAtSending() const
{
    return true;
}

uint32_t
LeastOutstandingPlanner::GetDepth() const
{
    return m_depth;
}

uint16_t
LeastOutstandingPlanner::ChooseRail(const ServerView& view,
                                    const Piece&,
                                    const std::vector<uint64_t>& unsentBytes)
{
    const uint32_t rails = view.shape.nicsPerServer;
    uint16_t least = view.server % rails;
    for (uint32_t step = 1; step < rails; ++step)
    {
        const uint16_t rail = (view.server + step) % rails;
        if (unsentBytes[rail] < unsentBytes[least])
        {
            least = rail;
        }
    }
    return least;
}

} // namespace ns3::rails
