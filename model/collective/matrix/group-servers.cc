// SPDX-License-Identifier: GPL-2.0-only
#include "group-servers.h"

#include <map>

namespace ns3::rails
{

GroupServers::GroupServers(const ClusterShape& shape, const std::vector<uint32_t>& members)
    : m_served(members.size())
{
    std::map<uint32_t, uint32_t> numbers; // by server
    for (uint32_t member = 0; member < members.size(); ++member)
    {
        const uint32_t server = shape.GetServer(members[member]);
        const auto next = static_cast<uint32_t>(numbers.size());
        const uint32_t number = numbers.emplace(server, next).first->second;
        m_members.resize(numbers.size());
        m_servers.push_back(number);
        m_places.push_back(static_cast<uint32_t>(m_members[number].size()));
        m_members[number].push_back(member);
    }
    for (uint32_t member = 0; member < members.size(); ++member)
    {
        for (uint32_t server = 0; server < GetCount(); ++server)
        {
            if (server != m_servers[member])
            {
                m_served[GetRelay(member, server)].push_back(member);
            }
        }
    }
}

uint32_t
GroupServers::GetCount() const
{
    return static_cast<uint32_t>(m_members.size());
}

uint32_t
GroupServers::GetServer(uint32_t member) const
{
    return m_servers[member];
}

uint32_t
GroupServers::GetRelay(uint32_t member, uint32_t server) const
{
    const std::vector<uint32_t>& there = m_members[server];
    return there[m_places[member] % there.size()];
}

const std::vector<uint32_t>&
GroupServers::GetServed(uint32_t relay) const
{
    return m_served[relay];
}

} // namespace ns3::rails
