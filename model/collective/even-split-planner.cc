// SPDX-License-Identifier: GPL-2.0-only
#include "even-split-planner.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EvenSplitPlanner);

TypeId
EvenSplitPlanner::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::EvenSplitPlanner")
                            .SetParent<Planner>()
                            .SetGroupName("Rails")
                            .AddConstructor<EvenSplitPlanner>();
    return tid;
}

std::vector<Piece>
EvenSplitPlanner::Plan(const ServerView& view)
{
    const uint32_t rails = view.shape.gpusPerDomain;
    // Whose turn it is to get a remaining byte, by destination server. The turns start apart, so
    // that the sending NICs get their remaining bytes evenly too.
    std::vector<uint32_t> turns(view.shape.domains);
    for (uint32_t domain = 0; domain < view.shape.domains; ++domain)
    {
        turns[domain] = (view.domain + domain) % rails;
    }
    std::vector<Piece> pieces;
    for (uint32_t demand = 0; demand < view.demands.size(); ++demand)
    {
        const uint64_t share = view.demands[demand].bytes / rails;
        const uint64_t remainder = view.demands[demand].bytes % rails;
        uint32_t& turn = turns[view.shape.GetDomain(view.demands[demand].destination)];
        for (uint32_t step = 0; step < rails; ++step)
        {
            const uint64_t bytes = share + (step < remainder ? 1 : 0);
            const uint16_t rail = (turn + step) % rails;
            if (bytes > 0)
            {
                pieces.push_back({demand, bytes, rail, rail});
            }
        }
        turn = (turn + remainder) % rails;
    }
    return pieces;
}

} // namespace ns3::rails
