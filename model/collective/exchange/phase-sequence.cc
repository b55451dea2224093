// SPDX-License-Identifier: GPL-2.0-only
#include "phase-sequence.h"

#include "ns3/log.h"
#include "ns3/rails-quantity.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsPhases");

PhaseSequence::PhaseSequence(const std::vector<ScheduledPhase>& phases,
                             Ptr<MessageService> service,
                             Callbacks callbacks)
    : m_phases(phases),
      m_service(service),
      m_callbacks(std::move(callbacks))
{
    for (const ScheduledPhase& scheduled : m_phases)
    {
        m_records.push_back({scheduled.phase.GetName(), scheduled.iteration, kNever, kNever});
    }
}

PhaseSequence::~PhaseSequence()
{
    m_timer.Cancel();
}

void
PhaseSequence::SetPhaseCallback(std::function<void(bool)> callback)
{
    m_phaseCallback = std::move(callback);
}

void
PhaseSequence::Start()
{
    StartNextPhase();
}

void
PhaseSequence::StartNextPhase()
{
    if (m_tellsEnd)
    {
        m_tellsEnd = false;
        m_service->CatchUpThroughNow();
        m_phaseCallback(false);
    }
    // A loop, not a recursion: phases without traffic are over at once, and there may be many.
    for (; m_current < m_phases.size(); ++m_current)
    {
        const ScheduledPhase& scheduled = m_phases[m_current];
        PhaseRecord& record = m_records[m_current];
        record.start = NowPs();
        NS_LOG_INFO(FormatTime(NowPs()) << ": phase " << m_current << ", " << record.name
                                        << " of iteration " << record.iteration << ", starts");
        if (!scheduled.traffic)
        {
            m_timer = Simulator::Schedule(TimeStep(scheduled.phase.duration),
                                          &PhaseSequence::EndPhase,
                                          this);
            return;
        }
        m_service->CatchUpThroughNow();
        if (m_callbacks.startTraffic(scheduled, m_current))
        {
            return;
        }
        record.end = NowPs();
    }
    m_callbacks.onOver();
}

void
PhaseSequence::TellFirstPost() const
{
    if (m_phaseCallback)
    {
        m_phaseCallback(true);
    }
}

void
PhaseSequence::EndPhase()
{
    m_records[m_current].end = NowPs();
    NS_LOG_INFO(FormatTime(NowPs()) << ": phase " << m_current << " ends");
    m_tellsEnd = m_phaseCallback && m_phases[m_current].traffic;
    ++m_current;
    m_timer = Simulator::ScheduleNow(&PhaseSequence::StartNextPhase, this);
}

bool
PhaseSequence::IsOver() const
{
    return m_current == m_phases.size();
}

bool
PhaseSequence::IsWaiting() const
{
    return !m_timer.IsExpired();
}

const std::vector<PhaseRecord>&
PhaseSequence::GetRecords() const
{
    return m_records;
}

} // namespace ns3::rails
