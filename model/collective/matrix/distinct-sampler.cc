// SPDX-License-Identifier: GPL-2.0-only
#include "distinct-sampler.h"

#include <algorithm>
#include <numeric>

namespace ns3::rails
{

DistinctSampler::DistinctSampler(const std::vector<double>& shares)
    : m_ends(shares.size())
{
    std::partial_sum(shares.begin(), shares.end(), m_ends.begin());
}

const std::vector<uint32_t>&
DistinctSampler::Draw(uint32_t count, RandomBits& bits)
{
    m_drawn.clear();
    double left = m_ends.back();
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t member = DrawOne(left, bits);
        m_drawn.insert(std::upper_bound(m_drawn.begin(), m_drawn.end(), member), member);
        left = std::max(0.0, left - GetShare(member));
    }
    return m_drawn;
}

double
DistinctSampler::GetStart(uint32_t member) const
{
    return member > 0 ? m_ends[member - 1] : 0;
}

double
DistinctSampler::GetShare(uint32_t member) const
{
    return m_ends[member] - GetStart(member);
}

uint32_t
DistinctSampler::DrawOne(double left, RandomBits& bits) const
{
    // A point on the line without the shares already drawn, then moved past those it skips.
    double point = bits.GetUniform() * left;
    for (uint32_t drawn : m_drawn)
    {
        if (point < GetStart(drawn))
        {
            break;
        }
        point += GetShare(drawn);
    }
    const auto end = std::upper_bound(m_ends.begin(), m_ends.end(), point);
    uint32_t member = static_cast<uint32_t>(end - m_ends.begin()) % m_ends.size();
    while (!IsFree(member)) // rounding at the edge of a share
    {
        member = (member + 1) % m_ends.size();
    }
    return member;
}

bool
DistinctSampler::IsFree(uint32_t member) const
{
    return GetShare(member) > 0 && !std::binary_search(m_drawn.begin(), m_drawn.end(), member);
}

} // namespace ns3::rails
