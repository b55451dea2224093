// SPDX-License-Identifier: GPL-2.0-only
#include "flow-outlook.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

/// A flow that ends at once is counted for this part of the time: its rate has to be some number.
constexpr double kLeastPresence = 1e-3;

} // namespace

FlowOutlook::FlowOutlook(double tolerance,
                         const FlowQueues& queues,
                         const FlowClasses& classes,
                         const FlowClocks& clocks,
                         FlowNetwork& network,
                         const FlowEnds& ends)
    : m_tolerance(tolerance),
      m_queues(queues),
      m_classes(classes),
      m_clocks(clocks),
      m_network(network),
      m_ends(ends)
{
}

void
FlowOutlook::Look(TimePs now)
{
    for (const uint32_t flowClass : m_ending)
    {
        if (!m_classes.IsEmpty(flowClass))
        {
            m_network.SetPresence(flowClass, 1);
        }
    }
    m_ending.clear();
    // No longer than that part of the time that the youngest message has been under way; and where
    // somebody awaits one, others go on from its end, and from theirs, with all that was off.
    const bool isAllowed = !m_ends.IsAnyAwaited() && m_ends.GetLastPost() != kNever;
    const double ahead =
        isAllowed ? m_tolerance * static_cast<double>(now - m_ends.GetLastPost()) : 0;
    m_end = now + static_cast<TimePs>(ahead);
    if (m_end == now) // then none EndsAtStop()
    {
        return;
    }
    std::vector<uint32_t> due;
    m_clocks.FindDue(m_end, due);
    std::sort(due.begin(), due.end());
    for (const uint32_t flowClass : due)
    {
        if (EndsAtStop(flowClass))
        {
            const double part = static_cast<double>(m_clocks.GetDue(flowClass) - now) / ahead;
            m_network.SetPresence(flowClass, std::max(part, kLeastPresence));
            m_ending.push_back(flowClass);
        }
    }
}

/// \return true when a class is over when it comes to its stop
bool
FlowOutlook::EndsAtStop(uint32_t flowClass) const
{
    const FlowQueue& first = m_queues[m_classes.GetFirst(flowClass)];
    return m_network.GetFlows(flowClass) == 1 && !first.IsInTandem() &&
           first.drained + 1 == first.runEnd && first.runEnd == first.entries.size() &&
           !first.entries[first.runEnd - 1].message->isAwaited;
}

} // namespace ns3::rails
