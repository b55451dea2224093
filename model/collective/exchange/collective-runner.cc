// SPDX-License-Identifier: GPL-2.0-only
#include "collective-runner.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return the later of two times; kNever stands for none so far
TimePs
GetLater(TimePs latest, TimePs time)
{
    return latest == kNever ? time : std::max(latest, time);
}

/// \return the pieces, each split evenly over so many queue pairs
std::vector<Piece>
SplitPieces(const std::vector<Piece>& pieces, uint32_t subflows)
{
    if (subflows == 1)
    {
        return pieces;
    }
    std::vector<Piece> parts;
    for (const Piece& piece : pieces)
    {
        for (uint32_t subflow = 0; subflow < subflows; ++subflow)
        {
            Piece part = piece;
            part.subflow = static_cast<uint16_t>(subflow);
            part.bytes = piece.bytes / subflows + (subflow < piece.bytes % subflows ? 1 : 0);
            if (part.bytes > 0)
            {
                parts.push_back(part);
            }
        }
    }
    return parts;
}

} // namespace

CollectiveRunner::CollectiveRunner(WorkloadSchedule schedule,
                                   Ptr<MessageService> service,
                                   Ptr<Planner> planner)
    : m_schedule(std::move(schedule)),
      m_service(service),
      m_planner(planner),
      m_layout(std::make_shared<ServerLayout>(m_schedule.shape.gpusPerDomain,
                                              m_schedule.shape.nicsPerDomain))
{
    for (const ScheduledPhase& scheduled : m_schedule.phases)
    {
        m_phases.push_back({scheduled.phase.GetName(), scheduled.iteration, kNever, kNever});
    }
    for (uint32_t server = 0; server < m_schedule.shape.domains; ++server)
    {
        m_service->SetClient(server, this);
    }
}

CollectiveRunner::~CollectiveRunner()
{
    m_timer.Cancel();
    m_release.Cancel();
    for (uint32_t server = 0; server < m_schedule.shape.domains; ++server)
    {
        m_service->SetClient(server, nullptr);
    }
}

void
CollectiveRunner::SetSubflows(uint32_t subflows)
{
    m_subflows = subflows;
}

void
CollectiveRunner::SetRouter(std::shared_ptr<const Router> router)
{
    m_router = std::move(router);
    const std::shared_ptr<const ServerInterior>& interior = m_router->GetWiring().GetInterior();
    m_layout = {interior, &interior->GetLayout()};
}

void
CollectiveRunner::SetFinishedCallback(std::function<void()> callback)
{
    m_finishedCallback = std::move(callback);
}

void
CollectiveRunner::SetPhaseCallback(std::function<void(bool)> callback)
{
    m_phaseCallback = std::move(callback);
}

void
CollectiveRunner::Start()
{
    StartNextPhase();
}

void
CollectiveRunner::StartNextPhase()
{
    if (m_tellsEnd)
    {
        m_tellsEnd = false;
        m_service->CatchUpThroughNow();
        m_phaseCallback(false);
    }
    // A loop, not a recursion: phases without traffic are over at once, and there may be many.
    for (; m_phase < m_phases.size(); ++m_phase)
    {
        const ScheduledPhase& scheduled = m_schedule.phases[m_phase];
        m_phases[m_phase].start = NowPs();
        if (!scheduled.traffic)
        {
            m_timer = Simulator::Schedule(TimeStep(scheduled.phase.duration),
                                          &CollectiveRunner::EndPhase,
                                          this);
            return;
        }
        if (StartTraffic(scheduled))
        {
            return;
        }
        m_phases[m_phase].end = NowPs();
    }
    FinishIfDone();
}

void
CollectiveRunner::EndPhase()
{
    m_phases[m_phase].end = NowPs();
    m_tellsEnd = m_phaseCallback && m_schedule.phases[m_phase].traffic;
    ++m_phase;
    // Behind all that happens in this instant, on whatever node: the order of nodes must not
    // matter.
    m_timer = Simulator::ScheduleNow(&CollectiveRunner::StartNextPhase, this);
}

