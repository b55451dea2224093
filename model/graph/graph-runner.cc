// SPDX-License-Identifier: GPL-2.0-only
#include "graph-runner.h"

#include "ns3/log.h"
#include "ns3/rails-quantity.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsGraph");

GraphRunner::GraphRunner(WorkloadSchedule schedule,
                         std::shared_ptr<const GraphProgram> program,
                         Ptr<MessageService> service,
                         Ptr<Planner> planner)
    : WorkloadRunner(std::move(schedule), service, planner),
      m_program(std::move(program)),
      m_shape(m_program->GetShape()),
      m_streams(m_program->GetStreams()),
      m_heads(std::size_t{m_shape.GetGpus()} * m_streams),
      m_servers(m_shape.domains),
      m_times(m_shape.GetGpus(), m_program->GetKinds()),
      m_latest(m_shape.GetGpus()),
      m_openStreams(m_heads.size()),
      m_phases{{"graph", 0, kNever, kNever}}
{
}

void
GraphRunner::Start()
{
    GetService().CatchUpThroughNow();
    m_phases.front().start = NowPs();
    GetExchangeMessages().SetAwaited(true);
    GetSender().StartPhase();
    for (uint32_t server = 0; server < m_shape.domains; ++server)
    {
        for (uint32_t gpu = 0; gpu < m_shape.gpusPerDomain; ++gpu)
        {
            m_servers[server].changed.push_back(server * m_shape.gpusPerDomain + gpu);
        }
        GoOn(server);
    }
    FinishIfDone();
}

GraphRunner::Stream&
GraphRunner::GetStream(uint32_t gpu, uint32_t stream)
{
    return m_heads[std::size_t{gpu} * m_streams + stream];
}

GraphRunner::Server&
GraphRunner::GetServer(uint32_t gpu)
{
    return m_servers[m_shape.GetDomain(gpu)];
}

GraphRunner::Part&
GraphRunner::GetPart(uint32_t gpu, uint32_t step)
{
    return GetServer(gpu).parts[GraphTimes::MakeKey(gpu, step)];
}

/// Begins whatever can begin at a server; a list, not a recursion: nodes may be over at once.
void
GraphRunner::GoOn(uint32_t server)
{
    std::vector<uint32_t>& changed = m_servers[server].changed;
    while (!changed.empty())
    {
        const uint32_t gpu = changed.back();
        changed.pop_back();
        BeginNodes(gpu);
    }
    if (m_openStreams == 0)
    {
        m_phases.front().end = m_phases.front().start + m_times.GetRecord().end;
    }
}

void
GraphRunner::BeginNodes(uint32_t gpu)
{
    for (uint32_t number = 0; number < m_streams; ++number)
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
                           return m_heads[std::size_t{gpu} * m_streams + wait.stream].over >=
                                  wait.count;
                       });
}

GraphRunner::Unit&
GraphRunner::GetUnit(uint32_t gpu, uint32_t unit)
{
    return m_units[uint64_t{gpu} << 32 | unit];
}

