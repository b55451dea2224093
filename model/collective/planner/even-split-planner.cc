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
        AddAbout(TypeId("ns3::rails::EvenSplitPlanner").SetParent<Planner>(),
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
    // Whose turn it is to get a remaining byte, by destination server. The turns start apart, so
    // that the sending NICs get their remaining bytes evenly too.
    const DestinationServers servers(view);
    std::vector<uint32_t> turns(servers.GetCount());
    for (uint32_t number = 0; number < turns.size(); ++number)
    {
        turns[number] = view.domain + servers.GetServer(number);
    }
    std::vector<Piece> pieces;
    for (uint32_t demand = 0; demand < view.demands.size(); ++demand)
    {
        const uint32_t number = servers.GetNumber(demand);
        const std::vector<uint16_t> rails = view.GetRails(servers.GetServer(number));
        const uint32_t first = turns[number];
        const std::vector<uint64_t> parts =
            SplitOverRails(view.demands[demand].bytes, rails, view.GetLayout(), turns[number]);
        for (uint32_t step = 0; step < rails.size(); ++step)
        {
            const std::size_t place = (first + step) % rails.size();
            if (parts[place] > 0)
            {
                pieces.push_back({demand, parts[place], rails[place], rails[place]});
            }
        }
    }
    return pieces;
}

} // namespace ns3::rails