bool
CollectiveRunner::StartTraffic(const ScheduledPhase& scheduled)
{
    m_service->CatchUpThroughNow();
    // All plans are made before the first post, so that none can depend on another's sending.
    const uint32_t domains = m_schedule.shape.domains;
    const size_t first = m_messages.size();
    m_steps = scheduled.GetSteps();
    m_batches.clear();
    m_plans.clear();
    m_replans.clear();
    m_chain.reset();
    for (uint32_t step = 0; step < m_steps.size(); ++step)
    {
        for (uint32_t domain = 0; domain < domains; ++domain)
        {
            MakeMessages(*m_steps[step].traffic, domain, step);
        }
    }
    m_undelivered = m_messages.size() - first;
    if (m_undelivered == 0)
    {
        return false;
    }
    m_unacknowledged += m_undelivered;
    if (m_planner->ChoosesAtSending())
    {
        const std::vector<uint32_t> none(m_schedule.shape.nicsPerDomain, 0);
        m_senders.assign(domains, Sender{{}, none, false});
    }
    if (scheduled.isChained)
    {
        StartChain();
    }
    else
    {
        PostDueSteps(0);
    }
    return true;
}

void
CollectiveRunner::MakeMessages(const TrafficMatrix& traffic, uint32_t domain, uint32_t step)
{
    ServerView view = MakeServerView(traffic, domain, m_layout);
    ShowFailures(view);
    std::vector<Piece> pieces = m_planner->Plan(view);
    CheckPlan(view, pieces);
    pieces = SplitPieces(pieces, m_subflows);
    const size_t first = m_messages.size();
    for (const Piece& piece : pieces)
    {
        const LocalDemand& demand = view.demands[piece.demand];
        AddMessage(demand.source, demand.destination, piece.bytes, step);
        m_messages.back().txRail = piece.txRail;
        m_messages.back().rxRail = piece.rxRail;
        m_messages.back().subflow = piece.subflow;
    }
    const size_t inside = m_messages.size();
    const uint32_t gpus = m_schedule.shape.gpusPerDomain;
    for (uint32_t source = domain * gpus; source < (domain + 1) * gpus; ++source)
    {
        for (const Demand& demand : traffic.GetRow(source))
        {
            if (m_schedule.shape.GetDomain(demand.destination) == domain)
            {
                AddMessage(source, demand.destination, demand.bytes, step);
            }
        }
    }
    m_batches.push_back({first, inside, m_messages.size()});
    if (m_planner->ChoosesAtSending())
    {
        m_plans.push_back({std::move(view), std::move(pieces)});
    }
}

void
CollectiveRunner::ShowFailures(ServerView& view) const
{
    view.reach.clear();
    if (!m_router || !m_router->GetWiring().WasCut())
    {
        return;
    }
    const uint32_t rails = view.shape.nicsPerDomain;
    view.reach.resize(view.shape.domains);
    std::vector<bool> isKnown(view.shape.domains);
    for (const LocalDemand& demand : view.demands)
    {
        const uint32_t to = view.shape.GetDomain(demand.destination);
        if (isKnown[to])
        {
            continue;
        }
        isKnown[to] = true;
        std::vector<bool> reach(rails * rails);
        bool any = false;
        for (uint32_t tx = 0; tx < rails; ++tx)
        {
            for (uint32_t rx = 0; rx < rails; ++rx)
            {
                const bool isUsed = tx == rx || m_planner->CrossesRails();
                reach[tx * rails + rx] =
                    isUsed && m_router->Reaches(view.domain * rails + tx, to * rails + rx);
                any = any || reach[tx * rails + rx];
            }
        }
        if (any)
        {
            view.reach[to] = std::move(reach);
        }
    }
}

bool
CollectiveRunner::HasWay(const ServerView& view, uint32_t to) const
{
    return !view.reach.empty() && !view.reach[to].empty();
}

