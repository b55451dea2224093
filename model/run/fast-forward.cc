// SPDX-License-Identifier: GPL-2.0-only
#include "fast-forward.h"

#include "ahead-times.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Delay in ps from the end of a node to counting: all events of that instant are over by then.
constexpr TimePs kCountDelay = 1'000'007;

/// Least units of a steady state.
constexpr uint32_t kSteadyUnits = 3;

/// Additional units where activity beside the units may drift.
constexpr uint32_t kLooseUnits = 3;

/// Largest growth of the change of a cycle's time from one cycle to the next, and the change in ps
/// up to which it is rounding, without a drift.
constexpr double kGrowth = 1.2;
constexpr double kRounding = 50;

/// Largest part of all units with which fast-forwarding pays.
constexpr double kLargestPart = 0.8;

/// \return a number of units, raised so that the omitted units are whole cycles
uint32_t
RoundUnits(uint32_t wanted, uint32_t all, uint32_t cycle)
{
    return wanted + (all - std::min(all, wanted)) % cycle;
}

template <typename T>
void
Add(T& all, T from, T to, uint64_t times)
{
    all += static_cast<T>(times) * (to - from);
}

void
Add(std::vector<std::vector<uint64_t>>& all,
    const std::vector<std::vector<uint64_t>>& from,
    const std::vector<std::vector<uint64_t>>& to,
    uint64_t times)
{
    for (std::size_t row = 0; row < all.size(); ++row)
    {
        for (std::size_t column = 0; column < all[row].size(); ++column)
        {
            Add(all[row][column], from[row][column], to[row][column], times);
        }
    }
}

void
Add(FrameCounters& all, const FrameCounters& from, const FrameCounters& to, uint64_t times)
{
    for (const auto counter : {&FrameCounters::frames,
                               &FrameCounters::frameHops,
                               &FrameCounters::pauseFrames,
                               &FrameCounters::drops,
                               &FrameCounters::linkLosses,
                               &FrameCounters::unroutable,
                               &FrameCounters::retransmittedFrames,
                               &FrameCounters::ecnMarks,
                               &FrameCounters::cnps,
                               &FrameCounters::pfcPauses})
    {
        Add(all.*counter, from.*counter, to.*counter, times);
    }
    Add(all.pfcPaused, from.pfcPaused, to.pfcPaused, times);
}

void
Add(PortRecord& all, const PortRecord& from, const PortRecord& to, uint64_t times)
{
    Add(all.bytes, from.bytes, to.bytes, times);
    if (all.busy)
    {
        Add(*all.busy, from.busy.value_or(0), to.busy.value_or(0), times);
    }
    if (!all.frames)
    {
        return;
    }
    for (const auto counter : {&PortFrames::pauses,
                               &PortFrames::marks,
                               &PortFrames::drops,
                               &PortFrames::linkLosses,
                               &PortFrames::dataFrames})
    {
        Add((*all.frames).*counter, (*from.frames).*counter, (*to.frames).*counter, times);
    }
    Add(all.frames->pausedPs, from.frames->pausedPs, to.frames->pausedPs, times);
}

} // namespace

FastForward::FastForward(const GraphRepetition& repetition,
                         const ForwardPart& part,
                         uint32_t iterations,
                         std::function<RunCounters(uint32_t)> count)
    : m_units(repetition.CountUnits()),
      m_part(part),
      m_iterations(iterations),
      m_cycle(repetition.GetCycle()),
      m_isLoose(repetition.IsLoose()),
      m_aheadKind(repetition.FindAheadKind()),
      m_nodes(repetition.ListRepeated(part.units)),
      m_times(m_nodes.size()),
      m_count(std::move(count))
{
    for (std::size_t which = 0; which < m_nodes.size(); ++which)
    {
        m_first.resize(m_nodes[which].gpu + 1, which);
    }
    m_first.push_back(m_nodes.size());
    ChooseReference();
}

void
FastForward::Ignore(uint32_t gpu)
{
    for (std::size_t which = m_first[gpu]; which < m_first[gpu + 1]; ++which)
    {
        m_nodes[which].over.clear();
    }
    ChooseReference();
}

void
FastForward::ChooseReference()
{
    while (m_reference + 1 < m_nodes.size() && m_nodes[m_reference].over.empty())
    {
        ++m_reference;
    }
    const RepeatedNodes& nodes = m_nodes[m_reference];
    m_repeated = static_cast<uint32_t>(nodes.over.size() / m_iterations / nodes.perUnit);
}

