// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/expert-tally.h"
#include "ns3/run-iterations.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace ns3::rails::test
{

namespace
{

TEST(HeldTally, ExpertsAndStatesAddUpOverLayersAndBeginAnewWithAnIteration)
{
    HeldTally tally(90, 3);
    const auto addLayers = [&tally] {
        tally.BeginIteration();
        tally.BeginLayer();
        tally.Add({0, 1, 2});
        tally.Add({1});
        tally.BeginLayer();
        tally.Add({1, 2});
    };
    addLayers();
    addLayers();
    std::vector<uint64_t> experts;
    std::vector<uint64_t> states;
    for (const HeldTally::Held& held : tally.GetByGpu())
    {
        experts.push_back(held.experts);
        states.push_back(held.stateBytes);
    }
    EXPECT_EQ(experts, (std::vector<uint64_t>{1, 3, 2}));
    EXPECT_EQ(states, (std::vector<uint64_t>{30, 30 + 90 + 45, 30 + 45}));
    EXPECT_EQ(tally.GetMostOfLayer(), 2U) << "of GPU 1, in the first layer";
}

TEST(SlotTally, CopiesFillSlotsUpToTheirNumber)
{
    ExpertPlan plan;
    plan.weights = {{0, 0, 2, 8}, {1, 0, 2, 8}, {3, 1, 2, 8}, {0, 0, 1, 8}};
    const std::vector<uint64_t> copies = SlotTally::CountCopies(plan, 4);
    EXPECT_EQ(copies, (std::vector<uint64_t>{0, 1, 3, 0}));
    const auto fill = [&](std::optional<uint32_t> slots) {
        std::vector<uint64_t> filled = copies;
        SlotTally(slots).Fill(plan, filled);
        return filled;
    };
    EXPECT_EQ(fill(2), (std::vector<uint64_t>{0, 1, 2, 0}));
    EXPECT_EQ(fill(std::nullopt), copies);
}

TEST(SlotTally, WeightsThatTravelTwiceOnceAreRemembered)
{
    SlotTally tally(std::nullopt);
    std::vector<uint64_t> none;
    ExpertPlan plan;
    tally.Fill(plan, none);
    EXPECT_FALSE(tally.FetchesAgain());
    plan.fetchesAgain = true;
    tally.Fill(plan, none);
    plan.fetchesAgain = false;
    tally.Fill(plan, none);
    EXPECT_TRUE(tally.FetchesAgain());
}

TEST(RunIterations, AWarmUpComesBeforeWhatIsRun)
{
    const RunIterations run(3, 2);
    EXPECT_EQ(run.GetSeen(0), 3U);
    EXPECT_EQ(run.GetEnd(), 5U);
    EXPECT_EQ(run.FindRun(2), std::nullopt);
    EXPECT_EQ(run.FindRun(3), 0U);
    EXPECT_EQ(run.FindRun(4), 1U);
    EXPECT_EQ(run.FindRun(5), std::nullopt);
}

} // namespace

} // namespace ns3::rails::test