void
CollectiveRunner::Replan()
{
    if (m_finished)
    {
        return;
    }
    for (Plan& plan : m_plans)
    {
        ShowFailures(plan.view);
    }
    for (Plan& plan : m_replans)
    {
        ShowFailures(plan.view);
    }
    while (m_firstOpen < m_messages.size() &&
           (m_messages[m_firstOpen].acknowledged != kNever || m_messages[m_firstOpen].isAbandoned))
    {
        ++m_firstOpen;
    }
    // By step and server: source and destination GPU, and what there is for it.
    std::map<std::pair<uint32_t, uint32_t>, std::map<std::pair<uint32_t, uint32_t>, uint64_t>>
        stranded;
    const size_t end = m_messages.size();
    for (size_t i = m_firstOpen; i < end; ++i)
    {
        Message& message = m_messages[i];
        if (GiveUp(message))
        {
            const uint32_t domain = m_schedule.shape.GetDomain(message.source);
            stranded[{message.step, domain}][{message.source, message.destination}] +=
                message.bytes;
        }
    }
    for (const auto& [where, demands] : stranded)
    {
        ServerView view{m_schedule.shape, where.second, {}, {}, m_layout};
        for (const auto& [gpus, bytes] : demands)
        {
            view.demands.push_back({gpus.first, gpus.second, bytes});
        }
        Repost(where.first, std::move(view));
    }
    for (uint32_t domain = 0; domain < m_senders.size(); ++domain)
    {
        PostWhatFits(domain); // some may have waited for a rail that has come back
    }
}

bool
CollectiveRunner::GiveUp(Message& message)
{
    const uint32_t from = m_schedule.shape.GetDomain(message.source);
    const uint32_t to = m_schedule.shape.GetDomain(message.destination);
    const uint32_t rails = m_schedule.shape.nicsPerDomain;
    const bool isPlaced = message.start != kNever || !m_planner->ChoosesAtSending();
    if (!m_router || from == to || !isPlaced || message.acknowledged != kNever ||
        message.isAbandoned ||
        m_router->Reaches(from * rails + message.txRail, to * rails + message.rxRail))
    {
        return false;
    }
    ServerView view{m_schedule.shape,
                    from,
                    {{message.source, message.destination, 1}},
                    {},
                    m_layout};
    ShowFailures(view);
    if (!HasWay(view, to))
    {
        return false;
    }
    if (message.start == kNever)
    {
        std::tie(message.txRail, message.rxRail) =
            view.MoveRails(to, message.txRail, message.rxRail);
        return false;
    }
    if (m_planner->ChoosesAtSending() && !message.isSent)
    {
        --m_senders[from].unsentPieces[message.txRail];
    }
    m_service->Abandon(message);
    if (!message.isAbandoned)
    {
        return false; // all of it had arrived
    }
    ++m_abandoned;
    --m_undelivered;
    --m_travelling;
    --m_unacknowledged;
    return true;
}

void
CollectiveRunner::Repost(uint32_t step, ServerView view)
{
    ShowFailures(view);
    std::vector<Piece> pieces = m_planner->Plan(view);
    CheckPlan(view, pieces);
    const uint32_t domain = view.domain;
    m_replans.push_back({std::move(view), SplitPieces(pieces, m_subflows)});
    const Plan& plan = m_replans.back();
    m_undelivered += plan.pieces.size();
    m_unacknowledged += plan.pieces.size();
    for (const Piece& piece : plan.pieces)
    {
        const LocalDemand& demand = plan.view.demands[piece.demand];
        AddMessage(demand.source, demand.destination, piece.bytes, step);
        Message& message = m_messages.back();
        message.txRail = piece.txRail;
        message.rxRail = piece.rxRail;
        message.subflow = piece.subflow;
        if (m_planner->ChoosesAtSending())
        {
            m_senders[domain].waiting.push_back({&plan.view, piece, &message});
        }
        else
        {
            Post(message);
        }
    }
    if (m_planner->ChoosesAtSending())
    {
        PostWhatFits(domain);
    }
}

void
CollectiveRunner::CheckPlan(const ServerView& view, const std::vector<Piece>& pieces) const
{
    const auto require = [&](bool met, const char* what) {
        if (!met)
        {
            throw std::logic_error(m_planner->GetInstanceTypeId().GetName() +
                                   ": the plan of server " + std::to_string(view.domain) + " " +
                                   what);
        }
    };
    std::vector<uint64_t> left;
    for (const LocalDemand& demand : view.demands)
    {
        left.push_back(demand.bytes);
    }
    for (const Piece& piece : pieces)
    {
        require(piece.demand < left.size(), "has a piece of nothing");
        require(piece.bytes > 0, "has an empty piece");
        require(piece.bytes <= left[piece.demand], "sends some bytes twice");
        require(piece.txRail < view.shape.nicsPerDomain && piece.rxRail < view.shape.nicsPerDomain,
                "uses a rail that does not exist");
        left[piece.demand] -= piece.bytes;
    }
    require(std::all_of(left.begin(), left.end(), [](uint64_t bytes) { return bytes == 0; }),
            "leaves out some bytes");
}

