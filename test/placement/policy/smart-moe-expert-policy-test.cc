// SPDX-License-Identifier: GPL-2.0-only
#include "history-fixture.h"

#include "ns3/component-maker.h"
#include "ns3/expert-policy.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::rails::test
{

namespace
{

using Hosts = std::vector<std::vector<uint32_t>>;

Ptr<ExpertPolicy>
MakeSmartMoePolicy(const ExpertSetting& setting)
{
    const auto policy = MakeComponent<ExpertPolicy>("SmartMoeExpertPolicy");
    policy->Check(setting);
    policy->Start(setting);
    return policy;
}

TEST(SmartMoeExpertPolicy, HeaviestGoToTheLightestGpuWithRoom)
{
    const ExpertSetting setting = MakeOneGroup(2, 2, 4);
    const auto policy = MakeSmartMoePolicy(setting);
    // 10 to GPU 0; 8 to 1; 1 to 1, where 8 are; the last to 0, as 1 is full. 11 is less than 18.
    const std::vector<uint64_t> loads{10, 8, 1, 1};
    const auto transfers = policy->BeginIteration(0, MakeHistory(loads));
    EXPECT_EQ(GetFirstPlacement(*policy, setting).hosts, (Hosts{{0}, {1}, {1}, {0}}));
    ASSERT_EQ(transfers.size(), 2U);
    EXPECT_EQ(transfers[0].expert, 1U);
    EXPECT_EQ(transfers[0].from, 0U);
    EXPECT_EQ(transfers[0].to, 1U);
    EXPECT_EQ(transfers[0].bytes, 100U);
    EXPECT_EQ(transfers[1].expert, 3U);
    EXPECT_EQ(transfers[1].to, 0U);
    EXPECT_EQ(PlanFirstLayer(*policy, setting, DealLoads(loads, 2)).loads,
              (std::vector<uint64_t>{11, 9}));
}

TEST(SmartMoeExpertPolicy, OldGpuIsPreferredOfThoseThatAreAsLight)
{
    const ExpertSetting setting = MakeOneGroup(2, 2, 4);
    const auto policy = MakeSmartMoePolicy(setting);
    // Expert 3 comes first, when both GPUs have nothing, and stays on GPU 1.
    policy->BeginIteration(0, MakeHistory({1, 1, 8, 10}));
    EXPECT_EQ(GetFirstPlacement(*policy, setting).hosts, (Hosts{{0}, {1}, {0}, {1}}));
}

TEST(SmartMoeExpertPolicy, StaysUnlessTheLargestLoadFalls)
{
    const ExpertSetting setting = MakeOneGroup(2, 2, 6);
    const auto policy = MakeSmartMoePolicy(setting);
    // 6 and 6 now; greedily 3 to 0, 3 to 1, 2 to 1 (its own), 2 to 0, 2 to 1: 7.
    EXPECT_TRUE(policy->BeginIteration(0, MakeHistory({3, 3, 0, 2, 2, 2})).empty());
    EXPECT_EQ(GetFirstPlacement(*policy, setting).hosts, ExpertPlacement::InOrder(setting).hosts);
}

TEST(SmartMoeExpertPolicy, TriesOnceInAPeriod)
{
    const ExpertSetting setting = MakeOneGroup(2, 2, 4);
    const auto policy = MakeSmartMoePolicy(setting);
    const LoadHistory even = MakeHistory({5, 5, 5, 5});
    const LoadHistory skewed = MakeHistory({10, 8, 1, 1});
    EXPECT_TRUE(policy->BeginIteration(0, even).empty());
    for (uint32_t iteration = 1; iteration < 10; ++iteration)
    {
        EXPECT_TRUE(policy->BeginIteration(0, skewed).empty());
    }
    EXPECT_FALSE(policy->BeginIteration(0, skewed).empty());
}

/// \return two groups of two GPUs with two experts each. \param gpusPerServer 2: a group each
ExpertSetting
MakeTwoGroups(uint32_t gpusPerServer)
{
    ExpertSetting setting = MakeOneGroup(4, gpusPerServer, 4);
    setting.expertParallel = 2;
    return setting;
}

TEST(SmartMoeExpertPolicy, GroupsChangePlacesAlikeByTheLoadsOfAll)
{
    const ExpertSetting setting = MakeTwoGroups(2);
    const auto policy = MakeSmartMoePolicy(setting);
    TokenCounts counts(4, 4);
    counts.Set(0, 0, 10); // the first group alone would not move anything for this
    counts.Set(2, 1, 8);
    counts.Set(3, 2, 1);
    counts.Set(3, 3, 1);
    policy->BeginIteration(0, MakeHistory(counts));
    EXPECT_EQ(GetFirstPlacement(*policy, setting).hosts, (Hosts{{0, 2}, {1, 3}, {1, 3}, {0, 2}}));
    // Each computes its own: 10 on GPU 0; expert 1 and 2 of the second group on GPU 3.
    EXPECT_EQ(PlanFirstLayer(*policy, setting, counts).loads, (std::vector<uint64_t>{10, 0, 1, 9}));
}

TEST(SmartMoeExpertPolicy, ExpertsComeFromTheGpuOfTheirGroup)
{
    for (const uint32_t gpusPerServer : {1U, 2U})
    {
        const ExpertSetting setting = MakeTwoGroups(gpusPerServer);
        const auto policy = MakeSmartMoePolicy(setting);
        const auto transfers = policy->BeginIteration(0, MakeHistory({10, 8, 1, 1}));
        EXPECT_EQ(transfers.size(), 4U);
        for (const ExpertTransfer& transfer : transfers)
        {
            EXPECT_EQ(transfer.from / 2, transfer.to / 2);
            EXPECT_NE(transfer.from, transfer.to);
        }
    }
}

TEST(SmartMoeExpertPolicy, DeclaresThePublishedTime)
{
    for (const auto& [experts, seconds] : {std::pair(4U, 1e-3), std::pair(1024U, 50e-3)})
    {
        const auto policy = MakeSmartMoePolicy(MakeOneGroup(2, 2, experts));
        const TokenCounts counts(2, experts);
        EXPECT_EQ(policy->Plan(0, counts).planningSeconds, 0); // nothing was planned yet
        std::vector<uint64_t> loads(experts, 1);
        loads[0] = loads[1] = 1000;
        policy->BeginIteration(0, MakeHistory(loads));
        EXPECT_DOUBLE_EQ(policy->Plan(0, counts).planningSeconds, seconds);
        EXPECT_EQ(policy->Plan(0, counts).planningSeconds, 0);
    }
}

TEST(SmartMoeExpertPolicy, DeclaresTheTimeOfAnAttemptInVain)
{
    const auto policy = MakeSmartMoePolicy(MakeOneGroup(2, 2, 4));
    EXPECT_TRUE(policy->BeginIteration(0, MakeHistory({5, 5, 5, 5})).empty());
    EXPECT_DOUBLE_EQ(policy->Plan(0, TokenCounts(2, 4)).planningSeconds, 1e-3);
    policy->BeginIteration(0, MakeHistory({10, 8, 1, 1})); // no attempt
    EXPECT_EQ(policy->Plan(0, TokenCounts(2, 4)).planningSeconds, 0);
}

} // namespace

} // namespace ns3::rails::test
