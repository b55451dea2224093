// SPDX-License-Identifier: GPL-2.0-only
#include "flow-engine.h"

#include "ns3/lazy-traces.h"
#include "ns3/log.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsFlowEngine");

NS_OBJECT_ENSURE_REGISTERED(FlowEngine);

namespace
{

/// Most rounds in which rates and the supplies of queues in tandem are made to agree.
constexpr uint32_t kFeedRounds = 10;

} // namespace

TypeId
FlowEngine::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::FlowEngine")
            .SetParent<Engine>()
            .SetGroupName("Rails")
            .AddTraceSource("MessageBegin",
                            "A message is posted.",
                            MakeLazyTraceAccessor(&FlowEngine::m_traces, &FlowTraces::messageBegin),
                            "ns3::rails::FlowEngine::MessageCallback")
            .AddTraceSource("MessageEnd",
                            "The last byte of a message is in its GPU's memory. A message that "
                            "nothing waits for may be reported later than others, with the right "
                            "time.",
                            MakeLazyTraceAccessor(&FlowEngine::m_traces, &FlowTraces::messageEnd),
                            "ns3::rails::FlowEngine::MessageCallback")
            .AddTraceSource("Rate",
                            "Rate of a queue before and after a change; 0 while it is idle.",
                            MakeLazyTraceAccessor(&FlowEngine::m_traces, &FlowTraces::rate),
                            "ns3::rails::FlowEngine::RateCallback");
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
      m_rules(m_shape, settings.frames, m_network),
      m_calendar(m_clocks, [this] { Work(); }),
      m_clients(m_shape, m_traces),
      m_queues(m_shape, m_settings, m_network.GetInterior()),
      m_nics(m_shape, m_settings, m_queues),
      m_completionTimes(m_shape, m_settings, m_network, m_queues, m_calendar),
      m_tandemRates(m_queues.GetAll(), m_clocks, m_network),
      m_pipeline(*m_wiring,
                 m_settings.frames,
                 m_network.GetInterior(),
                 m_queues,
                 m_tandemRates,
                 m_calendar),
      m_errorBound(FlowNetwork::kRatesOff * m_settings.tolerance),
      m_classes(m_shape,
                m_queues,
                m_network,
                m_clocks,
                m_rules,
                m_tandemRates,
                m_pipeline,
                m_completionTimes,
                m_nics,
                m_errorBound),
      m_stranded(*m_wiring,
                 m_queues,
                 m_network,
                 m_classes,
                 m_tandemRates,
                 m_pipeline,
                 m_completionTimes,
                 m_nics,
                 m_calendar),
      m_window(m_settings.tolerance,
               m_queues,
               m_classes,
               m_clocks,
               m_errorBound,
               m_network,
               m_completionTimes)
{
    m_wiring->AddListener(*this);
    m_router->AddListener(*this);
}

FlowEngine::~FlowEngine()
{
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
    m_clients.Set(server, client);
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
    m_classes.BringUpAll();
}

void
FlowEngine::CatchUpThroughNow()
{
    m_classes.BringUpAll();
}

void
FlowEngine::Finish()
{
    m_classes.BringUpAll();
}

// ACKs cannot be lost here, so no sender waits for one in vain.
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
    m_calendar.Add(at, FlowCalendar::Task::Alarm, server);
    m_calendar.Arrange();
}

// Posting.

void
FlowEngine::Post(Message& message)
{
    message.start = NowPs();
    if (m_traces)
    {
        m_traces->messageBegin(Simulator::Now(), message);
    }
    m_completionTimes.Expect(message, NowPs());
    if (message.txRail == kNoRail)
    {
        Append(message);
        return;
    }
    const TimePs turn = m_nics.Post(message, NowPs());
    if (turn == NowPs())
    {
        Append(message);
    }
    else if (turn != kNever)
    {
        m_calendar.Add(turn, FlowCalendar::Task::Posting, m_nics.GetNic(message));
        m_calendar.Arrange();
    }
}

void
FlowEngine::PostNext(uint32_t nic)
{
    const auto [message, next] = m_nics.TakeTurn(nic, NowPs());
    if (next != kNever)
    {
        m_calendar.Add(next, FlowCalendar::Task::Posting, nic);
    }
    if (!message->isAbandoned)
    {
        Append(*message);
    }
}

void
FlowEngine::Append(Message& message)
{
    m_calendar.NoteNews();
    const uint32_t number = m_queues.Find(message);
    FlowQueue& queue = m_queues[number];
    if (!queue.HasWork())
    {
        ++queue.backlogs;
        m_nics.SetBusy(number, true);
    }
    queue.firstStart = std::min(queue.firstStart, message.start);
    if (queue.route.IsPair())
    {
        m_queues.Add(number, message, m_settings.frames.GetMessageWire(message.bytes));
        const HostPipeline::Ahead ahead = m_pipeline.Add(number, message);
        for (const uint32_t stage : {ahead.reader, ahead.sender})
        {
            stage == FlowQueue::kNone ? void() : Serve(stage);
        }
    }
    else
    {
        m_queues.Add(number, message, message.bytes);
    }
    Serve(number);
}

