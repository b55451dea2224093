// SPDX-License-Identifier: GPL-2.0-only
#include "graph-runner.h"

#include "phase-program.h"
#include "replica-fold.h"

#include "ns3/log.h"
#include "ns3/rails-quantity.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsGraph");

namespace
{

/// \return records of a schedule's phases; a program without phases has one record
std::vector<PhaseRecord>
ListPhases(const WorkloadSchedule& schedule, const GraphProgram& program)
{
    if (!program.HasPhases())
    {
        return {{"graph", 0, kNever, kNever}};
    }
    std::vector<PhaseRecord> records;
    for (const ScheduledPhase& scheduled : schedule.phases)
    {
        records.push_back({scheduled.phase.GetName(), scheduled.iteration, kNever, kNever});
    }
    return records;
}

} // namespace

GraphRunner::GraphRunner(WorkloadSchedule schedule,
                         std::shared_ptr<const GraphProgram> program,
                         Ptr<MessageService> service,
                         Ptr<Balancer> balancer)
    : m_schedule(std::move(schedule)),
      m_program(std::move(program)),
      m_shape(m_program->GetShape()),
      m_service(service),
      m_traffic(m_shape,
                service,
                balancer,
                [this](uint32_t server, uint32_t step) { return FindMembers(server, step); }),
      m_heads(*m_program),
      m_servers(m_shape.servers),
      m_times(m_shape.GetGpus(), m_program->GetKinds(), !m_program->HasPhases()),
      m_latest(m_shape.GetGpus()),
      m_openStreams(m_heads.GetAll().size()),
      m_hasPhases(m_program->HasPhases()),
      m_phases(ListPhases(m_schedule, *m_program))
{
    for (uint32_t server = 0; server < m_shape.servers; ++server)
    {
        m_service->SetClient(server, this);
    }
}

GraphRunner::GraphRunner(WorkloadSchedule schedule,
                         Ptr<MessageService> service,
                         Ptr<Balancer> balancer)
    : GraphRunner(schedule, std::make_shared<const PhaseProgram>(schedule), service, balancer)
{
}

GraphRunner::GraphRunner(const std::shared_ptr<const GraphProgram>& program,
                         Ptr<MessageService> service,
                         Ptr<Balancer> balancer)
    : GraphRunner(program->GetSchedule(), program, service, balancer)
{
}

GraphRunner::~GraphRunner()
{
    for (uint32_t server = 0; server < m_shape.servers; ++server)
    {
        m_service->SetClient(server, nullptr);
    }
    for (auto& [number, barrier] : m_barriers)
    {
        barrier.release.Cancel();
    }
}

void
GraphRunner::SetSubflows(uint32_t subflows)
{
    m_traffic.GetBalancers().SetSubflows(subflows);
}

void
GraphRunner::SetRouter(std::shared_ptr<const Router> router)
{
    m_traffic.SetRouter(std::move(router));
}

void
GraphRunner::SetFrames(const FrameFormat& frames)
{
    m_traffic.GetBalancers().SetFrames(frames);
}

void
GraphRunner::ForgetMessagesBeyond(size_t most)
{
    m_traffic.GetMessages().ForgetBeyond(most);
}

void
GraphRunner::SetFinishedCallback(std::function<void()> callback)
{
    m_finishedCallback = std::move(callback);
}

void
GraphRunner::SetPhaseCallback(std::function<void(bool)> callback)
{
    m_phases.SetCallback(std::move(callback));
}

void
GraphRunner::SetSegmentWatch(SegmentWatch* watch)
{
    m_times.SetWatch(watch);
}

void
GraphRunner::KeepSpans(uint16_t kind)
{
    m_times.KeepSpans(kind);
}

const std::vector<GpuSpans>&
GraphRunner::GetSpans() const
{
    return m_times.GetSpans();
}

void
GraphRunner::SetCircuitCallback(CircuitCallback callback)
{
    m_moveCircuits = std::move(callback);
}

void
GraphRunner::SetPauseCallback(std::function<bool()> callback)
{
    m_isPaused = std::move(callback);
}

void
GraphRunner::SetEndCallback(std::function<void(uint32_t, uint32_t, uint64_t, TimePs)> callback)
{
    m_endCallback = std::move(callback);
}

void
GraphRunner::Start()
{
    m_service->CatchUpThroughNow();
    m_traffic.GetSender().StartPhase();
    if (!m_hasPhases)
    {
        m_phases.Advance(NowPs());
    }
    for (uint32_t server = 0; server < m_shape.servers; ++server)
    {
        for (uint32_t gpu = 0; gpu < m_shape.gpusPerServer; ++gpu)
        {
            m_servers[server].changed.push_back(server * m_shape.gpusPerServer + gpu);
        }
        Advance(server);
    }
    FinishIfDone();
}

GraphRunner::Stream&
GraphRunner::GetStream(uint32_t gpu, uint32_t stream)
{
    return m_heads.Get(gpu, stream);
}

GraphRunner::Server&
GraphRunner::GetServer(uint32_t gpu)
{
    return m_servers[m_shape.GetServer(gpu)];
}

GraphRunner::Part&
GraphRunner::GetPart(uint32_t gpu, uint32_t step)
{
    return GetServer(gpu).parts[GraphTimes::MakeKey(gpu, step)];
}

