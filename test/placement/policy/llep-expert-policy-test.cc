// SPDX-License-Identifier: GPL-2.0-only
#include "policy-fixtures.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::rails::test
{

namespace
{

TEST(LlepExpertPolicy, DoesNothingBelowItsRatio)
{
    const ExpertSetting setting = MakeOneServer(32, 256, 8, 1024);
    const TokenCounts counts = DrawImbalance(setting, "w3", 0); // max/mean 1.125
    EXPECT_TRUE(PlanOnce(setting, counts, "Llep", {{"Ratio", "1.3"}}).weights.empty());
    EXPECT_FALSE(PlanOnce(setting, counts, "Llep", {{"Ratio", "1.1"}}).weights.empty());
    EXPECT_FALSE(PlanOnce(setting, counts, "Llep").weights.empty());
}

TEST(LlepExpertPolicy, ItsAbsoluteFloorDumpsExpertsWhereTokensAreFew)
{
    const ExpertSetting setting = MakeOneServer(4, 8, 2, 128);
    const TokenCounts counts = DrawImbalance(setting, "w1", 0);
    const auto find = [&](const char* minTokens) {
        const PolicyKeys keys{{"Alpha", "1"}, {"MinTokens", minTokens}};
        return FindFigures(setting, counts, PlanOnce(setting, counts, "Llep", keys)).maxOverMean;
    };
    EXPECT_DOUBLE_EQ(find("64"), 1);
    EXPECT_DOUBLE_EQ(find("1024"), 424.0 / 256);
}

TEST(LlepExpertPolicy, HomesTakeTheFirstTokensAndCopiesStayForTheWayBack)
{
    // GPU 0 is home to 4,000 tokens, of which it keeps 2,200.
    const ExpertSetting setting = MakeOneServer(2, 2, 1, 2000);
    TokenCounts counts(2, 2);
    counts.Set(0, 0, 2000);
    counts.Set(1, 0, 2000);
    const ExpertPlan plan = PlanOnce(setting, counts, "Llep");
    ASSERT_EQ(plan.routes.size(), 3U);
    EXPECT_EQ(plan.routes[1].source, 1U);
    EXPECT_EQ(plan.routes[1].host, 0U);
    EXPECT_EQ(plan.routes[1].tokens, 200U);
    EXPECT_EQ(plan.routes[2].tokens, 1800U);
    EXPECT_FALSE(plan.fetchesAgain);
    EXPECT_EQ(plan.gradients.size(), 1U);
}

TEST(LlepExpertPolicy, FewerTokensThanGpusStayAtHome)
{
    const ExpertSetting setting = MakeOneServer(4, 4, 1, 1);
    TokenCounts counts(4, 4);
    counts.Set(0, 1, 3);
    EXPECT_TRUE(PlanOnce(setting, counts, "Llep").weights.empty());
    counts.Set(0, 1, 4);
    EXPECT_FALSE(PlanOnce(setting, counts, "Llep").weights.empty());
}

} // namespace

} // namespace ns3::rails::test