/// Makes a queue serve a message that was added to it: in the present run or a later one.
void
FlowEngine::Serve(uint32_t number)
{
    FlowQueue& queue = m_queues[number];
    if (queue.flowClass == FlowQueue::kNone)
    {
        m_calendar.Arm(number, queue);
    }
    else if (m_rules.MayExtend(queue))
    {
        m_classes.BringUp(queue.flowClass);
        if (!m_rules.Extend(queue))
        {
            m_classes.End(number);
            m_calendar.Arm(number, queue);
            return;
        }
        m_classes.ChooseStop(queue.flowClass);
        m_calendar.Arrange();
    }
}

uint64_t
FlowEngine::GetUnsentBytes(uint32_t server, uint32_t rail) const
{
    const uint32_t nic = m_shape.GetNic(server, rail);
    uint64_t bytes = m_nics.GetWaitingBytes(nic);
    for (const uint32_t number : m_nics.GetBusy(nic))
    {
        bytes += m_queues[number].unsentPayload - m_classes.CountServed(m_queues[number]);
    }
    return bytes;
}

uint64_t
FlowEngine::GetSentBytes(uint32_t nic) const
{
    uint64_t bytes = m_nics.GetCounters(nic).txBytes;
    for (const uint32_t number : m_nics.GetBusy(nic))
    {
        bytes += m_classes.CountServed(m_queues[number]);
    }
    return bytes;
}

// Events.

/// Does all that is due.
void
FlowEngine::Work()
{
    using Duty = FlowCalendar::Duty;
    const TimePs now = NowPs();
    for (;;)
    {
        switch (m_calendar.GetDuty(now))
        {
        case Duty::Stop:
            ServeStop();
            break;
        case Duty::Appointment:
            ServeAppointment();
            break;
        case Duty::Settling:
            Settle();
            break;
        case Duty::Endless:
            m_calendar.GiveUpSettling();
            if (m_onStuck)
            {
                m_onStuck();
            }
            return;
        case Duty::None:
            return;
        }
    }
}

void
FlowEngine::ServeStop()
{
    const uint32_t flowClass = m_clocks.GetNextClass();
    m_classes.BringUp(flowClass);
    const double served = m_clocks.GetServed(flowClass);
    for (uint32_t number = m_classes.GetFirst(flowClass); number != FlowQueue::kNone;)
    {
        FlowQueue& queue = m_queues[number];
        const uint32_t next = queue.nextInClass;
        if (queue.drained == queue.runEnd)
        {
            m_classes.End(number);
            m_calendar.AskToSettle(m_window.PutOff(NowPs()));
            queue.HasWork() ? m_calendar.Arm(number, queue) : void();
            number = next;
            continue;
        }
        if (queue.offset + m_tandemRates.GetCatchUp(number) <= served)
        {
            m_tandemRates.Forget(number);
            m_tandemRates.MarkForCheck(number);
            m_calendar.AskToSettle(NowPs());
        }
        if (queue.entries[queue.drained].message->isAwaited && !queue.route.IsStage())
        {
            if (queue.offset + m_rules.GetSentAt(queue) <= served)
            {
                queue.isHeadSent = true;
                m_calendar.Add(NowPs(), FlowCalendar::Task::Sent, number, queue.turn);
            }
        }
        number = next;
    }
    if (!m_classes.IsEmpty(flowClass))
    {
        m_classes.ChooseStop(flowClass);
    }
}

void
FlowEngine::ServeAppointment()
{
    using Task = FlowCalendar::Task;
    const FlowCalendar::Appointment appointment = m_calendar.TakeAppointment();
    switch (appointment.task)
    {
    case Task::Sent:
        m_clients.TellSent(m_queues[appointment.index]);
        break;
    case Task::Delivered:
        m_clients.TellDelivered(m_queues[appointment.index], NowPs());
        break;
    case Task::Acknowledged:
        m_clients.TellAcknowledged(m_queues[appointment.index], NowPs());
        break;
    case Task::Posting:
        PostNext(appointment.index);
        break;
    case Task::Alarm:
        m_clients.TellAlarm(appointment.index);
        break;
    }
}

