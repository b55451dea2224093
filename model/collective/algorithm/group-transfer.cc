// SPDX-License-Identifier: GPL-2.0-only
#include "group-transfer.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace ns3::rails
{

MembersByServer
DivideByServer(const ClusterShape& shape, const std::vector<uint32_t>& gpus)
{
    MembersByServer servers;
    std::map<uint32_t, std::size_t> known; // place by server
    for (uint32_t member = 0; member < gpus.size(); ++member)
    {
        const auto [at, isFirst] = known.try_emplace(shape.GetServer(gpus[member]), servers.size());
        if (isFirst)
        {
            servers.emplace_back();
        }
        servers[at->second].push_back(member);
    }
    return servers;
}

std::vector<uint32_t>
GroupSpread::Order(std::size_t server, uint32_t ring) const
{
    const std::vector<uint32_t>& members = servers[server];
    const bool isKnown = server < nics.size() && !nics[server].empty();
    const std::vector<uint32_t> near = isKnown ? nics[server][ring % nics[server].size()]
                                               : std::vector{members[ring % members.size()]};
    const std::size_t turn = isKnown ? ring / nics[server].size() : 0;
    const uint32_t first = near[(near.size() > 1 ? turn + 1 : turn) % near.size()];
    const uint32_t last = near[turn % near.size()];
    std::vector<uint32_t> order(members);
    std::rotate(order.begin(), std::find(order.begin(), order.end(), first), order.end());
    if (last != first)
    {
        const auto at = std::find(order.begin(), order.end(), last);
        std::rotate(at, at + 1, order.end());
    }
    return order;
}

bool
GroupSpread::IsUneven() const
{
    return std::any_of(nics.begin(), nics.end(), [this](const MembersByNic& ofServer) {
        return ofServer.size() != nics.front().size();
    });
}

uint32_t
CountPerServer(const MembersByServer& servers)
{
    const std::size_t count = servers.front().size();
    return std::all_of(servers.begin(),
                       servers.end(),
                       [count](const auto& members) { return members.size() == count; })
               ? static_cast<uint32_t>(count)
               : 0;
}

uint32_t
CountMembers(const MembersByServer& servers)
{
    std::size_t count = 0;
    for (const std::vector<uint32_t>& members : servers)
    {
        count += members.size();
    }
    return static_cast<uint32_t>(count);
}

uint32_t
GroupTransfer::CountDifferentSteps(uint64_t bytes) const
{
    return CountSteps(bytes);
}

} // namespace ns3::rails