ForwardPart
FastForward::ChoosePart(const GraphRepetition& repetition)
{
    // Units to fill the pipeline, to become steady, and to drain the pipeline.
    const uint32_t cycle = repetition.GetCycle();
    const uint32_t wanted = repetition.CountUnderWay() + 2 * cycle + 1 + kSteadyUnits +
                            (repetition.IsLoose() ? kLooseUnits : 0);
    const uint32_t all = repetition.CountUnits();
    // Patterns of a pipeline often repeat with the number of units under way.
    const uint32_t units = RoundUnits(wanted, all, cycle > 1 ? cycle : repetition.CountUnderWay());
    return units <= kLargestPart * all ? ForwardPart{ForwardPart::Choice::Given, units}
                                       : ForwardPart{};
}

void
FastForward::OnEnd(uint32_t gpu, uint32_t stream, uint64_t over, TimePs at)
{
    std::size_t which = m_first[gpu];
    while (which < m_first[gpu + 1] && m_nodes[which].stream != stream)
    {
        ++which;
    }
    if (which == m_first[gpu + 1])
    {
        return;
    }
    const RepeatedNodes& nodes = m_nodes[which];
    std::vector<TimePs>& times = m_times[which];
    uint32_t ended = 0; // units: a model chunk without layers can end several at once
    while (times.size() < nodes.over.size() && nodes.over[times.size()] <= over)
    {
        times.push_back(at);
        ended += times.size() % nodes.perUnit == 0 ? 1 : 0;
    }
    const TimePs now = NowPs();
    for (; ended > 0 && which == m_reference; --ended)
    {
        Simulator::Schedule(PicoSeconds(std::max(at + kCountDelay, now) - now),
                            &FastForward::Count,
                            this);
    }
    if (!times.empty() && times.size() >= (m_over + 1) * CountTimes(which))
    {
        // Judge() comes after Count() of that instant.
        Simulator::Schedule(PicoSeconds(std::max(at + 2 * kCountDelay, now) - now),
                            &FastForward::Judge,
                            this,
                            m_over++);
    }
}

void
FastForward::Judge(uint32_t iteration)
{
    const std::optional<Steady> steady = FindLasting(iteration);
    if (!m_isInVain && (!steady || !LeavesOutWhole(steady->cycle)))
    {
        m_isInVain = true;
        Simulator::Stop();
    }
}

/// \return true when the omitted units are whole cycles
bool
FastForward::LeavesOutWhole(uint32_t cycle) const
{
    return (m_units - m_part.units) % cycle == 0;
}

void
FastForward::Count()
{
    m_counters.push_back(m_count(m_nodes[m_reference].gpu));
}

std::size_t
FastForward::CountTimes(std::size_t which) const
{
    return std::size_t{m_repeated} * m_nodes[which].perUnit;
}

/// \return when the first GPU has ended the repeated units of an iteration
TimePs
FastForward::FindEnd(uint32_t iteration) const
{
    TimePs end = kNever;
    for (std::size_t which = 0; which < m_nodes.size(); ++which)
    {
        const std::size_t last = (iteration + 1) * CountTimes(which);
        if (!m_nodes[which].over.empty() && last <= m_times[which].size())
        {
            end = std::min(end, m_times[which][last - 1]);
        }
    }
    return end;
}

/// \return ends of nodes in an iteration, up to a time: the first, and one past the last
std::pair<FastForward::Times, FastForward::Times>
FastForward::ListEnds(std::size_t which, uint32_t iteration, TimePs until) const
{
    const std::vector<TimePs>& times = m_times[which];
    const std::size_t begin = std::min(iteration * CountTimes(which), times.size());
    const std::size_t end = std::min(begin + CountTimes(which), times.size());
    const Times first = times.begin() + static_cast<std::ptrdiff_t>(begin);
    return {first,
            std::upper_bound(first, times.begin() + static_cast<std::ptrdiff_t>(end), until)};
}

/// \return the steady state with cycles of so many units, up to a time; nothing if it is not steady
std::optional<FastForward::Steady>
FastForward::Measure(uint32_t iteration, TimePs until, uint32_t cycle) const
{
    const uint32_t units = std::max(m_cycle, kSteadyUnits);
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    double sum = 0;
    uint64_t count = 0;
    for (std::size_t which = 0; which < m_nodes.size(); ++which)
    {
        if (m_nodes[which].over.empty())
        {
            continue;
        }
        const auto [first, end] = ListEnds(which, iteration, until);
        const std::ptrdiff_t perCycle = std::ptrdiff_t{cycle} * m_nodes[which].perUnit;
        const std::ptrdiff_t looked = std::ptrdiff_t{units} * m_nodes[which].perUnit;
        if (end - first < looked + perCycle)
        {
            return std::nullopt;
        }
        for (auto at = end - looked; at != end; ++at)
        {
            const auto time = static_cast<double>(*at - *(at - perCycle));
            least = std::min(least, time);
            most = std::max(most, time);
            sum += time;
            ++count;
        }
    }
    const double mean = sum / static_cast<double>(count);
    const double deviation = std::max(most - mean, mean - least) / mean;
    // Find the last unit of the reference that was counted before `until`.
    const std::vector<TimePs>& times = m_times[m_reference];
    const uint32_t perUnit = m_nodes[m_reference].perUnit;
    const std::size_t before = std::size_t{iteration} * m_repeated + cycle;
    std::size_t last = std::size_t{iteration + 1} * m_repeated - 1;
    const auto isCounted = [&](std::size_t unit) {
        return (unit + 1) * perUnit <= times.size() &&
               times[(unit + 1) * perUnit - 1] + kCountDelay <= until;
    };
    while (last >= before && !isCounted(last))
    {
        --last;
    }
    return deviation <= kTolerance && last >= before
               ? std::optional(Steady{cycle, mean, deviation, last})
               : std::nullopt;
}

