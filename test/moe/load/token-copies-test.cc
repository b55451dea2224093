// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/seeded-bits.h"
#include "ns3/token-copies.h"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

namespace ns3::rails
{

namespace
{

using Counts = std::vector<uint32_t>;

/// Whole experts, anything by chance: it takes no more than sums and products to tell.
struct WholeExperts
{
    WholeExperts(const LoadShape& what, uint32_t sets)
        : shape(what)
    {
        SeededBits bits{shape.experts, sets, shape.groups};
        const uint64_t mean = uint64_t{shape.tokens} * shape.topK / shape.experts;
        for (uint32_t at = 0; at < shape.sources * shape.experts; ++at)
        {
            const bool has = at % shape.experts != 5; // nobody has tokens for one expert
            counts.push_back(has ? static_cast<uint32_t>(bits() % (2 * mean + 1)) : 0);
        }
        Counts setOf;
        for (uint32_t expert = 0; expert < shape.experts; ++expert)
        {
            inclusion.push_back(static_cast<double>(1 + bits() % 15));
            setOf.push_back(static_cast<uint32_t>(bits() % sets));
        }
        const double sum = std::accumulate(inclusion.begin(), inclusion.end(), 0.0);
        for (double& chosen : inclusion)
        {
            chosen = chosen * shape.topK / sum;
        }
        copies = EstimateCopies(shape,
                                counts,
                                inclusion,
                                TokenSplit::OfWholeExperts(counts, setOf, sets));
    }

    /// \return a number that tells copies from others (FNV-1a)
    uint64_t Hash() const
    {
        uint64_t hash = 14695981039346656037U;
        for (const uint32_t number : copies)
        {
            hash = (hash ^ number) * 1099511628211U;
        }
        return hash;
    }

    LoadShape shape;
    Counts counts;
    std::vector<double> inclusion;
    Counts copies;
};

} // namespace

// Recorded when an expert could be in one set only.
TEST(TokenCopiesTest, CopiesOfWholeExpertsAreThoseOfExpertsThatCannotBeSplit)
{
    EXPECT_EQ(WholeExperts({3, 16, 4, 500}, 4).copies,
              (Counts{436, 442, 272, 453, 331, 500, 77, 317, 500, 93, 197, 328}));
    EXPECT_EQ(WholeExperts({3, 16, 4, 500, 4, 2}, 4).copies,
              (Counts{233, 344, 402, 214, 355, 417, 265, 295, 390, 153, 480, 284}));
    EXPECT_EQ(WholeExperts({3, 16, 1, 500}, 4).copies,
              (Counts{195, 170, 50, 146, 117, 40, 107, 173, 192, 120, 83, 148}));
    EXPECT_EQ(WholeExperts({64, 256, 8, 4096}, 8).Hash(), 3897610529344622244U);
    EXPECT_EQ(WholeExperts({64, 256, 8, 4096}, 64).Hash(), 9659179119147729515U);
    EXPECT_EQ(WholeExperts({64, 256, 8, 4096, 8, 4}, 8).Hash(), 12589575984612106511U);
    EXPECT_EQ(WholeExperts({64, 256, 8, 4096, 8, 4}, 64).Hash(), 1402501161367176284U);
}

namespace
{

/**
 * \param parts of the tokens chosen for an expert that go to a set, by expert
 * \return of all choices of topK experts in at most topGroups groups, how probable it is that at
 *     least one sends a token there
 */
double
FindAnyInAllChoices(const LoadShape& shape,
                    const std::vector<double>& inclusion,
                    const std::vector<double>& parts)
{
    double all = 0;
    double none = 0;
    for (uint32_t choice = 0; choice < 1U << shape.experts; ++choice)
    {
        if (std::bitset<32>(choice).count() != shape.topK)
        {
            continue;
        }
        std::set<uint32_t> groups;
        double chance = 1;
        double kept = 1;
        for (uint32_t expert = 0; expert < shape.experts; ++expert)
        {
            const bool chosen = (choice >> expert & 1) == 1;
            chance *= chosen ? inclusion[expert] : 1 - inclusion[expert];
            if (chosen)
            {
                groups.insert(shape.GetGroup(expert));
                kept *= 1 - parts[expert];
            }
        }
        if (groups.size() <= shape.topGroups)
        {
            all += chance;
            none += chance * kept;
        }
    }
    return 1 - none / all;
}

/// Experts on one GPU or on several of four, with as many tokens for each as can tell their parts.
class SplitExperts
{
  public:
    static constexpr uint32_t kSets = 4;
    static constexpr uint32_t kTokens = 10'000'000;