/// Begins all nodes of a server that can begin. With lists instead of a recursion, since many nodes
/// may be over at once.
void
GraphRunner::Advance(uint32_t server)
{
    std::vector<uint32_t>& changed = m_servers[server].changed;
    std::vector<uint32_t>& ready = m_servers[server].ready;
    while (!changed.empty() || !ready.empty())
    {
        while (!changed.empty())
        {
            const uint32_t gpu = changed.back();
            changed.pop_back();
            BeginNodes(gpu);
        }
        std::vector<uint32_t> steps = std::exchange(ready, {});
        std::sort(steps.begin(), steps.end());
        for (const uint32_t step : steps)
        {
            PostReady(server, step);
        }
    }
    if (m_openStreams == 0 && !m_hasPhases)
    {
        m_phases.Advance(m_times.GetEnd());
    }
}

void
GraphRunner::BeginNodes(uint32_t gpu)
{
    for (uint32_t number = 0; number < m_heads.Count(gpu); ++number)
    {
        Stream& stream = GetStream(gpu, number);
        if (!stream.isLoaded && !stream.isEnded)
        {
            stream.node = GraphNode();
            stream.isLoaded = m_program->GetNode(gpu, number, stream.over, stream.node);
            stream.isEnded = !stream.isLoaded;
            m_openStreams -= stream.isEnded ? 1 : 0;
        }
        if (stream.isLoaded && !stream.isRunning && MayBegin(gpu, stream))
        {
            stream.isRunning = true;
            BeginInTurn(gpu, number);
        }
    }
}

bool
GraphRunner::MayBegin(uint32_t gpu, const Stream& stream) const
{
    return std::all_of(stream.node.waits.begin(),
                       stream.node.waits.end(),
                       [this, gpu](const GraphNode::Wait& wait) {
                           return m_heads.Get(gpu, wait.stream).over >= wait.count;
                       });
}

GraphRunner::ExecutionUnit&
GraphRunner::GetExecutionUnit(uint32_t gpu, uint32_t unit)
{
    return m_units[uint64_t{gpu} << 32 | unit];
}

/// Begins a node now, or queues it at its execution unit.
void
GraphRunner::BeginInTurn(uint32_t gpu, uint32_t number)
{
    const GraphNode& node = GetStream(gpu, number).node;
    if (node.type == GraphNode::Type::Compute && node.unit != GraphNode::kOwnUnit)
    {
        ExecutionUnit& unit = GetExecutionUnit(gpu, node.unit);
        unit.push_back(number);
        if (unit.size() > 1)
        {
            return;
        }
    }
    Begin(gpu, number);
}

void
GraphRunner::Begin(uint32_t gpu, uint32_t number)
{
    Stream& stream = GetStream(gpu, number);
    const GraphNode& node = stream.node;
    const TimePs now = m_service->GetClock(m_shape.GetServer(gpu));
    stream.path = m_latest[gpu];
    const bool computes = node.type == GraphNode::Type::Compute && !node.isOnHost;
    m_times.Begin(gpu, node.kind, computes, now, node.isOnHost);
    switch (node.type)
    {
    case GraphNode::Type::Compute:
        Compute(gpu, number, now);
        break;
    case GraphNode::Type::Transfer:
        Take(gpu, node.share, false, now);
        stream.toKnow = 0;
        stream.hasGot = false;
        if (node.transfer->GetTraits().isTimed)
        {
            BeginTimedSteps(gpu, number);
        }
        else
        {
            BeginLanes(gpu, number);
        }
        break;
    case GraphNode::Type::Barrier:
        Meet(gpu, number);
        break;
    }
}

void
GraphRunner::Compute(uint32_t gpu, uint32_t number, TimePs now)
{
    Stream& stream = GetStream(gpu, number);
    const GraphNode& node = stream.node;
    stream.path = m_times.Extend(stream.path, node.kind, node.duration);
    const auto found = m_sharing.find(gpu);
    if (node.isOnHost || found == m_sharing.end() || found->second.taken == 0)
    {
        stream.endsAt = AddTimes(now, node.duration);
        Appoint({stream.endsAt, gpu, number});
        return;
    }
    Sharing& sharing = found->second;
    const double all = static_cast<double>(node.duration) * sharing.of;
    sharing.slowed[number] = {now, now, all};
    Continue(gpu, number, sharing, sharing.slowed[number]);
}

/// A transfer takes, or gives back, a share of a GPU's execution units: compute nodes under way
/// become slower, or faster.
void
GraphRunner::Take(uint32_t gpu, const GraphNode::Share& share, bool isBack, TimePs at)
{
    if (share.taken == 0)
    {
        return;
    }
    Sharing& sharing = m_sharing[gpu];
    const uint32_t rest = sharing.GetRest();
    const bool wasWhole = sharing.taken == 0;
    sharing.of = share.of;
    sharing.taken = isBack ? sharing.taken - share.taken : sharing.taken + share.taken;
    for (uint32_t number = 0; number < m_heads.Count(gpu); ++number)
    {
        Stream& stream = GetStream(gpu, number);
        if (stream.endsAt == kNever || stream.node.isOnHost)
        {
            continue;
        }
        const auto [place, isNew] = sharing.slowed.try_emplace(number);
        Sharing::Slowed& slowed = place->second;
        if (isNew || wasWhole)
        {
            slowed.begun = isNew ? stream.endsAt - stream.node.duration : slowed.begun;
            slowed.left = static_cast<double>(stream.endsAt - at) * sharing.of;
        }
        else
        {
            slowed.left -= static_cast<double>(at - slowed.since) * rest;
        }
        slowed.since = at;
        Continue(gpu, number, sharing, slowed);
    }
}

