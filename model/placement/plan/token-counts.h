// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOKEN_COUNTS_H
#define TOKEN_COUNTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Token counts by source GPU and expert.
class TokenCounts
{
  public:
    /// No tokens.
    TokenCounts(uint32_t sources, uint32_t experts);

    /// \param counts by source and expert, rows of sources contiguous
    TokenCounts(uint32_t sources, uint32_t experts, std::vector<uint32_t> counts);

    uint32_t GetSources() const
    {
        return m_sources;
    }

    uint32_t GetExperts() const
    {
        return m_experts;
    }

    uint32_t Get(uint32_t source, uint32_t expert) const
    {
        return m_counts[std::size_t{source} * m_experts + expert];
    }

    void Set(uint32_t source, uint32_t expert, uint32_t tokens)
    {
        m_counts[std::size_t{source} * m_experts + expert] = tokens;
    }

    /// \return tokens by expert, of all sources
    std::vector<uint64_t> GetLoads() const;

    /// \return tokens of a source, for all experts
    uint64_t GetFrom(uint32_t source) const;

    /// \return all tokens
    uint64_t GetTotal() const;

    /// \return counts by source and expert, rows of sources contiguous
    const std::vector<uint32_t>& GetCounts() const
    {
        return m_counts;
    }

  private:
    uint32_t m_sources;
    uint32_t m_experts;
    std::vector<uint32_t> m_counts;
};

/// Token counts of one source GPU by expert: its local knowledge. It hides the other rows of the
/// counts, which must outlive it.
class SourceCounts
{
  public:
    SourceCounts(const TokenCounts& counts, uint32_t source)
        : m_row(counts.GetCounts().data() + std::size_t{source} * counts.GetExperts()),
          m_source(source),
          m_experts(counts.GetExperts())
    {
    }

    /// \return the GPU
    uint32_t GetSource() const
    {
        return m_source;
    }

    uint32_t GetExperts() const
    {
        return m_experts;
    }

    uint32_t Get(uint32_t expert) const
    {
        return m_row[expert];
    }

  private:
    const uint32_t* m_row;
    uint32_t m_source;
    uint32_t m_experts;
};

} // namespace ns3::rails

#endif // TOKEN_COUNTS_H
