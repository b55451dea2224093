// SPDX-License-Identifier: GPL-2.0-only
#include "flow-queues.h"

#include "ns3/rail-queue.h"

namespace ns3::rails
{

namespace
{

constexpr uint32_t kChannelBits = 48; // above the number of a message, below the bits of a stage

} // namespace

FlowQueues::FlowQueues(const ClusterShape& shape,
                       const FlowSettings& settings,
                       const FlowInterior& interior)
    : m_shape(shape),
      m_settings(settings),
      m_interior(interior),
      m_pairs(shape.GetNics(), 0)
{
}

bool
FlowQueues::Key::operator==(const Key& other) const
{
    return ends == other.ends && kind == other.kind && crossing == other.crossing;
}

std::size_t
FlowQueues::KeyHash::operator()(const Key& key) const
{
    const uint64_t kind = key.kind ^ (static_cast<uint64_t>(key.crossing) << 24);
    uint64_t hash = (key.ends ^ kind * 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
    return hash ^ hash >> 31;
}

FlowQueues::Key
FlowQueues::MakeKey(const Message& message) const
{
    const uint64_t channel = uint64_t{message.channel} << kChannelBits;
    if (message.txRail == kNoRail)
    {
        return {uint64_t{message.source} << 32 | message.destination, channel, 0};
    }
    const uint64_t from = m_shape.GetNic(m_shape.GetServer(message.source), message.txRail);
    const uint64_t to = m_shape.GetNic(m_shape.GetServer(message.destination), message.rxRail);
    uint64_t kind = message.subflow;
    switch (m_settings.queuePairPer)
    {
    case FlowSettings::QueuePairPer::Message:
        kind = message.id;
        break;
    case FlowSettings::QueuePairPer::GpuPair:
        kind += (uint64_t{m_shape.GetLocal(message.source)} * m_shape.gpusPerServer +
                 m_shape.GetLocal(message.destination)) *
                uint64_t{kMostSubflows};
        break;
    case FlowSettings::QueuePairPer::NicPair:
        break;
    }
    return {from << 32 | to, channel | (kind + 1), message.crossing};
}

uint64_t
FlowQueues::MakeTurn(const Key& key, const FlowRoute& route) const
{
    const auto make = [](uint64_t kind, uint64_t from, uint64_t to) {
        return to << 48 | from << 32 | kind;
    };
    const uint64_t channel = key.kind >> kChannelBits << 16;
    switch (route.kind)
    {
    case FlowRoute::Kind::Inside:
        return make(channel, m_shape.GetLocal(route.from), m_shape.GetLocal(route.to));
    case FlowRoute::Kind::Writing:
        return make(1, m_shape.GetRail(route.to), route.toGpu);
    default:
        return make(channel | 1, m_shape.GetRail(route.from), m_shape.GetRail(route.to));
    }
}

uint32_t
FlowQueues::Find(const Key& key, const FlowRoute& route)
{
    const auto [place, isNew] = m_numbers.try_emplace(key, static_cast<uint32_t>(m_queues.size()));
    if (isNew)
    {
        m_queues.emplace_back();
        m_queues.back().route = route;
        m_queues.back().turn = MakeTurn(key, route);
        if (route.IsPair())
        {
            FlowRoute& made = m_queues.back().route;
            made.number = m_pairs[route.from]++;
            made.entropy = m_settings.queuePairPer == FlowSettings::QueuePairPer::Message
                               ? route.entropy
                               : made.number;
        }
    }
    return place->second;
}

uint32_t
FlowQueues::Find(const Message& message)
{
    const Key key = MakeKey(message);
    FlowRoute route;
    route.kind = message.txRail == kNoRail ? FlowRoute::Kind::Inside : FlowRoute::Kind::Pair;
    route.from = static_cast<uint32_t>(key.ends >> 32);
    route.to = static_cast<uint32_t>(key.ends);
    route.entropy = message.entropy;
    route.crossing = message.crossing;
    return Find(key, route);
}

void
FlowQueues::Add(uint32_t number, Message& message, uint64_t bytes)
{
    FlowQueue& queue = m_queues[number];
    if (queue.flowClass == FlowQueue::kNone && queue.acknowledged == queue.entries.size() &&
        queue.delivered == queue.entries.size())
    {
        queue.entries.clear();
        queue.drained = queue.delivered = queue.acknowledged = queue.runEnd = 0;
        queue.received = queue.ended = 0;
        queue.begin = queue.posted;
    }
    queue.posted += bytes;
    queue.unsentPayload += message.bytes;
    queue.entries.push_back({&message, queue.posted});
}

uint32_t
FlowQueues::FindReader(uint32_t pair, const Message& message)
{
    constexpr uint64_t kReading = uint64_t{1} << 62;
    const uint32_t gpu = m_shape.GetLocal(message.source);
    const uint32_t nicEnd = m_interior.GetNicEnd(message.txRail);
    FlowRoute route;
    route.kind = FlowRoute::Kind::Reading;
    route.from = m_shape.GetNic(m_shape.GetServer(message.source), message.txRail);
    if (m_interior.IsReadByNic(gpu, nicEnd))
    {
        route.to = m_queues[pair].route.number;
        return Find({uint64_t{route.from} << 32 | route.to, kReading, 0}, route);
    }
    route.to = m_shape.GetServer(message.destination);
    return Find({uint64_t{route.from} << 32 | route.to,
                 kReading | uint64_t{message.channel} << kChannelBits | (1 + gpu),
                 message.crossing},
                route);
}

uint32_t
FlowQueues::FindSender(uint32_t pair)
{
    constexpr uint64_t kSending = uint64_t{3} << 62;
    FlowRoute route;
    route.kind = FlowRoute::Kind::Sending;
    route.from = m_queues[pair].route.from;
    return Find({pair, kSending, 0}, route);
}

uint32_t
FlowQueues::FindWriter(uint32_t pair, const Message& message)
{
    constexpr uint64_t kWriting = uint64_t{1} << 63;
    FlowRoute route;
    route.kind = FlowRoute::Kind::Writing;
    route.to = m_queues[pair].route.to;
    route.toGpu = m_shape.GetLocal(message.destination);
    return Find({pair, kWriting | route.toGpu, 0}, route);
}

uint32_t
FlowQueues::FindKnown(const Message& message) const
{
    const auto known = m_numbers.find(MakeKey(message));
    return known == m_numbers.end() ? FlowQueue::kNone : known->second;
}

void
FlowQueues::Forget(const Message& message)
{
    m_numbers.erase(MakeKey(message));
}

} // namespace ns3::rails