/// Appoints the end of a compute node at its present speed.
void
GraphRunner::Continue(uint32_t gpu,
                      uint32_t number,
                      const Sharing& sharing,
                      const Sharing::Slowed& slowed)
{
    Stream& stream = GetStream(gpu, number);
    const double time = std::ceil(std::max(0.0, slowed.left) / sharing.GetRest());
    const TimePs end = AddTimes(slowed.since, static_cast<TimePs>(time));
    if (end != stream.endsAt)
    {
        stream.endsAt = end;
        Appoint({end, gpu, number});
    }
}

void
GraphRunner::EndComputing(uint32_t gpu, uint32_t number, TimePs at)
{
    Stream& stream = GetStream(gpu, number);
    const GraphNode& node = stream.node;
    if (node.type == GraphNode::Type::Compute)
    {
        if (stream.endsAt != at)
        {
            return; // its speed has changed since this appointment was made
        }
        stream.endsAt = kNever;
        const auto found = m_sharing.find(gpu);
        if (found != m_sharing.end())
        {
            const auto slowed = found->second.slowed.find(number);
            if (slowed != found->second.slowed.end())
            {
                const TimePs usual = slowed->second.begun + node.duration;
                stream.path = m_times.Extend(stream.path, node.kind, at - std::min(at, usual));
                found->second.slowed.erase(slowed);
            }
        }
    }
    End(gpu, number, Path(stream.path), at);
}

void
GraphRunner::Appoint(const Appointment& appointment)
{
    const uint32_t server = m_shape.GetServer(appointment.gpu);
    m_servers[server].appointments.push(appointment);
    ++(appointment.event == Event::NodeEnds ? m_computing : m_due);
    m_service->SetAlarm(server, appointment.at);
}

void
GraphRunner::Meet(uint32_t gpu, uint32_t number)
{
    const Stream& stream = GetStream(gpu, number);
    const uint32_t place = stream.node.step;
    const TimePs now = m_service->GetClock(m_shape.GetServer(gpu));
    const auto [at, isFirst] = m_barriers.try_emplace(place);
    Barrier& barrier = at->second;
    if (isFirst)
    {
        barrier.missing = stream.node.barrier->CountMembers();
    }
    // Calls come in any order of the servers' clocks. The latest arrival counts; of a tie the
    // lowest number.
    const Barrier::Member self{gpu, number};
    if (isFirst || now > barrier.latest || (now == barrier.latest && self < barrier.last))
    {
        barrier.latest = now;
        barrier.last = self;
        barrier.path = stream.path;
    }
    barrier.waiting.push_back(self);
    if (--barrier.missing > 0)
    {
        return;
    }
    if (stream.node.duration == 0)
    {
        barrier.release = Simulator::ScheduleNow(&GraphRunner::Release, this, place);
        return;
    }
    Barrier full = std::move(barrier);
    m_barriers.erase(at);
    std::sort(full.waiting.begin(), full.waiting.end());
    std::vector<TimePs> goOn(full.waiting.size(), AddTimes(full.latest, stream.node.duration));
    const std::optional<CircuitPurpose> purpose = stream.node.barrier->GetPurpose();
    if (purpose && m_moveCircuits)
    {
        if (m_hasPhases)
        {
            m_traffic.GetMessages().BeginPlanning(full.latest);
        }
        CircuitMove move{*stream.node.barrier, *purpose, {}, full.latest};
        for (const Barrier::Member& member : full.waiting)
        {
            move.gpus.push_back(member.first);
        }
        goOn = m_moveCircuits(move);
    }
    for (std::size_t i = 0; i < full.waiting.size(); ++i)
    {
        const auto [member, itsStream] = full.waiting[i];
        GetStream(member, itsStream).path =
            m_times.Extend(full.path, stream.node.kind, goOn[i] - full.latest);
        Appoint({goOn[i], member, itsStream});
    }
}

/// Releases all members of a barrier without delay, in the order of their numbers.
void
GraphRunner::Release(uint32_t place)
{
    m_service->CatchUpThroughNow();
    const auto found = m_barriers.find(place);
    Barrier full = std::move(found->second);
    m_barriers.erase(found);
    std::sort(full.waiting.begin(), full.waiting.end());
    if (m_hasPhases)
    {
        m_phases.Advance(NowPs());
        m_traffic.GetSender().StartPhase();
    }
    for (const auto& [gpu, stream] : full.waiting)
    {
        End(gpu, stream, full.path, NowPs());
    }
    PlanNext(full.waiting.front());
    for (const auto& [gpu, stream] : full.waiting)
    {
        Advance(m_shape.GetServer(gpu));
    }
    FinishIfDone();
}

/// Plans the sends of a barrier's members behind it, by step and server.
void
GraphRunner::PlanNext(const Barrier::Member& member)
{
    const auto [gpu, number] = member;
    GraphNode node;
    if (!m_program->GetNode(gpu, number, GetStream(gpu, number).over, node) ||
        node.type != GraphNode::Type::Transfer || node.transfer->GetTraits().isDataDependent)
    {
        return;
    }
    const uint32_t end = node.step + node.transfer->GetTraits().steps;
    for (uint32_t step = node.step; step < end; ++step)
    {
        for (uint32_t server = 0; server < m_shape.servers; ++server)
        {
            Plan& plan = GetPlan(server, step, node);
            if (plan.members.empty())
            {
                m_servers[server].plans.erase(step);
                continue;
            }
            MakePlan(server, step, node, plan);
        }
    }
}

