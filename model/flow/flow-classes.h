// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_CLASSES_H
#define FLOW_CLASSES_H

#include "completion-error-bound.h"
#include "completion-times.h"
#include "flow-clocks.h"
#include "flow-network.h"
#include "flow-nics.h"
#include "flow-queues.h"
#include "host-pipeline.h"
#include "message-batch-rules.h"
#include "tandem-rates.h"

#include "ns3/rails-units.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Queues whose runs are served. Each is a flow of a class, and all flows of a class have the same
 * rate. This begins and ends runs, brings classes up to now, and finds the next stop of a class.
 * Numbers of classes are those of FlowNetwork and FlowClocks.
 */
class FlowClasses
{
  public:
    /**
     * \param shape of the cluster
     * \param queues all queues; this sets FlowQueue::drained and the members from flowClass on
     * \param network finds the class of a run
     * \param clocks count the bytes served, by class
     * \param rules form the runs
     * \param tandemRates tell where a queue catches up with its supply
     * \param pipeline hears of messages that queues in tandem have served
     * \param completionTimes hear of messages that are served
     * \param nics count these messages
     * \param errorBound hears of these messages, and of queues that join or leave classes
     */
    FlowClasses(const ClusterShape& shape,
                FlowQueues& queues,
                FlowNetwork& network,
                FlowClocks& clocks,
                const MessageBatchRules& rules,
                TandemRates& tandemRates,
                HostPipeline& pipeline,
                CompletionTimes& completionTimes,
                FlowNics& nics,
                CompletionErrorBound& errorBound);

    /// Begins the next run of a queue, unless the queue is empty or a run is served already.
    /// \return false when the run has no path now
    bool Begin(uint32_t queue);

    /// Ends the run of a queue where it stands; its class must be brought up to now.
    void End(uint32_t queue);

    /// Ends all runs of a class. \param left gets the queues that have more to serve
    void EndAll(uint32_t flowClass, std::vector<uint32_t>& left);

    /// Brings a class up to now: drains all messages that have been served by now.
    void BringUp(uint32_t flowClass);

    /// Brings all classes up to now.
    void BringUpAll();

    /// Finds the next stop of a class, which must be brought up to now.
    void ChooseStop(uint32_t flowClass);

    /// \return one more than the largest number of a class that a queue has been in
    uint32_t GetNumber() const
    {
        return static_cast<uint32_t>(m_classes.size());
    }

    /// \return true when no queue is in a class
    bool IsEmpty(uint32_t flowClass) const
    {
        return flowClass >= m_classes.size() || m_classes[flowClass].first == FlowQueue::kNone;
    }

    /// \return the first queue of a class, linked by FlowQueue::nextInClass; FlowQueue::kNone when
    /// the class is empty
    uint32_t GetFirst(uint32_t flowClass) const
    {
        return m_classes[flowClass].first;
    }

    /// \return classes of queue pairs that are served from or to a server, in any order
    const std::vector<uint32_t>& GetPairs(uint32_t server) const
    {
        return m_pairs[server];
    }

    /// \return runs that are served
    uint32_t CountRunning() const
    {
        return m_running;
    }

    /// \return classes that queues have joined or left since the last call
    std::vector<uint32_t> TakeParted()
    {
        return std::exchange(m_parted, {});
    }

    /// \return payload bytes served up to now of the messages of a queue pair that are not drained
    uint64_t CountServed(const FlowQueue& queue) const;

  private:
    /// Index of a class of queue pairs in the list of one of its servers.
    struct Place
    {
        uint32_t server;
        uint32_t place;
    };

    /// A class that queues are in.
    struct Class
    {
        uint32_t first{FlowQueue::kNone}; // queue
        std::vector<Place> places{}; // in the lists of its servers; empty unless of queue pairs
    };

    void Enter(uint32_t flowClass, const FlowRoute& route);
    void Leave(uint32_t flowClass);
    double GetStop(uint32_t queue) const;
    void Drain(uint32_t queue, TimePs at);

    ClusterShape m_shape;
    FlowQueues& m_queues;
    FlowNetwork& m_network;
    FlowClocks& m_clocks;
    const MessageBatchRules& m_rules;
    TandemRates& m_tandemRates;
    HostPipeline& m_pipeline;
    CompletionTimes& m_completionTimes;
    FlowNics& m_nics;
    CompletionErrorBound& m_errorBound;
    std::vector<Class> m_classes;               // by number
    std::vector<std::vector<uint32_t>> m_pairs; // classes of queue pairs, by server
    std::vector<uint32_t> m_parted;
    uint32_t m_running{0};
};

} // namespace ns3::rails

#endif // FLOW_CLASSES_H
