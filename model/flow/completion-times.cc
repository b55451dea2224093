// SPDX-License-Identifier: GPL-2.0-only
#include "completion-times.h"

#include "message-pipeline.h"

#include <algorithm>

namespace ns3::rails
{

CompletionTimes::CompletionTimes(const ClusterShape& shape,
                                 const FlowSettings& settings,
                                 const FlowNetwork& network,
                                 FlowQueues& queues,
                                 FlowCalendar& calendar)
    : m_shape(shape),
      m_settings(settings),
      m_network(network),
      m_queues(queues),
      m_calendar(calendar)
{
}

void
CompletionTimes::Note(uint32_t number, TimePs at)
{
    using Task = FlowCalendar::Task;
    m_calendar.NoteNews();
    FlowQueue& queue = m_queues[number];
    if (queue.route.IsStage())
    {
        return;
    }
    const FlowQueue::Entry& entry = queue.entries[queue.drained];
    Message& message = *entry.message;
    const bool isWritten = entry.fed != FlowQueue::kNone;
    queue.route.IsPair() ? SetTimesOfPair(queue, entry, at) : SetTimesInside(message, at);
    queue.bytes += message.bytes;
    queue.lastAcknowledgement = std::max(queue.lastAcknowledgement, message.acknowledged);
    queue.lastEnd = std::max(queue.lastEnd, isWritten ? TimePs{0} : message.end);
    if (message.isAwaited)
    {
        // Scheduled for each message, whatever brought the class up to now: messages of a queue may
        // end out of order, since a short one may reach its GPU before a long one reaches another.
        m_calendar.Meet(message.acknowledged, Task::Acknowledged, number, queue.turn);
        if (!isWritten)
        {
            m_calendar.Meet(message.end, Task::Delivered, number, queue.turn);
        }
        --m_awaited;
    }
}

void
CompletionTimes::SetTimesInside(Message& message, TimePs drained) const
{
    const FlowInterior& interior = m_network.GetInterior();
    const FlowInterior::Crossing& crossing =
        interior.GetCrossing(m_shape.GetLocal(message.source),
                             m_shape.GetLocal(message.destination));
    const uint64_t segment = std::min(interior.GetSegmentBytes(), message.bytes);
    message.end =
        drained + crossing.latency +
        static_cast<TimePs>((crossing.storing - crossing.slowest) * static_cast<double>(segment));
    message.acknowledged = message.end;
}

void
CompletionTimes::SetTimesOfPair(FlowQueue& queue, const FlowQueue::Entry& entry, TimePs drained)
{
    Message& message = *entry.message;
    const FlowNetwork::Times& times = m_network.GetTimes(queue.flowClass);
    const FlowInterior& interior = m_network.GetInterior();
    const MessagePipeline pipeline = MakeMessagePipeline(
        message.bytes,
        m_settings,
        interior.GetSegmentBytes(),
        interior.GetCrossing(m_shape.GetLocal(message.source), interior.GetNicEnd(message.txRail)),
        times,
        interior.GetCrossing(interior.GetNicEnd(message.rxRail),
                             m_shape.GetLocal(message.destination)));
    // Frames of a queue pair do not overtake each other.
    const auto lastFrame = static_cast<double>(m_settings.frames.GetLastFrameWire(message.bytes));
    const TimePs arrival =
        std::max(drained + times.delay + static_cast<TimePs>(pipeline.before + pipeline.behind),
                 queue.lastArrival + static_cast<TimePs>(times.slowest * lastFrame));
    queue.lastArrival = arrival;
    message.sent = queue.headSince + static_cast<TimePs>(pipeline.sending);
    message.acknowledged = arrival + times.reply;
    const TimePs last = static_cast<TimePs>(pipeline.handing + pipeline.last);
    if (entry.fed == FlowQueue::kNone)
    {
        message.end = arrival + last;
        return;
    }
    FlowQueue& writer = m_queues[entry.fed];
    writer.entries[writer.received].behind = arrival - drained + last;
}

void
CompletionTimes::TellOfDrained(uint32_t number)
{
    using Task = FlowCalendar::Task;
    const FlowQueue& queue = m_queues[number];
    if (queue.route.IsStage() || queue.drained == 0)
    {
        return;
    }
    if (queue.delivered < queue.drained)
    {
        m_calendar.Meet(queue.lastEnd, Task::Delivered, number, queue.turn);
    }
    if (queue.acknowledged < queue.drained)
    {
        m_calendar.Meet(queue.lastAcknowledgement, Task::Acknowledged, number, queue.turn);
    }
}

} // namespace ns3::rails