/// Begins the first step of each lane.
void
GraphRunner::BeginLanes(uint32_t gpu, uint32_t number)
{
    Stream& stream = GetStream(gpu, number);
    const CommOp& transfer = *stream.node.transfer;
    stream.open = transfer.GetTraits().lanes;
    for (uint32_t lane = 0; lane < transfer.GetTraits().lanes; ++lane)
    {
        BeginStep(gpu, number, stream.node.step + lane * transfer.CountLaneSteps(), stream.path);
    }
}

/// \param path to the begin of the step
void
GraphRunner::BeginStep(uint32_t gpu, uint32_t number, uint32_t step, const Path& path)
{
    const GraphNode& node = GetStream(gpu, number).node;
    Part& part = GetPart(gpu, step);
    part.transfer = node.transfer;
    part.place = step - node.step;
    part.stream = number;
    part.toGet = part.transfer->GetReceived(gpu, part.place);
    part.path = path;
    ComeTo(gpu, step);
}

/// Begins all steps of a timed transfer, which are independent of each other.
void
GraphRunner::BeginTimedSteps(uint32_t gpu, uint32_t number)
{
    Stream& stream = GetStream(gpu, number);
    const TimePs now = m_service->GetClock(m_shape.GetServer(gpu));
    const std::shared_ptr<const CommOp> transfer = stream.node.transfer;
    stream.open = 0;
    for (uint32_t place = 0; place < transfer->GetTraits().steps; ++place)
    {
        const uint32_t step = stream.node.step + place;
        const uint64_t toGet = transfer->GetReceived(gpu, place);
        const bool sends = !transfer->GetSends(gpu, place).empty();
        if (toGet == 0 && !sends)
        {
            continue;
        }
        ++stream.open;
        Part& part = GetPart(gpu, step);
        part.transfer = transfer;
        part.place = place;
        part.stream = number;
        part.toGet = toGet;
        part.path = stream.path;
        part.isPosted = !sends;
        if (sends)
        {
            Appoint(
                {AddTimes(now, transfer->GetStart(place)), gpu, number, Event::StepStarts, step});
        }
    }
    if (stream.open == 0)
    {
        End(gpu, number, stream.path, now);
    }
}

GraphRunner::Plan&
GraphRunner::GetPlan(uint32_t server, uint32_t step, const GraphNode& node)
{
    const auto [at, isFirst] = m_servers[server].plans.try_emplace(step);
    if (isFirst)
    {
        at->second.members = node.transfer->GetMembers(m_shape, server, step - node.step);
    }
    return at->second; // stays in place
}

/// A GPU is ready to post its part of a step; the plan may be missing.
void
GraphRunner::ComeTo(uint32_t gpu, uint32_t step)
{
    const uint32_t server = m_shape.GetServer(gpu);
    const GraphNode& node = GetStream(gpu, GetPart(gpu, step).stream).node;
    // Demands of later steps of a lane are known once its first step has been planned.
    const bool isDataDependent = node.transfer->GetTraits().isDataDependent &&
                                 (step - node.step) % node.transfer->CountLaneSteps() == 0;
    Plan& plan = GetPlan(server, step, node);
    plan.waiting.push_back(gpu);
    if (!plan.isDue && (!isDataDependent || plan.waiting.size() == plan.members.size()))
    {
        plan.isDue = true;
        plan.path = isDataDependent ? GetPart(gpu, step).path : nullptr;
        BeginPlan(server, step, node, plan);
    }
    if (plan.isMade && plan.readyAt <= m_service->GetClock(server))
    {
        m_servers[server].ready.push_back(step);
    }
}

/// \return the balancer that plans a step and takes time for it; null: the demands are known
/// before, or their rails are given
const Balancer*
GraphRunner::FindBalancer(uint32_t step, const GraphNode& node, const Plan& plan)
{
    const CommOpTraits& traits = node.transfer->GetTraits();
    const uint32_t place = step - node.step;
    const bool isBegin = traits.isTimed || place % node.transfer->CountLaneSteps() == 0;
    if (!traits.isExchange || !isBegin ||
        node.transfer->GetRail(plan.members.front(), place).rail != kNoRail)
    {
        return nullptr;
    }
    return &m_traffic.GetBalancers().GetMaker(node.kind, false).GetBalancer();
}

/// A server has its own inputs for the plan of a step.
void
GraphRunner::BeginPlan(uint32_t server, uint32_t step, const GraphNode& node, Plan& plan)
{
    const Balancer* balancer = FindBalancer(step, node, plan);
    const TimePs now = m_service->GetClock(server);
    const TimePs delay = balancer ? balancer->GetPlanningTime() : 0;
    if (delay > 0)
    {
        m_traffic.GetMessages().BeginPlanning(now);
    }
    // Before a phase all servers have met at a barrier, so counts are known without an exchange.
    if (balancer && balancer->GetTraits().needsCounts && !m_hasPhases)
    {
        Tell(server, step, plan);
        return;
    }
    plan.readyAt = AddTimes(now, delay);
    if (delay > 0)
    {
        const Path& begin = GetPart(plan.waiting.back(), step).path;
        plan.path = m_times.Extend(begin, node.kind, delay);
        AppointPlan(step, plan);
        return;
    }
    if (!plan.isMade)
    {
        MakePlan(server, step, node, plan);
    }
}

