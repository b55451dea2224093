// SPDX-License-Identifier: GPL-2.0-only
#include "token-counts.h"

#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

TokenCounts::TokenCounts(uint32_t sources, uint32_t experts)
    : TokenCounts(sources, experts, std::vector<uint32_t>(std::size_t{sources} * experts))
{
}

TokenCounts::TokenCounts(uint32_t sources, uint32_t experts, std::vector<uint32_t> counts)
    : m_sources(sources),
      m_experts(experts),
      m_counts(std::move(counts))
{
    if (m_counts.size() != std::size_t{sources} * experts)
    {
        throw std::invalid_argument("token counts must have one number for each source and expert");
    }
}

std::vector<uint64_t>
TokenCounts::GetLoads() const
{
    std::vector<uint64_t> loads(m_experts);
    for (uint32_t source = 0; source < m_sources; ++source)
    {
        for (uint32_t expert = 0; expert < m_experts; ++expert)
        {
            loads[expert] += Get(source, expert);
        }
    }
    return loads;
}

uint64_t
TokenCounts::GetFrom(uint32_t source) const
{
    const auto begin =
        m_counts.begin() + static_cast<std::ptrdiff_t>(std::size_t{source} * m_experts);
    return std::accumulate(begin, begin + m_experts, uint64_t{0});
}

uint64_t
TokenCounts::GetTotal() const
{
    return std::accumulate(m_counts.begin(), m_counts.end(), uint64_t{0});
}

} // namespace ns3::rails
