// SPDX-License-Identifier: GPL-2.0-only
#include "token-split.h"

#include <algorithm>
#include <stdexcept>

namespace ns3::rails
{

TokenSplit::TokenSplit(uint32_t sources,
                       uint32_t experts,
                       uint32_t sets,
                       const std::vector<SplitPart>& parts)
    : m_sources(sources),
      m_experts(experts),
      m_sets(sets),
      m_parts(parts.size()),
      m_first(std::size_t{sources} * experts + 1, 0)
{
    const auto getPlace = [experts](const SplitPart& part) {
        return std::size_t{part.source} * experts + part.expert;
    };
    for (const SplitPart& part : parts)
    {
        if (part.source >= sources || part.expert >= experts || part.set >= sets)
        {
            throw std::invalid_argument("a part of tokens needs a source, an expert and a set");
        }
        ++m_first[getPlace(part)];
    }
    // Prefix sums: first the begin of each range, then, as parts are stored, its end.
    std::size_t before = 0;
    for (std::size_t& first : m_first)
    {
        const std::size_t many = first;
        first = before;
        before += many;
    }
    for (const SplitPart& part : parts)
    {
        m_parts[m_first[getPlace(part)]++] = part;
    }
    std::rotate(m_first.begin(), m_first.end() - 1, m_first.end());
    m_first.front() = 0;
}

TokenSplit
TokenSplit::OfWholeExperts(const std::vector<uint32_t>& counts,
                           const std::vector<uint32_t>& setOf,
                           uint32_t sets)
{
    const auto experts = static_cast<uint32_t>(setOf.size());
    const auto sources = static_cast<uint32_t>(counts.size() / setOf.size());
    std::vector<SplitPart> parts;
    parts.reserve(counts.size());
    for (uint32_t source = 0; source < sources; ++source)
    {
        for (uint32_t expert = 0; expert < experts; ++expert)
        {
            const uint32_t count = counts[std::size_t{source} * experts + expert];
            parts.push_back({source, expert, setOf[expert], count});
        }
    }
    return TokenSplit(sources, experts, sets, parts);
}

TokenSplit::Range
TokenSplit::Get(uint32_t source, uint32_t expert) const
{
    const std::size_t place = std::size_t{source} * m_experts + expert;
    return {m_parts.data() + m_first[place], m_parts.data() + m_first[place + 1]};
}

bool
TokenSplit::AreAlike(uint32_t source, uint32_t other) const
{
    for (uint32_t expert = 0; expert < m_experts; ++expert)
    {
        const Range one = Get(source, expert);
        const Range two = Get(other, expert);
        if (!std::equal(one.begin(),
                        one.end(),
                        two.begin(),
                        two.end(),
                        [](const SplitPart& left, const SplitPart& right) {
                            return left.set == right.set && left.tokens == right.tokens;
                        }))
        {
            return false;
        }
    }
    return true;
}

void
TokenSplit::Check(const std::vector<uint32_t>& counts) const
{
    if (counts.size() != std::size_t{m_sources} * m_experts)
    {
        throw std::invalid_argument("a split of tokens is for other sources or experts");
    }
    for (uint32_t source = 0; source < m_sources; ++source)
    {
        for (uint32_t expert = 0; expert < m_experts; ++expert)
        {
            uint64_t tokens = 0;
            for (const SplitPart& part : Get(source, expert))
            {
                tokens += part.tokens;
            }
            if (tokens > counts[std::size_t{source} * m_experts + expert])
            {
                throw std::invalid_argument("parts have more tokens than an expert has");
            }
        }
    }
}

} // namespace ns3::rails
