// SPDX-License-Identifier: GPL-2.0-only
#include "chain-schedule.h"

#include "ring-schedule.h"

#include "ns3/even-parts.h"

namespace ns3::rails
{

ChainSchedule::ChainSchedule(uint32_t members,
                             uint32_t perServer,
                             CollectiveOperation operation,
                             uint32_t root,
                             uint32_t chunks)
    : m_servers(members / perServer),
      m_perServer(perServer),
      m_operation(operation),
      m_root(root),
      m_chunks(chunks)
{
}

uint32_t
ChainSchedule::CountSteps(uint64_t) const
{
    return 2 * (m_perServer - 1) + m_chunks + m_servers - 2;
}

/// \param server, place: counted from those of the root
uint32_t
ChainSchedule::GetMember(uint32_t server, uint32_t place) const
{
    return (m_root / m_perServer + server) % m_servers * m_perServer +
           (m_root + place) % m_perServer;
}

/// \return what a member of a broadcast sends in a step, or gets; of no bytes: nothing
CollectiveSchedule::Share
ChainSchedule::FindOfBroadcast(const Place& at, uint64_t bytes, bool isSent) const
{
    const uint32_t rootServer = m_root / m_perServer;
    const uint32_t server = (at.member / m_perServer + m_servers - rootServer) % m_servers;
    const uint32_t place =
        (at.member % m_perServer + m_perServer - m_root % m_perServer) % m_perServer;
    const uint32_t inside = m_perServer - 1; // steps on a server, of the first kind or the last
    const uint32_t across = m_chunks + m_servers - 2;
    if (at.step < inside)
    {
        const uint32_t to = at.step + 1;
        const bool takesPart = server == 0 && place == (isSent ? 0 : to);
        return {GetMember(0, isSent ? to : 0), takesPart ? GetPart(bytes, m_perServer, to) : 0};
    }
    if (at.step < inside + across)
    {
        // A chunk goes on in the step behind the one that brought it.
        const uint32_t step = at.step - inside;
        const uint32_t from = isSent ? server : server - 1; // it wraps at the root's
        if ((isSent ? server + 1 == m_servers : server == 0) || step < from ||
            step - from >= m_chunks)
        {
            return {};
        }
        return {GetMember(isSent ? server + 1 : from, place),
                GetPart(GetPart(bytes, m_perServer, place), m_chunks, step - from)};
    }
    const uint32_t step = at.step - inside - across;
    const uint32_t from = isSent ? place : (place + inside) % m_perServer;
    const bool goesToRoot = server == 0 && from == inside;
    return {GetMember(server, isSent ? place + 1 : from),
            goesToRoot ? 0 : SumRingParts(bytes, m_perServer, from, step, step + 1)};
}

CollectiveSchedule::Shares
ChainSchedule::Find(const Place& at, uint64_t bytes, bool isSent) const
{
    const bool isReduced = m_operation == CollectiveOperation::Reduce;
    const uint32_t step = isReduced ? CountSteps(bytes) - 1 - at.step : at.step;
    const Share share = FindOfBroadcast({at.member, at.lane, step}, bytes, isSent != isReduced);
    return share.bytes > 0 ? Shares{share} : Shares{};
}

double
ChainSchedule::CountBytes(double bytes) const
{
    return bytes * (m_servers * m_perServer - 1);
}

} // namespace ns3::rails
