// SPDX-License-Identifier: GPL-2.0-only
#include "host-pipeline.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

HostPipeline::HostPipeline(const Wiring& wiring,
                           const FrameFormat& frames,
                           const FlowInterior& interior,
                           FlowQueues& queues,
                           TandemRates& tandemRates,
                           FlowCalendar& calendar)
    : m_wiring(wiring),
      m_shape(wiring.GetShape()),
      m_frames(frames),
      m_interior(interior),
      m_queues(queues),
      m_tandemRates(tandemRates),
      m_calendar(calendar)
{
}

HostPipeline::Ahead
HostPipeline::Add(uint32_t number, Message& message)
{
    const uint64_t wire = m_frames.GetMessageWire(message.bytes);
    FlowQueue& pair = m_queues[number];
    FlowQueue::Entry& moved = pair.entries.back();
    Ahead ahead;
    if (IsSentApart(pair))
    {
        pair.sender = ahead.sender = m_queues.FindSender(number);
        m_queues.Add(ahead.sender, message, wire);
        m_queues[ahead.sender].entries.back().fed = number;
        moved.feeder = ahead.sender;
        moved.feederEnd = m_queues[ahead.sender].posted;
        moved.feederBytes = wire;
    }
    const uint32_t first = ahead.sender == FlowQueue::kNone ? number : ahead.sender;
    FlowQueue::Entry& sent = m_queues[first].entries.back();
    sent.isPaced = message.paceBps > 0;
    if (m_interior.HoldsBack(m_shape.GetLocal(message.source),
                             m_interior.GetNicEnd(message.txRail)))
    {
        ahead.reader = m_queues.FindReader(number, message);
        m_queues.Add(ahead.reader, message, message.bytes);
        m_queues[ahead.reader].entries.back().fed = first;
        sent.feeder = ahead.reader;
        sent.feederEnd = m_queues[ahead.reader].posted;
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
        written.feederBytes = wire;
        moved.fed = writer;
    }
    return ahead;
}

/// \return true when the last message of a queue pair needs a Sending stage: it is paced, or an
/// earlier one was and they must stay in order. Not behind a message that has no such stage.
bool
HostPipeline::IsSentApart(const FlowQueue& pair) const
{
    const std::size_t last = pair.entries.size() - 1;
    const bool isPaced = pair.entries[last].message->paceBps > 0;
    return (isPaced || pair.sender != FlowQueue::kNone) && !m_wiring.IsOptical(pair.route.from) &&
           (last == pair.drained || pair.IsBehindNic(pair.entries[last - 1]));
}

/// A queue in tandem has served a message.
void
HostPipeline::PassOn(uint32_t number, TimePs at)
{
    FlowQueue& queue = m_queues[number];
    const FlowQueue::Entry& entry = queue.entries[queue.drained - 1];
    switch (queue.route.kind)
    {
    case FlowRoute::Kind::Reading:
    case FlowRoute::Kind::Sending:
        queue.delivered = queue.acknowledged = queue.drained; // no client hears of these stages
        m_tandemRates.MarkForCheck(entry.fed);
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
            m_tandemRates.MarkForCheck(entry.fed);
        }
        break;
    }
    BeginHead(number);
    m_calendar.AskToSettle(NowPs());
}

/// A queue in tandem comes to another message: has it and its successor checked.
void
HostPipeline::BeginHead(uint32_t number)
{
    m_tandemRates.Forget(number);
    const FlowQueue& queue = m_queues[number];
    if (!queue.IsInTandem())
    {
        return;
    }
    m_tandemRates.MarkForCheck(number);
    const uint32_t fed = queue.entries[queue.drained].fed;
    if (fed == FlowQueue::kNone)
    {
        return;
    }
    m_tandemRates.MarkForCheck(fed);
    const FlowQueue& writer = m_queues[fed];
    if (queue.route.IsPair() && writer.flowClass == FlowQueue::kNone && writer.HasWork() &&
        m_tandemRates.IsBegun(writer, NowPs()))
    {
        m_calendar.Arm(fed, m_queues[fed]); // a writer without bytes to write is in no class
    }
}

/// Ends the messages that a NIC has received whole and that have been written.
void
HostPipeline::EndWritten(uint32_t number, TimePs at)
{
    FlowQueue& queue = m_queues[number];
    while (queue.ended < std::min(queue.drained, queue.received))
    {
        const FlowQueue::Entry& entry = queue.entries[queue.ended++];
        FlowQueue& pair = m_queues[entry.feeder];
        entry.message->end = at + entry.behind;
        pair.lastEnd = std::max(pair.lastEnd, entry.message->end);
        queue.lastEnd = std::max(queue.lastEnd, entry.message->end);
        m_calendar.Add(entry.message->end, FlowCalendar::Task::Delivered, number, queue.turn);
    }
    queue.acknowledged = queue.ended;
}

void
HostPipeline::GiveUpUnreceived(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    queue.entries.resize(queue.received);
    queue.drained = std::min(queue.drained, queue.received);
    queue.runEnd = std::min(queue.runEnd, queue.received);
}

} // namespace ns3::rails
