// SPDX-License-Identifier: GPL-2.0-only
#include "flow-calendar.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::rails
{

namespace
{

/// More settlings than this in one instant, without a message that comes or ends, never end.
constexpr uint32_t kMostInVain = 10'000;

bool
IsFlight(FlowCalendar::Task task)
{
    return task == FlowCalendar::Task::Delivered || task == FlowCalendar::Task::Acknowledged;
}

} // namespace

bool
FlowCalendar::Appointment::operator>(const Appointment& other) const
{
    return std::tie(at, task, turn, index) >
           std::tie(other.at, other.task, other.turn, other.index);
}

FlowCalendar::FlowCalendar(const FlowClocks& clocks, std::function<void()> work)
    : m_clocks(clocks),
      m_work(std::move(work))
{
}

FlowCalendar::~FlowCalendar()
{
    m_event.Cancel();
}

void
FlowCalendar::Add(TimePs at, Task task, uint32_t index, uint64_t turn)
{
    m_appointments.push({at, task, turn, index});
    m_flying += IsFlight(task) ? 1 : 0;
}

void
FlowCalendar::Meet(TimePs at, Task task, uint32_t index, uint64_t turn)
{
    Add(std::max(at, NowPs()), task, index, turn);
    Arrange();
}

void
FlowCalendar::Arm(uint32_t number, FlowQueue& queue)
{
    if (!queue.isArmed)
    {
        queue.isArmed = true;
        m_armed.push_back(number);
        AskToSettle(NowPs());
    }
}

std::vector<uint32_t>
FlowCalendar::TakeArmed()
{
    return std::exchange(m_armed, {});
}

void
FlowCalendar::Arrange()
{
    if (m_isWorking)
    {
        return;
    }
    TimePs next = std::min(m_clocks.GetNextDue(), m_settleAt);
    if (!m_appointments.empty())
    {
        next = std::min(next, m_appointments.top().at);
    }
    if (next == m_eventAt)
    {
        return;
    }
    m_event.Cancel();
    m_eventAt = next;
    if (next != kNever)
    {
        m_event = Simulator::Schedule(TimeStep(next - NowPs()), &FlowCalendar::OnEvent, this);
    }
}

void
FlowCalendar::OnEvent()
{
    m_isWorking = true;
    m_eventAt = kNever;
    m_work();
    m_isWorking = false;
    Arrange();
}

FlowCalendar::Duty
FlowCalendar::GetDuty(TimePs now) const
{
    if (m_inVain > kMostInVain)
    {
        return Duty::Endless;
    }
    if (m_clocks.GetNextDue() <= now)
    {
        return Duty::Stop;
    }
    if (!m_appointments.empty() && m_appointments.top().at <= now)
    {
        return Duty::Appointment;
    }
    return m_settleAt <= now ? Duty::Settling : Duty::None;
}

FlowCalendar::Appointment
FlowCalendar::TakeAppointment()
{
    const Appointment appointment = m_appointments.top();
    m_appointments.pop();
    m_flying -= IsFlight(appointment.task) ? 1 : 0;
    return appointment;
}

void
FlowCalendar::TakeSettling(TimePs now)
{
    m_settleAt = kNever;
    m_inVain = now == m_settledAt ? m_inVain + 1 : 0;
    m_settledAt = now;
}

void
FlowCalendar::GiveUpSettling()
{
    m_settleAt = kNever;
    m_inVain = 0;
}

} // namespace ns3::rails
