// SPDX-License-Identifier: GPL-2.0-only
#include "delegates-planner.h"

#include "demand-pieces.h"

#include "ns3/boolean.h"
#include "ns3/rails-about.h"

#include <cstddef>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(DelegatesPlanner);

TypeId
DelegatesPlanner::GetTypeId()
{
    static TypeId tid =
        AddAbout(
            TypeId("ns3::rails::DelegatesPlanner").SetParent<Planner>(),
            "What goes to a server that circuits lead to takes these, in equal parts; all else "
            "takes the NICs of the packet fabric, in parts as their rates. (MixNet, arXiv "
            "2501.03905, section 5.3)")
            .SetGroupName("Rails")
            .AddConstructor<DelegatesPlanner>()
            .AddAttribute("UsesCircuits",
                          "Whether circuits are taken at all; in balance.other false keeps what is "
                          "no exchange on the packet fabric. (MixNet, Table 3)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DelegatesPlanner::m_usesCircuits),
                          MakeBooleanChecker());
    return tid;
}

/// \return pairs of NICs that what goes to a server takes
DelegatesPlanner::Ways
DelegatesPlanner::FindWays(const ServerView& view, uint32_t to) const
{
    const auto circuits = view.circuits.find(to);
    if (m_usesCircuits && circuits != view.circuits.end())
    {
        return circuits->second;
    }
    Ways ways;
    for (const uint16_t rail : view.GetRails(to))
    {
        ways.emplace_back(rail, rail);
    }
    return ways;
}

std::vector<Piece>
DelegatesPlanner::Plan(const ServerView& view)
{
    // Remaining bytes go round, beginning elsewhere for each other server.
    const DestinationServers servers(view);
    std::vector<Ways> waysTo;
    std::vector<uint32_t> turns;
    for (uint32_t number = 0; number < servers.GetCount(); ++number)
    {
        waysTo.push_back(FindWays(view, servers.GetServer(number)));
        turns.push_back(view.domain + servers.GetServer(number));
    }
    std::vector<Piece> pieces;
    std::vector<uint16_t> rails;
    for (uint32_t demand = 0; demand < view.demands.size(); ++demand)
    {
        const uint32_t number = servers.GetNumber(demand);
        const Ways& ways = waysTo[number];
        rails.clear();
        for (const auto& [tx, rx] : ways)
        {
            rails.push_back(tx);
        }
        const uint32_t first = turns[number];
        const std::vector<uint64_t> parts =
            SplitOverRails(view.demands[demand].bytes, rails, view.GetLayout(), turns[number]);
        for (uint32_t step = 0; step < ways.size(); ++step)
        {
            const std::size_t place = (first + step) % ways.size();
            if (parts[place] > 0)
            {
                pieces.push_back({demand, parts[place], ways[place].first, ways[place].second});
            }
        }
    }
    return pieces;
}

bool
DelegatesPlanner::UsesCircuits() const
{
    return m_usesCircuits;
}

} // namespace ns3::rails
