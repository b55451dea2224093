// SPDX-License-Identifier: GPL-2.0-only
#include "flow-shifts.h"

#include "flow-clocks.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

namespace
{

/// \return what has a number, which is there from now on
template <typename T>
T&
GetOrAdd(std::vector<T>& all, uint32_t number)
{
    if (number >= all.size())
    {
        all.resize(number + 1);
    }
    return all[number];
}

} // namespace

void
FlowShifts::Open(uint32_t flowClass)
{
    if (IsKept())
    {
        GetOrAdd(m_classes, flowClass) = {};
    }
}

void
FlowShifts::Begin(uint32_t queue, uint32_t flowClass, TimePs posted)
{
    if (IsKept())
    {
        Class& joined = m_classes[flowClass];
        Queue& joining = GetOrAdd(m_queues, queue);
        joining.begin += GetLasting(flowClass);
        joined.brought = std::max(joined.brought, -joining.begin);
        joined.posted = std::max(joined.posted, posted);
    }
}

void
FlowShifts::End(uint32_t queue, uint32_t flowClass)
{
    if (IsKept())
    {
        GetOrAdd(m_queues, queue).begin -= GetLasting(flowClass);
    }
}

void
FlowShifts::Forget(uint32_t queue)
{
    if (IsKept())
    {
        GetOrAdd(m_queues, queue) = {};
    }
}

void
FlowShifts::Close(uint32_t flowClass)
{
    if (IsKept())
    {
        m_classes[flowClass].pace = kNoPace;
    }
}

void
FlowShifts::BeginSettling(TimePs now, TimePs window)
{
    ++m_settled;
    m_settledAt = now;
    m_window = static_cast<double>(window) / FlowClocks::kPicosecondsPerSecond;
}

void
FlowShifts::SetRate(uint32_t number, double rate)
{
    if (!IsKept())
    {
        return;
    }
    Pace& pace = GetOrAdd(m_paces, number);
    const double before = pace.rate;
    pace.rateBefore = pace.bytes.settled == m_settled ? pace.rateBefore : before;
    pace.rate = rate;
    Count(pace.bytes, before, rate);
}

void
FlowShifts::SetPace(uint32_t flowClass, uint32_t number)
{
    if (!IsKept())
    {
        return;
    }
    const Pace& pace = GetOrAdd(m_paces, number); // one that stands may have had no rate yet
    Class& moved = m_classes[flowClass];
    if (moved.pace != kNoPace)
    {
        const Pace& left = m_paces[moved.pace];
        const bool hasChanged = left.bytes.settled == m_settled && left.bytes.lasting > moved.begin;
        moved.bytes.lasting +=
            left.bytes.lasting - moved.begin - (hasChanged ? left.bytes.added : 0);
        Count(moved.bytes, hasChanged ? left.rateBefore : left.rate, pace.rate);
    }
    moved.pace = number;
    moved.begin = pace.bytes.lasting;
}

/// A rate changes, and it has been, or will be, the same for a window.
void
FlowShifts::Count(Bytes& bytes, double before, double after) const
{
    const double change = std::abs(after - before);
    const double twice = 2 * std::min(before, after);
    const double added = m_window * (change < twice ? change * change / twice : change);
    const bool isFirst = bytes.settled != m_settled; // since BeginSettling()
    bytes.settled = m_settled;
    bytes.lasting += added;
    bytes.added = (isFirst ? 0 : bytes.added) + added;
    bytes.passing = (isFirst ? 0 : bytes.passing) + m_window * change;
}

double
FlowShifts::GetLasting(uint32_t flowClass) const
{
    const Class& known = m_classes[flowClass];
    return known.pace == kNoPace
               ? 0
               : known.bytes.lasting + m_paces[known.pace].bytes.lasting - known.begin;
}

/// \return the same, but of the last change what is passing
double
FlowShifts::GetShift(uint32_t flowClass) const
{
    const Class& known = m_classes[flowClass];
    if (known.pace == kNoPace)
    {
        return 0;
    }
    const auto getMore = [this](const Bytes& bytes) {
        return bytes.settled == m_settled ? bytes.passing - bytes.added : 0;
    };
    const Bytes& pace = m_paces[known.pace].bytes;
    return GetLasting(flowClass) + getMore(known.bytes) +
           (pace.lasting > known.begin ? getMore(pace) : 0);
}

/// \return the rate at which a class came to what it has served at a time: what is over in the
/// instant in which its rate falls, perhaps to none, was served at the one before
double
FlowShifts::GetServedRate(uint32_t flowClass, TimePs at) const
{
    const uint32_t number = m_classes[flowClass].pace;
    if (number == kNoPace)
    {
        return 0;
    }
    const Pace& pace = m_paces[number];
    const bool hasChanged = at <= m_settledAt && pace.bytes.settled == m_settled;
    return hasChanged ? std::max(pace.rate, pace.rateBefore) : pace.rate;
}

double
FlowShifts::FindLargestLasting(TimePs now) const
{
    double largest = 0;
    for (const Class& each : m_classes)
    {
        if (each.pace == kNoPace)
        {
            continue;
        }
        const Pace& pace = m_paces[each.pace];
        const double lasting = each.bytes.lasting + pace.bytes.lasting - each.begin + each.brought;
        const double whole = pace.rate * (static_cast<double>(now - each.posted) /
                                          FlowClocks::kPicosecondsPerSecond);
        if (lasting > largest * whole)
        {
            largest = lasting / whole;
        }
    }
    return largest;
}

void
FlowShifts::NoteServed(uint32_t number, uint32_t flowClass, const Message& message, TimePs at)
{
    if (!IsKept())
    {
        return;
    }
    Queue& queue = GetOrAdd(m_queues, number);
    const double bytes = std::max(0.0, GetShift(flowClass) - queue.begin);
    const double rate = GetServedRate(flowClass, at);
    queue.seconds = queue.brought + (bytes > 0 && rate > 0 ? bytes / rate : 0);
    const double age = static_cast<double>(at - message.start) / FlowClocks::kPicosecondsPerSecond;
    m_largest.seconds = std::max(m_largest.seconds, queue.seconds + m_always * age);
    m_largest.part = std::max(m_largest.part, m_always + (age > 0 ? queue.seconds / age : 0));
}

void
FlowShifts::PassOn(uint32_t queue, uint32_t fed)
{
    if (IsKept())
    {
        const double seconds = GetOrAdd(m_queues, queue).seconds; // finding another one may move it
        double& brought = GetOrAdd(m_queues, fed).brought;
        brought = std::max(brought, seconds);
    }
}

} // namespace ns3::rails