/// Begins the armed runs, and finds the rate of every flow.
void
FlowEngine::Settle()
{
    m_calendar.TakeSettling(NowPs());
    BeginRuns();
    m_window.Examine(NowPs());
    m_errorBound.BeginSettling(NowPs(), m_window.GetWindow());
    const std::vector<uint32_t> parted = m_classes.TakeParted();
    // While rates stay through a window, so do the loads of the ACKs of the previous rates.
    const bool isWindow = m_window.GetEnd() > NowPs();
    const auto loads = isWindow ? MaxMinSolver::Loads::Before : MaxMinSolver::Loads::Final;
    double moves = 1;
    for (uint32_t round = 0; moves > 0 && round < kFeedRounds; ++round)
    {
        ApplyRates(m_network.Solve(loads));
        if (round == 0)
        {
            BringUp(parted);
        }
        moves = m_tandemRates.Examine(NowPs());
    }
    if (isWindow && m_network.IsBehind())
    {
        m_calendar.AskToSettle(m_window.GetEnd());
    }
    if (moves > 0)
    {
        ++m_unsettled.often;
        m_unsettled.most = std::max(m_unsettled.most, moves);
    }
    for (const uint32_t flowClass : parted)
    {
        if (!m_classes.IsEmpty(flowClass))
        {
            m_classes.ChooseStop(flowClass);
        }
    }
    for (const uint32_t number : m_tandemRates.TakeLooked())
    {
        FlowQueue& queue = m_queues[number];
        if (queue.flowClass == FlowQueue::kNone)
        {
            continue;
        }
        m_classes.ChooseStop(queue.flowClass);
        if (queue.route.isFed && m_tandemRates.GetServed(queue, NowPs()) <= queue.GetHeadBegin())
        {
            queue.headSince = NowPs(); // it waited for its bytes until now
        }
    }
    ReportRates();
}

/// Sets the new rates of paces, and moves classes with another bottleneck to its pace.
void
FlowEngine::ApplyRates(const MaxMinSolver::Changes& changes)
{
    for (const uint32_t resource : changes.fairShares)
    {
        const double level = m_network.GetFairShare(resource);
        m_clocks.SetRate(resource, level, NowPs());
        m_errorBound.SetRate(resource, level);
    }
    for (const uint32_t flowClass : changes.moved)
    {
        if (!m_classes.IsEmpty(flowClass))
        {
            m_classes.BringUp(flowClass);
            const uint32_t pace = m_network.GetBottleneck(flowClass);
            m_clocks.SetPace(flowClass, pace);
            m_errorBound.SetPace(flowClass, pace);
        }
    }
    BringUp(changes.watched);
}

/// Brings classes up to now, and has the neighbors of queues in tandem checked.
/// Tells sinks of the rates that have changed.
void
FlowEngine::ReportRates()
{
    if (!m_traces)
    {
        return;
    }
    const std::deque<FlowQueue>& queues = m_queues.GetAll();
    m_traces->reported.resize(queues.size());
    for (uint32_t number = 0; number < queues.size(); ++number)
    {
        const uint32_t flowClass = queues[number].flowClass;
        const bool isServed = flowClass != FlowQueue::kNone;
        const double after = isServed ? kBitsPerByte * m_clocks.GetRate(flowClass) : 0;
        const double before = std::exchange(m_traces->reported[number], after);
        if (before != after)
        {
            m_traces->rate(Simulator::Now(), number, before, after);
        }
    }
}

void
FlowEngine::BringUp(const std::vector<uint32_t>& classes)
{
    for (const uint32_t flowClass : classes)
    {
        if (m_classes.IsEmpty(flowClass))
        {
            continue;
        }
        m_classes.BringUp(flowClass);
        const uint32_t first = m_classes.GetFirst(flowClass);
        if (m_queues[first].IsInTandem())
        {
            m_pipeline.BeginHead(first);
        }
    }
}

/// Flows inside servers begin first, since queue pairs are told apart by GPUs while there are any.
/// Writers begin last, when it is known which messages the queue pairs serve.
void
FlowEngine::BeginRuns()
{
    using Kind = FlowRoute::Kind;
    std::vector<uint32_t> armed = m_calendar.TakeArmed();
    std::set<uint32_t> begins; // servers that get their first inside flow
    for (const uint32_t number : armed)
    {
        const FlowRoute& route = m_queues[number].route;
        if (route.kind == Kind::Inside)
        {
            const uint32_t server = m_shape.GetServer(route.from);
            if (!m_network.HasInside(server))
            {
                begins.insert(server);
            }
            Begin(number);
        }
    }
    RestartServers(begins);
    for (const Kind kind : {Kind::Reading, Kind::Sending, Kind::Pair})
    {
        for (const uint32_t number : armed)
        {
            if (m_queues[number].route.kind == kind)
            {
                Begin(number);
            }
        }
    }
    const std::vector<uint32_t> more = m_calendar.TakeArmed();
    armed.insert(armed.end(), more.begin(), more.end());
    for (const uint32_t number : armed)
    {
        const FlowQueue& queue = m_queues[number];
        if (queue.route.kind == Kind::Writing && queue.HasWork() &&
            m_tandemRates.IsBegun(queue, NowPs()))
        {
            Begin(number);
        }
        m_queues[number].isArmed = false;
    }
}

