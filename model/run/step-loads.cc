// SPDX-License-Identifier: GPL-2.0-only
#include "step-loads.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::rails
{

StepLoads::Place
StepLoads::GetPlace(MessagePort port)
{
    switch (port)
    {
    case MessagePort::NicOut:
        return Place::NicOut;
    case MessagePort::NicIn:
        return Place::NicIn;
    default:
        return Place::Link;
    }
}

uint64_t
StepLoads::Load::CountBetween(TimePs from, TimePs to) const
{
    const TimePs overlap = std::min(to, last) - std::max(from, first);
    if (last <= first || overlap <= 0)
    {
        return 0;
    }
    const double part = static_cast<double>(overlap) / static_cast<double>(last - first);
    return static_cast<uint64_t>(std::floor(bytes * part));
}

StepLoads::StepLoads()
    : m_slots(16)
{
}

std::size_t
StepLoads::FindSlot(uint64_t key) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = (key * 0x9e3779b97f4a7c15ULL >> 32) & mask;
    while (m_slots[slot].key != key && m_slots[slot].key != kFree)
    {
        slot = (slot + 1) & mask;
    }
    return slot;
}

StepLoads::Load&
StepLoads::Find(Place place, uint32_t number)
{
    const uint64_t key = MakeKey(place, number);
    std::size_t slot = FindSlot(key);
    if (m_slots[slot].key == kFree)
    {
        if (2 * (m_used + 1) > m_slots.size())
        {
            Grow();
            slot = FindSlot(key);
        }
        ++m_used;
        m_slots[slot].key = key;
    }
    return m_slots[slot].load;
}

void
StepLoads::Grow()
{
    const std::vector<Slot> before = std::exchange(m_slots, std::vector<Slot>(2 * m_slots.size()));
    for (const Slot& slot : before)
    {
        if (slot.key != kFree)
        {
            m_slots[FindSlot(slot.key)] = slot;
        }
    }
}

void
StepLoads::Add(Place place, uint32_t number, double bytes, TimePs first, TimePs last)
{
    Load& load = Find(place, number);
    load.bytes += bytes;
    load.first = std::min(load.first, first);
    load.last = std::max(load.last, last);
}

const StepLoads::Load&
StepLoads::Get(Place place, uint32_t number) const
{
    static const Load kEmpty;
    const Slot& slot = m_slots[FindSlot(MakeKey(place, number))];
    return slot.key == kFree ? kEmpty : slot.load;
}

} // namespace ns3::rails
