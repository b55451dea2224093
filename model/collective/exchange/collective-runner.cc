// SPDX-License-Identifier: GPL-2.0-only
#include "collective-runner.h"

#include "chained-steps.h"
#include "choosing-sender.h"
#include "eager-sender.h"
#include "timed-steps.h"

#include <stdexcept>
#include <utility>

namespace ns3::rails
{

namespace
{

std::unique_ptr<PieceSender>
MakeSender(ClusterShape shape,
           Ptr<Planner> planner,
           Ptr<MessageService> service,
           const ServerKnowledge& failures,
           ExchangeMessages& messages)
{
    if (planner->ChoosesAtSending())
    {
        return std::make_unique<ChoosingSender>(shape, planner, service, failures, messages);
    }
    return std::make_unique<EagerSender>(messages);
}

} // namespace

CollectiveRunner::CollectiveRunner(WorkloadSchedule schedule,
                                   Ptr<MessageService> service,
                                   Ptr<Planner> planner)
    : m_schedule(std::move(schedule)),
      m_service(service),
      m_choosesAtSending(planner->ChoosesAtSending()),
      m_knowledge(m_schedule.shape, planner->CrossesRails()),
      m_planMaker(planner, m_knowledge),
      m_messages(m_schedule.shape, service),
      m_sender(MakeSender(m_schedule.shape, planner, service, m_knowledge, m_messages)),
      m_poster(m_schedule.shape, m_planMaker, m_messages, *m_sender),
      m_replanner(m_schedule.shape, m_knowledge, m_planMaker, m_messages, *m_sender),
      m_phases(m_schedule.phases,
               service,
               {[this](const ScheduledPhase& scheduled, size_t phase) {
                    return StartTraffic(scheduled, phase);
                },
                [this] { FinishIfDone(); }})
{
    for (uint32_t server = 0; server < m_schedule.shape.domains; ++server)
    {
        m_service->SetClient(server, this);
    }
}

CollectiveRunner::~CollectiveRunner()
{
    for (uint32_t server = 0; server < m_schedule.shape.domains; ++server)
    {
        m_service->SetClient(server, nullptr);
    }
}

void
CollectiveRunner::SetSubflows(uint32_t subflows)
{
    m_planMaker.SetSubflows(subflows);
}

void
CollectiveRunner::SetRouter(std::shared_ptr<const Router> router)
{
    m_knowledge.SetRouter(std::move(router));
}

void
CollectiveRunner::SetFinishedCallback(std::function<void()> callback)
{
    m_finishedCallback = std::move(callback);
}

void
CollectiveRunner::SetPhaseCallback(std::function<void(bool)> callback)
{
    m_phases.SetPhaseCallback(std::move(callback));
}

void
CollectiveRunner::Start()
{
    m_phases.Start();
}

bool
CollectiveRunner::StartTraffic(const ScheduledPhase& scheduled, size_t phase)
{
    m_messages.SetPhase(static_cast<uint16_t>(phase));
    m_messages.SetAwaited(scheduled.isChained || m_choosesAtSending);
    m_sender->StartPhase();
    m_steps.reset();
    // All plans are made before the first post, so that none can depend on another's sending.
    std::vector<TrafficStep> steps = scheduled.GetSteps();
    if (!m_poster.PlanSteps(steps))
    {
        return false;
    }
    const auto tellFirstPost = [this] { m_phases.TellFirstPost(); };
    if (scheduled.isChained)
    {
        m_steps = std::make_unique<ChainedSteps>(m_schedule.shape, steps, m_poster, tellFirstPost);
    }
    else
    {
        m_steps =
            std::make_unique<TimedSteps>(std::move(steps), m_poster, m_service, tellFirstPost);
    }
    m_steps->Start();
    return true;
}

void
CollectiveRunner::Replan()
{
    if (!m_finished)
    {
        m_replanner.Replan();
    }
}

void
CollectiveRunner::OnDelivered(Message& message)
{
    m_messages.OnDelivered(message);
    m_steps->OnDelivered(message);
    if (m_messages.GetUndelivered() == 0)
    {
        m_phases.EndPhase();
    }
}

void
CollectiveRunner::OnAcknowledged(Message& message)
{
    m_messages.OnAcknowledged(message);
    FinishIfDone();
}

void
CollectiveRunner::OnSent(Message& message)
{
    m_sender->OnSent(message);
}

void
CollectiveRunner::OnAlarm(uint32_t)
{
    throw std::logic_error("phases begin by events of the simulator, and no alarm was set");
}

void
CollectiveRunner::FinishIfDone()
{
    if (m_phases.IsOver() && m_messages.GetUnacknowledged() == 0 && !m_finished)
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
    return m_phases.IsWaiting() ||
           (m_steps && m_steps->IsWaiting() && m_messages.GetTravelling() == 0);
}

const WorkloadSchedule&
CollectiveRunner::GetSchedule() const
{
    return m_schedule;
}

const std::deque<Message>&
CollectiveRunner::GetMessages() const
{
    return m_messages.GetAll();
}

const std::vector<PhaseRecord>&
CollectiveRunner::GetPhases() const
{
    return m_phases.GetRecords();
}

uint64_t
CollectiveRunner::GetDeliveredMessages() const
{
    return m_messages.GetDelivered();
}

uint64_t
CollectiveRunner::GetAbandonedMessages() const
{
    return m_messages.GetAbandoned();
}

uint64_t
CollectiveRunner::GetDeliveredBytes() const
{
    return m_messages.GetDeliveredBytes();
}

TimePs
CollectiveRunner::GetFirstPost() const
{
    return m_messages.GetFirstPost();
}

TimePs
CollectiveRunner::GetLastPost() const
{
    return m_messages.GetLastPost();
}

TimePs
CollectiveRunner::GetLastDelivery() const
{
    return m_messages.GetLastDelivery();
}

TimePs
CollectiveRunner::GetLastAcknowledgement() const
{
    return m_messages.GetLastAcknowledgement();
}

} // namespace ns3::rails
