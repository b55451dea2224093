// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_CLIENTS_H
#define FLOW_CLIENTS_H

#include "flow-queue.h"
#include "flow-traces.h"

#include "ns3/cluster-shape.h"
#include "ns3/message-service.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/**
 * Notifies the clients of the flow engine of their messages. A call marks all messages that it
 * reports before it calls a client, since the client may post to the same queue.
 */
class FlowClients
{
  public:
    /// \param shape of the cluster
    /// \param traces of the engine; nullptr while no sink is connected
    FlowClients(const ClusterShape& shape, const std::unique_ptr<FlowTraces>& traces);

    /// \param client of a server; nullptr: no client
    void Set(uint32_t server, MessageClient* client)
    {
        m_clients[server] = client;
    }

    /// Tells the client of a server that its alarm is due.
    void TellAlarm(uint32_t server) const;

    /// Tells that the last frame of the message at the head of a queue has been sent.
    void TellSent(const FlowQueue& queue) const;

    /// Tells the receivers of the messages of a queue that have ended by now, each message once.
    void TellDelivered(FlowQueue& queue, TimePs now);

    /// Tells the senders of the messages that are acknowledged by now, each message once.
    void TellAcknowledged(FlowQueue& queue, TimePs now);

    /// \return the latest end that a receiver was told
    TimePs GetLastArrival() const
    {
        return m_lastArrival;
    }

    /// \return payload bytes whose delivery was told
    uint64_t GetDeliveredBytes() const
    {
        return m_deliveredBytes;
    }

  private:
    MessageClient* Find(uint32_t gpu) const
    {
        return m_clients[m_shape.GetServer(gpu)];
    }

    ClusterShape m_shape;
    const std::unique_ptr<FlowTraces>& m_traces;
    std::vector<MessageClient*> m_clients; // by server
    TimePs m_lastArrival{0};
    uint64_t m_deliveredBytes{0};
};

} // namespace ns3::rails

#endif // FLOW_CLIENTS_H
