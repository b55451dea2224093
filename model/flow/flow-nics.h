// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_NICS_H
#define FLOW_NICS_H

#include "flow-queues.h"
#include "flow-settings.h"

#include "ns3/cluster-shape.h"
#include "ns3/rails-message.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::rails
{

/**
 * The NICs of a cluster: each posts its messages one after the other, a gap apart, lists its busy
 * queue pairs, and counts bytes and messages.
 */
class FlowNics
{
  public:
    /**
     * \param shape the cluster
     * \param settings give the gap between posts
     * \param queues all queues; this sets FlowQueue::placeAtNic
     */
    FlowNics(const ClusterShape& shape, const FlowSettings& settings, FlowQueues& queues);

    /// Counters of a NIC.
    struct Counters
    {
        uint64_t txBytes{0};  //!< payload sent
        uint64_t rxBytes{0};  //!< payload received
        uint64_t messages{0}; //!< posted
    };

    const Counters& GetCounters(uint32_t nic) const
    {
        return m_nics[nic].counters;
    }

    /// A message of a queue pair has been sent.
    void CountSent(const FlowRoute& route, uint64_t bytes)
    {
        m_nics[route.from].counters.txBytes += bytes;
        m_nics[route.to].counters.rxBytes += bytes;
    }

    /**
     * A message between servers is posted.
     * \return when its turn comes: now or later; kNever when other messages wait ahead of it
     */
    TimePs Post(Message& message, TimePs now);

    /// The message whose turn it is.
    struct Turn
    {
        Message* message;
        TimePs next; //!< turn of the next waiting message; kNever when none waits
    };

    /// Removes the first waiting message of a NIC. \return its turn
    Turn TakeTurn(uint32_t nic, TimePs now);

    /// \return payload bytes of waiting messages
    uint64_t GetWaitingBytes(uint32_t nic) const
    {
        return m_nics[nic].postingBytes;
    }

    /// \return the NIC that sends a message
    uint32_t GetNic(const Message& message) const
    {
        return m_shape.GetNic(m_shape.GetServer(message.source), message.txRail);
    }

    /// A queue becomes busy or idle; queues other than queue pairs are ignored.
    void SetBusy(uint32_t queue, bool busy);

    /// \return busy queue pairs of a NIC, in any order
    const std::vector<uint32_t>& GetBusy(uint32_t nic) const
    {
        return m_nics[nic].busy;
    }

  private:
    struct Nic
    {
        Counters counters;
        std::vector<uint32_t> busy;
        std::deque<Message*> posting; // wait for their turn to be posted
        TimePs postingFreeAt{0};
        uint64_t postingBytes{0}; // of the waiting messages
    };

    ClusterShape m_shape;
    TimePs m_gap; // between two messages that a NIC begins to post
    FlowQueues& m_queues;
    std::vector<Nic> m_nics;
};

} // namespace ns3::rails

#endif // FLOW_NICS_H
