// SPDX-License-Identifier: GPL-2.0-only
#include "message-batch-rules.h"

#include "flow-clocks.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ns3::rails
{

namespace
{

/// Largest relative difference of shares of payload, or of ACKs, that count as equal.
constexpr double kAlikeShares = 0.01;

bool
AreAlike(double one, double other)
{
    return std::abs(one - other) <= kAlikeShares * std::max(one, other);
}

} // namespace

MessageBatchRules::MessageBatchRules(const ClusterShape& shape,
                                     const FrameFormat& frames,
                                     const FlowNetwork& network)
    : m_shape(shape),
      m_frames(frames),
      m_network(network)
{
}

/**
 * \return the GPUs of a message of a queue pair where they matter: while messages between GPUs are
 * under way inside the server. Links that may be bottlenecks even without these have stages.
 */
MessageBatchRules::GpuPair
MessageBatchRules::FindGpus(const FlowRoute& route, const Message& message) const
{
    const FlowInterior& interior = m_network.GetInterior();
    const auto isShared = [&](uint32_t server, uint32_t from, uint32_t to) {
        return m_network.HasInside(server) && !interior.GetLinks(from, to).empty() &&
               !interior.HoldsBack(from, to);
    };
    GpuPair gpus{FlowRoute::kAnyGpu, FlowRoute::kAnyGpu};
    if (!route.IsPair())
    {
        return gpus;
    }
    const uint32_t from = m_shape.GetLocal(message.source);
    const uint32_t to = m_shape.GetLocal(message.destination);
    if (isShared(m_shape.GetNicServer(route.from), from, interior.GetNicEnd(message.txRail)))
    {
        gpus.first = from;
    }
    if (isShared(m_shape.GetNicServer(route.to), interior.GetNicEnd(message.rxRail), to))
    {
        gpus.second = to;
    }
    return gpus;
}

/// \return true when a message fits the run before it
bool
MessageBatchRules::Fits(const FlowQueue& queue, std::size_t number) const
{
    const FlowQueue::Entry& entry = queue.entries[number];
    switch (queue.route.kind)
    {
    case FlowRoute::Kind::Writing:
        return false; // a writer checks after each message whether bytes of the next have come
    case FlowRoute::Kind::Reading:
        return m_shape.GetLocal(entry.message->source) == queue.route.fromGpu;
    case FlowRoute::Kind::Sending:
    case FlowRoute::Kind::Pair:
    case FlowRoute::Kind::Inside:
        break;
    }
    const FlowQueue::Entry& before = queue.entries[number - 1];
    return entry.message->isAwaited == before.message->isAwaited &&
           (entry.fed == FlowQueue::kNone) == (before.fed == FlowQueue::kNone) &&
           queue.IsHeld(entry) == queue.route.isFed &&
           queue.IsBehindNic(entry) == queue.IsBehindNic(before) &&
           entry.message->paceBps == before.message->paceBps &&
           FindGpus(queue.route, *entry.message) == GpuPair{queue.route.fromGpu, queue.route.toGpu};
}

void
MessageBatchRules::Choose(FlowQueue& queue) const
{
    const FlowQueue::Entry& head = queue.entries[queue.drained];
    FlowRoute& route = queue.route;
    route.isFed = queue.IsHeld(head);
    if (route.kind == FlowRoute::Kind::Reading)
    {
        route.fromGpu = m_shape.GetLocal(head.message->source);
    }
    if (route.IsPair())
    {
        std::tie(route.fromGpu, route.toGpu) = FindGpus(route, *head.message);
        route.isBehindNic = queue.IsBehindNic(head);
    }
    queue.runEnd = queue.drained;
    queue.volume = {};
    queue.acks = 0;
    do
    {
        Count(queue, queue.entries[queue.runEnd].message->bytes, true);
        ++queue.runEnd;
    } while (queue.runEnd < queue.entries.size() && Fits(queue, queue.runEnd));
    route = FindShares(queue);
}

/// Adds a message to the volume of a queue pair's run, or takes a drained one off.
void
MessageBatchRules::Count(FlowQueue& queue, uint64_t bytes, bool isAdded) const
{
    if (!queue.route.IsPair())
    {
        return;
    }
    FlowVolume& volume = queue.volume;
    const auto count = [isAdded](uint64_t& sum, uint64_t part) {
        sum = isAdded ? sum + part : sum - part;
    };
    count(volume.payload, bytes);
    count(volume.frames, m_frames.CountFrames(bytes));
    count(volume.wire, m_frames.GetMessageWire(bytes));
}

/// \return the route of a queue with the shares of the undrained messages of its run
FlowRoute
MessageBatchRules::FindShares(const FlowQueue& queue) const
{
    FlowRoute route = queue.route;
    if (route.IsPair())
    {
        const FlowVolume& volume = queue.volume;
        const auto wire = static_cast<double>(volume.wire);
        route.payloadShare = static_cast<double>(volume.payload) / wire;
        route.ackShare = static_cast<double>(m_frames.GetAckWire(volume.frames)) / wire;
    }
    return route;
}

bool
MessageBatchRules::Extend(FlowQueue& queue) const
{
    const uint64_t bytes = queue.entries[queue.runEnd].message->bytes;
    ++queue.runEnd;
    Count(queue, bytes, true);
    const FlowRoute route = FindShares(queue);
    return AreAlike(route.payloadShare, queue.route.payloadShare) &&
           AreAlike(route.ackShare, queue.route.ackShare);
}

void
MessageBatchRules::CountDrained(FlowQueue& queue, uint64_t bytes) const
{
    Count(queue, bytes, false);
    if (queue.route.IsPair())
    {
        queue.acks += static_cast<double>(m_frames.GetAckWire(m_frames.CountFrames(bytes)));
    }
}

bool
MessageBatchRules::HasRightGpus(const FlowQueue& queue) const
{
    return FindGpus(queue.route, *queue.entries[queue.drained].message) ==
           GpuPair{queue.route.fromGpu, queue.route.toGpu};
}

double
MessageBatchRules::GetSentAt(const FlowQueue& queue) const
{
    const FlowQueue::Entry& head = queue.entries[queue.drained];
    if (!queue.route.IsPair() || queue.isHeadSent || !head.message->isAwaited)
    {
        return FlowClocks::kNowhere;
    }
    return static_cast<double>(head.end - m_frames.GetLastFrameWire(head.message->bytes));
}

} // namespace ns3::rails
