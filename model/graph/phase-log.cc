// SPDX-License-Identifier: GPL-2.0-only
#include "phase-log.h"

#include "ns3/log.h"
#include "ns3/rails-quantity.h"

#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsPhases");

PhaseLog::PhaseLog(std::vector<PhaseRecord> phases)
    : m_records(std::move(phases))
{
}

void
PhaseLog::SetCallback(std::function<void(bool)> callback)
{
    m_callback = std::move(callback);
}

void
PhaseLog::Advance(TimePs at)
{
    if (m_begun > 0)
    {
        m_records[GetCurrent()].end = at;
        NS_LOG_INFO(FormatTime(at) << ": phase " << GetCurrent() << " ends");
        if (std::exchange(m_hasPosted, false) && m_callback)
        {
            m_callback(false);
        }
    }
    if (m_begun < m_records.size())
    {
        ++m_begun;
        PhaseRecord& record = m_records[GetCurrent()];
        record.start = at;
        NS_LOG_INFO(FormatTime(at) << ": phase " << GetCurrent() << ", " << record.name
                                   << " of iteration " << record.iteration << ", starts");
    }
}

void
PhaseLog::TellPost()
{
    if (!std::exchange(m_hasPosted, true) && m_callback)
    {
        m_callback(true);
    }
}

std::size_t
PhaseLog::GetCurrent() const
{
    return m_begun - 1;
}

} // namespace ns3::rails