/// Begins a node now, or when the unit that does it has done those before.
void
GraphRunner::BeginInTurn(uint32_t gpu, uint32_t number)
{
    const GraphNode& node = GetStream(gpu, number).node;
    if (node.type == GraphNode::Type::Compute && node.unit != GraphNode::kOwnUnit)
    {
        Unit& unit = GetUnit(gpu, node.unit);
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
    const TimePs now = GetService().GetClock(m_shape.GetDomain(gpu));
    stream.path = m_latest[gpu];
    m_times.Begin(gpu, node.kind, node.type == GraphNode::Type::Compute, now);
    switch (node.type)
    {
    case GraphNode::Type::Compute:
        Appoint(gpu, number, now + node.duration);
        break;
    case GraphNode::Type::Transfer:
        stream.step = 0;
        stream.toKnow = 0;
        stream.hasGot = false;
        BeginStep(gpu, number);
        break;
    case GraphNode::Type::Barrier:
        Meet(gpu, number);
        break;
    }
}

void
GraphRunner::Appoint(uint32_t gpu, uint32_t stream, TimePs at)
{
    const uint32_t server = m_shape.GetDomain(gpu);
    m_servers[server].appointments.push({at, gpu, stream});
    ++m_appointments;
    GetService().SetAlarm(server, at);
}

void
GraphRunner::Meet(uint32_t gpu, uint32_t number)
{
    const Stream& stream = GetStream(gpu, number);
    const TimePs now = GetService().GetClock(m_shape.GetDomain(gpu));
    const auto [at, isFirst] = m_barriers.try_emplace(stream.node.step);
    Barrier& barrier = at->second;
    if (isFirst)
    {
        barrier.missing = m_program->CountMembers(stream.node.step);
    }
    // Servers come in any order of their clocks; of those that come at the same time the first
    // in number counts.
    const std::pair<uint32_t, uint32_t> self{gpu, number};
    if (barrier.waiting.empty() || now > barrier.latest ||
        (now == barrier.latest &&
         self < *std::min_element(barrier.waiting.begin(), barrier.waiting.end())))
    {
        barrier.latest = now;
        barrier.path = stream.path;
    }
    barrier.waiting.push_back(self);
    if (--barrier.missing > 0)
    {
        return;
    }
    const Barrier full = std::move(barrier);
    m_barriers.erase(at);
    for (const auto& [member, itsStream] : full.waiting)
    {
        GetStream(member, itsStream).path = full.path;
        Appoint(member, itsStream, full.latest + stream.node.duration);
    }
}

void
GraphRunner::BeginStep(uint32_t gpu, uint32_t number)
{
    Stream& stream = GetStream(gpu, number);
    const uint32_t server = m_shape.GetDomain(gpu);
    const uint32_t step = stream.node.step + stream.step;
    Part& part = GetPart(gpu, step);
    part.stream = number;
    part.toGet = m_program->GetReceived(gpu, step);
    const auto [at, isFirst] = m_servers[server].plans.try_emplace(step);
    Plan& plan = at->second; // stays in place
    if (isFirst)
    {
        plan.members = m_program->GetMembers(server, step);
    }
    plan.waiting.push_back(gpu);
    if (!plan.isMade && (!stream.node.isDrawn || plan.waiting.size() == plan.members.size()))
    {
        MakePlan(server, step, stream.node.kind, plan);
    }
    if (!plan.isMade)
    {
        return;
    }
    const Path path = stream.path;
    const std::vector<uint32_t> waiting = std::exchange(plan.waiting, {});
    for (const uint32_t member : waiting)
    {
        PostPart(member, step, plan, path);
    }
    if (plan.posted == plan.members.size())
    {
        m_servers[server].plans.erase(step);
    }
    for (const uint32_t member : waiting)
    {
        Look(member, step, path, GetService().GetClock(server));
    }
}

void
GraphRunner::MakePlan(uint32_t server, uint32_t step, uint16_t kind, Plan& plan)
{
    ServerView view;
    view.shape = m_shape;
    view.domain = server;
    std::vector<std::pair<uint32_t, Demand>> inside;
    for (const uint32_t gpu : plan.members)
    {
        for (const Demand& demand : m_program->GetSends(gpu, step))
        {
            m_times.AddBytes(kind, demand.bytes);
            if (m_shape.GetDomain(demand.destination) == server)
            {
                inside.emplace_back(gpu, demand);
            }
            else
            {
                view.demands.push_back({gpu, demand.destination, demand.bytes});
            }
        }
    }
    NS_LOG_LOGIC(FormatTime(GetService().GetClock(server))
                 << ": server " << server << " plans step " << step);
    ExchangeMessages& messages = GetExchangeMessages();
    messages.SetPhase(kind);
    plan.first = messages.GetSize();
    if (!view.demands.empty())
    {
        ServerPlan made = GetPlanMaker().MakePlan(std::move(view));
        messages.AddPlanned(made, step);
        GetSender().OnPlanned(std::move(made), plan.first);
    }
    plan.inside = messages.GetSize();
    for (const auto& [gpu, demand] : inside)
    {
        messages.AddInside(gpu, demand, step);
    }
    plan.end = messages.GetSize();
    plan.isMade = true;
}

void
GraphRunner::PostPart(uint32_t gpu, uint32_t step, Plan& plan, const Path& path)
{
    ExchangeMessages& messages = GetExchangeMessages();
    Part& part = GetPart(gpu, step);
    part.isPosted = true;
    part.postedAt = GetService().GetClock(m_shape.GetDomain(gpu));
    part.path = path;
    ++plan.posted;
    for (std::size_t id = plan.first; id < plan.end; ++id)
    {
        part.toKnow += messages.Get(id).source == gpu ? messages.Get(id).bytes : 0;
    }
    m_times.Post(gpu, step, part.toKnow, part.postedAt, path);
    GetStream(gpu, part.stream).toKnow += part.toKnow;
    for (std::size_t id = plan.first; id < plan.end; ++id)
    {
        Message& message = messages.Get(id);
        if (message.source != gpu)
        {
            continue;
        }
        if (id < plan.inside)
        {
            GetSender().Send(message);
        }
        else
        {
            messages.Post(message);
        }
    }
}

/**
 * Goes on to the next step, or ends the node, if a GPU has all that it needs for that.
 * \param path what has just happened to the GPU
 * \param at when
 */
void
GraphRunner::Look(uint32_t gpu, uint32_t step, const Path& path, TimePs at)
{
    Server& server = GetServer(gpu);
    const auto found = server.parts.find(GraphTimes::MakeKey(gpu, step));
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
        server.parts.erase(found);
    }
    Stream& stream = GetStream(gpu, number);
    if (goesOn && stream.step + 1 < stream.node.steps)
    {
        ++stream.step;
        stream.path = path;
        BeginStep(gpu, number);
        return;
    }
    stream.hasGot = stream.hasGot || goesOn;
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
    const uint32_t unit = isCompute ? node.unit : GraphNode::kOwnUnit;
    m_times.End(gpu, node.kind, isCompute, at, path);
    ++stream.over;
    stream.isLoaded = false;
    stream.isRunning = false;
    m_latest[gpu] = path;
    GetServer(gpu).changed.push_back(gpu);
    if (unit == GraphNode::kOwnUnit)
    {
        return;
    }
    Unit& turns = GetUnit(gpu, unit);
    turns.pop_front();
    if (!turns.empty())
    {
        Begin(gpu, turns.front());
    }
}

