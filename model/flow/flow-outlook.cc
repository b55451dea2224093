// SPDX-License-Identifier: GPL-2.0-only
#include "flow-outlook.h"

#include <algorithm>
#include <iterator>

namespace ns3::rails
{

namespace
{

/// A flow that ends at once is counted for this part of the time: its rate has to be some number.
constexpr double kLeastPresence = 1e-3;

/// A window is no longer than this part of the tolerance: a flow that ends in it may be off by as
/// much, and the rest is for what windows before have added up.
constexpr double kWindowPart = 0.8;

} // namespace

FlowOutlook::FlowOutlook(double tolerance,
                         const FlowQueues& queues,
                         const FlowClasses& classes,
                         const FlowClocks& clocks,
                         const FlowShifts& shifts,
                         FlowNetwork& network,
                         const FlowEnds& ends)
    : m_tolerance(tolerance),
      m_queues(queues),
      m_classes(classes),
      m_clocks(clocks),
      m_shifts(shifts),
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
    m_before = m_isUsed ? std::min(now, m_end) - m_begin : 0;
    m_isUsed = false;
    m_begin = now;
    m_end = now + FindWindow(now);
    if (m_end == now) // then none EndsAtStop()
    {
        return;
    }
    std::vector<uint32_t> due;
    m_clocks.FindDue(m_end, due);
    std::sort(due.begin(), due.end());
    std::copy_if(due.begin(), due.end(), std::back_inserter(m_ending), [this](uint32_t flowClass) {
        return EndsAtStop(flowClass);
    });
    if (m_ending.size() == m_classes.CountRunning())
    {
        // Nobody is left to whom it comes out even: they would end before they can.
        m_ending.clear();
        m_end = now;
        return;
    }
    for (const uint32_t flowClass : m_ending)
    {
        const double part = static_cast<double>(m_clocks.GetDue(flowClass) - now) /
                            static_cast<double>(m_end - now);
        m_network.SetPresence(flowClass, std::max(part, kLeastPresence));
    }
    m_isUsed = !m_ending.empty();
}

TimePs
FlowOutlook::PutOff(TimePs now)
{
    m_isUsed = m_isUsed || m_end > now;
    return std::max(now, m_end);
}

/// \return how long rates may stay as they are from now on
TimePs
FlowOutlook::FindWindow(TimePs now) const
{
    // Where somebody awaits a message others go on from its end, and from theirs, with all that it
    // was off.
    if (m_tolerance == 0 || m_ends.IsAnyAwaited() || m_ends.GetLastPost() == kNever)
    {
        return 0;
    }
    const double left =
        (1 - FlowNetwork::kRatesOff) * m_tolerance - m_shifts.FindLargestLasting(now);
    const double part = std::clamp(left, 0.0, kWindowPart * m_tolerance);
    return static_cast<TimePs>(part * static_cast<double>(now - m_ends.GetLastPost()));
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
