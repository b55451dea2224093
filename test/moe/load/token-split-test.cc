// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/token-split.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using SetTokens = std::vector<std::pair<uint32_t, uint32_t>>;

/// \return sets and tokens of the parts of a source and an expert
SetTokens
List(const TokenSplit& split, uint32_t source, uint32_t expert)
{
    SetTokens list;
    for (const SplitPart& part : split.Get(source, expert))
    {
        EXPECT_EQ(part.source, source);
        EXPECT_EQ(part.expert, expert);
        list.emplace_back(part.set, part.tokens);
    }
    return list;
}

} // namespace

TEST(TokenSplitTest, PartsOfASourceAndAnExpertKeepTheirOrder)
{
    const TokenSplit split(
        2,
        3,
        4,
        {{1, 2, 3, 7}, {0, 1, 2, 5}, {1, 2, 0, 9}, {0, 0, 1, 4}, {1, 2, 3, 8}, {0, 1, 1, 6}});
    EXPECT_EQ(split.GetSets(), 4U);
    EXPECT_EQ(List(split, 0, 0), (SetTokens{{1, 4}}));
    EXPECT_EQ(List(split, 0, 1), (SetTokens{{2, 5}, {1, 6}}));
    EXPECT_EQ(List(split, 0, 2), SetTokens{});
    EXPECT_EQ(List(split, 1, 0), SetTokens{});
    EXPECT_EQ(List(split, 1, 1), SetTokens{});
    EXPECT_EQ(List(split, 1, 2), (SetTokens{{3, 7}, {0, 9}, {3, 8}}));
    EXPECT_EQ(List(TokenSplit(1, 1, 1, {}), 0, 0), SetTokens{});
}

TEST(TokenSplitTest, OfAWholeExpertAllTokensGoToItsSet)
{
    const auto split = TokenSplit::OfWholeExperts({5, 0, 7, 1, 2, 3}, {1, 0, 1}, 2);
    EXPECT_EQ(List(split, 0, 0), (SetTokens{{1, 5}}));
    EXPECT_EQ(List(split, 0, 1), (SetTokens{{0, 0}})) << "no tokens, but it is there";
    EXPECT_EQ(List(split, 1, 1), (SetTokens{{0, 2}}));
    EXPECT_EQ(List(split, 1, 2), (SetTokens{{1, 3}}));
}

TEST(TokenSplitTest, SourcesAreAlikeWhenAllTheirPartsAre)
{
    const TokenSplit split(5,
                           1,
                           2,
                           {{0, 0, 0, 1},
                            {0, 0, 1, 2},
                            {1, 0, 0, 1},
                            {1, 0, 1, 2},
                            {2, 0, 1, 2},
                            {2, 0, 0, 1},
                            {3, 0, 0, 1},
                            {4, 0, 0, 1},
                            {4, 0, 1, 3}});
    EXPECT_TRUE(split.AreAlike(0, 1));
    EXPECT_FALSE(split.AreAlike(0, 2)) << "another order";
    EXPECT_FALSE(split.AreAlike(0, 3)) << "one part";
    EXPECT_FALSE(split.AreAlike(0, 4)) << "other tokens";
}

TEST(TokenSplitTest, PartsOfNothingAreRefused)
{
    EXPECT_THROW(TokenSplit(2, 3, 4, {{2, 0, 0, 1}}), std::invalid_argument) << "source";
    EXPECT_THROW(TokenSplit(2, 3, 4, {{0, 3, 0, 1}}), std::invalid_argument) << "expert";
    EXPECT_THROW(TokenSplit(2, 3, 4, {{0, 0, 4, 1}}), std::invalid_argument) << "set";
    const TokenSplit split(1, 2, 2, {{0, 1, 0, 3}, {0, 1, 1, 4}});
    EXPECT_NO_THROW(split.Check({9, 7}));
    EXPECT_NO_THROW(split.Check({0, 8})) << "some are dropped";
    EXPECT_THROW(split.Check({9, 6}), std::invalid_argument);
    EXPECT_THROW(split.Check({9, 7, 1}), std::invalid_argument);
}

} // namespace ns3::rails
