// SPDX-License-Identifier: GPL-2.0-only
#include "policy-fixtures.h"

#include "ns3/rails-error.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// GPU 0 has 700 tokens of three experts and GPU 1 has 100; the others have none.
TokenCounts
MakeCounts()
{
    TokenCounts counts(4, 12);
    counts.Set(0, 0, 300);
    counts.Set(0, 1, 200);
    counts.Set(2, 1, 100);
    counts.Set(3, 2, 100);
    counts.Set(0, 3, 100);
    return counts;
}

TEST(EchoExpertPolicy, OneSlotEachLeavesTheRestAtHome)
{
    // The mean is 200: 300 of expert 1 and 200 of expert 0 are spilled, there is room for 200, 200
    // and 100. What the first GPU leaves of expert 1 is in a lower bucket afterwards.
    const ExpertSetting setting = MakeOneServer(4, 12, 1, 200);
    EXPECT_EQ(ListCopies(PlanOnce(setting, MakeCounts(), "Echo")),
              (std::vector<Copy>{{0, 3, 200}, {1, 1, 100}, {1, 2, 200}}));
}

TEST(EchoExpertPolicy, GreedyKeepsTheLargestOverlaps)
{
    // Spills of 300 and 200 meet rooms of 200, 200 and 100: 200, 100 + 100, 100.
    const ExpertSetting setting = MakeOneServer(4, 12, 1, 200);
    const auto list = [&](const PolicyKeys& keys) {
        PolicyKeys all{{"Algorithm", "one-shot-greedy"}};
        all.insert(all.end(), keys.begin(), keys.end());
        return ListCopies(PlanOnce(setting, MakeCounts(), "Echo", all));
    };
    EXPECT_EQ(list({}), (std::vector<Copy>{{0, 1, 100}, {0, 3, 100}, {1, 2, 200}, {1, 3, 100}}));
    EXPECT_EQ(list({{"Slots", "1"}}), (std::vector<Copy>{{0, 1, 100}, {1, 2, 200}, {1, 3, 100}}));
    // GPU 0 may have 300: one copy of 100 is given up, of which the last is the first.
    EXPECT_EQ(list({{"Threshold", "0.5"}}).size(), 3U);
    EXPECT_EQ(list({{"Threshold", "0.49"}}).size(), 4U);
}

TEST(EchoExpertPolicy, CopiesGetTheirShareOfEachSourceRoundedDown)
{
    // Of expert 1, 200 of 300 go to GPU 2: 133 of 200, 66 of 100, and one more of the
    // second: that of the first fills GPU 1.
    const ExpertSetting setting = MakeOneServer(4, 12, 1, 200);
    const ExpertPlan plan = PlanOnce(setting, MakeCounts(), "Echo");
    std::vector<uint32_t> toCopy(4);
    for (const TokenRoute& route : plan.routes)
    {
        toCopy[route.source] += route.expert == 1 && route.host == 2 ? route.tokens : 0;
    }
    EXPECT_EQ(toCopy, (std::vector<uint32_t>{133, 0, 67, 0}));
    EXPECT_TRUE(plan.fetchesAgain);
}

/// \return counts of experts that are alone on their GPUs, whose tokens are all there
TokenCounts
MakeLoads(const std::vector<uint32_t>& loads)
{
    const auto gpus = static_cast<uint32_t>(loads.size());
    TokenCounts counts(gpus, gpus);
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        counts.Set(gpu, gpu, loads[gpu]);
    }
    return counts;
}

TEST(EchoExpertPolicy, BordersOfBucketsAreCountedFromTheMeanDown)
{
    // A mean of 200, buckets of 28: what the first GPU leaves of 375 is 175, in the bucket from 172
    // on; 171 are in the next one. Counted from 0 both would be in the bucket from 168 on, and 171
    // were there first.
    const ExpertSetting setting = MakeOneServer(5, 5, 1, 200);
    EXPECT_EQ(ListCopies(PlanOnce(setting, MakeLoads({575, 371, 0, 20, 34}), "Echo")),
              (std::vector<Copy>{{0, 2, 200}, {0, 3, 175}, {1, 4, 166}}));
}

TEST(EchoExpertPolicy, NoCopyIsGivenUpWhileSomeHomeIsAboveTheLimit)
{
    // On one line, spills of 260, 210 and 60 meet rooms of 200, 110, 110 and 110: kept are 200 and
    // 60 of expert 0, 110 of expert 1, 60 of expert 2, and 100 of expert 1 stay above the mean.
    const ExpertSetting setting = MakeOneServer(7, 7, 1, 200);
    const auto count = [&](const std::string& threshold) {
        return ListCopies(PlanOnce(setting,
                                   MakeLoads({460, 410, 260, 0, 90, 90, 90}),
                                   "Echo",
                                   {{"Algorithm", "one-shot-greedy"},
                                    {"Slots", "1"},
                                    {"Threshold", threshold}}))
            .size();
    };
    EXPECT_EQ(count("0"), 4U);
    EXPECT_EQ(count("0.4"), 4U) << "GPU 1 has 300, the limit is 280";
    EXPECT_EQ(count("0.5"), 2U) << "60 of expert 0 and of expert 2 stay at home";
}

TEST(EchoExpertPolicy, BinsHaveOneSlot)
{
    const ExpertSetting setting = MakeOneServer(4, 12, 1, 200);
    EXPECT_THROW(MakePolicy("Echo", {{"Slots", "2"}})->Check(setting), ConfigurationError);
    EXPECT_NO_THROW(MakePolicy("Echo", {{"Slots", "1"}})->Check(setting));
}

} // namespace

} // namespace ns3::rails::test
