// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/balanced-split.h"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>

namespace ns3::rails::test
{

namespace
{

using Hosts = std::vector<std::vector<uint32_t>>;

/// Loads over five orders of magnitude, and each expert on any GPUs.
struct RandomCase
{
    RandomCase(uint32_t gpus, uint32_t experts, uint32_t mostHosts, uint32_t seed)
    {
        boost::random::mt19937 random(seed);
        for (uint32_t expert = 0; expert < experts; ++expert)
        {
            std::vector<uint32_t> order(gpus);
            std::iota(order.begin(), order.end(), 0);
            const uint32_t many = 1 + random() % mostHosts;
            for (uint32_t i = 0; i < many; ++i)
            {
                std::swap(order[i], order[i + random() % (gpus - i)]);
            }
            order.resize(many);
            hosts.push_back(order);
            loads.push_back(random() % (uint64_t{1} << (random() % 17)));
        }
    }

    Hosts hosts;
    std::vector<uint64_t> loads;
};

/// \return loads by GPU
std::vector<uint64_t>
AddUp(const ExpertQuota& quota, uint32_t gpus)
{
    std::vector<uint64_t> loads(gpus);
    for (const std::vector<HostShare>& shares : quota)
    {
        for (const HostShare& share : shares)
        {
            loads[share.host] += share.tokens;
        }
    }
    return loads;
}

void
ExpectConserved(const RandomCase& random, const ExpertQuota& quota)
{
    ASSERT_EQ(quota.size(), random.hosts.size());
    for (std::size_t expert = 0; expert < quota.size(); ++expert)
    {
        uint64_t tokens = 0;
        ASSERT_EQ(quota[expert].size(), random.hosts[expert].size());
        for (std::size_t i = 0; i < quota[expert].size(); ++i)
        {
            EXPECT_EQ(quota[expert][i].host, random.hosts[expert][i]);
            tokens += quota[expert][i].tokens;
        }
        EXPECT_EQ(tokens, random.loads[expert]);
    }
}

TEST(BalancedSplit, IsTheDensestSetOfGpusRoundedUpInAThousandCases)
{
    uint32_t withSeveralFlows = 0;
    for (uint32_t seed = 0; seed < 1000; ++seed)
    {
        const RandomCase random(8, 1 + seed % 40, 1 + seed % 4, seed);
        BalancedSplit split(random.hosts, 8);
        const SplitResult result = split.Split(random.loads);
        EXPECT_EQ(result.largest,
                  static_cast<uint64_t>(std::ceil(FindDensity(random.loads, random.hosts, 8))))
            << "seed " << seed;
        const std::vector<uint64_t> loads = AddUp(result.quota, 8);
        EXPECT_EQ(*std::max_element(loads.begin(), loads.end()), result.largest);
        ExpectConserved(random, result.quota);
        withSeveralFlows += split.GetFlows() > 1 ? 1 : 0;
    }
    EXPECT_GT(withSeveralFlows, 100U); // so cuts are tried, not only the lower bound
}

TEST(BalancedSplit, SplitsOtherLoadsOverTheSameHostsAsIfItWereNew)
{
    const RandomCase first(16, 64, 3, 1);
    const RandomCase second(16, 64, 3, 2);
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
