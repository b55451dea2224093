// SPDX-License-Identifier: GPL-2.0-only
#include "completion-error-bound.h"

#include "flow-clocks.h"

#include "ns3/rails-units.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

namespace
{

/// \return the element of a number; grows the vector if need be
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
CompletionErrorBound::Open(uint32_t flowClass)
{
    if (IsKept())
    {
        GetOrAdd(m_classes, flowClass) = {};
    }
}

void
CompletionErrorBound::Begin(uint32_t queue, uint32_t flowClass, TimePs posted)
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
CompletionErrorBound::End(uint32_t queue, uint32_t flowClass)
{
    if (IsKept())
    {
        GetOrAdd(m_queues, queue).begin -= GetLasting(flowClass);
    }
}

void
CompletionErrorBound::Forget(uint32_t queue)
{
    if (IsKept())
    {
        GetOrAdd(m_queues, queue) = {};
    }
}

void
CompletionErrorBound::Close(uint32_t flowClass)
{
    if (IsKept())
    {
        m_classes[flowClass].pace = kNoPace;
    }
}

void
CompletionErrorBound::BeginSettling(TimePs now, TimePs window)
{
    ++m_settled;
    m_settledAt = now;
    m_window = static_cast<double>(window) / kPicosecondsPerSecond;
}

void
CompletionErrorBound::SetRate(uint32_t number, double rate)
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
CompletionErrorBound::SetPace(uint32_t flowClass, uint32_t number)
{
    if (!IsKept())
    {
        return;
    }
    const Pace& pace = GetOrAdd(m_paces, number); // a pace of rate 0 may not be known yet
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

/// Adds the errors of a change of rate: the rate before or after it stays through a window.
void
CompletionErrorBound::Count(Bytes& bytes, double before, double after) const
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
CompletionErrorBound::GetLasting(uint32_t flowClass) const
{
    const Class& known = m_classes[flowClass];
    return known.pace == kNoPace
               ? 0
               : known.bytes.lasting + m_paces[known.pace].bytes.lasting - known.begin;
}

/// \return the lasting error, with the passing error of the last change in place of its lasting one
double
CompletionErrorBound::GetErrorBound(uint32_t flowClass) const
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

/// \return the rate at which a class served its last bytes before a time. A message that ends in
/// the instant in which the rate falls, perhaps to 0, was served at the previous rate.
double
CompletionErrorBound::GetServedRate(uint32_t flowClass, TimePs at) const
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
CompletionErrorBound::FindLargestLasting(TimePs now) const
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
        const double whole =
            pace.rate * (static_cast<double>(now - each.posted) / kPicosecondsPerSecond);
        if (lasting > largest * whole)
        {
            largest = lasting / whole;
        }
    }
    return largest;
}

void
CompletionErrorBound::NoteServed(uint32_t number,
                                 uint32_t flowClass,
                                 const Message& message,
                                 TimePs at)
{
    if (!IsKept())
    {
        return;
    }
    Queue& queue = GetOrAdd(m_queues, number);
    const double bytes = std::max(0.0, GetErrorBound(flowClass) - queue.begin);
    const double rate = GetServedRate(flowClass, at);
    queue.seconds = queue.brought + (bytes > 0 && rate > 0 ? bytes / rate : 0);
    const double age = static_cast<double>(at - message.start) / kPicosecondsPerSecond;
    m_largest.seconds = std::max(m_largest.seconds, queue.seconds + m_always * age);
    m_largest.part = std::max(m_largest.part, m_always + (age > 0 ? queue.seconds / age : 0));
}

void
CompletionErrorBound::PassOn(uint32_t queue, uint32_t fed)
{
    if (IsKept())
    {
        const double seconds = GetOrAdd(m_queues, queue).seconds; // the next GetOrAdd() may move it
        double& brought = GetOrAdd(m_queues, fed).brought;
        brought = std::max(brought, seconds);
    }
}

} // namespace ns3::rails
