// SPDX-License-Identifier: GPL-2.0-only
#include "flow-nics.h"

#include <algorithm>

namespace ns3::rails
{

FlowNics::FlowNics(const ClusterShape& shape, const FlowSettings& settings, FlowQueues& queues)
    : m_shape(shape),
      m_gap(settings.messageGap),
      m_queues(queues),
      m_nics(shape.GetNics())
{
}

TimePs
FlowNics::Post(Message& message, TimePs now)
{
    Nic& nic = m_nics[GetNic(message)];
    ++nic.counters.messages;
    if (m_gap == 0)
    {
        return now;
    }
    m_queues.Find(message); // queue pairs are numbered in the order of the posts
    nic.postingFreeAt = std::max(nic.postingFreeAt, now) + m_gap;
    nic.postingBytes += message.bytes;
    nic.posting.push_back(&message);
    return nic.posting.size() == 1 ? nic.postingFreeAt : kNever;
}

FlowNics::Turn
FlowNics::TakeTurn(uint32_t number, TimePs now)
{
    Nic& nic = m_nics[number];
    Message* const message = nic.posting.front();
    nic.posting.pop_front();
    nic.postingBytes -= message->bytes;
    return {message, nic.posting.empty() ? kNever : now + m_gap};
}

void
FlowNics::SetBusy(uint32_t number, bool busy)
{
    FlowQueue& queue = m_queues[number];
    if (!queue.route.IsPair() || busy == (queue.placeAtNic != FlowQueue::kNone))
    {
        return;
    }
    std::vector<uint32_t>& list = m_nics[queue.route.from].busy;
    if (busy)
    {
        queue.placeAtNic = static_cast<uint32_t>(list.size());
        list.push_back(number);
        return;
    }
    list[queue.placeAtNic] = list.back();
    m_queues[list.back()].placeAtNic = queue.placeAtNic;
    list.pop_back();
    queue.placeAtNic = FlowQueue::kNone;
}

} // namespace ns3::rails
