// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_OUTLOOK_H
#define FLOW_OUTLOOK_H

#include "flow-classes.h"
#include "flow-clocks.h"
#include "flow-ends.h"
#include "flow-network.h"
#include "flow-queues.h"
#include "flow-shifts.h"

#include "ns3/rails-units.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * With a tolerance rates stay as they are for a window of time, whoever ends meanwhile. Flows that
 * are to end in that time are counted as they are on average: what they leave is given to others at
 * once, so that nobody has less, or more, by the end of it. Owns the window, and which classes are
 * counted for a part of it.
 *
 * A window is a part of the time that the youngest message has been under way, and no longer than
 * lets the shift of each end stay within the tolerance (FlowShifts).
 */
class FlowOutlook
{
  public:
    /**
     * \param tolerance part of its own time by which an end may be off
     * \param queues all queues
     * \param classes of those that are served
     * \param clocks when they are due
     * \param shifts by how much they are off already
     * \param network is told what counts in part
     * \param ends know whether somebody awaits a message
     */
    FlowOutlook(double tolerance,
                const FlowQueues& queues,
                const FlowClasses& classes,
                const FlowClocks& clocks,
                const FlowShifts& shifts,
                FlowNetwork& network,
                const FlowEnds& ends);

    /// Rates are about to be found: looks at who ends soon.
    void Look(TimePs now);

    /// \return until when rates stay as they are though flows end, as of the last Look()
    TimePs GetEnd() const
    {
        return m_end;
    }

    /// A flow ends. \return when rates are to be found anew
    TimePs PutOff(TimePs now);

    /// \return the longer one of two windows, of those in which flows end: the one that the last
    /// Look() began, and that before it
    TimePs GetWindow() const
    {
        return std::max(m_before, m_ending.empty() ? TimePs{0} : m_end - m_begin);
    }

  private:
    struct Presence
    {
        double part{1};     // of the window, for which flows of a class are there on average
        uint32_t ending{0}; // how many of them end in it
    };

    TimePs FindWindow(TimePs now) const;
    Presence FindPresence(uint32_t flowClass) const;
    bool IsOverAtEnd(const FlowQueue& queue) const;

    double m_tolerance;
    const FlowQueues& m_queues;
    const FlowClasses& m_classes;
    const FlowClocks& m_clocks;
    const FlowShifts& m_shifts;
    FlowNetwork& m_network;
    const FlowEnds& m_ends;
    TimePs m_begin{0};
    TimePs m_end{0};
    TimePs m_before{0};             // how long rates stayed before, where flows ended meanwhile
    bool m_isUsed{false};           // flows end in the window
    std::vector<uint32_t> m_ending; // classes that are counted for a part of the time
};

} // namespace ns3::rails

#endif // FLOW_OUTLOOK_H
