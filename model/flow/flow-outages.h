// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_OUTAGES_H
#define FLOW_OUTAGES_H

#include "flow-calendar.h"
#include "flow-classes.h"
#include "flow-ends.h"
#include "flow-feeds.h"
#include "flow-network.h"
#include "flow-nics.h"
#include "flow-queues.h"
#include "flow-stages.h"

#include "ns3/rails-wiring.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * What becomes of flows when ways come and go: they wait, go on, find other ways, or are given up.
 * Owns the queues that have something to serve and no way: those that only a circuit between their
 * two NICs could join, and those that the routing knows no way for.
 */
class FlowOutages
{
  public:
    /**
     * \param wiring the cluster
     * \param queues all queues
     * \param network where they flow
     * \param classes of those that are served
     * \param feeds what they bring to each other
     * \param stages of those that bring something
     * \param ends are told of what is over
     * \param nics know which have something to send
     * \param calendar gets those that go on
     */
    FlowOutages(const Wiring& wiring,
                FlowQueues& queues,
                FlowNetwork& network,
                FlowClasses& classes,
                FlowFeeds& feeds,
                FlowStages& stages,
                FlowEnds& ends,
                FlowNics& nics,
                FlowCalendar& calendar);

    /// A queue has no way: it waits for a circuit, or for the routing.
    void Strand(uint32_t queue);

    /// A NIC has got or lost a circuit.
    void OnCircuit(uint32_t nic);

    /// The routing is a new one: all flows find their ways anew.
    void OnConverged();

    /// Whatever has not been drained of a queue pair is given up, and what its NIC has not sent of
    /// that. Its successor is another one.
    void TearDown(uint32_t queue);

  private:
    void StrandOnDarkCircuit(uint32_t nic);
    void ResumeOnLiveCircuit(uint32_t nic);
    void Forget(uint32_t queue);
    void GiveUpSending(uint32_t queue);
    void GiveUpWriting(uint32_t queue);

    const Wiring& m_wiring;
    FlowQueues& m_queues;
    FlowNetwork& m_network;
    FlowClasses& m_classes;
    FlowFeeds& m_feeds;
    FlowStages& m_stages;
    FlowEnds& m_ends;
    FlowNics& m_nics;
    FlowCalendar& m_calendar;
    std::vector<uint32_t> m_stranded;                                      // wait for the routing
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> m_dark; // for a circuit, by NICs
};

} // namespace ns3::rails

#endif // FLOW_OUTAGES_H
