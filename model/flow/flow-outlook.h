// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_OUTLOOK_H
#define FLOW_OUTLOOK_H

#include "flow-classes.h"
#include "flow-clocks.h"
#include "flow-ends.h"
#include "flow-network.h"
#include "flow-queues.h"

#include "ns3/rails-units.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * With a tolerance rates stay as they are for a while, whoever ends meanwhile. Flows that are to
 * end in that time are counted as they are on average: what they leave is given to others at once,
 * so that nobody has less, or more, by the end of it. Owns that while, and which classes are
 * counted for a part of it.
 */
class FlowOutlook
{
  public:
    /**
     * \param tolerance part of the elapsed time in which ends are taken together
     * \param queues all queues
     * \param classes of those that are served
     * \param clocks when they are due
     * \param network is told what counts in part
     * \param ends know whether somebody awaits a message
     */
    FlowOutlook(double tolerance,
                const FlowQueues& queues,
                const FlowClasses& classes,
                const FlowClocks& clocks,
                FlowNetwork& network,
                const FlowEnds& ends);

    /// Rates are about to be found: looks at who ends soon.
    void Look(TimePs now);

    /// \return until when rates stay as they are though flows end, as of the last Look()
    TimePs GetEnd() const
    {
        return m_end;
    }

  private:
    bool EndsAtStop(uint32_t flowClass) const;

    double m_tolerance;
    const FlowQueues& m_queues;
    const FlowClasses& m_classes;
    const FlowClocks& m_clocks;
    FlowNetwork& m_network;
    const FlowEnds& m_ends;
    TimePs m_end{0};
    std::vector<uint32_t> m_ending; // classes that are counted for a part of the time
};

} // namespace ns3::rails

#endif // FLOW_OUTLOOK_H
