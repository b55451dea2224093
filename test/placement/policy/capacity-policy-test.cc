// SPDX-License-Identifier: GPL-2.0-only
#include "policy-fixtures.h"

#include "ns3/rails-error.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Rows = std::vector<uint64_t>;

/// Two groups of two GPUs, 8 tokens each that go to one of four experts; servers have 3 GPUs.
ExpertSetting
MakeCapacityPolicySetting()
{
    ExpertSetting setting = MakeOneServer(4, 4, 1, 8);
    setting.cluster.gpusPerServer = 3;
    setting.expertParallel = 2;
    return setting;
}

const TokenCounts kCounts(4,
                          4,
                          {
                              5,
                              1,
                              1,
                              1, // in the first group
                              2,
                              2,
                              2,
                              2, //
                              0,
                              0,
                              8,
                              0, // in the second
                              3,
                              3,
                              1,
                              1, //
                          });

PlanFigures
Find(const std::string& type, const PolicyKeys& keys)
{
    const ExpertSetting setting = MakeCapacityPolicySetting();
    const ExpertPlan plan = PlanOnce(setting, kCounts, type, keys);
    EXPECT_EQ(FindDefect(setting, kCounts, plan), "");
    EXPECT_TRUE(plan.weights.empty());
    return FindFigures(setting, kCounts, plan);
}

TEST(CapacityPolicy, DropsNothingUnlessAskedTo)
{
    const PlanFigures figures = Find("PlainEp", {});
    EXPECT_EQ(figures.loads, (Rows{10, 6, 6, 10}));
    EXPECT_EQ(figures.droppedTokens, 0U);
    EXPECT_EQ(figures.tokens.GetSum(), 4U * 100 * (2 + 4 + 8 + 6));
    EXPECT_EQ(figures.tokens.inside, 4U * 100 * (2 + 4)); // GPU 3 is alone in its server
}

TEST(CapacityPolicy, TakesAllWithACapacityThatIsLargerThanAnyCount)
{
    ExpertSetting setting = MakeCapacityPolicySetting();
    setting.tokens = 1 << 20; // of which an expert takes 2^18 * 2^14 at most
    const PolicyKeys keys{{"CapacityFactor", "16384"}};
    const ExpertPlan plan = PlanOnce(setting, kCounts, "PlainEp", keys);
    EXPECT_EQ(FindFigures(setting, kCounts, plan).loads, (Rows{10, 6, 6, 10}));
    EXPECT_EQ(plan.dropped, 0U);
    const ExpertPlan padded = PlanOnce(setting, kCounts, "DeepspeedMoe", keys);
    // For each of two sources 2^32 rows of each of two experts.
    EXPECT_EQ(FindFigures(setting, kCounts, padded).loads, Rows(4, uint64_t{1} << 34));
}

TEST(CapacityPolicy, SendsNothingInsideServersOfOneGpu)
{
    ExpertSetting setting = MakeOneServer(6, 2, 1, 2);
    setting.cluster.gpusPerServer = 1;
    setting.expertParallel = 2;
    setting.tokenBytes = 1;
    // Three groups, whose experts compute 1, 1 and 2 rows for each source.
    const TokenCounts counts(6, 2, {1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1, 1});
    const PlanFigures figures =
        FindFigures(setting, counts, PlanOnce(setting, counts, "DeepspeedMoe"));
    EXPECT_EQ(figures.tokens.inside, 0U);
    EXPECT_EQ(figures.tokens.across, 4U * (2 + 2 + 4));
}

TEST(CapacityPolicy, DropsWhatIsAboveTheCapacityOfEachSource)
{
    // 1 * 1.25 * 8 / 4 = 2.5 tokens, rounded up.
    const PlanFigures figures = Find("PlainEp", {{"CapacityFactor", "1.25"}});
    EXPECT_EQ(figures.droppedTokens, 2U + 5U);
    EXPECT_EQ(figures.loads, (Rows{8, 6, 6, 5}));
    EXPECT_DOUBLE_EQ(figures.maxOverMean, 8 / (25 / 4.0)) << "of the 25 tokens that are computed";
}

TEST(CapacityPolicy, AWholeProductIsNotRoundedUp)
{
    const ExpertSetting setting = MakeOneServer(1, 1, 1, 50);
    const TokenCounts counts(1, 1, {100});
    // In floating point 1.1 times 50 is more than 55.
    EXPECT_EQ(PlanOnce(setting, counts, "PlainEp", {{"CapacityFactor", "1.1"}}).dropped, 45U);
    EXPECT_EQ(PlanOnce(setting, counts, "PlainEp", {{"CapacityFactor", "1.11"}}).dropped, 44U);
}

TEST(CapacityPolicy, PadsToTheCapacity)
{
    const PolicyKeys keys{{"CapacityFactor", "1.25"}, {"Padding", "capacity"}};
    const PlanFigures figures = Find("PlainEp", keys);
    EXPECT_EQ(figures.loads, (Rows{12, 12, 12, 12})); // 2 experts, 2 sources, 3 rows
    EXPECT_EQ(figures.droppedTokens, 7U);
    EXPECT_DOUBLE_EQ(figures.maxOverMean, 12 / (25 / 4.0)) << "rows without a token are no work";
    EXPECT_EQ(figures.tokens.inside, 4U * 100 * 2 * 6); // 2 pairs, 2 experts, 3 rows
    EXPECT_EQ(figures.tokens.across, 4U * 100 * 2 * 6);
    EXPECT_EQ(Find("DeepspeedMoe", {{"CapacityFactor", "1.25"}}).loads, figures.loads);
    EXPECT_EQ(Find("DeepspeedMoe", {{"CapacityFactor", "5"}}).loads, (Rows{40, 40, 40, 40}));
}

TEST(CapacityPolicy, PadsToTheLargestNeedOfEachGroup)
{
    const PlanFigures figures = Find("PlainEp", {{"Padding", "max"}});
    EXPECT_EQ(figures.loads, (Rows{20, 20, 32, 32})); // 2 experts, 2 sources, 5 and 8 rows
    EXPECT_EQ(figures.droppedTokens, 0U);
    EXPECT_EQ(figures.tokens.GetSum(), 4U * 100 * 2 * (2 * 5 + 2 * 8));
    const PlanFigures deepspeed = Find("DeepspeedMoe", {});
    EXPECT_EQ(deepspeed.loads, figures.loads);
    EXPECT_EQ(deepspeed.tokens.GetSum(), figures.tokens.GetSum());
}

TEST(CapacityPolicy, AnAllToAllCarriesAsManyRowsAsTheLargestExpertForEachExpert)
{
    // All sources have the same: E x largest load, as the page has it, but for what stays.
    const ExpertSetting setting = MakeOneServer(8, 64, 4, 512);
    const TokenCounts counts = DrawImbalance(setting, "w1", 0);
    const std::vector<uint64_t> loads = counts.GetLoads();
    const uint64_t largest = *std::max_element(loads.begin(), loads.end());
    const PlanFigures figures =
        FindFigures(setting, counts, PlanOnce(setting, counts, "DeepspeedMoe"));
    EXPECT_EQ(figures.loads, Rows(8, 8 * largest));
    EXPECT_EQ(figures.tokens.inside, 4U * 100 * 64 * largest * 7 / 8);
    EXPECT_EQ(figures.tokens.across, 0U);
}

TEST(CapacityPolicy, PaddingToNoCapacityIsRefused)
{
    EXPECT_THROW(
        MakePolicy("PlainEp", {{"Padding", "capacity"}})->Check(MakeCapacityPolicySetting()),
        ConfigurationError);
}

} // namespace

} // namespace ns3::rails::test
