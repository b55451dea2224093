// SPDX-License-Identifier: GPL-2.0-only
#include "psn-bitmap.h"

namespace ns3::rails
{

PsnBitmap::PsnBitmap(uint32_t window)
    : m_bits(window)
{
}

bool
PsnBitmap::Contains(uint64_t psn) const
{
    return m_bits.test(psn % m_bits.size());
}

bool
PsnBitmap::Insert(uint64_t psn)
{
    const bool added = !m_bits.test_set(psn % m_bits.size());
    m_size += added ? 1 : 0;
    return added;
}

bool
PsnBitmap::Erase(uint64_t psn)
{
    const bool removed = m_bits.test_set(psn % m_bits.size(), false);
    m_size -= removed ? 1 : 0;
    return removed;
}

} // namespace ns3::rails