/// A server sends its counts to the others. When all have done so, all plan.
void
GraphRunner::Tell(uint32_t server, uint32_t step, const Plan& plan)
{
    const uint32_t gpu = plan.waiting.back();
    const GraphNode& node = GetStream(gpu, GetPart(gpu, step).stream).node;
    const TimePs now = m_service->GetClock(server);
    const auto [at, isFirst] = m_countExchanges.try_emplace(step);
    CountExchange& telling = at->second;
    if (isFirst)
    {
        telling.servers = FindServers(step, node);
        telling.missing = static_cast<uint32_t>(telling.servers.size());
    }
    // Calls come in any order of the servers' clocks, see Meet().
    if (isFirst || now > telling.latest || (now == telling.latest && server < telling.last))
    {
        telling.latest = now;
        telling.last = server;
        telling.path = GetPart(gpu, step).path;
    }
    if (--telling.missing > 0)
    {
        return;
    }
    const CountExchange all = std::move(telling);
    m_countExchanges.erase(at);
    const TimePs delay = FindBalancer(step, node, plan)->GetPlanningTime();
    for (const uint32_t other : all.servers)
    {
        Plan& toBe = GetPlan(other, step, node);
        toBe.readyAt = AddTimes(all.latest, delay);
        toBe.path = m_times.Extend(all.path, node.kind, delay);
        AppointPlan(step, toBe);
    }
}

/// \return the servers with members in a step
std::vector<uint32_t>
GraphRunner::FindServers(uint32_t step, const GraphNode& node) const
{
    std::vector<uint32_t> servers;
    for (uint32_t server = 0; server < m_shape.servers; ++server)
    {
        if (!node.transfer->GetMembers(m_shape, server, step - node.step).empty())
        {
            servers.push_back(server);
        }
    }
    return servers;
}

/// \return demands of all servers in a step
const ExchangeCounts&
GraphRunner::GetCounts(uint32_t step, const GraphNode& node)
{
    const uint32_t place = step - node.step;
    KnownCounts& told = m_knownCounts[step];
    if (!told.counts)
    {
        TrafficMatrix matrix(m_shape);
        for (const uint32_t server : FindServers(step, node))
        {
            bool isSending = false;
            for (const uint32_t gpu : node.transfer->GetMembers(m_shape, server, place))
            {
                for (const Demand& demand : node.transfer->GetSends(gpu, place))
                {
                    matrix.Add(gpu, demand.destination, demand.bytes);
                    isSending = isSending || m_shape.GetServer(demand.destination) != server;
                }
            }
            told.toPlan += isSending ? 1 : 0;
        }
        told.counts = std::make_unique<const ExchangeCounts>(std::move(matrix),
                                                             m_traffic.GetBalancers().GetFrames());
    }
    return *told.counts;
}

/// A sending server has planned a step; the counts are dropped after the last one.
void
GraphRunner::ForgetCounts(uint32_t step)
{
    const auto found = m_knownCounts.find(step);
    if (--found->second.toPlan == 0)
    {
        m_knownCounts.erase(found);
    }
}

void
GraphRunner::AppointPlan(uint32_t step, const Plan& plan)
{
    const uint32_t gpu = plan.waiting.front();
    Appoint({plan.readyAt, gpu, GetPart(gpu, step).stream, Event::PlanIsReady, step});
}

void
GraphRunner::EndPlanning(const Appointment& due)
{
    const uint32_t server = m_shape.GetServer(due.gpu);
    const GraphNode& node = GetStream(due.gpu, due.stream).node;
    Plan& plan = GetPlan(server, due.step, node);
    if (!plan.isMade)
    {
        MakePlan(server, due.step, node, plan);
    }
    m_servers[server].ready.push_back(due.step);
}

void
GraphRunner::MakePlan(uint32_t server, uint32_t step, const GraphNode& node, Plan& plan)
{
    ServerView view;
    view.shape = m_shape;
    view.server = server;
    view.SetGroup(plan.members);
    std::vector<std::pair<uint32_t, Demand>> inside;
    bool isPinned = false;
    const CommOpTraits& traits = node.transfer->GetTraits();
    const uint32_t place = step - node.step;
    view.lane = place / node.transfer->CountLaneSteps();
    for (const uint32_t gpu : plan.members)
    {
        const RailQueue on = node.transfer->GetRail(gpu, place);
        isPinned = isPinned || on.rail != kNoRail;
        for (const Demand& demand : node.transfer->GetSends(gpu, place))
        {
            m_times.Plan(node.kind, step, gpu, demand);
            if (m_shape.GetServer(demand.destination) == server)
            {
                inside.emplace_back(gpu, demand);
            }
            else
            {
                view.demands.push_back({gpu, demand.destination, demand.bytes, on});
            }
        }
    }
    NS_LOG_LOGIC(FormatTime(m_service->GetClock(server))
                 << ": server " << server << " plans step " << step);
    isPinned = isPinned && m_traffic.GetBalancers().MayPin(view);
    ExchangeMessages& messages = m_traffic.GetMessages();
    messages.SetTraits(
        {node.kind, traits.channel, traits.isAwaited || m_traffic.ChoosesAtSending(), isPinned});
    m_traffic.GetBalancers().SetExchange(node.kind, traits.isExchange);
    plan.first = messages.GetSize();
    if (!view.demands.empty())
    {
        PlanMaker& maker = m_traffic.GetBalancers().GetMaker(node.kind, isPinned);
        const bool needsCounts = maker.GetBalancer().GetTraits().needsCounts;
        ServerPlan made =
            maker.MakePlan(std::move(view), needsCounts ? &GetCounts(step, node) : nullptr);
        messages.AddPlanned(made, step);
        Fold(plan.first);
        m_traffic.GetSender().OnPlanned(std::move(made), plan.first);
        if (needsCounts)
        {
            ForgetCounts(step);
        }
    }
    plan.inside = messages.GetSize();
    for (const auto& [gpu, demand] : inside)
    {
        messages.AddInside(gpu, demand, step);
    }
    plan.end = messages.GetSize();
    plan.isMade = true;
}

