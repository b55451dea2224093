// SPDX-License-Identifier: GPL-2.0-only
#include "policy-fixtures.h"

#include "ns3/rails-error.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// \return counts whose popularity is lognormal; all sources have as many tokens if asked
TokenCounts
DrawLognormal(const ExpertSetting& setting, double sigma, bool even, std::mt19937& random)
{
    std::vector<double> edges;
    std::normal_distribution<double> normal(0, sigma);
    for (uint32_t expert = 0; expert < setting.experts; ++expert)
    {
        edges.push_back((edges.empty() ? 0 : edges.back()) + std::exp(normal(random)));
    }
    std::uniform_real_distribution<double> uniform(0, edges.back());
    const uint32_t gpus = setting.cluster.gpus;
    TokenCounts counts(gpus, setting.experts);
    for (uint32_t source = 0; source < gpus; ++source)
    {
        const uint32_t pairs = setting.tokens * setting.topK;
        const uint32_t own = even ? pairs : static_cast<uint32_t>(random() % (2 * pairs));
        for (uint32_t i = 0; i < own; ++i)
        {
            const auto place = std::upper_bound(edges.begin(), edges.end(), uniform(random));
            const auto expert = std::min<std::ptrdiff_t>(place - edges.begin(),
                                                         std::ptrdiff_t{setting.experts} - 1);
            const auto column = static_cast<uint32_t>(expert);
            counts.Set(source, column, counts.Get(source, column) + 1);
        }
    }
    return counts;
}

void
ExpectInvariants(const ExpertSetting& setting, const TokenCounts& counts)
{
    const ExpertPlan plan = PlanOnce(setting, counts, "MoonEp");
    ASSERT_EQ(FindDefect(setting, counts, plan), "");
    const uint64_t total = counts.GetTotal();
    const uint32_t gpus = setting.cluster.gpus;
    const PlanFigures figures = FindFigures(setting, counts, plan);
    std::vector<std::set<uint32_t>> homes(gpus);
    std::vector<uint32_t> copies(gpus);
    for (const ExpertTransfer& transfer : plan.weights)
    {
        homes[transfer.to].insert(transfer.from);
        ++copies[transfer.to];
    }
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        ASSERT_EQ(figures.loads[gpu], total / gpus + (gpu < total % gpus ? 1 : 0));
        ASSERT_LE(homes[gpu].size(), 1U);
        ASSERT_LE(copies[gpu], setting.GetHomes());
    }
}

TEST(MoonEpExpertPolicy, IsExactWithOneHomeForEachReceiverOnRandomLoads)
{
    std::mt19937 random(1);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        const uint32_t gpus = 2 + random() % 15;
        const ExpertSetting setting =
            MakeOneServer(gpus, gpus * (1 + random() % 6), 1 + random() % 4, 1 + random() % 64);
        const double sigma = 0.5 * (1 + random() % 10);
        ExpectInvariants(setting, DrawLognormal(setting, sigma, i % 4 != 0, random));
    }
}

TEST(MoonEpExpertPolicy, TokensGoByTheirNumberAndNotByTheirPlace)
{
    // 8 tokens of GPU 1 for the expert of GPU 0, and no others: each GPU gets 4 of them.
    const ExpertSetting setting = MakeOneServer(2, 2, 1, 4);
    TokenCounts counts(2, 2);
    counts.Set(0, 0, 3);
    counts.Set(1, 0, 5);
    const ExpertPlan plan = PlanOnce(setting, counts, "MoonEp");
    ASSERT_EQ(plan.routes.size(), 3U);
    EXPECT_EQ(plan.routes[0].host, 0U);
    EXPECT_EQ(plan.routes[1].source, 1U);
    EXPECT_EQ(plan.routes[1].host, 0U); // the fourth, although GPU 1 could compute it
    EXPECT_EQ(plan.routes[1].tokens, 1U);
    EXPECT_EQ(plan.routes[2].host, 1U);
    EXPECT_TRUE(plan.fetchesAgain);
    EXPECT_DOUBLE_EQ(plan.planningSeconds, 51e-6);
}

TEST(MoonEpExpertPolicy, ReadsWhatHasNoSlotOrLeavesItAtHome)
{
    // GPU 0 is home to all tokens, so that GPU 1 gets all of two of its experts.
    const ExpertSetting setting = MakeOneServer(2, 8, 1, 40);
    TokenCounts counts(2, 8);
    for (uint32_t expert = 0; expert < 4; ++expert)
    {
        counts.Set(0, expert, 20);
    }
    const std::vector<Copy> all{{0, 1, 20}, {1, 1, 20}};
    EXPECT_EQ(ListCopies(PlanOnce(setting, counts, "MoonEp", {{"Slots", "4"}})), all);
    EXPECT_EQ(ListCopies(PlanOnce(setting, counts, "MoonEp", {{"Slots", "1"}})), all);
    const std::vector<Copy> higher{{1, 1, 20}};
    EXPECT_EQ(
        ListCopies(PlanOnce(setting, counts, "MoonEp", {{"Slots", "1"}, {"Overflow", "home"}})),
        higher);
    EXPECT_TRUE(PlanOnce(setting, counts, "MoonEp", {{"Slots", "0"}, {"Overflow", "home"}})
                    .weights.empty());
}

TEST(MoonEpExpertPolicy, LeavesItsServerOnlyWhenTold)
{
    ExpertSetting setting = MakeOneServer(4, 8, 2, 128);
    EXPECT_NO_THROW(MakePolicy("MoonEp")->Check(setting));
    setting.cluster.gpusPerServer = 2;
    EXPECT_THROW(MakePolicy("MoonEp")->Check(setting), ConfigurationError);
    const TokenCounts counts = DrawImbalance(setting, "w1", 0);
    const ExpertPlan plan = PlanOnce(setting, counts, "MoonEp", {{"AcrossServers", "true"}});
    EXPECT_GT(FindFigures(setting, counts, plan).weights.across, 0U);
}

} // namespace

} // namespace ns3::rails::test
