// SPDX-License-Identifier: GPL-2.0-only
#include "collective-runner.h"

#include "chained-steps.h"
#include "timed-steps.h"

#include <stdexcept>
#include <utility>

namespace ns3::rails
{

CollectiveRunner::CollectiveRunner(WorkloadSchedule schedule,
                                   Ptr<MessageService> service,
                                   Ptr<Planner> planner)
    : WorkloadRunner(std::move(schedule), service, planner),
      m_poster(GetSchedule().shape, GetPlanMaker(), GetExchangeMessages(), GetSender()),
      m_phases(GetSchedule().phases,
               service,
               {[this](const ScheduledPhase& scheduled, size_t phase) {
                    return StartTraffic(scheduled, phase);
                },
                [this] { FinishIfDone(); }})
{
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
    GetExchangeMessages().SetPhase(static_cast<uint16_t>(phase));
    GetExchangeMessages().SetAwaited(scheduled.isChained || ChoosesAtSending());
    GetSender().StartPhase();
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
        m_steps =
            std::make_unique<ChainedSteps>(GetSchedule().shape, steps, m_poster, tellFirstPost);
    }
    else
    {
        m_steps =
            std::make_unique<TimedSteps>(std::move(steps), m_poster, &GetService(), tellFirstPost);
    }
    m_steps->Start();
    return true;
}

void
CollectiveRunner::DoDelivered(const Message& message)
{
    m_steps->OnDelivered(message);
    if (GetExchangeMessages().GetUndelivered() == 0)
    {
        m_phases.EndPhase();
    }
}

void
CollectiveRunner::DoAcknowledged(const Message&)
{
}

void
CollectiveRunner::DoAlarm(uint32_t)
{
    throw std::logic_error("phases begin by events of the simulator, and no alarm was set");
}

bool
CollectiveRunner::IsOver() const
{
    return m_phases.IsOver();
}

bool
CollectiveRunner::IsWaiting() const
{
    return m_phases.IsWaiting() || (m_steps && m_steps->IsWaiting() && GetTravelling() == 0);
}

const std::vector<PhaseRecord>&
CollectiveRunner::GetPhases() const
{
    return m_phases.GetRecords();
}

} // namespace ns3::rails