void
GraphRunner::DoDelivered(const Message& message)
{
    const Path path = m_times.Deliver(message);
    GetPart(message.destination, message.step).got += message.bytes;
    Look(message.destination, message.step, path, message.end);
    GoOn(m_shape.GetDomain(message.destination));
}

void
GraphRunner::DoAcknowledged(const Message& message)
{
    Part& part = GetPart(message.source, message.step);
    const Path path =
        m_times.Extend(part.path, message.phase, message.acknowledged - part.postedAt);
    part.toKnow -= message.bytes;
    GetStream(message.source, part.stream).toKnow -= message.bytes;
    if (part.toKnow == 0)
    {
        Look(message.source, message.step, path, message.acknowledged);
    }
    GoOn(m_shape.GetDomain(message.source));
}

void
GraphRunner::DoAlarm(uint32_t server)
{
    auto& appointments = m_servers[server].appointments;
    const TimePs now = GetService().GetClock(server);
    while (!appointments.empty() && appointments.top().at <= now)
    {
        const Appointment due = appointments.top();
        appointments.pop();
        --m_appointments;
        const Stream& stream = GetStream(due.gpu, due.stream);
        End(due.gpu,
            due.stream,
            m_times.Extend(stream.path, stream.node.kind, stream.node.duration),
            due.at);
    }
    GoOn(server);
    FinishIfDone();
}

/// By step and server; in the order of the plan among these.
void
GraphRunner::NumberMessages()
{
    ExchangeMessages& messages = GetExchangeMessages();
    std::vector<Message*> sorted;
    for (std::size_t id = 0; id < messages.GetSize(); ++id)
    {
        sorted.push_back(&messages.Get(id));
    }
    const auto rank = [this](const Message& message) {
        return std::tuple(message.step, m_shape.GetDomain(message.source), message.id);
    };
    std::sort(sorted.begin(), sorted.end(), [&rank](const Message* one, const Message* other) {
        return rank(*one) < rank(*other);
    });
    for (std::size_t id = 0; id < sorted.size(); ++id)
    {
        sorted[id]->id = static_cast<uint32_t>(id);
    }
}

bool
GraphRunner::IsOver() const
{
    return m_openStreams == 0;
}

bool
GraphRunner::IsWaiting() const
{
    return m_appointments > 0;
}

const std::vector<PhaseRecord>&
GraphRunner::GetPhases() const
{
    return m_phases;
}

GraphRecord
GraphRunner::GetRecord() const
{
    GraphRecord record = m_times.GetRecord();
    record.end -= m_phases.front().start;
    record.iterations = GetSchedule().iterations;
    return record;
}

const GraphProgram&
GraphRunner::GetProgram() const
{
    return *m_program;
}

std::string
GraphRunner::DescribeStuck() const
{
    constexpr uint32_t kMostLines = 20; // more lines say nothing new
    std::string text;
    uint64_t open = 0;
    for (uint32_t head = 0; head < m_heads.size(); ++head)
    {
        const Stream& stream = m_heads[head];
        if (!stream.isLoaded || ++open > kMostLines)
        {
            continue;
        }
        text += "GPU " + std::to_string(head / m_streams) + ": " +
                m_program->GetKinds()[stream.node.kind] +
                (stream.isRunning ? " is not over\n" : " waits for another stream\n");
    }
    return open > kMostLines ? text + "and " + std::to_string(open - kMostLines) + " others\n"
                             : text;
}

} // namespace ns3::rails
