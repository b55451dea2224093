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
