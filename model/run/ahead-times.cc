// SPDX-License-Identifier: GPL-2.0-only
#include "ahead-times.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

namespace
{

/// Largest relative difference of periods that count as equal.
constexpr double kSame = 1e-3;

} // namespace

AheadTimes::AheadTimes(const GpuSpans& spans,
                       const std::vector<LeftOut>& iterations,
                       uint32_t units)
    : m_spans(spans),
      m_iterations(iterations),
      m_inIteration(spans.ahead.size() / iterations.size()),
      m_inUnit(m_inIteration / units)
{
    double computed = 0;
    for (const TimeSpan& span : spans.computing)
    {
        m_computed.push_back(computed);
        computed += static_cast<double>(span.end - span.begin);
    }
}

/// \return idle time of the GPU up to a time of the partial run
double
AheadTimes::FindIdle(TimePs until) const
{
    const auto after =
        std::upper_bound(m_spans.computing.begin(),
                         m_spans.computing.end(),
                         until,
                         [](TimePs time, const TimeSpan& span) { return time < span.begin; });
    if (after == m_spans.computing.begin())
    {
        return static_cast<double>(until);
    }
    const TimeSpan& span = *(after - 1);
    return static_cast<double>(until - (std::min(until, span.end) - span.begin)) -
           m_computed[after - 1 - m_spans.computing.begin()];
}

/// \return idle time of the GPU up to a time of the whole run
double
AheadTimes::FindIdleInAll(double until) const
{
    double idle = 0;    // in the cycles omitted before
    double leftOut = 0; // length of these cycles
    for (const LeftOut& each : m_iterations)
    {
        const double into = until - leftOut - static_cast<double>(each.at);
        if (into <= 0)
        {
            break;
        }
        const double before = static_cast<double>(each.at) - each.period;
        const double cycles =
            std::min(std::ceil(into / each.period), static_cast<double>(each.cycles));
        idle += cycles * (FindIdle(each.at) - FindIdle(std::llround(before)));
        leftOut += cycles * each.period;
    }
    return idle + FindIdle(std::llround(until - leftOut));
}

double
AheadTimes::FindExposedInPart() const
{
    double exposed = 0;
    for (const TimeSpan& span : m_spans.ahead)
    {
        exposed += FindIdle(span.end) - FindIdle(span.begin);
    }
    return exposed;
}

double
AheadTimes::FindExposed() const
{
    const std::vector<TimeSpan>& nodes = m_spans.ahead;
    double exposed = 0;
    const auto add = [&](std::size_t from, std::size_t to, double later) {
        for (std::size_t node = from; node < to; ++node)
        {
            exposed += FindIdleInAll(static_cast<double>(nodes[node].end) + later) -
                       FindIdleInAll(static_cast<double>(nodes[node].begin) + later);
        }
    };
    double later = 0;   // by which nodes are later than in the partial run
    double leftOut = 0; // by which the iteration is later
    for (std::size_t iteration = 0; iteration < m_iterations.size(); ++iteration)
    {
        const LeftOut& each = m_iterations[iteration];
        const std::size_t first = iteration * m_inIteration;
        const std::size_t end = first + m_inIteration;
        const std::size_t cycle = each.units * m_inUnit;
        const bool hasWaited = first > 0 && nodes[first].begin > nodes[first - 1].end;
        later = hasWaited ? leftOut : later;
        // Nodes that keep step with computing repeat with its period, and idle times are equal each
        // time. Nodes that wait only for each other repeat with the period of a cycle in the
        // middle.
        std::size_t cut = first + 2 * cycle;
        while (cut < end && nodes[cut].end <= each.at)
        {
            ++cut;
        }
        const auto usual = static_cast<double>(nodes[cut - 1].end - nodes[cut - 1 - cycle].end);
        const bool keepsStep = std::abs(usual - each.period) < kSame * each.period;
        cut = keepsStep ? cut : first + (m_inIteration + cycle) / 2;
        const double period =
            keepsStep ? each.period
                      : static_cast<double>(nodes[cut - 1].end - nodes[cut - cycle].begin);
        add(first, cut, later);
        const double before = exposed;
        for (uint64_t again = 1; again <= (keepsStep ? 1 : each.cycles); ++again)
        {
            add(cut - cycle, cut, later + static_cast<double>(again) * period);
        }
        exposed =
            keepsStep ? before + static_cast<double>(each.cycles) * (exposed - before) : exposed;
        later += static_cast<double>(each.cycles) * period;
        add(cut, end, later);
        leftOut += static_cast<double>(each.cycles) * each.period;
    }
    return exposed;
}

} // namespace ns3::rails
