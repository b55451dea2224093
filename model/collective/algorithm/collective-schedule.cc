// SPDX-License-Identifier: GPL-2.0-only
#include "collective-schedule.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

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
CountMembers(const MembersByServer& servers)
{
    std::size_t count = 0;
    for (const std::vector<uint32_t>& members : servers)
    {
        count += members.size();
    }
    return static_cast<uint32_t>(count);
}

} // namespace ns3::rails
