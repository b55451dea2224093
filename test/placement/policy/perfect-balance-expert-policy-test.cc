// SPDX-License-Identifier: GPL-2.0-only
#include "policy-fixtures.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace ns3::rails::test
{

namespace
{

TEST(PerfectBalanceExpertPolicy, NoGpuIsAboveTheMeanRoundedUp)
{
    std::mt19937 random(1);
    for (uint32_t i = 0; i < 200; ++i)
    {
        const uint32_t group = 1 + random() % 8;
        ExpertSetting setting = MakeOneServer(group * (1 + random() % 3), group * 2, 1, 1);
        setting.expertParallel = group;
        setting.cluster.gpusPerServer = 1 + random() % setting.cluster.gpus;
        TokenCounts counts(setting.cluster.gpus, setting.experts);
        for (uint32_t source = 0; source < setting.cluster.gpus; ++source)
        {
            for (uint32_t expert = 0; expert < setting.experts; ++expert)
            {
                counts.Set(source, expert, random() % 4 == 0 ? random() % 1000 : random() % 3);
            }
        }
        const ExpertPlan plan = PlanOnce(setting, counts, "PerfectBalance");
        ASSERT_EQ(FindDefect(setting, counts, plan), "");
        const std::vector<uint64_t> loads = FindFigures(setting, counts, plan).loads;
        const uint32_t gpus = setting.cluster.gpus;
        ASSERT_EQ(*std::max_element(loads.begin(), loads.end()),
                  (counts.GetTotal() + gpus - 1) / gpus);
        ASSERT_LE(plan.weights.size(), 2U * gpus + setting.experts);
    }
}

TEST(PerfectBalanceExpertPolicy, GivesInItsServerFirst)
{
    // The mean is 4; GPU 1 has room for 3, GPU 3 for 4. GPU 0 has 4 too many, GPU 2 has 3.
    ExpertSetting setting = MakeOneServer(4, 4, 1, 4);
    setting.cluster.gpusPerServer = 2;
    TokenCounts counts(4, 4);
    counts.Set(1, 0, 8);
    counts.Set(0, 1, 1);
    counts.Set(2, 2, 7);
    EXPECT_EQ(ListCopies(PlanOnce(setting, counts, "PerfectBalance")),
              (std::vector<Copy>{{0, 1, 3}, {0, 3, 1}, {2, 3, 3}}));
}

TEST(PerfectBalanceExpertPolicy, TokensStayWhereTheyAreAsFarAsSharesAllow)
{
    // Each GPU computes 4 of 12 tokens for one expert; in the order of sources only 6 would stay.
    const ExpertSetting setting = MakeOneServer(3, 3, 1, 4);
    TokenCounts counts(3, 3);
    counts.Set(1, 0, 6);
    counts.Set(2, 0, 6);
    const ExpertPlan plan = PlanOnce(setting, counts, "PerfectBalance");
    EXPECT_EQ(FindFigures(setting, counts, plan).localTokens, 8U);
    EXPECT_EQ(plan.weights.size(), 2U);
    EXPECT_FALSE(plan.fetchesAgain);
}

TEST(PerfectBalanceExpertPolicy, IsMarked)
{
    EXPECT_TRUE(MakePolicy("PerfectBalance")->GetTraits().isOracle);
    EXPECT_FALSE(MakePolicy("MoonEp")->GetTraits().isOracle);
}

} // namespace

} // namespace ns3::rails::test