    /// \param seed of what is where, and of parts
    SplitExperts(const LoadShape& shape, uint64_t seed)
        : m_shape(shape),
          m_inclusion(shape.experts),
          m_counts(std::size_t{shape.sources} * shape.experts, 1'000'000),
          m_parts(std::size_t{shape.sources} * kSets, std::vector<double>(shape.experts, 0))
    {
        SeededBits bits{seed};
        for (double& chosen : m_inclusion)
        {
            chosen = static_cast<double>(3 + bits() % 4); // below 1 in the end
        }
        const double sum = std::accumulate(m_inclusion.begin(), m_inclusion.end(), 0.0);
        for (double& chosen : m_inclusion)
        {
            chosen = chosen * shape.topK / sum;
        }
        for (uint32_t expert = 0; expert < shape.experts; ++expert)
        {
            // Whole, the same parts of all sources, or of each source others; some are dropped.
            const uint64_t kind = bits() % 3;
            const auto home = static_cast<uint32_t>(bits() % kSets);
            uint32_t first = 0;
            for (uint32_t source = 0; source < shape.sources; ++source)
            {
                first = kind == 2 || source == 0 ? static_cast<uint32_t>(bits() % 500'000) : first;
                const uint32_t others = kind == 0 ? 0 : first;
                const uint32_t dropped = kind == 2 ? 100'000 : 0;
                Add(source, expert, home, 1'000'000 - others - dropped);
                Add(source, expert, (home + 1) % kSets, others);
            }
        }
    }

    /// \return copies of a source in a set, found in all choices
    double FindCopies(uint32_t source, uint32_t set) const
    {
        const std::vector<double>& parts = m_parts[source * kSets + set];
        const std::vector<double> limited = LimitInclusion(m_shape, m_inclusion);
        const double chosen =
            std::inner_product(limited.begin(), limited.end(), parts.begin(), 0.0);
        const double pairs = std::accumulate(parts.begin(), parts.end(), 0.0);
        const double most = *std::max_element(parts.begin(), parts.end());
        const double any = FindAnyInAllChoices(m_shape, m_inclusion, parts);
        return 1e6 * std::clamp(chosen > 0 ? pairs * any / chosen : 0, most, pairs);
    }

    Counts Estimate() const
    {
        const TokenSplit split(m_shape.sources, m_shape.experts, kSets, m_list);
        return EstimateCopies(m_shape, m_counts, m_inclusion, split);
    }

  private:
    void Add(uint32_t source, uint32_t expert, uint32_t set, uint32_t tokens)
    {
        // In two steps: a set may come again.
        m_list.push_back({source, expert, set, tokens / 3});
        m_list.push_back({source, expert, set, tokens - tokens / 3});
        m_parts[source * kSets + set][expert] += tokens / 1e6;
    }

    LoadShape m_shape;
    std::vector<double> m_inclusion;
    Counts m_counts;
    std::vector<std::vector<double>> m_parts; //!< by source and set, by expert
    std::vector<SplitPart> m_list;
};

} // namespace

TEST(TokenCopiesTest, PartsOfExpertsAreCountedAsInAllChoicesOfSoManyExperts)
{
    constexpr uint32_t tokens = SplitExperts::kTokens;
    for (const LoadShape& shape : {LoadShape{3, 8, 2, tokens},
                                   LoadShape{3, 9, 4, tokens},
                                   LoadShape{3, 9, 3, tokens, 3, 1},
                                   LoadShape{3, 12, 4, tokens, 4, 2},
                                   LoadShape{3, 12, 4, tokens, 4, 4}})
    {
        for (uint64_t seed = 0; seed < 8; ++seed)
        {
            const SplitExperts experts(shape, seed);
            const Counts copies = experts.Estimate();
            for (uint32_t source = 0; source < shape.sources; ++source)
            {
                for (uint32_t set = 0; set < SplitExperts::kSets; ++set)
                {
                    EXPECT_NEAR(copies[source * SplitExperts::kSets + set],
                                experts.FindCopies(source, set),
                                2)
                        << shape.experts << " experts, seed " << seed << ", source " << source
                        << ", set " << set;
                }
            }
        }
    }
}

TEST(TokenCopiesTest, TokensForOneExpertAreAsManyCopiesAsTheirParts)
{
    const TokenSplit split(1, 2, 3, {{0, 0, 0, 30}, {0, 0, 1, 20}, {0, 1, 1, 25}, {0, 1, 2, 25}});
    EXPECT_EQ(EstimateCopies({1, 2, 1, 100}, {50, 50}, {0.9, 0.1}, split), (Counts{30, 45, 25}));
}

TEST(TokenCopiesTest, CopiesAreNoFewerThanOneExpertNeedsAndNoMoreThanTokensOrPairs)
{
    // A token for both of two experts: half of one and all of the other are three in four pairs.
    const LoadShape shape{2, 4, 2, 100};
    const std::vector<double> inclusion{0.5, 0.5, 0.5, 0.5};
    const Counts counts{100, 100, 0, 0, 50, 50, 50, 50};
    const TokenSplit split(2,
                           4,
                           2,
                           {{0, 0, 0, 100},
                            {0, 1, 0, 40},
                            {0, 1, 1, 60},
                            {1, 0, 0, 50},
                            {1, 1, 1, 50},
                            {1, 2, 0, 1},
                            {1, 2, 1, 49},
                            {1, 3, 1, 50}});
    const Counts copies = EstimateCopies(shape, counts, inclusion, split);
    EXPECT_EQ(copies[0], 100U) << "that many for its first expert";
    EXPECT_EQ(copies[1], 60U);
    EXPECT_GE(copies[2], 50U);
    EXPECT_LE(copies[2], 51U);
    EXPECT_LE(copies[3], 100U);
}

// What becomes of the other expert of these tokens depends on where it is, for all that is known.
TEST(TokenCopiesTest, ExpertsThatASourceHasNoTokensForAreWhereThoseOfOtherSourcesGo)
{
    const LoadShape shape{2, 4, 2, 1000};
    const std::vector<double> inclusion{0.5, 0.5, 0.5, 0.5};
    const Counts counts{500, 500, 1000, 0, 500, 500, 500, 500};
    const std::vector<SplitPart> common{{0, 0, 0, 500},
                                        {0, 1, 0, 500},
                                        {0, 2, 1, 1000},
                                        {1, 0, 0, 500},
                                        {1, 1, 0, 500},
                                        {1, 2, 1, 500}};
    std::vector<SplitPart> here = common;
    here.push_back({1, 3, 0, 500});
    std::vector<SplitPart> there = common;
    there.push_back({1, 3, 1, 500});
    const Counts with = EstimateCopies(shape, counts, inclusion, TokenSplit(2, 4, 2, here));
    const Counts without = EstimateCopies(shape, counts, inclusion, TokenSplit(2, 4, 2, there));
    // Of 6 choices of two experts all have one of three, which are in 1.5 of them in the mean; five
    // have one of two.
    EXPECT_EQ(with[0], 667U);
    EXPECT_EQ(without[0], 833U);
}

TEST(TokenCopiesTest, MoreTokensThanThereAreAreRefused)
{
    const TokenSplit split(1, 2, 2, {{0, 0, 0, 30}, {0, 0, 1, 21}});
    EXPECT_THROW(EstimateCopies({1, 2, 1, 100}, {50, 50}, {0.5, 0.5}, split),
                 std::invalid_argument);
    EXPECT_THROW(EstimateCopies({2, 2, 1, 100}, {60, 40, 60, 40}, {0.5, 0.5}, split),
                 std::invalid_argument);
}

} // namespace ns3::rails
