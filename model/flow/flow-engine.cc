// SPDX-License-Identifier: GPL-2.0-only
#include "flow-engine.h"

#include "ns3/log.h"
#include "ns3/rails-quantity.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsFlowEngine");

NS_OBJECT_ENSURE_REGISTERED(FlowEngine);

namespace
{

/// A flow that ends at once is counted for this part of the time: its rate has to be some number.
constexpr double kLeastPresence = 1e-3;

} // namespace

TypeId
FlowEngine::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::FlowEngine").SetParent<Engine>().SetGroupName("Rails");
    return tid;
}

FlowEngine::FlowEngine(std::shared_ptr<Wiring> wiring,
                       std::shared_ptr<Router> router,
                       const FlowSettings& settings)
    : m_wiring(std::move(wiring)),
      m_router(std::move(router)),
      m_settings(settings),
      m_shape(m_wiring->GetShape()),
      m_network(m_wiring, m_router, settings),
      m_clients(m_shape.domains, nullptr),
      m_nics(m_shape.GetNics())
{
    m_wiring->AddListener(*this);
    m_router->AddListener(*this);
}

FlowEngine::~FlowEngine()
{
    m_event.Cancel();
    m_router->RemoveListener(*this);
    m_wiring->RemoveListener(*this);
}

int64_t
FlowEngine::AssignStreams(int64_t stream)
{
    return m_network.AssignStreams(stream);
}

// Clocks and clients.

void
FlowEngine::SetClient(uint32_t server, MessageClient* client)
{
    m_clients[server] = client;
}

MessageClient*
FlowEngine::GetClient(uint32_t gpu) const
{
    return m_clients[m_shape.GetDomain(gpu)];
}

TimePs
FlowEngine::GetClock(uint32_t) const
{
    return NowPs();
}

TimePs
FlowEngine::GetLookahead() const
{
    return 0;
}

void
FlowEngine::SetPunctual()
{
}

void
FlowEngine::CatchUp()
{
    BringUpAll();
}

void
FlowEngine::CatchUpThroughNow()
{
    BringUpAll();
}

void
FlowEngine::Finish()
{
    BringUpAll();
}

// An ACK cannot be lost here, so nobody waits for one in vain.
void
FlowEngine::SetCutOffCallback(std::function<bool(uint32_t, uint32_t)>)
{
}

void
FlowEngine::SetAlarm(uint32_t server, TimePs at)
{
    if (at < NowPs())
    {
        throw std::logic_error("an alarm at " + std::to_string(at) + " ps, where it is " +
                               std::to_string(NowPs()) + " ps already");
    }
    m_appointments.push({at, Task::Alarm, server});
    Arrange();
}

// Posting.

bool
FlowEngine::QueueKey::operator==(const QueueKey& other) const
{
    return ends == other.ends && kind == other.kind;
}