void
CollectiveRunner::AddMessage(uint32_t source, uint32_t destination, uint64_t bytes, uint32_t step)
{
    Message& message = m_messages.emplace_back();
    message.id = m_messages.size() - 1;
    message.pair = source * m_schedule.shape.GetGpus() + destination;
    message.source = source;
    message.destination = destination;
    message.phase = m_phase;
    message.step = step;
    message.bytes = bytes;
}

void
CollectiveRunner::StartChain()
{
    TellStart();
    const uint32_t gpus = m_schedule.shape.GetGpus();
    Chain& chain = m_chain.emplace();
    chain.expected.resize(m_steps.size() * gpus, 0);
    chain.next.resize(gpus, 1);
    for (uint32_t step = 0; step < m_steps.size(); ++step)
    {
        for (uint32_t source = 0; source < gpus; ++source)
        {
            for (const Demand& demand : m_steps[step].traffic->GetRow(source))
            {
                chain.expected[size_t{step} * gpus + demand.destination] += demand.bytes;
            }
        }
    }
    for (uint32_t domain = 0; domain < m_schedule.shape.domains; ++domain)
    {
        PostStep(0, domain);
    }
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        Advance(gpu);
    }
}

void
CollectiveRunner::Advance(uint32_t gpu)
{
    const uint32_t gpus = m_schedule.shape.GetGpus();
    uint32_t& next = m_chain->next[gpu];
    while (next < m_steps.size() && m_chain->expected[size_t{next - 1} * gpus + gpu] == 0)
    {
        PostStep(next++, m_schedule.shape.GetDomain(gpu), gpu);
    }
}

void
CollectiveRunner::TellStart()
{
    if (m_phaseCallback)
    {
        m_phaseCallback(true);
    }
}

// Behind all that happens in this instant, as a phase does.
void
CollectiveRunner::ReleaseSteps(uint32_t step)
{
    m_release = Simulator::ScheduleNow([this, step] {
        m_service->CatchUpThroughNow();
        PostDueSteps(step);
    });
}

void
CollectiveRunner::PostDueSteps(uint32_t step)
{
    const TimePs elapsed = NowPs() - m_phases[m_phase].start;
    if (step == 0 && m_steps.front().start <= elapsed)
    {
        TellStart();
    }
    for (; step < m_steps.size() && m_steps[step].start <= elapsed; ++step)
    {
        for (uint32_t domain = 0; domain < m_schedule.shape.domains; ++domain)
        {
            PostStep(step, domain);
        }
    }
    if (step < m_steps.size())
    {
        m_release = Simulator::Schedule(TimeStep(m_steps[step].start - elapsed),
                                        &CollectiveRunner::ReleaseSteps,
                                        this,
                                        step);
    }
}

void
CollectiveRunner::PostStep(uint32_t step, uint32_t domain, std::optional<uint32_t> gpu)
{
    const size_t number = size_t{step} * m_schedule.shape.domains + domain;
    const Batch& batch = m_batches[number];
    const auto isMeant = [&](const Message& message) { return !gpu || message.source == *gpu; };
    size_t next = batch.first;
    if (m_planner->ChoosesAtSending())
    {
        const Plan& plan = m_plans[number];
        for (; next < batch.inside; ++next)
        {
            if (isMeant(m_messages[next]))
            {
                m_senders[domain].waiting.push_back(
                    {&plan.view, plan.pieces[next - batch.first], &m_messages[next]});
            }
        }
        PostWhatFits(domain);
    }
    for (; next < batch.end; ++next)
    {
        if (isMeant(m_messages[next]))
        {
            Post(m_messages[next]);
        }
    }
}

void
CollectiveRunner::Post(Message& message)
{
    ++m_travelling;
    m_service->Post(message);
    m_firstPost = std::min(m_firstPost, message.start);
    m_lastPost = GetLater(m_lastPost, message.start);
}

