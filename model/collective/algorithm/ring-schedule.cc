// SPDX-License-Identifier: GPL-2.0-only
#include "ring-schedule.h"

#include "ns3/even-parts.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ns3::rails
{

uint64_t
SumRingParts(uint64_t bytes, uint32_t size, uint32_t member, uint32_t first, uint32_t end)
{
    // In step s goes part (member - s) mod size; the first bytes % size of the parts have a byte
    // more.
    const uint64_t longer = bytes % size;
    const uint64_t steps = end - first;
    const uint64_t begin = (member + size - (end - 1) % size) % size; // parts upwards from here
    const uint64_t rest = steps % size;
    const auto countLonger = [&](uint64_t from, uint64_t to) {
        return std::min(to, longer) - std::min(from, longer);
    };
    uint64_t sum = steps * (bytes / size) + steps / size * longer;
    sum += countLonger(begin, std::min<uint64_t>(begin + rest, size));
    return sum + countLonger(0, begin + rest > size ? begin + rest - size : 0);
}

MergedSteps::MergedSteps(uint32_t own, uint32_t most)
    : m_own(own),
      m_count(std::min(own, most))
{
}

uint32_t
MergedSteps::GetFirst(uint32_t step) const
{
    return static_cast<uint32_t>(uint64_t{step} * m_own / m_count);
}

RingSchedule::RingSchedule(const GroupSpread& spread,
                           uint32_t rings,
                           uint32_t rounds,
                           uint32_t mostSteps)
    : m_size(CountMembers(spread.servers)),
      m_rings(rings),
      m_rounds(rounds),
      m_steps(rounds * (m_size - 1),
              mostSteps < (m_size - 1) ? rounds * mostSteps : rounds * (m_size - 1)),
      m_at(std::size_t{rings} * m_size)
{
    if (rings == 1)
    {
        m_order.resize(m_size);
        std::iota(m_order.begin(), m_order.end(), 0);
    }
    for (uint32_t ring = 0; rings > 1 && ring < rings; ++ring)
    {
        for (std::size_t server = 0; server < spread.servers.size(); ++server)
        {
            const std::vector<uint32_t> order = spread.Order(server, ring);
            m_order.insert(m_order.end(), order.begin(), order.end());
        }
    }
    for (std::size_t i = 0; i < m_order.size(); ++i)
    {
        m_at[i / m_size * m_size + m_order[i]] = static_cast<uint32_t>(i % m_size);
    }
}

uint32_t
RingSchedule::CountSteps(uint64_t) const
{
    return m_steps.Count();
}

uint32_t
RingSchedule::CountDifferentSteps(uint64_t bytes) const
{
    const uint32_t steps = m_steps.Count();
    if (steps < m_rounds * (m_size - 1))
    {
        return steps;
    }
    // Parts of equal size make equal steps.
    const bool isEven = bytes % (uint64_t{m_rings} * m_size) == 0;
    return isEven ? 1 : std::min(steps, m_size);
}

CollectiveSchedule::Shares
RingSchedule::Find(const Place& place, uint64_t bytes, bool isSent) const
{
    const uint32_t* const order = &m_order[std::size_t{place.lane} * m_size];
    const uint32_t at = m_at[std::size_t{place.lane} * m_size + place.member];
    const uint32_t from = isSent ? at : (at + m_size - 1) % m_size;
    const uint64_t sum = SumRingParts(GetPart(bytes, m_rings, place.lane),
                                      m_size,
                                      from,
                                      m_steps.GetFirst(place.step),
                                      m_steps.GetFirst(place.step + 1));
    return sum > 0 ? Shares{{order[isSent ? (at + 1) % m_size : from], sum}} : Shares{};
}

double
RingSchedule::CountBytes(double bytes) const
{
    return bytes * m_rounds * (m_size - 1);
}

} // namespace ns3::rails
