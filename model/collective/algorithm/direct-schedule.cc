// SPDX-License-Identifier: GPL-2.0-only
#include "direct-schedule.h"

#include "ns3/even-parts.h"

namespace ns3::rails
{

using Operation = CollectiveOperation;

DirectSchedule::DirectSchedule(uint32_t members, Operation operation)
    : m_members(members),
      m_operation(operation)
{
}

uint32_t
DirectSchedule::CountSteps(uint64_t) const
{
    return m_operation == Operation::AllReduce ? 2 : 1;
}

/// \return what a member sends in a step, or gets
CollectiveSchedule::Shares
DirectSchedule::Find(const Place& place, uint64_t bytes, bool isSent) const
{
    const bool isGathered = m_operation == Operation::AllGather || place.step == 1;
    Shares shares;
    for (uint32_t other = 0; other < m_members; ++other)
    {
        // A part is sent by its owner where it is gathered, and to it where it is reduced.
        const uint32_t owner = isGathered == isSent ? place.member : other;
        const uint64_t part = GetPart(bytes, m_members, owner);
        if (other != place.member && part > 0)
        {
            shares.push_back({other, part});
        }
    }
    return shares;
}

double
DirectSchedule::CountBytes(double bytes) const
{
    return bytes * (m_members - 1) * (m_operation == Operation::AllReduce ? 2 : 1);
}

} // namespace ns3::rails
