// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOKEN_SPLIT_H
#define TOKEN_SPLIT_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Tokens of a source for an expert that go to the same set: a GPU, or a server.
struct SplitPart
{
    uint32_t source{0};
    uint32_t expert{0};
    uint32_t set{0};
    uint32_t tokens{0};
};

/**
 * Where the tokens go that sources have for experts: of an expert in one set all go there, of an
 * expert with copies in several they are split.
 */
class TokenSplit
{
  public:
    /// Parts that stand side by side.
    struct Range
    {
        const SplitPart* first;
        const SplitPart* last; //!< behind these

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
     * \param sources how many there are
     * \param experts how many there are
     * \param sets how many there are
     * \param parts in the order in which a source deals its tokens of an expert; a set may come
     *     several times. Tokens without a part are dropped. A part of no tokens says where an
     *     expert is that has none.
     */
    TokenSplit(uint32_t sources,
               uint32_t experts,
               uint32_t sets,
               const std::vector<SplitPart>& parts);

    /**
     * \param counts tokens by source and expert, those of a source side by side
     * \param setOf which set an expert is in, by expert
     * \param sets how many there are
     * \return all tokens of an expert go to its set
     */
    static TokenSplit OfWholeExperts(const std::vector<uint32_t>& counts,
                                     const std::vector<uint32_t>& setOf,
                                     uint32_t sets);

    uint32_t GetSets() const
    {
        return m_sets;
    }

    /// \return parts of the tokens that a source has for an expert, in the order of dealing
    Range Get(uint32_t source, uint32_t expert) const;

    /// \return true when two sources split as many tokens of each expert in the same way
    bool AreAlike(uint32_t source, uint32_t other) const;

    /// \throws std::invalid_argument when parts have more tokens than there are; \param counts by
    ///     source and expert
    void Check(const std::vector<uint32_t>& counts) const;

  private:
    uint32_t m_sources;
    uint32_t m_experts;
    uint32_t m_sets;
    std::vector<SplitPart> m_parts;   //!< by source and expert
    std::vector<std::size_t> m_first; //!< of the parts of a source and an expert; and behind all
};

} // namespace ns3::rails

#endif // TOKEN_SPLIT_H
