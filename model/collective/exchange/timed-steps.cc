// SPDX-License-Identifier: GPL-2.0-only
#include "timed-steps.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::rails
{

TimedSteps::TimedSteps(std::vector<TrafficStep> steps,
                       StepPoster& poster,
                       Ptr<MessageService> service,
                       std::function<void()> onFirstPost)
    : m_steps(std::move(steps)),
      m_poster(poster),
      m_service(service),
      m_onFirstPost(std::move(onFirstPost))
{
}

TimedSteps::~TimedSteps()
{
    m_timer.Cancel();
}

void
TimedSteps::Start()
{
    m_start = NowPs();
    PostDueSteps(0);
}

void
TimedSteps::PostDueSteps(uint32_t step)
{
    const TimePs elapsed = NowPs() - m_start;
    if (step == 0 && m_steps.front().start <= elapsed)
    {
        m_onFirstPost();
    }
    for (; step < m_steps.size() && m_steps[step].start <= elapsed; ++step)
    {
        m_poster.PostStep(step);
    }
    if (step < m_steps.size())
    {
        m_timer = Simulator::Schedule(TimeStep(m_steps[step].start - elapsed),
                                      &TimedSteps::OnDue,
                                      this,
                                      step);
    }
}

void
TimedSteps::OnDue(uint32_t step)
{
    m_timer = Simulator::ScheduleNow([this, step] {
        m_service->CatchUpThroughNow();
        PostDueSteps(step);
    });
}

void
TimedSteps::OnDelivered(const Message&)
{
}

bool
TimedSteps::IsWaiting() const
{
    return !m_timer.IsExpired();
}

} // namespace ns3::rails
