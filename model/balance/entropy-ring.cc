// SPDX-License-Identifier: GPL-2.0-only
#include "entropy-ring.h"

#include "ns3/assert.h"

namespace ns3::rails
{

EntropyRing::EntropyRing(uint32_t size, uint32_t lifetime)
    : m_entropies(size),
      m_lifetime(lifetime)
{
}

void
EntropyRing::Push(uint16_t entropy)
{
    const auto size = static_cast<uint32_t>(m_entropies.size());
    m_entropies[m_head] = entropy;
    m_head = m_head + 1 == size ? 0 : m_head + 1;
    m_filled += m_filled < size ? 1 : 0;
    if (m_fresh == 0 || m_fresh == size)
    {
        // Another one is the oldest now.
        m_usesLeft = m_lifetime;
    }
    m_fresh += m_fresh < size ? 1 : 0;
}

uint16_t
EntropyRing::Take()
{
    NS_ASSERT(HasFresh());
    const auto size = static_cast<uint32_t>(m_entropies.size());
    const uint32_t oldest = m_head >= m_fresh ? m_head - m_fresh : m_head + size - m_fresh;
    if (--m_usesLeft == 0)
    {
        --m_fresh;
        m_usesLeft = m_lifetime;
    }
    return m_entropies[oldest];
}

uint16_t
EntropyRing::Reuse()
{
    NS_ASSERT(!IsEmpty());
    if (m_turn >= m_filled)
    {
        m_turn = 0;
    }
    return m_entropies[m_turn++];
}

void
EntropyRing::Clear()
{
    m_head = 0;
    m_filled = 0;
    m_fresh = 0;
    m_turn = 0;
}

} // namespace ns3::rails