void
CollectiveRunner::PostWhatFits(uint32_t domain)
{
    Sender& sender = m_senders[domain];
    if (sender.posting)
    {
        return;
    }
    sender.posting = true;
    const uint32_t rails = m_schedule.shape.nicsPerDomain;
    std::vector<uint64_t> unsentBytes(rails);
    while (!sender.waiting.empty())
    {
        bool full = true;
        const uint32_t to = m_schedule.shape.GetDomain(sender.waiting.front().message->destination);
        const ServerView& view = *sender.waiting.front().view;
        for (uint32_t rail = 0; rail < rails; ++rail)
        {
            const bool takes =
                sender.unsentPieces[rail] < m_planner->GetDepth() && view.Reaches(to, rail, rail);
            unsentBytes[rail] = takes ? m_service->GetUnsentBytes(domain, rail) : kRailFull;
            full = full && !takes;
        }
        if (full)
        {
            break;
        }
        const Pending pending = sender.waiting.front();
        sender.waiting.pop_front();
        const uint16_t rail = m_planner->ChooseRail(*pending.view, pending.piece, unsentBytes);
        if (rail >= rails)
        {
            throw std::logic_error(m_planner->GetInstanceTypeId().GetName() +
                                   ": chose a rail that does not exist");
        }
        pending.message->txRail = rail;
        pending.message->rxRail = rail;
        ++sender.unsentPieces[rail];
        Post(*pending.message);
    }
    sender.posting = false;
}

void
CollectiveRunner::OnDelivered(Message& message)
{
    m_deliveredBytes += message.bytes;
    m_lastDelivery = GetLater(m_lastDelivery, message.end);
    --m_travelling;
    if (m_chain)
    {
        const size_t gpus = m_schedule.shape.GetGpus();
        m_chain->expected[message.step * gpus + message.destination] -= message.bytes;
        Advance(message.destination);
    }
    if (--m_undelivered == 0)
    {
        EndPhase();
    }
}

void
CollectiveRunner::OnAcknowledged(Message& message)
{
    m_lastAcknowledgement = GetLater(m_lastAcknowledgement, message.acknowledged);
    --m_unacknowledged;
    FinishIfDone();
}

void
CollectiveRunner::OnSent(Message& message)
{
    if (!m_planner->ChoosesAtSending())
    {
        return;
    }
    message.isSent = true;
    const uint32_t domain = m_schedule.shape.GetDomain(message.source);
    --m_senders[domain].unsentPieces[message.txRail];
    PostWhatFits(domain);
}

void
CollectiveRunner::OnAlarm(uint32_t)
{
    throw std::logic_error("phases begin by events of the simulator, and no alarm was set");
}

void
CollectiveRunner::FinishIfDone()
{
    if (m_phase == m_phases.size() && m_unacknowledged == 0 && !m_finished)
    {
        m_finished = true;
        if (m_finishedCallback)
        {
            m_finishedCallback();
        }
    }
}

bool
CollectiveRunner::IsFinished() const
{
    return m_finished;
}

bool
CollectiveRunner::IsWaiting() const
{
    return !m_timer.IsExpired() || (!m_release.IsExpired() && m_travelling == 0);
}

const WorkloadSchedule&
CollectiveRunner::GetSchedule() const
{
    return m_schedule;
}

const std::deque<Message>&
CollectiveRunner::GetMessages() const
{
    return m_messages;
}

const std::vector<CollectiveRunner::PhaseRecord>&
CollectiveRunner::GetPhases() const
{
    return m_phases;
}

uint64_t
CollectiveRunner::GetDeliveredMessages() const
{
    return m_messages.size() - m_undelivered - m_abandoned;
}

uint64_t
CollectiveRunner::GetAbandonedMessages() const
{
    return m_abandoned;
}

uint64_t
CollectiveRunner::GetDeliveredBytes() const
{
    return m_deliveredBytes;
}

TimePs
CollectiveRunner::GetFirstPost() const
{
    return m_firstPost;
}

TimePs
CollectiveRunner::GetLastPost() const
{
    return m_lastPost;
}

TimePs
CollectiveRunner::GetLastDelivery() const
{
    return m_lastDelivery;
}

TimePs
CollectiveRunner::GetLastAcknowledgement() const
{
    return m_lastAcknowledgement;
}

} // namespace ns3::rails