/// Begins the next run of a queue, or strands the queue when it has no path.
void
FlowEngine::Begin(uint32_t number)
{
    if (!m_classes.Begin(number))
    {
        m_stranded.Strand(number);
    }
}

/// Restarts the runs of queue pairs at some servers whose GPUs matter now.
void
FlowEngine::RestartServers(const std::set<uint32_t>& servers)
{
    std::set<uint32_t> classes; // a set, as a class may be listed at two servers
    for (const uint32_t server : servers)
    {
        for (const uint32_t flowClass : m_classes.GetPairs(server))
        {
            const FlowQueue& first = m_queues[m_classes.GetFirst(flowClass)];
            if (first.HasWork() && !m_rules.HasRightGpus(first))
            {
                classes.insert(flowClass);
            }
        }
    }
    std::vector<uint32_t> restarted;
    for (const uint32_t flowClass : classes)
    {
        m_classes.EndAll(flowClass, restarted);
    }
    for (const uint32_t number : restarted)
    {
        Begin(number);
    }
}

// Failures.

void
FlowEngine::BeforeChange()
{
    m_classes.BringUpAll();
}

void
FlowEngine::OnCableUp(uint32_t cable, const CutRules&)
{
    m_network.OnCable(cable);
    m_calendar.AskToSettle(NowPs());
}

void
FlowEngine::OnCableRate(uint32_t cable)
{
    m_network.OnCable(cable);
    m_calendar.AskToSettle(NowPs());
}

void
FlowEngine::OnCircuit(uint32_t nic, const CutRules&)
{
    m_stranded.OnCircuit(nic);
}

void
FlowEngine::OnConverged()
{
    m_stranded.OnConverged();
}

void
FlowEngine::Abandon(Message& message)
{
    const uint32_t known = m_queues.FindKnown(message);
    if (known != FlowQueue::kNone && m_queues[known].flowClass != FlowQueue::kNone)
    {
        m_classes.BringUp(m_queues[known].flowClass);
    }
    if (message.acknowledged != kNever)
    {
        return; // its last byte has left the NIC, and arrives
    }
    if (known != FlowQueue::kNone)
    {
        m_stranded.TearDown(known);
        m_queues.Forget(message);
    }
    message.isAbandoned = true;
    m_completionTimes.GiveUp(message);
}

// Results.

TimePs
FlowEngine::GetLastArrival() const
{
    if (m_calendar.IsAnyFlying())
    {
        return NowPs(); // a long propagation delay is no stall
    }
    for (uint32_t flowClass = 0; flowClass < m_classes.GetNumber(); ++flowClass)
    {
        if (!m_classes.IsEmpty(flowClass) && m_clocks.GetRate(flowClass) > 0)
        {
            return NowPs();
        }
    }
    return m_clients.GetLastArrival();
}

void
FlowEngine::SetStuckCallback(std::function<void()> callback)
{
    m_onStuck = std::move(callback);
}

std::optional<CompletionErrorBound::Shift>
FlowEngine::GetLargestErrorBound() const
{
    const bool isBounded = HasTolerance() && !WasAnyAwaited();
    return isBounded ? std::make_optional(m_errorBound.GetLargest()) : std::nullopt;
}

bool
FlowEngine::WasAnyAwaited() const
{
    return m_completionTimes.WasAnyAwaited();
}

const FlowEngine::NicCounters&
FlowEngine::GetNicCounters(uint32_t nic) const
{
    return m_nics.GetCounters(nic);
}

const std::deque<FlowQueue>&
FlowEngine::GetQueues() const
{
    return m_queues.GetAll();
}

std::vector<FlowNetwork::Carried>
FlowEngine::GetCarried() const
{
    std::vector<FlowNetwork::Carried> carried = m_network.GetCarried();
    for (std::size_t number = 0; m_classes.CountRunning() > 0 && number < m_queues.GetAll().size();
         ++number)
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

std::vector<FlowNetwork::WayPart>
FlowEngine::GetWay(const Message& message) const
{
    const uint32_t number = m_queues.FindKnown(message);
    return number == FlowQueue::kNone ? std::vector<FlowNetwork::WayPart>()
                                      : m_network.GetWay(m_queues[number].route);
}

uint64_t
FlowEngine::GetDeliveredBytes() const
{
    return m_clients.GetDeliveredBytes();
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
