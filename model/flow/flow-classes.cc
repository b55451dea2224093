// SPDX-License-Identifier: GPL-2.0-only
#include "flow-classes.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

FlowClasses::FlowClasses(const ClusterShape& shape,
                         FlowQueues& queues,
                         FlowNetwork& network,
                         FlowClocks& clocks,
                         const MessageBatchRules& rules,
                         TandemRates& tandemRates,
                         HostPipeline& pipeline,
                         CompletionTimes& completionTimes,
                         FlowNics& nics,
                         CompletionErrorBound& errorBound)
    : m_shape(shape),
      m_queues(queues),
      m_network(network),
      m_clocks(clocks),
      m_rules(rules),
      m_tandemRates(tandemRates),
      m_pipeline(pipeline),
      m_completionTimes(completionTimes),
      m_nics(nics),
      m_errorBound(errorBound),
      m_pairs(shape.servers)
{
}

bool
FlowClasses::Begin(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    queue.isArmed = false;
    if (!queue.HasWork() || queue.flowClass != FlowQueue::kNone)
    {
        return true;
    }
    m_rules.Choose(queue);
    const uint32_t flowClass = m_network.Join(queue.route);
    if (flowClass == FlowNetwork::kNoWay)
    {
        return false;
    }
    if (IsEmpty(flowClass))
    {
        m_clocks.Open(flowClass, NowPs());
        m_errorBound.Open(flowClass);
        Enter(flowClass, queue.route);
    }
    else
    {
        BringUp(flowClass);
        m_queues[GetFirst(flowClass)].previousInClass = number;
    }
    queue.nextInClass = GetFirst(flowClass);
    queue.previousInClass = FlowQueue::kNone;
    m_classes[flowClass].first = number;
    queue.flowClass = flowClass;
    queue.offset = m_clocks.GetServed(flowClass) - queue.joinedAt;
    m_errorBound.Begin(number, flowClass, queue.entries[queue.drained].message->start);
    queue.headSince = queue.isHeadBegun ? queue.headSince : NowPs();
    ++m_running;
    m_parted.push_back(flowClass);
    if (queue.IsInTandem())
    {
        m_network.Watch(flowClass);
    }
    m_pipeline.BeginHead(number);
    return true;
}

void
FlowClasses::End(uint32_t number)
{
    m_completionTimes.TellOfDrained(
        number); // a message may have come to its end in this very instant
    FlowQueue& queue = m_queues[number];
    const uint32_t flowClass = queue.flowClass;
    const double served = queue.drained == queue.runEnd
                              ? static_cast<double>(queue.GetRunEnd())
                              : std::min(m_clocks.GetServed(flowClass) - queue.offset,
                                         static_cast<double>(queue.GetRunEnd()));
    m_network.Leave(flowClass, queue.route, served - queue.joinedAt, queue.acks, NowPs());
    m_errorBound.End(number, flowClass);
    queue.isHeadBegun = queue.drained < queue.runEnd;
    queue.joinedAt = served;
    if (queue.previousInClass == FlowQueue::kNone)
    {
        m_classes[flowClass].first = queue.nextInClass;
    }
    else
    {
        m_queues[queue.previousInClass].nextInClass = queue.nextInClass;
    }
    if (queue.nextInClass != FlowQueue::kNone)
    {
        m_queues[queue.nextInClass].previousInClass = queue.previousInClass;
    }
    if (IsEmpty(flowClass))
    {
        m_clocks.Close(flowClass);
        m_errorBound.Close(flowClass);
        Leave(flowClass);
    }
    queue.flowClass = FlowQueue::kNone;
    m_tandemRates.Forget(number);
    --m_running;
    m_parted.push_back(flowClass);
    if (!queue.HasWork())
    {
        m_nics.SetBusy(number, false);
        m_errorBound.Forget(number);
    }
}

/// Lists a class that gets its first queue at its servers.
void
FlowClasses::Enter(uint32_t flowClass, const FlowRoute& route)
{
    if (flowClass >= m_classes.size())
    {
        m_classes.resize(flowClass + 1);
    }
    if (!route.IsPair())
    {
        return;
    }
    for (const uint32_t nic : {route.from, route.to})
    {
        std::vector<uint32_t>& pairs = m_pairs[m_shape.GetNicServer(nic)];
        m_classes[flowClass].places.push_back(
            {m_shape.GetNicServer(nic), static_cast<uint32_t>(pairs.size())});
        pairs.push_back(flowClass);
    }
}

/// Takes an empty class off the lists of its servers.
void
FlowClasses::Leave(uint32_t flowClass)
{
    for (const Place& left : m_classes[flowClass].places)
    {
        std::vector<uint32_t>& pairs = m_pairs[left.server];
        for (Place& moved : m_classes[pairs.back()].places)
        {
            const bool isLast = moved.server == left.server && moved.place + 1 == pairs.size();
            moved.place = isLast ? left.place : moved.place;
        }
        pairs[left.place] = pairs.back();
        pairs.pop_back();
    }
    m_classes[flowClass].places.clear();
}

