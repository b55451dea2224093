// SPDX-License-Identifier: GPL-2.0-only
#include "split-cases.h"

#include "ns3/balanced-split.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <vector>

namespace ns3::rails::test
{

namespace
{

TEST(BalancedSplit, IsTheDensestSetOfGpusRoundedUpInAThousandCases)
{
    for (uint32_t seed = 0; seed < 1000; ++seed)
    {
        const SplitCase random(8, 1 + seed % 40, 1 + seed % 4, seed);
        BalancedSplit split(random.hosts, 8);
        const SplitResult result = split.Split(random.loads);
        EXPECT_EQ(result.largest,
                  static_cast<uint64_t>(std::ceil(FindDensity(random.loads, random.hosts, 8))))
            << "seed " << seed;
        const std::vector<uint64_t> loads = AddUp(result.quota, 8);
        EXPECT_EQ(*std::max_element(loads.begin(), loads.end()), result.largest);
        ExpectConserved(random, result.quota);
        EXPECT_EQ(split.FindLargest(random.loads), result.largest);
    }
}

TEST(BalancedSplit, IsTheLinearOptimumRoundedUpOf64GpusAnd256Experts)
{
    std::vector<SplitCase> cases;
    for (uint32_t seed = 0; seed < 4; ++seed)
    {
        cases.emplace_back(64, 256, 2 + seed % 4, seed);
    }
    const std::optional<std::vector<double>> optima = FindScipyOptima(cases);
    if (!optima)
    {
        GTEST_SKIP() << "there is no Python with SciPy to solve LP 1";
    }
    ASSERT_EQ(optima->size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i)
    {
        const SplitResult result = BalancedSplit(cases[i].hosts, 64).Split(cases[i].loads);
        EXPECT_EQ(result.largest, static_cast<uint64_t>(std::ceil((*optima)[i] - 1e-6)));
        ExpectConserved(cases[i], result.quota);
    }
}

TEST(BalancedSplit, SplitsOtherLoadsOverTheSameHostsAsIfItWereNew)
{
    const SplitCase first(16, 64, 3, 1);
    const SplitCase second(16, 64, 3, 2);
    BalancedSplit kept(first.hosts, 16);
    kept.Split(first.loads);
    const SplitResult again = kept.Split(second.loads);
    const SplitResult anew = BalancedSplit(first.hosts, 16).Split(second.loads);
    EXPECT_EQ(again.largest, anew.largest);
    for (std::size_t expert = 0; expert < 64; ++expert)
    {
        for (std::size_t i = 0; i < again.quota[expert].size(); ++i)
        {
            EXPECT_EQ(again.quota[expert][i].tokens, anew.quota[expert][i].tokens);
        }
    }
}

TEST(BalancedSplit, FindsTheLargestLoadBelowALimitOnly)
{
    for (uint32_t seed = 0; seed < 200; ++seed)
    {
        const SplitCase random(16, 1 + seed % 60, 1 + seed % 4, seed);
        BalancedSplit split(random.hosts, 16);
        const uint64_t largest = split.Split(random.loads).largest;
        EXPECT_EQ(split.FindLargestBelow(0, random.loads), std::nullopt);
        EXPECT_EQ(split.FindLargestBelow(largest, random.loads), std::nullopt) << "seed " << seed;
        EXPECT_EQ(split.FindLargestBelow(largest + 1, random.loads), largest) << "seed " << seed;
        EXPECT_EQ(split.FindLargestBelow(2 * largest + 1, random.loads), largest);
    }
}

TEST(BalancedSplit, GoesAroundFixedLoads)
{
    BalancedSplit split({{0, 1}, {1, 2}}, 3);
    EXPECT_EQ(split.Split({10, 10}).largest, 7U); // 20 over three
    EXPECT_EQ(split.Split({10, 10}, {0, 0, 10}).largest, 10U);
    const SplitResult result = split.Split({10, 10}, {2, 20, 4});
    EXPECT_EQ(result.largest, 20U);
    EXPECT_EQ(result.quota[0][1].tokens, 0U);
    EXPECT_EQ(result.quota[1][1].tokens, 10U);
}

TEST(BalancedSplit, LeavesAnExpertWithOneHostThere)
{
    BalancedSplit split({{0}, {0, 1}}, 2);
    const SplitResult result = split.Split({5, 9});
    EXPECT_EQ(result.largest, 7U);
    EXPECT_EQ(result.quota[0][0].tokens, 5U);
    EXPECT_EQ(result.quota[1][0].tokens, 2U);
}

TEST(BalancedSplit, SplitsNothing)
{
    EXPECT_EQ(BalancedSplit({{0, 1}, {}}, 2).Split({0, 0}).largest, 0U);
    EXPECT_THROW(BalancedSplit({{0, 1}, {}}, 2).Split({0, 1}), std::invalid_argument);
}

TEST(FindDensity, IsThatOfTheDensestSet)
{
    // Experts 0 and 1 share a pair; GPU 2 has little to do.
    EXPECT_DOUBLE_EQ(FindDensity({6, 5, 1}, {{0, 1}, {1, 0}, {1, 2}}, 3), 5.5);
    EXPECT_DOUBLE_EQ(FindDensity({6, 5, 7}, {{0, 1}, {1, 0}, {1, 2}}, 3), 6);
    EXPECT_THROW(FindDensity({1}, {{0}}, 17), std::invalid_argument);
}

} // namespace

} // namespace ns3::rails::test
