// SPDX-License-Identifier: GPL-2.0-only
#include "split-cases.h"

#include "ns3/balanced-split.h"
#include "ns3/communication-split.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// GPUs in servers of some.
ClusterView
MakeCluster(uint32_t gpus, uint32_t gpusPerServer)
{
    ClusterView cluster;
    cluster.gpus = gpus;
    cluster.gpusPerServer = gpusPerServer;
    return cluster;
}

CommunicationSplit
Split(const SplitCase& split, const CommunicationWeights& weights, uint32_t gpusPerServer = 1)
{
    return SplitWithCommunication(split.counts,
                                  split.hosts,
                                  MakeCluster(split.counts.GetSources(), gpusPerServer),
                                  weights);
}

/// Costs agree to a millionth.
void
ExpectSame(double one, double other)
{
    EXPECT_NEAR(one, other, 1e-6 * std::max(1.0, other));
}

TEST(CommunicationSplit, CostsWhatScipyFindsInAHundredCases)
{
    std::vector<SplitCase> cases;
    for (uint32_t seed = 0; seed < 100; ++seed)
    {
        cases.emplace_back(2 + seed % 7, 1 + seed % 24, std::min(2 + seed % 7, 3U), seed);
        cases.back().weight = seed % 5 * 0.4;
    }
    const std::optional<std::vector<double>> optima = FindScipyOptima(cases);
    if (!optima)
    {
        GTEST_SKIP() << "there is no Python with SciPy to solve LP 4";
    }
    ASSERT_EQ(optima->size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i)
    {
        const CommunicationSplit split = Split(cases[i], {cases[i].weight, {}});
        ExpectSame(split.cost, (*optima)[i]);
        ExpectSame(split.cost, split.computed + cases[i].weight * split.across);
        ExpectConserved(cases[i], split.quota);
    }
}

TEST(CommunicationSplit, WithoutWeightBalancesAsLp1)
{
    for (uint32_t seed = 0; seed < 50; ++seed)
    {
        const SplitCase split(8, 20, 3, seed);
        const ExpertQuota quota = Split(split, {0, {}}).quota;
        const std::vector<uint64_t> loads = AddUp(quota, 8);
        EXPECT_EQ(*std::max_element(loads.begin(), loads.end()),
                  BalancedSplit(split.hosts, 8).Split(split.loads).largest);
        ExpectConserved(split, quota);
    }
}

TEST(CommunicationSplit, WholeTokensAddLessThanOneToTheLargestLoad)
{
    for (uint32_t seed = 0; seed < 50; ++seed)
    {
        const SplitCase split(8, 20, 3, seed);
        const CommunicationSplit result = Split(split, {0.1, 0.7}, 2);
        const std::vector<uint64_t> loads = AddUp(result.quota, 8);
        EXPECT_LE(*std::max_element(loads.begin(), loads.end()),
                  static_cast<uint64_t>(std::ceil(result.computed - 1e-6)));
        ExpectConserved(split, result.quota);
    }
}

TEST(CommunicationSplit, TokensStayWhenSendingIsDear)
{
    TokenCounts counts(2, 1);
    counts.Set(0, 0, 90);
    counts.Set(1, 0, 10);
    const std::vector<std::vector<uint32_t>> hosts{{0, 1}};
    const ClusterView cluster = MakeCluster(2, 2);
    EXPECT_EQ(SplitWithCommunication(counts, hosts, cluster, {0.5, {}}).quota[0][0].tokens, 50U);
    EXPECT_EQ(SplitWithCommunication(counts, hosts, cluster, {2, {}}).quota[0][0].tokens, 90U);
}

TEST(CommunicationSplit, AllExpertsCountAsSent)
{
    // GPU 0 holds nothing of what it has: all of it is sent, whoever computes it.
    TokenCounts counts(3, 1);
    counts.Set(0, 0, 60);
    const CommunicationSplit split =
        SplitWithCommunication(counts, {{1, 2}}, MakeCluster(3, 1), {1, {}});
    EXPECT_NEAR(split.across, 60, 1e-9);
    EXPECT_NEAR(split.computed, 30, 1e-9);
}

TEST(CommunicationSplit, OneServerOrServersOfOneGpuAreLp4)
{
    for (uint32_t seed = 0; seed < 30; ++seed)
    {
        const SplitCase split(6, 12, 3, seed);
        const double cost = Split(split, {0.6, {}}).cost;
        ExpectSame(Split(split, {5, 0.6}, 6).cost, cost);
        ExpectSame(Split(split, {0.6, 0.1}, 1).cost, cost);
    }
}

TEST(CommunicationSplit, PrefersTheSameServerWhenThatIsCheaper)
{
    // Expert 0 is on a GPU in each server, all its tokens are on another GPU of the first.
    TokenCounts counts(4, 1);
    counts.Set(1, 0, 100);
    const ClusterView cluster = MakeCluster(4, 2);
    const std::vector<std::vector<uint32_t>> hosts{{0, 2}};
    EXPECT_EQ(SplitWithCommunication(counts, hosts, cluster, {5, 0.1}).quota[0][0].tokens, 100U);
    EXPECT_EQ(SplitWithCommunication(counts, hosts, cluster, {0.1, 0.1}).quota[0][0].tokens, 50U);
}

} // namespace

} // namespace ns3::rails::test
