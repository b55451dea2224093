// SPDX-License-Identifier: GPL-2.0-only
#include "hierarchical-schedule.h"

#include "ns3/even-parts.h"

namespace ns3::rails
{

using Operation = CollectiveOperation;

HierarchicalSchedule::HierarchicalSchedule(const MembersByServer& servers,
                                           uint32_t lanes,
                                           Operation operation,
                                           uint32_t mostSteps)
    : m_servers(servers),
      m_lanes(lanes),
      m_operation(operation),
      m_across(static_cast<uint32_t>(servers.size()) - 1, mostSteps),
      m_inside(CountPerServer(servers) - 1, mostSteps),
      m_serverOf(CountMembers(servers)),
      m_placeOf(CountMembers(servers))
{
    for (uint32_t server = 0; server < servers.size(); ++server)
    {
        for (uint32_t place = 0; place < servers[server].size(); ++place)
        {
            m_serverOf[servers[server][place]] = server;
            m_placeOf[servers[server][place]] = place;
        }
    }
}

uint32_t
HierarchicalSchedule::CountGather() const
{
    return m_across.Count() + m_inside.Count();
}

uint32_t
HierarchicalSchedule::CountSteps(uint64_t) const
{
    return (m_operation == Operation::AllReduce ? 2 : 1) * CountGather();
}

/// \return what a member of an all-gather sends in a step, or gets
CollectiveSchedule::Shares
HierarchicalSchedule::Gather(const Place& place, uint64_t bytes, bool isSent) const
{
    const uint64_t share = GetPart(bytes, m_lanes, place.lane);
    const auto servers = static_cast<uint32_t>(m_servers.size());
    const auto perServer = static_cast<uint32_t>(m_servers.front().size());
    const uint32_t server = m_serverOf[place.member];
    const uint32_t at = m_placeOf[place.member];
    Share way{};
    if (place.step < m_across.Count())
    {
        const uint32_t before = (server + servers - 1) % servers;
        way.member = m_servers[isSent ? (server + 1) % servers : before][at];
        way.bytes = SumRingParts(GetPart(share, perServer, at),
                                 servers,
                                 isSent ? server : before,
                                 m_across.GetFirst(place.step),
                                 m_across.GetFirst(place.step + 1));
    }
    else
    {
        const uint32_t step = place.step - m_across.Count();
        const uint32_t before = (at + perServer - 1) % perServer;
        way.member = m_servers[server][isSent ? (at + 1) % perServer : before];
        way.bytes = SumRingParts(share,
                                 perServer,
                                 isSent ? at : before,
                                 m_inside.GetFirst(step),
                                 m_inside.GetFirst(step + 1));
    }
    return way.bytes > 0 ? Shares{way} : Shares{};
}

CollectiveSchedule::Shares
HierarchicalSchedule::Find(const Place& place, uint64_t bytes, bool isSent) const
{
    const uint32_t gather = CountGather();
    const bool reduces = m_operation != Operation::AllGather && place.step < gather;
    const uint32_t step = place.step % gather;
    return reduces ? Gather({place.member, place.lane, gather - 1 - step}, bytes, !isSent)
                   : Gather({place.member, place.lane, step}, bytes, isSent);
}

double
HierarchicalSchedule::CountBytes(double bytes) const
{
    const double members = CountMembers(m_servers);
    return bytes * (members - 1) * (m_operation == Operation::AllReduce ? 2 : 1);
}

} // namespace ns3::rails