std::size_t
FlowEngine::QueueKeyHash::operator()(const QueueKey& key) const
{
    uint64_t hash = (key.ends ^ key.kind * 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
    return hash ^ hash >> 31;
}

FlowEngine::QueueKey
FlowEngine::MakeKey(const Message& message) const
{
    if (message.txRail == kNoRail)
    {
        return {uint64_t{message.source} << 32 | message.destination, 0};
    }
    constexpr uint64_t kMostSubflows = 256;
    const uint64_t from = m_shape.GetNic(m_shape.GetDomain(message.source), message.txRail);
    const uint64_t to = m_shape.GetNic(m_shape.GetDomain(message.destination), message.rxRail);
    uint64_t kind = message.subflow;
    switch (m_settings.queuePairPer)
    {
    case FlowSettings::QueuePairPer::Message:
        kind = message.id;
        break;
    case FlowSettings::QueuePairPer::GpuPair:
        kind += (uint64_t{m_shape.GetLocal(message.source)} * m_shape.gpusPerDomain +
                 m_shape.GetLocal(message.destination)) *
                kMostSubflows;
        break;
    case FlowSettings::QueuePairPer::NicPair:
        break;
    }
    return {from << 32 | to, kind + 1};
}

uint32_t
FlowEngine::FindQueue(const Message& message)
{
    const QueueKey key = MakeKey(message);
    const auto [place, isNew] = m_queueOf.emplace(key, static_cast<uint32_t>(m_queues.size()));
    if (isNew)
    {
        FlowRoute route;
        route.isInside = message.txRail == kNoRail;
        route.from = static_cast<uint32_t>(key.ends >> 32);
        route.to = static_cast<uint32_t>(key.ends);
        route.number = route.isInside ? 0 : m_nics[route.from].queues++;
        m_queues.emplace_back();
        m_queues.back().route = route;
    }
    return place->second;
}

void
FlowEngine::Post(Message& message)
{
    message.start = NowPs();
    if (message.txRail == kNoRail)
    {
        Append(message);
        return;
    }
    const uint32_t number = m_shape.GetNic(m_shape.GetDomain(message.source), message.txRail);
    Nic& nic = m_nics[number];
    ++nic.counters.messages;
    if (m_settings.messageGap == 0)
    {
        Append(message);
        return;
    }
    FindQueue(message); // queue pairs are numbered in the order of the posts
    nic.postingFreeAt = std::max(nic.postingFreeAt, NowPs()) + m_settings.messageGap;
    nic.postingBytes += message.bytes;
    nic.posting.push_back(&message);
    if (nic.posting.size() == 1)
    {
        m_appointments.push({nic.postingFreeAt, Task::Posting, number});
        Arrange();
    }
}

void
FlowEngine::PostNext(uint32_t number)
{
    Nic& nic = m_nics[number];
    Message& message = *nic.posting.front();
    nic.posting.pop_front();
    nic.postingBytes -= message.bytes;
    if (!nic.posting.empty())
    {
        m_appointments.push({NowPs() + m_settings.messageGap, Task::Posting, number});
    }
    if (!message.isAbandoned)
    {
        Append(message);
    }
}

void
FlowEngine::Append(Message& message)
{
    const uint32_t number = FindQueue(message);
    FlowQueue& queue = m_queues[number];
    if (!queue.HasWork())
    {
        ++queue.backlogs;
        if (queue.acknowledged == queue.entries.size() && queue.delivered == queue.entries.size())
        {
            queue.entries.clear();
            queue.drained = queue.delivered = queue.acknowledged = queue.runEnd = 0;
        }
        SetBusy(number, true);
    }
    queue.firstStart = std::min(queue.firstStart, message.start);
    queue.posted += queue.route.isInside ? message.bytes : m_settings.GetWireBytes(message.bytes);
    queue.unsentPayload += message.bytes;
    queue.entries.push_back({&message, queue.posted});
    if (queue.flowClass == FlowQueue::kNone)
    {
        Arm(number);
    }
    else if (queue.drained < queue.runEnd && queue.runEnd + 1 == queue.entries.size() &&
             FitsRun(queue, queue.runEnd))
    {
        ++queue.runEnd;
        BringUp(queue.flowClass);
        ChooseStop(queue.flowClass);
        Arrange();
    }
}

void
FlowEngine::Arm(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    if (!queue.isArmed)
    {
        queue.isArmed = true;
        m_armed.push_back(number);
        AskToSettle(NowPs());
    }
}

void
FlowEngine::SetBusy(uint32_t number, bool busy)
{
    FlowQueue& queue = m_queues[number];
    if (queue.route.isInside || busy == (queue.placeAtNic != FlowQueue::kNone))
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

uint64_t
FlowEngine::GetUnsentBytes(uint32_t domain, uint32_t rail) const
{
    const Nic& nic = m_nics[m_shape.GetNic(domain, rail)];
    uint64_t bytes = nic.postingBytes;
    for (const uint32_t number : nic.busy)
    {
        const FlowQueue& queue = m_queues[number];
        bytes += queue.unsentPayload;
        if (queue.flowClass == FlowQueue::kNone)
        {
            continue;
        }
        const double served = m_clocks.GetServedAt(queue.flowClass, NowPs()) - queue.offset;
        std::size_t head = queue.drained;
        while (head < queue.runEnd && static_cast<double>(queue.entries[head].end) <= served)
        {
            bytes -= queue.entries[head++].message->bytes;
        }
        if (head < queue.runEnd)
        {
            const Message& message = *queue.entries[head].message;
            const auto wire = static_cast<double>(m_settings.GetWireBytes(message.bytes));
            const double left = static_cast<double>(queue.entries[head].end) - served;
            const double begun = std::max(0.0, wire - left) / wire;
            bytes -= static_cast<uint64_t>(begun * static_cast<double>(message.bytes));
        }
    }
    return bytes;
}

// Runs.

/// \return between which GPUs a message of a queue goes, when that matters for what holds it back
FlowEngine::GpuPair
FlowEngine::FindGpus(const FlowRoute& route, const Message& message) const
{
    const FlowInterior& interior = m_network.GetInterior();
    const uint32_t from = m_shape.GetLocal(message.source);
    const uint32_t to = m_shape.GetLocal(message.destination);
    if (!route.isInside && (m_network.HoldsBack(m_shape.GetNicDomain(route.from),
                                                from,
                                                interior.GetNicEnd(m_shape.GetRail(route.from))) ||
                            m_network.HoldsBack(m_shape.GetNicDomain(route.to),
                                                interior.GetNicEnd(m_shape.GetRail(route.to)),
                                                to)))
    {
        return {from, to};
    }
    return {FlowRoute::kAnyGpu, FlowRoute::kAnyGpu};
}

/// \return true when a message flows as those of the run before it do
bool
FlowEngine::FitsRun(const FlowQueue& queue, std::size_t entry) const
{
    const Message& message = *queue.entries[entry].message;
    return message.isAwaited == queue.entries[entry - 1].message->isAwaited &&
           FindGpus(queue.route, message) == GpuPair{queue.route.fromGpu, queue.route.toGpu};
}

void
FlowEngine::BeginRun(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    queue.isArmed = false;
    if (!queue.HasWork() || queue.flowClass != FlowQueue::kNone)
    {
        return;
    }
    std::tie(queue.route.fromGpu, queue.route.toGpu) =
        FindGpus(queue.route, *queue.entries[queue.drained].message);
    queue.runEnd = queue.drained;
    uint64_t payload = 0;
    uint64_t frames = 0;
    uint64_t wire = 0;
    do
    {
        const uint64_t bytes = queue.entries[queue.runEnd].message->bytes;
        payload += bytes;
        frames += m_settings.GetFrames(bytes);
        wire += m_settings.GetWireBytes(bytes);
        ++queue.runEnd;
    } while (queue.runEnd < queue.entries.size() && FitsRun(queue, queue.runEnd));
    if (!queue.route.isInside)
    {
        queue.route.payloadShare = static_cast<double>(payload) / static_cast<double>(wire);
        queue.route.ackShare =
            static_cast<double>(m_settings.GetAckWireBytes(frames)) / static_cast<double>(wire);
    }
    const uint32_t flowClass = m_network.Join(queue.route);
    if (flowClass == FlowNetwork::kNoWay)
    {
        m_stranded.push_back(number);
        return;
    }
    if (flowClass >= m_firstOfClass.size())
    {
        m_firstOfClass.resize(flowClass + 1, FlowQueue::kNone);
    }
    if (m_firstOfClass[flowClass] == FlowQueue::kNone)
    {
        m_clocks.Open(flowClass, NowPs());
    }
    else
    {
        BringUp(flowClass);
        m_queues[m_firstOfClass[flowClass]].previousInClass = number;
    }
    queue.nextInClass = m_firstOfClass[flowClass];
    queue.previousInClass = FlowQueue::kNone;
    m_firstOfClass[flowClass] = number;
    queue.flowClass = flowClass;
    queue.offset = m_clocks.GetServed(flowClass) - queue.joinedAt;
    queue.headSince = queue.isHeadBegun ? queue.headSince : NowPs();
    queue.acks = 0;
    m_busySince = m_running == 0 ? NowPs() : m_busySince;
    ++m_running;
    m_parted.push_back(flowClass);
}

/// Takes a queue out of its class, which is brought up to now.
void
FlowEngine::EndRun(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    const uint32_t flowClass = queue.flowClass;
    const double served = queue.drained == queue.runEnd
                              ? static_cast<double>(queue.GetRunEnd())
                              : std::min(m_clocks.GetServed(flowClass) - queue.offset,
                                         static_cast<double>(queue.GetRunEnd()));
    m_network.Leave(flowClass, queue.route, served - queue.joinedAt, queue.acks, NowPs());
    queue.isHeadBegun = queue.drained < queue.runEnd;
    queue.joinedAt = served;
    if (queue.previousInClass == FlowQueue::kNone)
    {
        m_firstOfClass[flowClass] = queue.nextInClass;
    }
    else
    {
        m_queues[queue.previousInClass].nextInClass = queue.nextInClass;
    }
    if (queue.nextInClass != FlowQueue::kNone)
    {
        m_queues[queue.nextInClass].previousInClass = queue.previousInClass;
    }
    if (m_firstOfClass[flowClass] == FlowQueue::kNone)
    {
        m_clocks.SetStop(flowClass, FlowClocks::kNowhere);
    }
    queue.flowClass = FlowQueue::kNone;
    --m_running;
    m_parted.push_back(flowClass);
}

/// \return what its class has served when a queue comes to what is to be done next
double
FlowEngine::GetStop(const FlowQueue& queue) const
{
    uint64_t at = queue.GetRunEnd();
    if (queue.drained == queue.runEnd)
    {
        return queue.offset + static_cast<double>(at); // it is there already
    }
    const FlowQueue::Entry& head = queue.entries[queue.drained];
    if (head.message->isAwaited)
    {
        at = head.end;
        if (!queue.route.isInside && !queue.isHeadSent)
        {
            at -= m_settings.GetLastFrameWireBytes(head.message->bytes);
        }
    }
    return queue.offset + static_cast<double>(at);
}

void
FlowEngine::ChooseStop(uint32_t flowClass)
{
    double stop = FlowClocks::kNowhere;
    for (uint32_t number = m_firstOfClass[flowClass]; number != FlowQueue::kNone;
         number = m_queues[number].nextInClass)
    {
        stop = std::min(stop, GetStop(m_queues[number]));
    }
    m_clocks.SetStop(flowClass, stop);
}

/// Brings a class up to now, and notes the ends of messages on the way.
void
FlowEngine::BringUp(uint32_t flowClass)
{
    if (m_firstOfClass[flowClass] == FlowQueue::kNone)
    {
        return;
    }
    const double served = m_clocks.GetServedAt(flowClass, NowPs());
    for (uint32_t number = m_firstOfClass[flowClass]; number != FlowQueue::kNone;
         number = m_queues[number].nextInClass)
    {
        FlowQueue& queue = m_queues[number];
        while (queue.drained < queue.runEnd &&
               queue.offset + static_cast<double>(queue.entries[queue.drained].end) <= served)
        {
            const double end = queue.offset + static_cast<double>(queue.entries[queue.drained].end);
            Drain(queue, std::min(m_clocks.FindTime(flowClass, end), NowPs()));
        }
    }
    m_clocks.Advance(flowClass, NowPs());
}

void
FlowEngine::BringUpAll()
{
    for (uint32_t flowClass = 0; flowClass < m_firstOfClass.size(); ++flowClass)
    {
        BringUp(flowClass);
    }
}

/// The last byte of the message at the head of a queue has been served.
void
FlowEngine::Drain(FlowQueue& queue, TimePs at)
{
    Message& message = *queue.entries[queue.drained].message;
    SetTimes(queue, message, at);
    ++queue.drained;
    queue.isHeadSent = false;
    queue.headSince = at;
    queue.unsentPayload -= message.bytes;
    queue.bytes += message.bytes;
    queue.lastAcknowledgement = std::max(queue.lastAcknowledgement, message.acknowledged);
    queue.lastEnd = std::max(queue.lastEnd, message.end);
    if (!queue.route.isInside)
    {
        queue.acks +=
            static_cast<double>(m_settings.GetAckWireBytes(m_settings.GetFrames(message.bytes)));
        m_nics[queue.route.from].counters.txBytes += message.bytes;
        m_nics[queue.route.to].counters.rxBytes += message.bytes;
    }
}

/**
 * A lone message takes its time on the slowest link of its way, and besides that a latency: the
 * links before need the time of the first unit (segment or frame), those behind that of the
 * largest, for a short last unit waits behind a whole one. The slowest link is that of a lone
 * message, whatever its flow has shared.
 */
FlowEngine::Pipeline
FlowEngine::MakePipeline(const FlowQueue& queue, const Message& message) const
{
    const FlowInterior& interior = m_network.GetInterior();
    const FlowNetwork::Times& times = m_network.GetTimes(queue.flowClass);
    const FlowInterior::Crossing& out =
        interior.GetCrossing(m_shape.GetLocal(message.source),
                             interior.GetNicEnd(m_shape.GetRail(queue.route.from)));
    const FlowInterior::Crossing& in =
        interior.GetCrossing(interior.GetNicEnd(m_shape.GetRail(queue.route.to)),
                             m_shape.GetLocal(message.destination));
    const auto getRest = [&](uint64_t unit) { return (message.bytes - 1) % unit + 1; };
    const auto getSending = [&](uint64_t bytes) {
        return times.slowest * static_cast<double>(m_settings.GetWireBytes(bytes));
    };
    const uint64_t segment = std::min(interior.GetSegmentBytes(), message.bytes);
    // What has come in over a cable is handed on in whole frames.
    const uint64_t handed = m_settings.GetFrames(segment) * m_settings.mtu;
    const uint64_t first = std::min(handed, message.bytes);
    const uint64_t frame = m_settings.GetWireBytes(std::min(m_settings.mtu, message.bytes));
    Pipeline pipeline;
    pipeline.before = static_cast<double>(out.latency) + out.storing * static_cast<double>(segment);
    pipeline.sending = pipeline.before;
    pipeline.behind = times.storing * static_cast<double>(frame);
    const bool isHeldBackBefore = out.slowest > std::max(times.slowest, in.slowest);
    if (isHeldBackBefore)
    {
        const uint64_t rest = getRest(segment);
        const double waiting = segment == message.bytes
                                   ? 0
                                   : getSending(segment) - out.slowest * static_cast<double>(rest);
        pipeline.before -= out.slowest * static_cast<double>(segment);
        pipeline.behind += getSending(rest) + std::max(0.0, waiting);
    }
    if (!isHeldBackBefore && in.slowest > times.slowest)
    {
        pipeline.behind += getSending(first);
        pipeline.last = (in.storing - in.slowest) * static_cast<double>(first);
    }
    else
    {
        const uint64_t rest = getRest(handed);
        const double alone = in.storing * static_cast<double>(rest);
        const double behindAWhole = in.storing * static_cast<double>(handed) +
                                    in.slowest * static_cast<double>(rest) - getSending(rest);
        pipeline.last = first == message.bytes ? alone : std::max(alone, behindAWhole);
    }
    pipeline.last += static_cast<double>(in.latency);
    return pipeline;
}

void
FlowEngine::SetTimes(FlowQueue& queue, Message& message, TimePs drained) const
{
    if (queue.route.isInside)
    {
        const FlowInterior& interior = m_network.GetInterior();
        const FlowInterior::Crossing& crossing =
            interior.GetCrossing(m_shape.GetLocal(message.source),
                                 m_shape.GetLocal(message.destination));
        const uint64_t segment = std::min(interior.GetSegmentBytes(), message.bytes);
        message.end = drained + crossing.latency +
                      static_cast<TimePs>((crossing.storing - crossing.slowest) *
                                          static_cast<double>(segment));
        message.acknowledged = message.end;
        return;
    }
    const FlowNetwork::Times& times = m_network.GetTimes(queue.flowClass);
    const Pipeline pipeline = MakePipeline(queue, message);
    // Frames of a queue pair do not overtake each other.
    const auto lastFrame = static_cast<double>(m_settings.GetLastFrameWireBytes(message.bytes));
    const TimePs arrival =
        std::max(drained + times.delay + static_cast<TimePs>(pipeline.before + pipeline.behind),
                 queue.lastArrival + static_cast<TimePs>(times.slowest * lastFrame));
    queue.lastArrival = arrival;
    message.sent = queue.headSince + static_cast<TimePs>(pipeline.sending);
    message.end = arrival + static_cast<TimePs>(pipeline.last);
    message.acknowledged = arrival + times.reply;
}

// What happens when.

void
FlowEngine::AskToSettle(TimePs at)
{
    m_settleAt = std::min(m_settleAt, at);
    Arrange();
}

/// Sees to it that Work() is called when something is to be done.
void
FlowEngine::Arrange()
{
    if (m_isWorking)
    {
        return;
    }
    TimePs next = std::min(m_clocks.GetNextDue(), m_settleAt);
    if (!m_appointments.empty())
    {
        next = std::min(next, m_appointments.top().at);
    }
    if (next == m_eventAt)
    {
        return;
    }
    m_event.Cancel();
    m_eventAt = next;
    if (next != kNever)
    {
        m_event = Simulator::Schedule(TimeStep(next - NowPs()), &FlowEngine::Work, this);
    }
}

void
FlowEngine::Work()
{
    m_isWorking = true;
    m_eventAt = kNever;
    const TimePs now = NowPs();
    for (;;)
    {
        if (m_clocks.GetNextDue() <= now)
        {
            ServeStop();
        }
        else if (!m_appointments.empty() && m_appointments.top().at <= now)
        {
            ServeAppointment();
        }
        else if (m_settleAt <= now)
        {
            Settle();
        }
        else
        {
            break;
        }
    }
    m_isWorking = false;
    Arrange();
}

bool
FlowEngine::Appointment::operator>(const Appointment& other) const
{
    return std::tie(at, task, index) > std::tie(other.at, other.task, other.index);
}

void
FlowEngine::ServeStop()
{
    const uint32_t flowClass = m_clocks.GetNextClass();
    BringUp(flowClass);
    const double served = m_clocks.GetServed(flowClass);
    for (uint32_t number = m_firstOfClass[flowClass]; number != FlowQueue::kNone;)
    {
        FlowQueue& queue = m_queues[number];
        const uint32_t next = queue.nextInClass;
        if (queue.drained == queue.runEnd)
        {
            MakeAppointments(number);
            EndRun(number);
            AskToSettle(std::max(NowPs(), m_lookedUntil));
            queue.HasWork() ? Arm(number) : SetBusy(number, false);
        }
        else if (queue.entries[queue.drained].message->isAwaited)
        {
            MakeAppointments(number); // for the message before it, if there is one
            if (!queue.route.isInside && !queue.isHeadSent && GetStop(queue) <= served)
            {
                queue.isHeadSent = true;
                m_appointments.push({NowPs(), Task::Sent, number});
            }
        }
        number = next;
    }
    if (m_firstOfClass[flowClass] != FlowQueue::kNone)
    {
        ChooseStop(flowClass);
    }
}

/// For what has been drained of a queue and not been told.
void
FlowEngine::MakeAppointments(uint32_t number)
{
    const FlowQueue& queue = m_queues[number];
    if (queue.delivered < queue.drained)
    {
        m_appointments.push({queue.lastEnd, Task::Delivered, number});
    }
    if (queue.acknowledged < queue.drained)
    {
        m_appointments.push({queue.lastAcknowledgement, Task::Acknowledged, number});
    }
}

void
FlowEngine::ServeAppointment()
{
    const Appointment appointment = m_appointments.top();
    m_appointments.pop();
    switch (appointment.task)
    {
    case Task::Sent:
        TellSent(appointment.index);
        break;
    case Task::Delivered:
        TellDelivered(appointment.index);
        break;
    case Task::Acknowledged:
        TellAcknowledged(appointment.index);
        break;
    case Task::Posting:
        PostNext(appointment.index);
        break;
    case Task::Alarm:
        if (m_clients[appointment.index])
        {
            m_clients[appointment.index]->OnAlarm(appointment.index);
        }
        break;
    }
}

void
FlowEngine::TellSent(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    if (!queue.HasWork())
    {
        return;
    }
    Message& message = *queue.entries[queue.drained].message;
    if (MessageClient* client = GetClient(message.source))
    {
        client->OnSent(message);
    }
}

void
FlowEngine::TellDelivered(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    while (queue.delivered < queue.drained &&
           queue.entries[queue.delivered].message->end <= NowPs())
    {
        Message& message = *queue.entries[queue.delivered++].message;
        m_lastArrival = std::max(m_lastArrival, message.end);
        m_deliveredBytes += message.bytes;
        if (!queue.route.isInside && !message.isAwaited && GetClient(message.source))
        {
            GetClient(message.source)->OnSent(message);
        }
        if (MessageClient* client = GetClient(message.destination))
        {
            client->OnDelivered(message);
        }
    }
}

void
FlowEngine::TellAcknowledged(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    while (queue.acknowledged < queue.drained &&
           queue.entries[queue.acknowledged].message->acknowledged <= NowPs())
    {
        Message& message = *queue.entries[queue.acknowledged++].message;
        if (MessageClient* client = GetClient(message.source))
        {
            client->OnAcknowledged(message);
        }
    }
}

/// Begins the runs that wait to begin, and gives every flow its rate.
void
FlowEngine::Settle()
{
    m_settleAt = kNever;
    BeginRuns();
    LookAhead();
    for (const uint32_t flowClass : m_network.Solve())
    {
        if (flowClass < m_firstOfClass.size() && m_firstOfClass[flowClass] != FlowQueue::kNone)
        {
            BringUp(flowClass);
            m_clocks.SetRate(flowClass, m_network.GetRate(flowClass));
        }
    }
    for (const uint32_t flowClass : m_parted)
    {
        if (m_firstOfClass[flowClass] != FlowQueue::kNone)
        {
            BringUp(flowClass);
            m_clocks.SetRate(flowClass, m_network.GetRate(flowClass));
            ChooseStop(flowClass);
        }
    }
    m_parted.clear();
}

/**
 * With a tolerance rates stay as they are for a while, whoever ends meanwhile. Flows that are to
 * end in that time are counted as they are on average: what they leave is given to others at once,
 * so that nobody has less, or more, by the end of it.
 */
void
FlowEngine::LookAhead()
{
    for (const uint32_t flowClass : m_ending)
    {
        if (m_firstOfClass[flowClass] != FlowQueue::kNone)
        {
            m_network.SetPresence(flowClass, 1);
        }
    }
    m_ending.clear();
    const TimePs now = NowPs();
    const double ahead = m_settings.tolerance * static_cast<double>(now - m_busySince);
    m_lookedUntil = now + static_cast<TimePs>(ahead);
    if (m_lookedUntil == now)
    {
        return;
    }
    std::vector<uint32_t> due;
    m_clocks.FindDue(m_lookedUntil, due);
    std::sort(due.begin(), due.end());
    for (const uint32_t flowClass : due)
    {
        if (EndsAtStop(flowClass))
        {
            const double part = static_cast<double>(m_clocks.GetDue(flowClass) - now) / ahead;
            m_network.SetPresence(flowClass, std::max(part, kLeastPresence));
            m_ending.push_back(flowClass);
        }
    }
}

/// \return true when a class is over when it comes to its stop
bool
FlowEngine::EndsAtStop(uint32_t flowClass) const
{
    const FlowQueue& first = m_queues[m_firstOfClass[flowClass]];
    return m_network.GetFlows(flowClass) == 1 && first.runEnd == first.entries.size() &&
           !first.entries[first.runEnd - 1].message->isAwaited;
}

/// Flows inside servers begin first: what crosses a server's links is then told apart by GPUs.
void
FlowEngine::BeginRuns()
{
    const std::vector<uint32_t> armed = std::exchange(m_armed, {});
    std::vector<bool> begins(m_shape.domains, false);
    bool isNews = false;
    for (const uint32_t number : armed)
    {
        const FlowRoute& route = m_queues[number].route;
        if (route.isInside)
        {
            const uint32_t server = m_shape.GetDomain(route.from);
            begins[server] = begins[server] || !m_network.HasInside(server);
            isNews = isNews || begins[server];
            BeginRun(number);
        }
    }
    if (isNews)
    {
        RestartServers(begins);
    }
    for (const uint32_t number : armed)
    {
        if (!m_queues[number].route.isInside)
        {
            BeginRun(number);
        }
    }
}

/// Flows between servers that were not told apart by GPUs, at one of some servers, begin anew.
void
FlowEngine::RestartServers(const std::vector<bool>& servers)
{
    std::vector<uint32_t> restarted;
    for (uint32_t flowClass = 0; flowClass < m_firstOfClass.size(); ++flowClass)
    {
        const uint32_t first = m_firstOfClass[flowClass];
        if (first == FlowQueue::kNone)
        {
            continue;
        }
        const FlowRoute& route = m_queues[first].route;
        if (!route.isInside && route.fromGpu == FlowRoute::kAnyGpu &&
            (servers[m_shape.GetNicDomain(route.from)] || servers[m_shape.GetNicDomain(route.to)]))
        {
            EndClass(flowClass, restarted);
        }
    }
    for (const uint32_t number : restarted)
    {
        BeginRun(number);
    }
}

/// All queues of a class leave it. \param left gets those that have more to send
void
FlowEngine::EndClass(uint32_t flowClass, std::vector<uint32_t>& left)
{
    BringUp(flowClass);
    while (m_firstOfClass[flowClass] != FlowQueue::kNone)
    {
        const uint32_t number = m_firstOfClass[flowClass];
        MakeAppointments(number); // a message may have come to its end in this very instant
        EndRun(number);
        m_queues[number].HasWork() ? left.push_back(number) : SetBusy(number, false);
    }
}

// Failures.

void
FlowEngine::BeforeChange()
{
    BringUpAll();
}

void
FlowEngine::OnCableUp(uint32_t cable, const CutRules&)
{
    m_network.OnCable(cable);
    AskToSettle(NowPs());
}

void
FlowEngine::OnCableRate(uint32_t cable)
{
    m_network.OnCable(cable);
    AskToSettle(NowPs());
}

/// All flows find their ways anew.
void
FlowEngine::OnConverged()
{
    std::vector<uint32_t> running = std::exchange(m_stranded, {});
    for (uint32_t flowClass = 0; flowClass < m_firstOfClass.size(); ++flowClass)
    {
        EndClass(flowClass, running);
    }
    m_network.Refresh();
    m_parted.clear();
    std::sort(running.begin(), running.end());
    for (const uint32_t number : running)
    {
        Arm(number);
    }
    AskToSettle(NowPs());
}

void
FlowEngine::Abandon(Message& message)
{
    const auto known = m_queueOf.find(MakeKey(message));
    if (known != m_queueOf.end() && m_queues[known->second].flowClass != FlowQueue::kNone)
    {
        BringUp(m_queues[known->second].flowClass);
    }
    if (message.end != kNever)
    {
        return; // its last byte is on its way, and arrives
    }
    if (known != m_queueOf.end())
    {
        TearDown(known->second);
        m_queueOf.erase(known);
    }
    message.isAbandoned = true;
}

/// Whatever has not been drained of a queue is given up. Its successor is another queue pair.
void
FlowEngine::TearDown(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    if (queue.flowClass != FlowQueue::kNone)
    {
        BringUp(queue.flowClass);
        EndRun(number);
        AskToSettle(NowPs());
    }
    MakeAppointments(number);
    SetBusy(number, false);
    queue.unsentPayload = 0;
    queue.entries.resize(queue.drained);
    m_stranded.erase(std::remove(m_stranded.begin(), m_stranded.end(), number), m_stranded.end());
}

// What is told of a run.

TimePs
FlowEngine::GetLastArrival() const
{
    for (uint32_t flowClass = 0; flowClass < m_firstOfClass.size(); ++flowClass)
    {
        if (m_firstOfClass[flowClass] != FlowQueue::kNone && m_clocks.GetRate(flowClass) > 0)
        {
            return NowPs();
        }
    }
    return m_lastArrival;
}

const FlowEngine::NicCounters&
FlowEngine::GetNicCounters(uint32_t nic) const
{
    return m_nics[nic].counters;
}

const std::deque<FlowQueue>&
FlowEngine::GetQueues() const
{
    return m_queues;
}

std::vector<FlowNetwork::Carried>
FlowEngine::GetCarried() const
{
    std::vector<FlowNetwork::Carried> carried = m_network.GetCarried();
    for (std::size_t number = 0; m_running > 0 && number < m_queues.size(); ++number)
    {
        const FlowQueue& queue = m_queues[number];
        if (queue.flowClass != FlowQueue::kNone)
        {
            const double served = m_clocks.GetServedAt(queue.flowClass, NowPs()) - queue.offset;
            const auto end = static_cast<double>(queue.GetRunEnd());
            m_network.AddUnderWay(carried,
                                  queue.route,
                                  std::min(served, end) - queue.joinedAt,
                                  queue.acks,
                                  NowPs());
        }
    }
    return carried;
}

uint64_t
FlowEngine::GetDeliveredBytes() const
{
    return m_deliveredBytes;
}

const Wiring&
FlowEngine::GetWiring() const
{
    return *m_wiring;
}

const MaxMinSolver&
FlowEngine::GetSolver() const
{
    return m_network.GetSolver();
}

} // namespace ns3::rails
