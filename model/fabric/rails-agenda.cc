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
Agenda::Schedule(TimePs at, Task& task)
{
    m_heap.push_back({at, task.m_order, &task});
    std::push_heap(m_heap.begin(), m_heap.end());
    if (!m_awake)
    {
        Arm(at);
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
    const TimePs now = NowPs();
    m_wakes.pop_back();
    m_awake = true;
    do
    {
        while (!m_heap.empty() && m_heap.front().at <= now)
        {
            Task* task = m_heap.front().task;
            std::pop_heap(m_heap.begin(), m_heap.end());
            m_heap.pop_back();
            task->Run();
        }
        if (m_decisions.size() > 1)
        {
            std::sort(m_decisions.begin(), m_decisions.end(), [](const Task* a, const Task* b) {
                return a->m_order < b->m_order;
            });
        }
        // Decisions may ask for further ones: they are made in turn.
        for (std::size_t i = 0; i < m_decisions.size(); ++i)
        {
            m_decisions[i]->m_deciding = false;
            m_decisions[i]->Run();
        }
        m_decisions.clear();
    } while (!m_heap.empty() && m_heap.front().at <= now);
    m_awake = false;
    if (!m_heap.empty())
    {
        Arm(m_heap.front().at);
    }
}

} // namespace ns3::rails
