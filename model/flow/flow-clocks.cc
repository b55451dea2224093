// SPDX-License-Identifier: GPL-2.0-only
#include "flow-clocks.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

constexpr double kPicosecondsPerSecond = 1e12;

} // namespace

void
FlowClocks::Open(uint32_t flowClass, TimePs now)
{
    if (flowClass >= m_clocks.size())
    {
        m_clocks.resize(flowClass + 1);
    }
    TakeOut(flowClass);
    m_clocks[flowClass] = Clock{};
    m_clocks[flowClass].since = now;
}

double
FlowClocks::GetServedAt(uint32_t flowClass, TimePs now) const
{
    const Clock& clock = m_clocks[flowClass];
    const auto elapsed = static_cast<double>(now - clock.since);
    // What is due is done at its very time, so nothing is served beyond a stop.
    return now >= clock.dueAt
               ? clock.stop
               : std::min(clock.served + clock.rate * (elapsed / kPicosecondsPerSecond),
                          clock.stop);
}

void
FlowClocks::Advance(uint32_t flowClass, TimePs now)
{
    m_clocks[flowClass].served = GetServedAt(flowClass, now);
    m_clocks[flowClass].since = now;
}

TimePs
FlowClocks::FindTime(uint32_t flowClass, double served) const
{
    const Clock& clock = m_clocks[flowClass];
    if (served <= clock.served)
    {
        return clock.since;
    }
    if (clock.rate <= 0)
    {
        return kNever;
    }
    const double wait = (served - clock.served) / clock.rate * kPicosecondsPerSecond;
    constexpr auto kLongest = static_cast<double>(kLongestRun);
    // A picosecond more than rounding down: what is computed may lie a little below a whole number.
    return wait < kLongest - static_cast<double>(clock.since)
               ? clock.since + static_cast<TimePs>(wait) + 1
               : kNever;
}

void
FlowClocks::SetStop(uint32_t flowClass, double served)
{
    m_clocks[flowClass].stop = served;
    Rekey(flowClass);
}

void
FlowClocks::SetRate(uint32_t flowClass, double rate)
{
    m_clocks[flowClass].rate = rate;
    Rekey(flowClass);
}

void
FlowClocks::FindDue(TimePs before, std::vector<uint32_t>& classes) const
{
    std::vector<uint32_t> places{0};
    while (!places.empty())
    {
        const uint32_t place = places.back();
        places.pop_back();
        if (place < m_heap.size() && m_clocks[m_heap[place]].dueAt < before)
        {
            classes.push_back(m_heap[place]);
            places.push_back(2 * place + 1);
            places.push_back(2 * place + 2);
        }
    }
}

bool
FlowClocks::IsBefore(uint32_t one, uint32_t other) const
{
    const TimePs oneAt = m_clocks[one].dueAt;
    const TimePs otherAt = m_clocks[other].dueAt;
    return oneAt != otherAt ? oneAt < otherAt : one < other;
}

void
FlowClocks::Rekey(uint32_t flowClass)
{
    Clock& clock = m_clocks[flowClass];
    const TimePs dueAt = clock.stop == kNowhere ? kNever : FindTime(flowClass, clock.stop);
    if (dueAt == kNever)
    {
        TakeOut(flowClass);
        return;
    }
    clock.dueAt = dueAt;
    if (clock.place == kOutside)
    {
        m_heap.push_back(flowClass);
        clock.place = static_cast<uint32_t>(m_heap.size() - 1);
    }
    SiftUp(clock.place);
    SiftDown(clock.place);
}

void
FlowClocks::Put(uint32_t place, uint32_t flowClass)
{
    m_heap[place] = flowClass;
    m_clocks[flowClass].place = place;
}

void
FlowClocks::SiftUp(uint32_t place)
{
    const uint32_t flowClass = m_heap[place];
    while (place > 0)
    {
        const uint32_t parent = (place - 1) / 2;
        if (!IsBefore(flowClass, m_heap[parent]))
        {
            break;
        }
        Put(place, m_heap[parent]);
        place = parent;
    }
    Put(place, flowClass);
}

void
FlowClocks::SiftDown(uint32_t place)
{
    const uint32_t flowClass = m_heap[place];
    const auto size = static_cast<uint32_t>(m_heap.size());
    for (;;)
    {
        uint32_t child = 2 * place + 1;
        if (child >= size)
        {
            break;
        }
        if (child + 1 < size && IsBefore(m_heap[child + 1], m_heap[child]))
        {
            ++child;
        }
        if (!IsBefore(m_heap[child], flowClass))
        {
            break;
        }
        Put(place, m_heap[child]);
        place = child;
    }
    Put(place, flowClass);
}

void
FlowClocks::TakeOut(uint32_t flowClass)
{
    Clock& clock = m_clocks[flowClass];
    clock.dueAt = kNever;
    if (clock.place == kOutside)
    {
        return;
    }
    const uint32_t place = clock.place;
    clock.place = kOutside;
    const uint32_t last = m_heap.back();
    m_heap.pop_back();
    if (last != flowClass)
    {
        Put(place, last);
        SiftUp(place);
        SiftDown(m_clocks[last].place);
    }
}

} // namespace ns3::rails