std::optional<FastForward::Steady>
FastForward::FindSteady(uint32_t iteration) const
{
    const TimePs until = FindEnd(iteration);
    for (uint32_t cycle = m_cycle; cycle < m_repeated; cycle += m_cycle)
    {
        if (const std::optional<Steady> steady = Measure(iteration, until, cycle))
        {
            return steady;
        }
    }
    return std::nullopt;
}

/// \return the steady state at the end of an iteration, if it would last
std::optional<FastForward::Steady>
FastForward::FindLasting(uint32_t iteration) const
{
    const std::optional<Steady> steady = FindSteady(iteration);
    return steady && m_isLoose && Drifts(iteration, *steady) ? std::nullopt : steady;
}

/// Activity without dependents may shift beside equal units, and change them in the end.
/// \return true when the bytes of a NIC differ between the last two cycles, or when the time of a
/// cycle changes by more each time
bool
FastForward::Drifts(uint32_t iteration, const Steady& steady) const
{
    const std::size_t cycle = steady.cycle;
    if (steady.last < std::size_t{iteration} * m_repeated + 2 * cycle)
    {
        return true;
    }
    const auto differs = [&](auto counted) {
        const auto& now = m_counters[steady.last].engine.*counted;
        const auto& then = m_counters[steady.last - cycle].engine.*counted;
        const auto& before = m_counters[steady.last - 2 * cycle].engine.*counted;
        for (std::size_t server = 0; server < now.size(); ++server)
        {
            for (std::size_t nic = 0; nic < now[server].size(); ++nic)
            {
                if (now[server][nic] - then[server][nic] != then[server][nic] - before[server][nic])
                {
                    return true;
                }
            }
        }
        return false;
    };
    if (differs(&EngineRecord::nicTxBytes) || differs(&EngineRecord::nicRxBytes))
    {
        return true;
    }
    const TimePs until = FindEnd(iteration);
    std::array<double, 3> changes{}; // largest change of a cycle's time, the latest first
    for (std::size_t which = 0; which < m_nodes.size(); ++which)
    {
        if (m_nodes[which].over.empty())
        {
            continue;
        }
        const auto [first, end] = ListEnds(which, iteration, until);
        const std::ptrdiff_t perCycle = std::ptrdiff_t{steady.cycle} * m_nodes[which].perUnit;
        if (end - first < 5 * perCycle)
        {
            return true;
        }
        for (auto at = end - perCycle; at != end; ++at)
        {
            for (std::size_t ago = 0; ago < changes.size(); ++ago)
            {
                const auto then = at - static_cast<std::ptrdiff_t>(ago) * perCycle;
                const TimePs change = *then - 2 * *(then - perCycle) + *(then - 2 * perCycle);
                changes[ago] = std::max(changes[ago], std::abs(static_cast<double>(change)));
            }
        }
    }
    return changes[0] > kRounding && changes[0] > kGrowth * changes[1] &&
           changes[1] > kGrowth * changes[2];
}

/// Chooses the next part. All parts together have no more units than the whole, so failed attempts
/// at most double the cost.
void
FastForward::TryAgain(uint32_t units, uint32_t cycle)
{
    const uint32_t wanted = RoundUnits(units, m_units, cycle);
    const uint32_t tried = m_part.tried + m_part.units;
    m_next = uint64_t{tried} + wanted <= m_units
                 ? ForwardPart{ForwardPart::Choice::Given, wanted, tried}
                 : ForwardPart{ForwardPart::Choice::All, 0, tried};
}

