// SPDX-License-Identifier: GPL-2.0-only
#include "rails-queue-averager.h"

#include "ns3/callback.h"

namespace ns3::rails
{

namespace
{

constexpr std::size_t kMostNotes = 512;

} // namespace

QueueAverager::QueueAverager(const std::vector<Ptr<Port>>& ports)
{
    for (const Ptr<Port>& port : ports)
    {
        m_probes.emplace_back(port, NowPs());
        port->TraceConnectWithoutContext("QueueBytes",
                                         MakeCallback(&Probe::OnChange, &m_probes.back()));
    }
}

QueueAverager::~QueueAverager()
{
    for (Probe& probe : m_probes)
    {
        probe.Disconnect();
    }
}

std::vector<double>
QueueAverager::GetMeans(TimePs end)
{
    std::vector<double> means;
    for (Probe& probe : m_probes)
    {
        means.push_back(probe.GetMean(end));
    }
    return means;
}

QueueAverager::Probe::Probe(Ptr<Port> port, TimePs start)
    : m_port(port),
      m_start(start),
      m_since(start),
      m_bytes(port->GetQueueBytes())
{
}

void
QueueAverager::Probe::Disconnect()
{
    m_port->TraceDisconnectWithoutContext("QueueBytes", MakeCallback(&Probe::OnChange, this));
}

void
QueueAverager::Probe::OnChange(Time now, uint64_t /* before */, uint64_t after)
{
    Account(now.GetTimeStep());
    m_bytes = after;
}

void
QueueAverager::Probe::Account(TimePs now)
{
    for (TimePs note = m_start + static_cast<TimePs>(m_notes.size() + 1) * m_step; note <= now;
         note += m_step)
    {
        m_area += static_cast<double>(m_bytes) * static_cast<double>(note - m_since);
        m_since = note;
        m_notes.push_back(m_area);
        if (m_notes.size() == kMostNotes)
        {
            // Keep every other note.
            for (std::size_t i = 0; i < kMostNotes / 2; ++i)
            {
                m_notes[i] = m_notes[2 * i + 1];
            }
            m_notes.resize(kMostNotes / 2);
            m_step *= 2;
        }
    }
    m_area += static_cast<double>(m_bytes) * static_cast<double>(now - m_since);
    m_since = now;
}

double
QueueAverager::Probe::GetMean(TimePs end)
{
    if (end <= m_start)
    {
        return 0;
    }
    if (end > m_since)
    {
        Account(end);
    }
    // Interpolate between the notes before and behind the end; the present area is one, too.
    const auto before = static_cast<std::size_t>((end - m_start) / m_step);
    const TimePs noteTime = m_start + static_cast<TimePs>(before) * m_step;
    const double noteArea = before == 0 ? 0 : m_notes[before - 1];
    const bool hasNext = before < m_notes.size();
    const TimePs nextTime = hasNext ? noteTime + m_step : m_since;
    const double nextArea = hasNext ? m_notes[before] : m_area;
    const double share = nextTime == noteTime ? 0
                                              : static_cast<double>(end - noteTime) /
                                                    static_cast<double>(nextTime - noteTime);
    const double area = noteArea + share * (nextArea - noteArea);
    return area / static_cast<double>(end - m_start);
}

} // namespace ns3::rails
