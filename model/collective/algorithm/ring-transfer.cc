// SPDX-License-Identifier: GPL-2.0-only
#include "ring-transfer.h"

#include "ring-steps.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ns3::rails
{

MergedSteps::MergedSteps(uint32_t own, uint32_t most)
    : m_own(own),
      m_count(std::min(own, most))
{
}

uint32_t
MergedSteps::Count() const
{
    return m_count;
}

uint32_t
MergedSteps::GetFirst(uint32_t step) const
{
    return static_cast<uint32_t>(uint64_t{step} * m_own / m_count);
}

RingTransfer::RingTransfer(const GroupSpread& spread,
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
RingTransfer::CountLanes() const
{
    return m_rings;
}

uint32_t
RingTransfer::CountSteps(uint64_t) const
{
    return m_steps.Count();
}

uint32_t
RingTransfer::CountDifferentSteps(uint64_t bytes) const
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

/// \return what goes from the member at a place of a ring in a step, if there is anything
GroupTransfer::Shares
RingTransfer::Count(uint32_t at, const Place& place, uint32_t to, uint64_t bytes) const
{
    const uint64_t sum = SumRingParts(GetPart(bytes, m_rings, place.lane),
                                      m_size,
                                      at,
                                      m_steps.GetFirst(place.step),
                                      m_steps.GetFirst(place.step + 1));
    return sum > 0 ? Shares{{to, sum}} : Shares{};
}

GroupTransfer::Shares
RingTransfer::GetSends(const Place& place, uint64_t bytes) const
{
    const std::size_t ring = std::size_t{place.lane} * m_size;
    const uint32_t at = m_at[ring + place.member];
    return Count(at, place, m_order[ring + (at + 1) % m_size], bytes);
}

GroupTransfer::Shares
RingTransfer::GetReceipts(const Place& place, uint64_t bytes) const
{
    const std::size_t ring = std::size_t{place.lane} * m_size;
    const uint32_t before = (m_at[ring + place.member] + m_size - 1) % m_size;
    return Count(before, place, m_order[ring + before], bytes);
}

double
RingTransfer::CountBytes(double bytes) const
{
    return bytes * m_rounds * (m_size - 1);
}

} // namespace ns3::rails
