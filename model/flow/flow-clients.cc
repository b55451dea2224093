// SPDX-License-Identifier: GPL-2.0-only
#include "flow-clients.h"

#include <algorithm>

namespace ns3::rails
{

FlowClients::FlowClients(const ClusterShape& shape, const std::unique_ptr<FlowTraces>& traces)
    : m_shape(shape),
      m_traces(traces),
      m_clients(shape.servers, nullptr)
{
}

void
FlowClients::TellAlarm(uint32_t server) const
{
    if (m_clients[server])
    {
        m_clients[server]->OnAlarm(server);
    }
}

void
FlowClients::TellSent(const FlowQueue& queue) const
{
    if (!queue.HasWork())
    {
        return;
    }
    Message& message = *queue.entries[queue.drained].message;
    if (MessageClient* client = Find(message.source))
    {
        client->OnSent(message);
    }
}

void
FlowClients::TellDelivered(FlowQueue& queue, TimePs now)
{
    const bool isWriter = queue.route.kind == FlowRoute::Kind::Writing;
    std::vector<Message*> due;
    for (uint32_t place = queue.delivered; place < (isWriter ? queue.ended : queue.drained);
         ++place)
    {
        FlowQueue::Entry& entry = queue.entries[place];
        const bool isWritten = entry.fed != FlowQueue::kNone; // reported by its writer queue
        if (!entry.isDelivered && (isWritten || entry.message->end <= now))
        {
            entry.isDelivered = true;
            due.insert(due.end(), isWritten ? 0 : 1, entry.message);
        }
        queue.delivered += entry.isDelivered && queue.delivered == place ? 1 : 0;
    }
    for (Message* const told : due)
    {
        Message& message = *told;
        m_lastArrival = std::max(m_lastArrival, message.end);
        m_deliveredBytes += message.bytes;
        if (m_traces)
        {
            m_traces->messageEnd(TimeStep(message.end), message);
        }
        const bool isSentToBeTold = message.txRail != kNoRail && !message.isAwaited;
        if (isSentToBeTold && Find(message.source))
        {
            Find(message.source)->OnSent(message);
        }
        if (MessageClient* client = Find(message.destination))
        {
            client->OnDelivered(message);
        }
    }
}

void
FlowClients::TellAcknowledged(FlowQueue& queue, TimePs now)
{
    std::vector<Message*> due;
    for (uint32_t place = queue.acknowledged; place < queue.drained; ++place)
    {
        FlowQueue::Entry& entry = queue.entries[place];
        if (!entry.isAcknowledged && entry.message->acknowledged <= now)
        {
            entry.isAcknowledged = true;
            due.push_back(entry.message);
        }
        queue.acknowledged += entry.isAcknowledged && queue.acknowledged == place ? 1 : 0;
    }
    for (Message* const message : due)
    {
        if (MessageClient* client = Find(message->source))
        {
            client->OnAcknowledged(*message);
        }
    }
}

} // namespace ns3::rails