/// \return bytes that the class has served at the next stop of a queue
double
FlowClasses::GetStop(uint32_t number) const
{
    const FlowQueue& queue = m_queues[number];
    if (queue.drained == queue.runEnd)
    {
        return queue.offset + static_cast<double>(queue.GetRunEnd()); // it is there already
    }
    return std::min({queue.offset + static_cast<double>(queue.entries[queue.drained].end),
                     queue.offset + m_tandemRates.GetCatchUp(number),
                     queue.offset + m_rules.GetSentAt(queue)});
}

void
FlowClasses::ChooseStop(uint32_t flowClass)
{
    double stop = FlowClocks::kNowhere;
    for (uint32_t number = GetFirst(flowClass); number != FlowQueue::kNone;
         number = m_queues[number].nextInClass)
    {
        stop = std::min(stop, GetStop(number));
        if (m_queues[number].IsInTandem())
        {
            m_network.Watch(flowClass);
        }
    }
    m_clocks.SetStop(flowClass, stop);
}

void
FlowClasses::BringUp(uint32_t flowClass)
{
    if (GetFirst(flowClass) == FlowQueue::kNone)
    {
        return;
    }
    const TimePs now = NowPs();
    const double served = m_clocks.GetServedAt(flowClass, now);
    for (uint32_t number = GetFirst(flowClass); number != FlowQueue::kNone;
         number = m_queues[number].nextInClass)
    {
        FlowQueue& queue = m_queues[number];
        while (queue.drained < queue.runEnd &&
               queue.offset + static_cast<double>(queue.entries[queue.drained].end) <= served)
        {
            const double end = queue.offset + static_cast<double>(queue.entries[queue.drained].end);
            Drain(number, std::min(m_clocks.FindTime(flowClass, end), now));
        }
    }
    m_clocks.Advance(flowClass, now);
}

void
FlowClasses::BringUpAll()
{
    for (uint32_t flowClass = 0; flowClass < m_classes.size(); ++flowClass)
    {
        BringUp(flowClass);
    }
}

/// The last byte of the message at the head of a queue has been served.
void
FlowClasses::Drain(uint32_t number, TimePs at)
{
    FlowQueue& queue = m_queues[number];
    const Message& message = *queue.entries[queue.drained].message;
    const uint64_t bytes = message.bytes;
    const bool isInTandem = queue.IsInTandem();
    m_errorBound.NoteServed(number, queue.flowClass, message, at);
    if (isInTandem && queue.entries[queue.drained].fed != FlowQueue::kNone)
    {
        m_errorBound.PassOn(number, queue.entries[queue.drained].fed);
    }
    m_completionTimes.Note(number, at);
    const uint64_t pace = queue.entries[queue.drained].isPaced ? message.paceBps : 0;
    queue.pacedUntil =
        pace == 0 ? at
                  : std::min(at,
                             queue.GetPaceBegin() +
                                 LongSerialisationTime(queue.GetSize(queue.drained), pace));
    ++queue.drained;
    queue.isHeadSent = false;
    queue.headSince = at;
    queue.unsentPayload -= bytes;
    m_rules.CountDrained(queue, bytes);
    if (queue.route.IsPair())
    {
        m_nics.CountSent(queue.route, bytes);
    }
    if (isInTandem)
    {
        m_pipeline.PassOn(number, at);
    }
}

void
FlowClasses::EndAll(uint32_t flowClass, std::vector<uint32_t>& left)
{
    BringUp(flowClass);
    while (GetFirst(flowClass) != FlowQueue::kNone)
    {
        const uint32_t number = GetFirst(flowClass);
        End(number);
        if (m_queues[number].HasWork())
        {
            left.push_back(number);
        }
    }
}

uint64_t
FlowClasses::CountServed(const FlowQueue& queue) const
{
    const bool isRunning = queue.flowClass != FlowQueue::kNone;
    const double offset = isRunning ? queue.offset : 0; // compared as BringUp() does
    const double served =
        isRunning ? m_clocks.GetServedAt(queue.flowClass, NowPs()) : queue.joinedAt;
    const std::size_t end = queue.entries.size();
    std::size_t head = queue.drained;
    uint64_t bytes = 0;
    while (head < end && offset + static_cast<double>(queue.entries[head].end) <= served)
    {
        bytes += queue.entries[head++].message->bytes;
    }
    if (head < end)
    {
        const Message& message = *queue.entries[head].message;
        const auto wire = static_cast<double>(queue.GetSize(head));
        const double left = static_cast<double>(queue.entries[head].end) - (served - offset);
        const double begun = std::max(0.0, wire - left) / wire;
        bytes += static_cast<uint64_t>(begun * static_cast<double>(message.bytes));
    }
    return bytes;
}

} // namespace ns3::rails
