// SPDX-License-Identifier: GPL-2.0-only
#ifndef STRANDED_FLOWS_H
#define STRANDED_FLOWS_H

#include "completion-times.h"
#include "flow-calendar.h"
#include "flow-classes.h"
#include "flow-network.h"
#include "flow-nics.h"
#include "flow-queues.h"
#include "host-pipeline.h"
#include "tandem-rates.h"

#include "ns3/rails-wiring.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Flows when paths appear and disappear: a flow waits, continues, is rerouted or is abandoned.
 * Keeps the stranded queues, which have messages but no path: they wait for a circuit between their
 * two NICs, or for the routing to converge.
 */
class StrandedFlows
{
  public:
    /**
     * \param wiring the cluster
     * \param queues all queues
     * \param network finds paths
     * \param classes of the queues that are served
     * \param tandemRates check queues that lose their supply
     * \param pipeline drops messages that a writer will not receive
     * \param completionTimes hear of messages that have been drained
     * \param nics list the busy queue pairs
     * \param calendar arms queues that continue
     */
    StrandedFlows(const Wiring& wiring,
                  FlowQueues& queues,
                  FlowNetwork& network,
                  FlowClasses& classes,
                  TandemRates& tandemRates,
                  HostPipeline& pipeline,
                  CompletionTimes& completionTimes,
                  FlowNics& nics,
                  FlowCalendar& calendar);

    /// A queue has no path: it waits for a circuit, or for the routing.
    void Strand(uint32_t queue);

    /// A NIC has got or lost a circuit.
    void OnCircuit(uint32_t nic);

    /// The routing has converged: all flows are rerouted.
    void OnConverged();

    /// Abandons all messages of a queue pair that are not drained, with their Sending and Writing
    /// stages. Later messages need a new queue pair.
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
    TandemRates& m_tandemRates;
    HostPipeline& m_pipeline;
    CompletionTimes& m_completionTimes;
    FlowNics& m_nics;
    FlowCalendar& m_calendar;
    std::vector<uint32_t> m_stranded; // queues that wait for the routing
    /// Queues that wait for a circuit, by the NICs of the circuit.
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> m_dark;
};

} // namespace ns3::rails

#endif // STRANDED_FLOWS_H
