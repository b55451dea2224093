// SPDX-License-Identifier: GPL-2.0-only
#include "workload-runner.h"

#include "choosing-sender.h"
#include "eager-sender.h"

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

WorkloadRunner::WorkloadRunner(WorkloadSchedule schedule,
                               Ptr<MessageService> service,
                               Ptr<Planner> planner)
    : m_schedule(std::move(schedule)),
      m_service(service),
      m_choosesAtSending(planner->ChoosesAtSending()),
      m_planners(m_schedule.shape, planner),
      m_messages(m_schedule.shape, service),
      m_sender(MakeSender(m_schedule.shape,
                          planner,
                          service,
                          m_planners.GetKnowledge(0, false),
                          m_messages)),
      m_replanner(m_schedule.shape,
                  m_planners,
                  m_messages,
                  *m_sender,
                  [this](uint32_t server, uint32_t step) { return FindMembers(server, step); })
{
    for (uint32_t server = 0; server < m_schedule.shape.domains; ++server)
    {
        m_service->SetClient(server, this);
    }
}

WorkloadRunner::~WorkloadRunner()
{
    for (uint32_t server = 0; server < m_schedule.shape.domains; ++server)
    {
        m_service->SetClient(server, nullptr);
    }
}

void
WorkloadRunner::SetSubflows(uint32_t subflows)
{
    m_planners.SetSubflows(subflows);
}

void
WorkloadRunner::SetRouter(std::shared_ptr<const Router> router)
{
    m_planners.SetRouter(std::move(router));
    m_replanner.NoteRates();
}

void
WorkloadRunner::SetFrames(const FrameFormat& frames)
{
    m_planners.SetFrames(frames);
}

void
WorkloadRunner::SetFinishedCallback(std::function<void()> callback)
{
    m_finishedCallback = std::move(callback);
}

void
WorkloadRunner::NumberMessages()
{
}

void
WorkloadRunner::Replan()
{
    if (!m_finished)
    {
        m_replanner.Replan();
    }
}

MessageService&
WorkloadRunner::GetService() const
{
    return *m_service;
}

TrafficPlanners&
WorkloadRunner::GetPlanners()
{
    return m_planners;
}

ExchangeMessages&
WorkloadRunner::GetExchangeMessages()
{
    return m_messages;
}

PieceSender&
WorkloadRunner::GetSender()
{
    return *m_sender;
}

uint64_t
WorkloadRunner::GetTravelling() const
{
    return m_messages.GetTravelling();
}

bool
WorkloadRunner::ChoosesAtSending() const
{
    return m_choosesAtSending;
}

void
WorkloadRunner::OnDelivered(Message& message)
{
    m_messages.OnDelivered(message);
    DoDelivered(message);
    FinishIfDone(); // an ACK leaves its NIC before the last byte has crossed NVLink
}

void
WorkloadRunner::OnAcknowledged(Message& message)
{
    m_messages.OnAcknowledged(message);
    DoAcknowledged(message);
    FinishIfDone();
}

void
WorkloadRunner::OnAlarm(uint32_t server)
{
    DoAlarm(server);
}

void
WorkloadRunner::OnSent(Message& message)
{
    m_sender->OnSent(message);
}

void
WorkloadRunner::FinishIfDone()
{
    if (IsOver() && m_messages.GetUnacknowledged() == 0 && !m_finished)
    {
        m_finished = true;
        if (m_finishedCallback)
        {
            m_finishedCallback();
        }
    }
}

bool
WorkloadRunner::IsFinished() const
{
    return m_finished;
}

const WorkloadSchedule&
WorkloadRunner::GetSchedule() const
{
    return m_schedule;
}

const std::deque<Message>&
WorkloadRunner::GetMessages() const
{
    return m_messages.GetAll();
}

void
WorkloadRunner::ForgetMessagesBeyond(size_t most)
{
    m_messages.ForgetBeyond(most);
}

uint64_t
WorkloadRunner::GetMessageCount() const
{
    return m_messages.GetSize();
}

TimePs
WorkloadRunner::GetSlowestForgotten() const
{
    return m_messages.GetSlowestForgotten();
}

uint64_t
WorkloadRunner::GetDeliveredMessages() const
{
    return m_messages.GetDelivered();
}

uint64_t
WorkloadRunner::GetAbandonedMessages() const
{
    return m_messages.GetAbandoned();
}

uint64_t
WorkloadRunner::GetDeliveredBytes() const
{
    return m_messages.GetDeliveredBytes();
}

const CircuitTally&
WorkloadRunner::GetCircuitTally() const
{
    return m_planners.GetTally();
}

TimePs
WorkloadRunner::GetFirstPost() const
{
    return m_messages.GetFirstPost();
}

TimePs
WorkloadRunner::GetLastPost() const
{
    return m_messages.GetLastPost();
}

TimePs
WorkloadRunner::GetLastDelivery() const
{
    return m_messages.GetLastDelivery();
}

TimePs
WorkloadRunner::GetLastAcknowledgement() const
{
    return m_messages.GetLastAcknowledgement();
}

} // namespace ns3::rails
