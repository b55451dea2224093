// SPDX-License-Identifier: GPL-2.0-only
#include "flow-stages.h"

#include <algorithm>

namespace ns3::rails
{

FlowStages::FlowStages(const ClusterShape& shape,
                       const FrameFormat& frames,
                       const FlowInterior& interior,
                       FlowQueues& queues,
                       FlowFeeds& feeds,
                       FlowCalendar& calendar)
    : m_shape(shape),
      m_frames(frames),
      m_interior(interior),
      m_queues(queues),
      m_feeds(feeds),
      m_calendar(calendar)
{
}

uint32_t
FlowStages::Add(uint32_t number, Message& message)
{
    FlowQueue& pair = m_queues[number];
    FlowQueue::Entry& sent = pair.entries.back();
    uint32_t reader = FlowQueue::kNone;
    if (m_interior.HoldsBack(m_shape.GetLocal(message.source),
                             m_interior.GetNicEnd(message.txRail)))
    {
        reader = m_queues.FindReader(number, message);
        m_queues.Add(reader, message, message.bytes);
        m_queues[reader].entries.back().fed = number;
        sent.feeder = reader;
        sent.feederEnd = m_queues[reader].posted;
        sent.feederBytes = message.bytes;
    }
    if (m_interior.HoldsBack(m_interior.GetNicEnd(message.rxRail),
                             m_shape.GetLocal(message.destination)))
    {
        const uint32_t writer = m_queues.FindWriter(number, message);
        m_queues.Add(writer, message, message.bytes);
        FlowQueue::Entry& written = m_queues[writer].entries.back();
        written.feeder = number;
        written.feederEnd = pair.posted;
        written.feederBytes = m_frames.GetMessageWire(message.bytes);
        sent.fed = writer;
    }
    return reader;
}

/// A queue has served a message that was brought to it, or that it brings to another.
void
FlowStages::PassOn(uint32_t number, TimePs at)
{
    FlowQueue& queue = m_queues[number];
    const FlowQueue::Entry& entry = queue.entries[queue.drained - 1];
    switch (queue.route.kind)
    {
    case FlowRoute::Kind::Reading:
        queue.delivered = queue.acknowledged = queue.drained; // nobody is told
        m_feeds.MarkForCheck(entry.fed);
        break;
    case FlowRoute::Kind::Writing:
        EndWritten(number, at);
        break;
    case FlowRoute::Kind::Pair:
    case FlowRoute::Kind::Inside:
        if (entry.fed != FlowQueue::kNone)
        {
            ++m_queues[entry.fed].received;
            EndWritten(entry.fed, at);
            m_feeds.MarkForCheck(entry.fed);
        }
        break;
    }
    BeginHead(number);
    m_calendar.AskToSettle(NowPs());
}

/// A queue in tandem comes to another message, which also matters to the queue that gets it next.
void
FlowStages::BeginHead(uint32_t number)
{
    m_feeds.Forget(number);
    const FlowQueue& queue = m_queues[number];
    if (!queue.IsInTandem())
    {
        return;
    }
    m_feeds.MarkForCheck(number);
    const uint32_t fed = queue.entries[queue.drained].fed;
    if (fed == FlowQueue::kNone)
    {
        return;
    }
    m_feeds.MarkForCheck(fed);
    const FlowQueue& writer = m_queues[fed];
    if (queue.route.IsPair() && writer.flowClass == FlowQueue::kNone && writer.HasWork() &&
        m_feeds.IsBegun(writer, NowPs()))
    {
        m_calendar.Arm(fed, m_queues[fed]); // a writer waits outside of a class for what comes next
    }
}

/// Messages that a NIC has received, and that have been written, are at their ends.
void
FlowStages::EndWritten(uint32_t number, TimePs at)
{
    FlowQueue& queue = m_queues[number];
    while (queue.ended < std::min(queue.drained, queue.received))
    {
        const FlowQueue::Entry& entry = queue.entries[queue.ended++];
        FlowQueue& pair = m_queues[entry.feeder];
        entry.message->end = at + entry.behind;
        pair.lastEnd = std::max(pair.lastEnd, entry.message->end);
        queue.lastEnd = std::max(queue.lastEnd, entry.message->end);
        m_calendar.Add(entry.message->end, FlowCalendar::Task::Delivered, number);
    }
    queue.acknowledged = queue.ended;
}

void
FlowStages::GiveUpUnreceived(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    queue.entries.resize(queue.received);
    queue.drained = std::min(queue.drained, queue.received);
    queue.runEnd = std::min(queue.runEnd, queue.received);
}

} // namespace ns3::rails
