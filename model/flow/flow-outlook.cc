// SPDX-License-Identifier: GPL-2.0-only
#include "flow-outlook.h"

#include <algorithm>
#include <cstddef>

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
    if (m_end == now)
    {
        return;
    }
    std::vector<uint32_t> due;
    m_clocks.FindDue(m_end, due);
    std::sort(due.begin(), due.end());
    std::vector<double> parts;
    uint32_t ending = 0;
    for (const uint32_t flowClass : due)
    {
        const Presence presence = FindPresence(flowClass);
        if (presence.ending > 0)
        {
            m_ending.push_back(flowClass);
            parts.push_back(presence.part);
            ending += presence.ending;
        }
    }
    if (ending == m_classes.CountRunning())
    {
        // Nobody is left to whom it comes out even: they would end before they can.
        m_ending.clear();
        m_end = now;
        return;
    }
    for (std::size_t i = 0; i < m_ending.size(); ++i)
    {
        m_network.SetPresence(m_ending[i], std::max(parts[i], kLeastPresence));
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

/// \return for which part of the window flows of a class are there on average
FlowOutlook::Presence
FlowOutlook::FindPresence(uint32_t flowClass) const
{
    Presence presence;
    double present = 0;
    for (uint32_t number = m_classes.GetFirst(flowClass); number != FlowQueue::kNone;
         number = m_queues[number].nextInClass)
    {
        const FlowQueue& queue = m_queues[number];
        const TimePs end =
            IsOverAtEnd(queue)
                ? m_clocks.FindTime(flowClass,
                                    queue.offset + static_cast<double>(queue.GetRunEnd()))
                : kNever;
        const bool isEnding = end < m_end;
        presence.ending += isEnding ? 1 : 0;
        present += isEnding ? static_cast<double>(std::max(end, m_begin) - m_begin) /
                                  static_cast<double>(m_end - m_begin)
                            : 1;
    }
    presence.part = present / m_network.GetFlows(flowClass);
    return presence;
}

/// \return true when a queue has nothing to serve any more when its next message is served
bool
FlowOutlook::IsOverAtEnd(const FlowQueue& queue) const
{
    return !queue.IsInTandem() && queue.drained + 1 == queue.runEnd &&
           queue.runEnd == queue.entries.size() &&
           !queue.entries[queue.runEnd - 1].message->isAwaited;
}

} // namespace ns3::rails
