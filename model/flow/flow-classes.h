// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_CLASSES_H
#define FLOW_CLASSES_H

#include "flow-clocks.h"
#include "flow-ends.h"
#include "flow-feeds.h"
#include "flow-network.h"
#include "flow-nics.h"
#include "flow-queues.h"
#include "flow-run-rules.h"
#include "flow-shifts.h"
#include "flow-stages.h"

#include "ns3/rails-units.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Queues while their runs are served: each is a flow of a class then, and all flows of a class have
 * the same rate. Owns which queues are in which class and how far each run got (FlowQueue::drained
 * and what begins with flowClass): it begins and ends runs, brings classes up to now, and says
 * where they have to stop next. Classes have the numbers of FlowNetwork and the clocks of
 * FlowClocks.
 */
class FlowClasses
{
  public:
    /**
     * \param shape of the cluster
     * \param queues all queues
     * \param network where they flow
     * \param clocks what their classes have served
     * \param rules what a run is
     * \param feeds where queues catch up with what is brought to them
     * \param stages are told of what queues in tandem serve
     * \param ends are told of what is served
     * \param nics count that
     * \param shifts are told of that, as they are of who is in which class
     */
    FlowClasses(const ClusterShape& shape,
                FlowQueues& queues,
                FlowNetwork& network,
                FlowClocks& clocks,
                const FlowRunRules& rules,
                FlowFeeds& feeds,
                FlowStages& stages,
                FlowEnds& ends,
                FlowNics& nics,
                FlowShifts& shifts);

    /// The next run of a queue begins, unless it has nothing to serve or serves one already.
    /// \return false when there is no way for it now
    bool Begin(uint32_t queue);

    /// The run of a queue ends where it is; its class must be brought up to now.
    void End(uint32_t queue);

    /// All runs of a class end. \param left gets the queues that have more to serve
    void EndAll(uint32_t flowClass, std::vector<uint32_t>& left);

    /// Brings a class up to now: what has been served until now is at its end.
    void BringUp(uint32_t flowClass);

    /// Brings all classes up to now.
    void BringUpAll();

    /// Finds where a class, brought up to now, comes to what is to be done next.
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

    /// \return the queue that came to a class last, before FlowQueue::nextInClass; FlowQueue::kNone
    /// for an empty one
    uint32_t GetFirst(uint32_t flowClass) const
    {
        return m_classes[flowClass].first;
    }

    /// \return classes of queue pairs that are served from or to a server, in no order
    const std::vector<uint32_t>& GetPairs(uint32_t server) const
    {
        return m_pairs[server];
    }

    /// \return runs that are served
    uint32_t CountRunning() const
    {
        return m_running;
    }

    /// \return classes that queues have come to or left since the last call
    std::vector<uint32_t> TakeParted()
    {
        return std::exchange(m_parted, {});
    }

    /// \return payload of messages of a queue pair that are not drained yet that has been served up
    /// to now
    uint64_t CountServed(const FlowQueue& queue) const;

  private:
    /// Where a class of queue pairs stands in the list of one of its servers.
    struct Place
    {
        uint32_t server;
        uint32_t place;
    };

    /// A class that queues are in.
    struct Class
    {
        uint32_t first{FlowQueue::kNone}; // queue
        std::vector<Place> places{};      // of queue pairs, among those of their servers
    };

    void Enter(uint32_t flowClass, const FlowRoute& route);
    void Leave(uint32_t flowClass);
    double GetStop(uint32_t queue) const;
    void Drain(uint32_t queue, TimePs at);

    ClusterShape m_shape;
    FlowQueues& m_queues;
    FlowNetwork& m_network;
    FlowClocks& m_clocks;
    const FlowRunRules& m_rules;
    FlowFeeds& m_feeds;
    FlowStages& m_stages;
    FlowEnds& m_ends;
    FlowNics& m_nics;
    FlowShifts& m_shifts;
    std::vector<Class> m_classes;               // by number
    std::vector<std::vector<uint32_t>> m_pairs; // classes, by server
    std::vector<uint32_t> m_parted;
    uint32_t m_running{0};
};

} // namespace ns3::rails

#endif // FLOW_CLASSES_H
