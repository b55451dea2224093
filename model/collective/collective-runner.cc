// SPDX-License-Identifier: GPL-2.0-only
#include "collective-runner.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <stdexcept>
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
      m_planner(planner)
{
    for (const ScheduledPhase& scheduled : m_schedule.phases)
    {
        m_phases.push_back({scheduled.phase.GetName(), scheduled.iteration, kNever, kNever});
    }
    m_service->SetDeliveredCallback(MakeCallback(&CollectiveRunner::OnDelivered, this));
    m_service->SetAcknowledgedCallback(MakeCallback(&CollectiveRunner::OnAcknowledged, this));
    if (m_planner->ChoosesAtSending())
    {
        m_service->SetSentCallback(MakeCallback(&CollectiveRunner::OnSent, this));
    }
    const auto isChained = [](const ScheduledPhase& scheduled) { return scheduled.isChained; };
    if (std::any_of(m_schedule.phases.begin(), m_schedule.phases.end(), isChained))
    {
        m_service->TellPromptly();
    }
}

CollectiveRunner::~CollectiveRunner()
{
    m_timer.Cancel();
    m_release.Cancel();
    m_service->SetDeliveredCallback({});
    m_service->SetAcknowledgedCallback({});
    m_service->SetSentCallback({});
}

void
CollectiveRunner::SetFinishedCallback(Callback<void> callback)
{
    m_finishedCallback = callback;
}

void
CollectiveRunner::Start()
{
    StartNextPhase();
}

void
CollectiveRunner::StartNextPhase()
{
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
    ++m_phase;
    // Behind all that happens in this instant, on whatever node: the order of nodes must not
    // matter.
    m_timer = Simulator::ScheduleNow(&CollectiveRunner::StartNextPhase, this);
}

bool
CollectiveRunner::StartTraffic(const ScheduledPhase& scheduled)
{
    // All plans are made before the first post, so that none can depend on another's sending.
    const uint32_t domains = m_schedule.shape.domains;
    const size_t first = m_messages.size();
    m_steps = scheduled.GetSteps();
    m_batches.clear();
    m_plans.clear();
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
        const std::vector<uint32_t> none(m_schedule.shape.gpusPerDomain, 0);
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
    ServerView view = MakeServerView(traffic, domain);
    std::vector<Piece> pieces = m_planner->Plan(view);
    CheckPlan(view, pieces);
    pieces = SplitPieces(pieces, m_service->GetSubflows());
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
        require(piece.txRail < view.shape.gpusPerDomain && piece.rxRail < view.shape.gpusPerDomain,
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
CollectiveRunner::PostDueSteps(uint32_t step)
{
    const TimePs elapsed = NowPs() - m_phases[m_phase].start;
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
                                        &CollectiveRunner::PostDueSteps,
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
    m_firstPost = std::min(m_firstPost, NowPs());
    ++m_travelling;
    m_service->Post(message);
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
    const uint32_t rails = m_schedule.shape.gpusPerDomain;
    std::vector<uint64_t> unsentBytes(rails);
    while (!sender.waiting.empty())
    {
        bool full = true;
        for (uint32_t rail = 0; rail < rails; ++rail)
        {
            const bool takes = sender.unsentPieces[rail] < m_planner->GetDepth();
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
    const uint32_t domain = m_schedule.shape.GetDomain(message.source);
    --m_senders[domain].unsentPieces[message.txRail];
    PostWhatFits(domain);
}

void
CollectiveRunner::FinishIfDone()
{
    if (m_phase == m_phases.size() && m_unacknowledged == 0 && !m_finished)
    {
        m_finished = true;
        if (!m_finishedCallback.IsNull())
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
    return m_messages.size() - m_undelivered;
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
