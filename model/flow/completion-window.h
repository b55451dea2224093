// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPLETION_WINDOW_H
#define COMPLETION_WINDOW_H

#include "completion-error-bound.h"
#include "completion-times.h"
#include "flow-classes.h"
#include "flow-clocks.h"
#include "flow-network.h"
#include "flow-queues.h"

#include "ns3/rails-units.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * With a tolerance, rates stay constant for a window of time, though flows end in it. A flow that
 * ends in the window has the weight of its average presence: other flows get its bandwidth from the
 * start of the window, so that each has its exact bytes by the end of the window.
 *
 * The window is a part of the time since the last post, so that the error of each completion time
 * stays within the tolerance (CompletionErrorBound).
 */
class CompletionWindow
{
  public:
    /**
     * \param tolerance largest error of a completion time, as a part of the message's time
     * \param queues all queues
     * \param classes of the queues that are served
     * \param clocks when the classes are due
     * \param errorBound errors so far
     * \param network gets the weights of classes whose flows end in the window
     * \param completionTimes tell whether awaited messages are under way
     */
    CompletionWindow(double tolerance,
                     const FlowQueues& queues,
                     const FlowClasses& classes,
                     const FlowClocks& clocks,
                     const CompletionErrorBound& errorBound,
                     FlowNetwork& network,
                     const CompletionTimes& completionTimes);

    /// Rates are about to be found: begins a window, and looks for flows that end in it.
    void Examine(TimePs now);

    /// \return the end of the window of the last Examine(), until which rates stay constant
    TimePs GetEnd() const
    {
        return m_end;
    }

    /// A flow ends. \return when rates have to be found anew
    TimePs PutOff(TimePs now);

    /// \return the longer one of the current and the previous window; a window in which no flow
    /// ends counts as 0
    TimePs GetWindow() const
    {
        return std::max(m_before, m_ending.empty() ? TimePs{0} : m_end - m_begin);
    }

  private:
    struct Presence
    {
        double part{1};     // of the window, in which flows of a class are present on average
        uint32_t ending{0}; // flows of the class that end in the window
    };

    TimePs FindWindow(TimePs now) const;
    Presence FindPresence(uint32_t flowClass) const;
    bool IsOverAtEnd(const FlowQueue& queue) const;

    double m_tolerance;
    const FlowQueues& m_queues;
    const FlowClasses& m_classes;
    const FlowClocks& m_clocks;
    const CompletionErrorBound& m_errorBound;
    FlowNetwork& m_network;
    const CompletionTimes& m_completionTimes;
    TimePs m_begin{0};
    TimePs m_end{0};
    TimePs m_before{0};             // length of the previous window; 0 if no flow ended in it
    bool m_isUsed{false};           // flows end in the window
    std::vector<uint32_t> m_ending; // classes with the weight of a part of the window
};

} // namespace ns3::rails

#endif // COMPLETION_WINDOW_H
