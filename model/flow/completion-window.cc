// SPDX-License-Identifier: GPL-2.0-only
#include "completion-window.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

namespace
{

/// Least presence of a flow that ends at once: the solver needs a weight above 0.
constexpr double kLeastPresence = 1e-3;

/// Longest window, as a part of the tolerance: the passing error of a flow that ends in it. The
/// rest of the tolerance is for the lasting errors of earlier windows.
constexpr double kWindowPart = 0.8;

} // namespace

CompletionWindow::CompletionWindow(double tolerance,
                                   const FlowQueues& queues,
                                   const FlowClasses& classes,
                                   const FlowClocks& clocks,
                                   const CompletionErrorBound& errorBound,
                                   FlowNetwork& network,
                                   const CompletionTimes& completionTimes)
    : m_tolerance(tolerance),
      m_queues(queues),
      m_classes(classes),
      m_clocks(clocks),
      m_errorBound(errorBound),
      m_network(network),
      m_completionTimes(completionTimes)
{
}

void
CompletionWindow::Examine(TimePs now)
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
        // All flows end in the window, so none remains for which the errors could even out.
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
CompletionWindow::PutOff(TimePs now)
{
    m_isUsed = m_isUsed || m_end > now;
    return std::max(now, m_end);
}

/// \return how long rates may stay constant from now on
TimePs
CompletionWindow::FindWindow(TimePs now) const
{
    // Messages that are posted at the end of an awaited message would inherit its error, which
    // would add up over a chain of messages.
    if (m_tolerance == 0 || m_completionTimes.IsAnyAwaited() ||
        m_completionTimes.GetLastPost() == kNever)
    {
        return 0;
    }
    const double left =
        (1 - FlowNetwork::kRatesOff) * m_tolerance - m_errorBound.FindLargestLasting(now);
    const double part = std::clamp(left, 0.0, kWindowPart * m_tolerance);
    return static_cast<TimePs>(part * static_cast<double>(now - m_completionTimes.GetLastPost()));
}

/// \return the part of the window in which flows of a class are present on average
CompletionWindow::Presence
CompletionWindow::FindPresence(uint32_t flowClass) const
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

/// \return true when the message at the head of a queue is its last one, and ends its flow
bool
CompletionWindow::IsOverAtEnd(const FlowQueue& queue) const
{
    return !queue.IsInTandem() && queue.drained + 1 == queue.runEnd &&
           queue.runEnd == queue.entries.size() &&
           !queue.entries[queue.runEnd - 1].message->isAwaited;
}

} // namespace ns3::rails