/// Redirects messages for other replicas to replicas that run. \param first id of the first message
void
GraphRunner::Fold(size_t first)
{
    const ReplicaFold* fold = m_program->GetFold();
    ExchangeMessages& messages = m_traffic.GetMessages();
    for (size_t id = first; fold && id < messages.GetSize(); ++id)
    {
        Message& message = messages.Get(id);
        message.crossing = fold->FindCrossing(message.channel, message.source, message.destination);
        message.destination = m_program->FindReceiver(message.source, message.destination);
    }
}

/// Posts the parts of all waiting GPUs of a server in a step.
void
GraphRunner::PostReady(uint32_t server, uint32_t step)
{
    auto& plans = m_servers[server].plans;
    const auto found = plans.find(step);
    if (found == plans.end() || found->second.waiting.empty())
    {
        return; // `ready` had the step twice: two GPUs began it at the same time
    }
    Plan& plan = found->second;
    std::vector<uint32_t> gpus = std::exchange(plan.waiting, {});
    std::sort(gpus.begin(), gpus.end());
    PostParts(gpus, step, plan);
    plan.posted += static_cast<uint32_t>(gpus.size());
    if (plan.posted == plan.members.size())
    {
        plans.erase(found);
    }
    for (const uint32_t gpu : gpus)
    {
        const Part& part = GetPart(gpu, step);
        Examine(gpu, step, Path(part.path), part.postedAt);
    }
}

void
GraphRunner::PostParts(const std::vector<uint32_t>& gpus, uint32_t step, const Plan& plan)
{
    ExchangeMessages& messages = m_traffic.GetMessages();
    std::vector<uint64_t> bytes(m_shape.gpusPerServer, 0); // by place in the server
    std::vector<bool> posts(m_shape.gpusPerServer, false);
    for (const uint32_t gpu : gpus)
    {
        posts[m_shape.GetLocal(gpu)] = true;
    }
    std::vector<Message*> toPost;
    // Forgotten messages were posted and are over.
    for (std::size_t id = std::max(plan.first, messages.GetForgotten()); id < plan.end; ++id)
    {
        Message& message = messages.Get(id);
        const uint32_t local = m_shape.GetLocal(message.source);
        if (posts[local])
        {
            bytes[local] += message.bytes;
            toPost.push_back(&message);
        }
    }
    for (const uint32_t gpu : gpus)
    {
        Part& part = GetPart(gpu, step);
        Stream& stream = GetStream(gpu, part.stream);
        part.isPosted = true;
        part.postedAt = m_service->GetClock(m_shape.GetServer(gpu));
        part.path = plan.path && part.postedAt <= plan.readyAt ? plan.path : part.path;
        const CommOpTraits& traits = part.transfer->GetTraits();
        if (traits.isTimed)
        {
            const TimePs start = part.transfer->GetStart(part.place);
            part.path = m_times.ExtendAsGiven(part.path, stream.node.kind, start);
        }
        const uint64_t sent = bytes[m_shape.GetLocal(gpu)];
        part.toKnow = sent;
        stream.toKnow += traits.endsWhenReceived ? 0 : sent;
        m_times.Post(gpu, step, sent, part.postedAt, part.path);
    }
    if (m_hasPhases && !toPost.empty())
    {
        m_phases.TellPost();
    }
    for (Message* message : toPost)
    {
        if (message->id < plan.inside)
        {
            m_traffic.GetSender().Send(*message);
        }
        else
        {
            messages.Post(*message);
        }
    }
}

/**
 * Goes on to the next step, or ends the node, if a GPU has fulfilled all conditions.
 * \param path to the latest event of the GPU
 * \param at time of that event
 */
void
GraphRunner::Examine(uint32_t gpu, uint32_t step, const Path& path, TimePs at)
{
    Parts& parts = GetServer(gpu).parts;
    const auto found = parts.find(GraphTimes::MakeKey(gpu, step));
    Part& part = found->second;
    if (!part.isPosted || part.got < part.toGet)
    {
        return;
    }
    const uint32_t number = part.stream;
    const bool goesOn = !part.isPassed;
    part.isPassed = true;
    if (part.toKnow == 0)
    {
        parts.erase(found);
    }
    Stream& stream = GetStream(gpu, number);
    const CommOp& transfer = *stream.node.transfer;
    if (goesOn && transfer.GetTraits().isTimed)
    {
        stream.hasGot = --stream.open == 0;
    }
    else if (goesOn)
    {
        const uint32_t done = step - stream.node.step + 1;
        if (done % transfer.CountLaneSteps() != 0)
        {
            BeginStep(gpu, number, step + 1, path);
            return;
        }
        stream.hasGot = --stream.open == 0;
    }
    if (stream.hasGot && stream.toKnow == 0)
    {
        End(gpu, number, path, at);
    }
}

