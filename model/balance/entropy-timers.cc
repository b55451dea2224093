// SPDX-License-Identifier: GPL-2.0-only
#include "entropy-timers.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

constexpr std::size_t kFirstSlots = 8;
constexpr uint32_t kTimeBits = 47; // 17 are left for 65,536 entropies and none
constexpr uint64_t kTimeMask = (uint64_t{1} << kTimeBits) - 1;

uint64_t
GetKey(uint16_t entropy)
{
    return uint64_t{entropy} + 1;
}

uint64_t
GetHome(uint64_t slot)
{
    return (slot >> kTimeBits) - 1;
}

} // namespace

// The slot of an entropy, or the free one where it belongs.
std::size_t
EntropyTimers::Find(uint16_t entropy) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = entropy & mask;
    while (m_slots[at] != 0 && m_slots[at] >> kTimeBits != GetKey(entropy))
    {
        at = (at + 1) & mask;
    }
    return at;
}

void
EntropyTimers::Grow()
{
    std::vector<uint64_t> old(std::max(kFirstSlots, 2 * m_slots.size()));
    old.swap(m_slots);
    for (const uint64_t slot : old)
    {
        if (slot != 0)
        {
            m_slots[Find(static_cast<uint16_t>(GetHome(slot)))] = slot;
        }
    }
}

void
EntropyTimers::Start(uint16_t entropy, TimePs now)
{
    if (2 * m_used >= m_slots.size())
    {
        Grow();
    }
    uint64_t& slot = m_slots[Find(entropy)];
    if (slot == 0)
    {
        slot = GetKey(entropy) << kTimeBits | (static_cast<uint64_t>(now) & kTimeMask);
        ++m_used;
    }
}

void
EntropyTimers::Stop(uint16_t entropy)
{
    if (m_used == 0)
    {
        return;
    }
    std::size_t hole = Find(entropy);
    if (m_slots[hole] == 0)
    {
        return;
    }
    // Those behind move up, as far as their search still passes the place.
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t at = (hole + 1) & mask; m_slots[at] != 0; at = (at + 1) & mask)
    {
        if (((at - GetHome(m_slots[at])) & mask) >= ((at - hole) & mask))
        {
            m_slots[hole] = m_slots[at];
            hole = at;
        }
    }
    m_slots[hole] = 0;
    --m_used;
}

TimePs
EntropyTimers::GetAge(uint16_t entropy, TimePs now) const
{
    if (m_used == 0)
    {
        return 0;
    }
    const uint64_t slot = m_slots[Find(entropy)];
    return slot == 0 ? 0 : static_cast<TimePs>((static_cast<uint64_t>(now) - slot) & kTimeMask);
}

} // namespace ns3::rails
