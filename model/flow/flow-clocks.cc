// SPDX-License-Identifier: GPL-2.0-only
#include "flow-clocks.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

/// Rounding error of the bytes served, as a part of a picosecond at the present rate. Flows that
/// end at the same whole picosecond are due together, however their bytes were added up.
constexpr double kRounding = 1.0 / 16;

} // namespace

void
FlowClocks::Open(uint32_t flowClass, TimePs now)
{
    if (flowClass >= m_clocks.size())
    {
        m_clocks.resize(flowClass + 1);
        m_places.resize(flowClass + 1, kOutside);
    }
    Leave(flowClass);
    m_clocks[flowClass] = Clock{};
    m_clocks[flowClass].since = now;
}

void
FlowClocks::Close(uint32_t flowClass)
{
    Leave(flowClass);
    m_clocks[flowClass].stop = kNowhere;
}

double
FlowClocks::GetServedAt(const Pace& pace, TimePs now)
{
    const auto elapsed = static_cast<double>(now - pace.since);
    return pace.served + pace.rate * (elapsed / kPicosecondsPerSecond);
}

double
FlowClocks::GetServedAt(uint32_t flowClass, TimePs now) const
{
    const Clock& clock = m_clocks[flowClass];
    if (clock.pace == kNoPace)
    {
        return std::min(clock.served, clock.stop);
    }
    const Pace& pace = m_paces[clock.pace];
    const double served = GetServedAt(pace, now);
    // Stops are served at their exact times, so nothing is served beyond a stop.
    const bool isDue = clock.stop != kNowhere &&
                       (served >= clock.paceStop || now >= FindTime(pace, clock.paceStop));
    return isDue ? clock.stop : std::min(clock.served + (served - clock.begin), clock.stop);
}

void
FlowClocks::Advance(uint32_t flowClass, TimePs now)
{
    Clock& clock = m_clocks[flowClass];
    clock.served = GetServedAt(flowClass, now);
    clock.begin = clock.pace == kNoPace ? 0 : GetServedAt(m_paces[clock.pace], now);
    clock.since = now;
}

TimePs
FlowClocks::FindTime(const Pace& pace, double served)
{
    if (served <= pace.served)
    {
        return pace.since;
    }
    if (pace.rate <= 0)
    {
        return kNever;
    }
    const double wait = (served - pace.served) / pace.rate * kPicosecondsPerSecond;
    constexpr auto kLongest = static_cast<double>(kLongestRun);
    // Round down and add a picosecond: the result may lie a little below a whole number.
    return wait < kLongest - static_cast<double>(pace.since)
               ? pace.since + static_cast<TimePs>(wait + kRounding) + 1
               : kNever;
}

TimePs
FlowClocks::FindTime(uint32_t flowClass, double served) const
{
    const Clock& clock = m_clocks[flowClass];
    if (served <= clock.served)
    {
        return clock.since;
    }
    return clock.pace == kNoPace
               ? kNever
               : FindTime(m_paces[clock.pace], clock.begin + (served - clock.served));
}

TimePs
FlowClocks::GetDue(uint32_t flowClass) const
{
    const Clock& clock = m_clocks[flowClass];
    return clock.stop == kNowhere || clock.pace == kNoPace
               ? kNever
               : FindTime(m_paces[clock.pace], clock.paceStop);
}

void
FlowClocks::SetStop(uint32_t flowClass, double served)
{
    m_clocks[flowClass].stop = served;
    if (m_clocks[flowClass].pace != kNoPace)
    {
        Arrange(flowClass);
    }
}

void
FlowClocks::SetPace(uint32_t flowClass, uint32_t number)
{
    Leave(flowClass);
    Clock& clock = m_clocks[flowClass];
    Pace& pace = BringUp(number, clock.since);
    pace.served = pace.classes++ == 0 ? 0 : pace.served;
    clock.pace = number;
    clock.begin = pace.served;
    Arrange(flowClass);
}

void
FlowClocks::SetRate(uint32_t number, double rate, TimePs now)
{
    Pace& pace = BringUp(number, now);
    pace.rate = rate;
    Arrange(pace, number);
}

void
FlowClocks::FindDue(TimePs before, std::vector<uint32_t>& classes) const
{
    const auto isDue = [before](TimePs at) { return at < before; };
    m_due.ForEachBelow(isDue, [&](uint32_t number) {
        const Pace& pace = m_paces[number];
        const auto isBelow = [&](double stop) { return FindTime(pace, stop) < before; };
        pace.stops.ForEachBelow(isBelow, [&](uint32_t each) { classes.push_back(each); });
    });
}

FlowClocks::Pace&
FlowClocks::BringUp(uint32_t number, TimePs now)
{
    if (number >= m_paces.size())
    {
        m_paces.resize(number + 1);
        m_pacePlaces.resize(number + 1, kOutside);
    }
    Pace& pace = m_paces[number];
    pace.served = GetServedAt(pace, now);
    pace.since = now;
    return pace;
}

/// Puts a class, advanced to now, among the stops of its pace.
void
FlowClocks::Arrange(uint32_t flowClass)
{
    Clock& clock = m_clocks[flowClass];
    Pace& pace = BringUp(clock.pace, clock.since);
    if (clock.stop != kNowhere)
    {
        clock.paceStop = clock.begin + (clock.stop - clock.served);
        pace.stops.Set(flowClass, clock.paceStop, m_places);
    }
    else if (m_places[flowClass] != kOutside)
    {
        pace.stops.Remove(flowClass, m_places);
    }
    Arrange(pace, clock.pace);
}

/// Finds when the next class of a pace is due.
void
FlowClocks::Arrange(const Pace& pace, uint32_t number)
{
    const TimePs due = pace.stops.IsEmpty() ? kNever : FindTime(pace, pace.stops.GetLeastKey());
    if (due != kNever)
    {
        m_due.Set(number, due, m_pacePlaces);
    }
    else if (m_pacePlaces[number] != kOutside)
    {
        m_due.Remove(number, m_pacePlaces);
    }
}

/// Takes a class off its pace.
void
FlowClocks::Leave(uint32_t flowClass)
{
    Clock& clock = m_clocks[flowClass];
    if (clock.pace == kNoPace)
    {
        return;
    }
    Pace& pace = m_paces[clock.pace];
    --pace.classes;
    if (m_places[flowClass] != kOutside)
    {
        pace.stops.Remove(flowClass, m_places);
        Arrange(pace, clock.pace);
    }
    clock.pace = kNoPace;
}

} // namespace ns3::rails