void
GraphRunner::End(uint32_t gpu, uint32_t number, const Path& path, TimePs at)
{
    Stream& stream = GetStream(gpu, number);
    const GraphNode& node = stream.node;
    const bool isCompute = node.type == GraphNode::Type::Compute;
    Take(gpu, node.share, true, at);
    const uint32_t unit = isCompute ? node.unit : GraphNode::kOwnUnit;
    m_times.End(gpu, node.kind, isCompute && !node.isOnHost, at, path);
    ++stream.over;
    if (m_endCallback)
    {
        m_endCallback(gpu, number, stream.over, at);
    }
    stream.isLoaded = false;
    stream.isRunning = false;
    m_latest[gpu] = path;
    GetServer(gpu).changed.push_back(gpu);
    if (unit == GraphNode::kOwnUnit)
    {
        return;
    }
    ExecutionUnit& turns = GetExecutionUnit(gpu, unit);
    turns.pop_front();
    if (!turns.empty())
    {
        Begin(gpu, turns.front());
    }
}

void
GraphRunner::OnDelivered(Message& message)
{
    m_traffic.GetMessages().OnDelivered(message);
    Part& part = GetPart(message.destination, message.step);
    part.got += message.bytes;
    const bool isAll = part.isPosted && part.got == part.toGet;
    const Path path = m_times.Deliver(message, isAll);
    if (isAll)
    {
        // Messages posted next may make `message` be forgotten.
        const uint32_t gpu = message.destination;
        Examine(gpu, message.step, path, message.end);
        Advance(m_shape.GetServer(gpu));
    }
    FinishIfDone(); // an ACK leaves its NIC before the last byte has crossed NVLink
}

void
GraphRunner::OnAcknowledged(Message& message)
{
    m_traffic.GetMessages().OnAcknowledged(message);
    Parts& parts = GetServer(message.source).parts;
    const auto found = parts.find(GraphTimes::MakeKey(message.source, message.step));
    Path path;
    bool isLast = false; // of the acknowledgements that the step waits for
    if (found != parts.end() && found->second.toKnow > 0)
    {
        Part& part = found->second;
        const bool isAwaited = !part.transfer->GetTraits().endsWhenReceived;
        part.toKnow -= message.bytes;
        if (isAwaited)
        {
            GetStream(message.source, part.stream).toKnow -= message.bytes;
            isLast = part.toKnow == 0;
            path = isLast ? m_times.ExtendByReply(part.path, message, part.postedAt) : nullptr;
        }
        else if (part.toKnow == 0 && part.isPassed)
        {
            parts.erase(found);
        }
    }
    m_times.Acknowledge(message);
    if (isLast)
    {
        const uint32_t gpu = message.source;
        Examine(gpu, message.step, path, message.acknowledged);
        Advance(m_shape.GetServer(gpu));
    }
    FinishIfDone();
}

void
GraphRunner::OnSent(Message& message)
{
    m_traffic.GetSender().OnSent(message);
}

void
GraphRunner::OnAlarm(uint32_t server)
{
    auto& appointments = m_servers[server].appointments;
    const TimePs now = m_service->GetClock(server);
    while (!appointments.empty() && appointments.top().at <= now)
    {
        const Appointment due = appointments.top();
        appointments.pop();
        --(due.event == Event::NodeEnds ? m_computing : m_due);
        switch (due.event)
        {
        case Event::NodeEnds:
            EndComputing(due.gpu, due.stream, due.at);
            break;
        case Event::StepStarts:
            ComeTo(due.gpu, due.step);
            break;
        case Event::PlanIsReady:
            EndPlanning(due);
            break;
        }
    }
    Advance(server);
    FinishIfDone();
}

/// Numbers messages by step, server and order in the plan. Messages of phases are made in that
/// order.
void
GraphRunner::NumberMessages()
{
    ExchangeMessages& messages = m_traffic.GetMessages();
    if (m_hasPhases || messages.GetForgotten() > 0)
    {
        return;
    }
    std::vector<Message*> sorted;
    for (std::size_t id = 0; id < messages.GetSize(); ++id)
    {
        sorted.push_back(&messages.Get(id));
    }
    const auto rank = [this](const Message& message) {
        return std::tuple(message.step, m_shape.GetServer(message.source), message.id);
    };
    std::sort(sorted.begin(), sorted.end(), [&rank](const Message* one, const Message* other) {
        return rank(*one) < rank(*other);
    });
    for (std::size_t id = 0; id < sorted.size(); ++id)
    {
        sorted[id]->id = id;
    }
}

std::vector<uint32_t>
GraphRunner::FindMembers(uint32_t server, uint32_t step) const
{
    const auto& plans = m_servers[server].plans;
    const auto plan = plans.find(step);
    if (plan != plans.end())
    {
        return plan->second.members;
    }
    // All members have posted. GPUs with unacknowledged bytes still have the step.
    const Parts& parts = m_servers[server].parts;
    const uint32_t first = server * m_shape.gpusPerServer;
    for (uint32_t gpu = first; gpu < first + m_shape.gpusPerServer; ++gpu)
    {
        const auto found = parts.find(GraphTimes::MakeKey(gpu, step));
        if (found != parts.end() && found->second.transfer)
        {
            return found->second.transfer->GetMembers(m_shape, server, found->second.place);
        }
    }
    return {};
}

/// Calls the callback once all is done.
void
GraphRunner::FinishIfDone()
{
    if (m_openStreams == 0 && m_traffic.GetMessages().GetUnacknowledged() == 0 && !m_finished)
    {
        m_finished = true;
        if (m_finishedCallback)
        {
            m_finishedCallback();
        }
    }
}

void
GraphRunner::Replan()
{
    if (!m_finished)
    {
        m_traffic.Replan();
    }
}

