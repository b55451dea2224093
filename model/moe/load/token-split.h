// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOKEN_SPLIT_H
#define TOKEN_SPLIT_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Tokens of a source for an expert that go to one set: a GPU or a server.
struct SplitPart
{
    uint32_t source{0};
    uint32_t expert{0};
    uint32_t set{0};
    uint32_t tokens{0};
};

/**
 * Destination sets of tokens by source and expert. An expert with replicas in several sets splits
 * its tokens over them.
 */
class TokenSplit
{
  public:
    /// Range of contiguous parts.
    struct Range
    {
        const SplitPart* first;
        const SplitPart* last; //!< one past the last part

        const SplitPart* begin() const
        {
            return first;
        }

        const SplitPart* end() const
        {
            return last;
        }
    };

    /**
     * \param sources number of sources
     * \param experts number of experts
     * \param sets number of sets
     * \param parts in the order in which a source assigns its tokens of an expert; a set may occur
     *     several times. Tokens without a part are dropped. A part with 0 tokens gives the set of
     *     an expert without tokens.
     */
    TokenSplit(uint32_t sources,
               uint32_t experts,
               uint32_t sets,
               const std::vector<SplitPart>& parts);

    /**
     * \param counts tokens by source and expert, rows of sources contiguous
     * \param setOf set of each expert
     * \param sets number of sets
     * \return a split in which all tokens of an expert go to its set
     */
    static TokenSplit OfWholeExperts(const std::vector<uint32_t>& counts,
                                     const std::vector<uint32_t>& setOf,
                                     uint32_t sets);

    uint32_t GetSets() const
    {
        return m_sets;
    }

    /// \return parts of a source's tokens for an expert, in the order of assignment
    Range Get(uint32_t source, uint32_t expert) const;

    /// \return true when two sources have equal parts for every expert
    bool AreAlike(uint32_t source, uint32_t other) const;

    /// \param counts tokens by source and expert
    /// \throws std::invalid_argument when parts have more tokens than `counts`
    void Check(const std::vector<uint32_t>& counts) const;

  private:
    uint32_t m_sources;
    uint32_t m_experts;
    uint32_t m_sets;
    std::vector<SplitPart> m_parts;   //!< by source and expert
    std::vector<std::size_t> m_first; //!< first part by source and expert, and the end
};

} // namespace ns3::rails

#endif // TOKEN_SPLIT_H