void
FastForward::Conclude()
{
    uint32_t cycle = 1;
    ForwardRecord record{m_units, m_part.units};
    for (uint32_t iteration = 0; iteration < m_iterations; ++iteration)
    {
        const std::optional<Steady> steady = FindLasting(iteration);
        if (!steady)
        {
            TryAgain(m_part.units + m_part.units / 2, m_cycle);
            return;
        }
        m_steady.push_back(*steady);
        cycle = std::lcm(cycle, steady->cycle);
        if (!LeavesOutWhole(cycle))
        {
            TryAgain(m_part.units, cycle);
            return;
        }
        record.period += steady->time / steady->cycle / m_iterations;
        record.deviation = std::max(record.deviation, steady->deviation);
    }
    record.cycle = cycle;
    m_record = record;
}

/// Calls a function for each iteration, with the counters before and behind its last cycle, and the
/// number of omitted cycles.
template <typename Function>
void
FastForward::ForEachIteration(const Function& function) const
{
    for (uint32_t iteration = 0; iteration < m_iterations; ++iteration)
    {
        const uint32_t cycle = m_steady[iteration].cycle;
        const std::size_t last = m_steady[iteration].last;
        function(m_counters[last - cycle], m_counters[last], (m_units - m_part.units) / cycle);
    }
}

TimePs
FastForward::GetTime() const
{
    double time = 0;
    for (const Steady& steady : m_steady)
    {
        time += steady.time * ((m_units - m_part.units) / steady.cycle);
    }
    return static_cast<TimePs>(std::llround(time));
}

void
FastForward::AddLeftOut(EngineRecord& record) const
{
    ForEachIteration([&](const RunCounters& before, const RunCounters& behind, uint64_t times) {
        const EngineRecord& from = before.engine;
        const EngineRecord& to = behind.engine;
        Add(record.messages, from.messages, to.messages, times);
        Add(record.nicTxBytes, from.nicTxBytes, to.nicTxBytes, times);
        Add(record.nicRxBytes, from.nicRxBytes, to.nicRxBytes, times);
        if (record.frameCounters)
        {
            Add(*record.frameCounters, *from.frameCounters, *to.frameCounters, times);
        }
        for (std::size_t port = 0; port < record.ports.size(); ++port)
        {
            Add(record.ports[port], from.ports[port], to.ports[port], times);
        }
    });
}

void
FastForward::AddLeftOut(GraphRecord& record, const std::vector<GpuSpans>& spans) const
{
    const auto isAhead = [this](std::size_t kind) { return m_aheadKind == kind; };
    const auto countOthers = [this](const GraphRecord& counted) {
        return counted.nodes - (m_aheadKind ? counted.kinds[*m_aheadKind].nodes : 0);
    };
    ForEachIteration([&](const RunCounters& before, const RunCounters& behind, uint64_t times) {
        const GraphRecord& from = before.graph;
        const GraphRecord& to = behind.graph;
        Add(record.computing, from.computing, to.computing, times);
        Add(record.nodes, countOthers(from), countOthers(to), times);
        for (std::size_t kind = 0; kind < record.kinds.size(); ++kind)
        {
            KindRecord& all = record.kinds[kind];
            const KindRecord& then = from.kinds[kind];
            const KindRecord& later = to.kinds[kind];
            Add(all.critical, then.critical, later.critical, times);
            if (isAhead(kind))
            {
                continue;
            }
            Add(all.nodes, then.nodes, later.nodes, times);
            Add(all.bytes, then.bytes, later.bytes, times);
            Add(all.busy, then.busy, later.busy, times);
            Add(all.exposed, then.exposed, later.exposed, times);
        }
    });
    if (m_aheadKind)
    {
        KindRecord& ahead = record.kinds[*m_aheadKind];
        record.nodes -= ahead.nodes;
        AddAhead(ahead, spans);
        record.nodes += ahead.nodes;
    }
    record.end += GetTime();
}

/// Adds the omitted nodes that run ahead, of which each unit has equally many.
void
FastForward::AddAhead(KindRecord& record, const std::vector<GpuSpans>& spans) const
{
    std::vector<LeftOut> iterations;
    for (const Steady& steady : m_steady)
    {
        const std::size_t end = (steady.last + 1) * m_nodes[m_reference].perUnit - 1;
        iterations.push_back({m_times[m_reference][end],
                              steady.time,
                              steady.cycle,
                              (m_units - m_part.units) / steady.cycle});
    }
    double inPart = 0;
    double inAll = 0;
    for (const GpuSpans& each : spans)
    {
        if (!each.ahead.empty())
        {
            const AheadTimes times(each, iterations, m_part.units);
            inPart += times.FindExposedInPart();
            inAll += times.FindExposed();
        }
    }
    // Scale, as the record also counts the replicas that these GPUs represent.
    record.exposed *= inPart > 0 ? inAll / inPart : 1;
    record.nodes = record.nodes / m_part.units * m_units;
    record.busy *= static_cast<double>(m_units) / m_part.units;
}

} // namespace ns3::rails