bool
GraphRunner::IsWaiting() const
{
    return m_computing > 0 || (m_due > 0 && m_traffic.GetMessages().GetTravelling() == 0) ||
           (m_isPaused && m_isPaused());
}

const ExchangeMessages&
GraphRunner::GetMessages() const
{
    return m_traffic.GetMessages();
}

const CircuitTally&
GraphRunner::GetCircuitTally() const
{
    return m_traffic.GetBalancers().GetTally();
}

const std::vector<PhaseRecord>&
GraphRunner::GetPhases() const
{
    return m_phases.GetRecords();
}

/// \return the record, scaled to all replicas
GraphRecord
GraphRunner::CountAll() const
{
    GraphRecord record = m_times.GetRecord();
    if (const ReplicaFold* fold = m_program->GetFold())
    {
        record.nodes = fold->Multiply(record.nodes);
        record.computing = fold->Multiply(record.computing);
        for (KindRecord& kind : record.kinds)
        {
            kind.nodes = fold->Multiply(kind.nodes);
            kind.bytes = fold->Multiply(kind.bytes);
            kind.busy = fold->Multiply(kind.busy);
            kind.exposed = fold->Multiply(kind.exposed);
        }
    }
    return record;
}

GraphRecord
GraphRunner::GetRecord() const
{
    GraphRecord record = CountAll();
    record.end -= GetPhases().front().start;
    record.iterations = m_schedule.iterations;
    record.collectives = m_program->GetCollectives();
    return record;
}

GraphRecord
GraphRunner::CountUpToNow(uint32_t gpu)
{
    m_service->CatchUpThroughNow();
    m_times.CountUpTo(NowPs());
    GraphRecord record = CountAll();
    for (std::size_t kind = 0; kind < record.kinds.size(); ++kind)
    {
        record.kinds[kind].critical = m_latest[gpu] ? m_latest[gpu]->times[kind] : 0;
    }
    return record;
}

std::shared_ptr<const PathSegment>
GraphRunner::GetLastSegment() const
{
    return m_times.GetLastSegment();
}

const GraphProgram&
GraphRunner::GetProgram() const
{
    return *m_program;
}

std::vector<GraphParty>
GraphRunner::GetParties() const
{
    std::vector<GraphParty> parties = m_program->GetParties();
    if (parties.empty())
    {
        std::vector<uint32_t> all(m_shape.GetGpus());
        std::iota(all.begin(), all.end(), 0);
        parties.push_back({"", std::move(all), m_schedule.iterations});
    }
    for (GraphParty& party : parties)
    {
        party.gpus.erase(std::remove_if(party.gpus.begin(),
                                        party.gpus.end(),
                                        [this](uint32_t gpu) { return m_heads.Count(gpu) == 0; }),
                         party.gpus.end());
    }
    return parties;
}

std::vector<GraphRunner::Progress>
GraphRunner::FindProgress() const
{
    std::vector<Progress> found;
    for (GraphParty& party : GetParties())
    {
        Progress progress;
        progress.iterations = party.iterations;
        for (const uint32_t gpu : party.gpus)
        {
            for (uint32_t number = 0; number < m_heads.Count(gpu); ++number)
            {
                const uint64_t over = m_heads.Get(gpu, number).over;
                const uint64_t nodes = m_program->CountNodes(gpu, number);
                progress.over += over;
                progress.nodes += nodes;
                if (nodes > 0)
                {
                    const uint64_t iterations = over * party.iterations / nodes;
                    progress.iterations =
                        std::min(progress.iterations, static_cast<uint32_t>(iterations));
                }
            }
        }
        progress.party = std::move(party);
        found.push_back(std::move(progress));
    }
    return found;
}

std::optional<GraphAdvance>
GraphRunner::FindAdvance() const
{
    return m_program->FindAdvance(
        [this](uint32_t gpu, uint32_t stream) { return m_heads.Get(gpu, stream).over; });
}

std::optional<GraphParty>
GraphRunner::FindParty(uint32_t gpu) const
{
    const auto isOver = [this](uint32_t member) {
        bool over = true;
        for (uint32_t number = 0; number < m_heads.Count(member); ++number)
        {
            over = over && m_heads.Get(member, number).isEnded;
        }
        return over;
    };
    for (GraphParty& party : GetParties())
    {
        const std::vector<uint32_t>& gpus = party.gpus;
        if (std::find(gpus.begin(), gpus.end(), gpu) != gpus.end() &&
            !std::all_of(gpus.begin(), gpus.end(), isOver))
        {
            return std::move(party);
        }
    }
    return std::nullopt;
}

std::string
GraphRunner::DescribeStuck() const
{
    constexpr uint32_t kMostLines = 20; // more lines say nothing new
    std::string text;
    uint64_t open = 0;
    for (uint32_t gpu = 0; gpu < m_shape.GetGpus(); ++gpu)
    {
        for (uint32_t number = 0; number < m_heads.Count(gpu); ++number)
        {
            const Stream& stream = m_heads.Get(gpu, number);
            if (stream.isLoaded && ++open <= kMostLines)
            {
                text += "GPU " + std::to_string(gpu) + ": " +
                        m_program->GetKinds()[stream.node.kind] +
                        (stream.isRunning ? " is not over\n" : " waits for another stream\n");
            }
        }
    }
    return open > kMostLines ? text + "and " + std::to_string(open - kMostLines) + " others\n"
                             : text;
}

} // namespace ns3::rails
