// SPDX-License-Identifier: GPL-2.0-only
#include "policy-fixtures.h"

#include "ns3/rails-error.h"

#include <gtest/gtest.h>
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
    const ExpertSetting setting = MakeOneDomain(4, 12, 1, 200);
    EXPECT_EQ(ListCopies(PlanOnce(setting, MakeCounts(), "Echo")),
              (std::vector<Copy>{{0, 3, 200}, {1, 1, 100}, {1, 2, 200}}));
}

TEST(EchoExpertPolicy, GreedyKeepsTheLargestOverlaps)
{
    // Spills of 300 and 200 meet rooms of 200, 200 and 100: 200, 100 + 100, 100.
    const ExpertSetting setting = MakeOneDomain(4, 12, 1, 200);
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
    const ExpertSetting setting = MakeOneDomain(4, 12, 1, 200);
    const ExpertPlan plan = PlanOnce(setting, MakeCounts(), "Echo");
    std::vector<uint32_t> toCopy(4);
    for (const TokenRoute& route : plan.routes)
    {
        toCopy[route.source] += route.expert == 1 && route.host == 2 ? route.tokens : 0;
    }
    EXPECT_EQ(toCopy, (std::vector<uint32_t>{133, 0, 67, 0}));
    EXPECT_TRUE(plan.fetchesAgain);
}

TEST(EchoExpertPolicy, BinsHaveOneSlot)
{
    const ExpertSetting setting = MakeOneDomain(4, 12, 1, 200);
    EXPECT_THROW(MakePolicy("Echo", {{"Slots", "2"}})->Check(setting), ConfigurationError);
    EXPECT_NO_THROW(MakePolicy("Echo", {{"Slots", "1"}})->Check(setting));
}

} // namespace

} // namespace ns3::rails::test
