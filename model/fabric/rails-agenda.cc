// SPDX-License-Identifier: GPL-2.0-only
#include "rails-agenda.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::rails
{

class Agenda::WakeEvent : public EventImpl
{
  public:
    explicit WakeEvent(Agenda* agenda)
        : m_agenda(agenda)
    {
    }

    // Events outlive the agenda when a simulation is destroyed half way.
    void Detach()
    {
        m_agenda = nullptr;
    }

  protected:
    void Notify() override
    {
        if (m_agenda)
        {
            m_agenda->Wake();
        }
    }

  private:
    Agenda* m_agenda;
};

Agenda::Agenda()
    : m_event(Create<WakeEvent>(this))
{
}

Agenda::~Agenda()
{
    m_event->Detach();
}

void
Timeline::Insert(TimePs at, Task& task)
{
    if (m_entries.full())
    {
        m_entries.set_capacity(std::max<std::size_t>(8, 2 * m_entries.capacity()));
    }
    m_entries.push_back({at, &task});
    auto place = m_entries.end() - 1;
    while (place != m_entries.begin())
    {
        const auto before = place - 1;
        if (before->at < at || (before->at == at && before->task->GetIndex() <= task.GetIndex()))
        {
            break;
        }
        *place = *before;
        place = before;
    }
    *place = {at, &task};
}

Task&
Timeline::Pop()
{
    Task& task = *m_entries.front().task;
    m_entries.pop_front();
    return task;
}

bool
Agenda::Timer::operator<(const Timer& other) const
{
    return at != other.at ? at > other.at : task->GetIndex() > other.task->GetIndex();
}

void
Agenda::LimitSlack(TimePs delay)
{
    m_slack = m_hasCable ? std::min(m_slack, delay) : delay;
    m_hasCable = true;
}

void
Agenda::SetPunctual(bool punctual)
{
    if (punctual == m_punctual)
    {
        return;
    }
    m_punctual = punctual;
    if (!m_awake)
    {
        ArmNext();
    }
}

void
Agenda::Schedule(TimePs at, Task& task)
{
    switch (task.m_phase)
    {
    case TaskPhase::Departure:
        m_departures.Insert(at, task);
        break;
    case TaskPhase::Arrival:
        m_arrivals.Insert(at, task);
        break;
    case TaskPhase::Timer:
    case TaskPhase::Decision:
        m_timers.push_back({at, &task});
        std::push_heap(m_timers.begin(), m_timers.end());
        break;
    }
    if (!m_awake)
    {
        ArmNext();
    }
}

void
Agenda::Decide(Task& task)
{
    if (task.m_deciding)
    {
        return;
    }
    task.m_deciding = true;
    m_decisions.push_back(&task);
    if (!m_awake)
    {
        Arm(NowPs());
    }
}

void
Agenda::Arm(TimePs at)
{
    if (m_wakes.empty() || at < m_wakes.back())
    {
        m_wakes.push_back(at);
        Simulator::Schedule(TimeStep(at - NowPs()), Ptr<EventImpl>(m_event));
    }
}

void
Agenda::Wake()
{
    m_wakes.pop_back();
    Finish();
    ArmNext();
}

void
Agenda::ArmNext()
{
    const TimePs next = GetWakeTime();
    if (next != kNever)
    {
        Arm(next);
    }
}

TimePs
Agenda::GetWakeTime() const
{
    const TimePs departure = m_departures.GetNextTime();
    const TimePs other =
        std::min(m_arrivals.GetNextTime(), m_timers.empty() ? kNever : m_timers.front().at);
    if (!m_punctual)
    {
        const TimePs first = std::min(departure, other);
        return first == kNever ? kNever : first + m_slack;
    }
    return departure == kNever ? other : std::min(other, departure + m_slack);
}

void
Agenda::CatchUp()
{
    if (!m_awake && GetNextTime() < NowPs())
    {
        RunThrough(NowPs() - 1);
        ArmNext();
    }
}

void
Agenda::CatchUpThroughNow()
{
    if (!m_awake && GetNextTime() <= NowPs())
    {
        RunThrough(NowPs());
        ArmNext();
    }
}

void
Agenda::Finish()
{
    const TimePs now = NowPs();
    RunThrough(now);
    if (!m_decisions.empty())
    {
        // Requested from outside at a time without other tasks.
        m_awake = true;
        m_now = now;
        RunInstant();
        m_awake = false;
    }
}

void
Agenda::RunThrough(TimePs last)
{
    m_awake = true;
    for (TimePs next = GetNextTime(); next <= last; next = GetNextTime())
    {
        m_now = next;
        RunInstant();
    }
    m_awake = false;
}

TimePs
Agenda::GetNextTime() const
{
    return std::min({m_departures.GetNextTime(),
                     m_arrivals.GetNextTime(),
                     m_timers.empty() ? kNever : m_timers.front().at});
}

void
Agenda::RunInstant()
{
    do
    {
        while (m_departures.GetNextTime() == m_now)
        {
            m_departures.Pop().Run();
        }
        while (m_arrivals.GetNextTime() == m_now)
        {
            m_arrivals.Pop().Run();
        }
        while (!m_timers.empty() && m_timers.front().at == m_now)
        {
            Task* task = m_timers.front().task;
            std::pop_heap(m_timers.begin(), m_timers.end());
            m_timers.pop_back();
            task->Run();
        }
        RunDecisions();
    } while (GetNextTime() == m_now);
}

void
Agenda::RunDecisions()
{
    if (m_decisions.size() > 1)
    {
        std::sort(m_decisions.begin(), m_decisions.end(), [](const Task* a, const Task* b) {
            return a->m_index < b->m_index;
        });
    }
    // Decisions may request further decisions, which are appended.
    for (std::size_t i = 0; i < m_decisions.size(); ++i)
    {
        m_decisions[i]->m_deciding = false;
        m_decisions[i]->Run();
    }
    m_decisions.clear();
}

} // namespace ns3::rails
