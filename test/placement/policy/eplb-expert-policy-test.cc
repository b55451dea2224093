// SPDX-License-Identifier: GPL-2.0-only
#include "history-fixture.h"

#include "ns3/enum.h"
#include "ns3/eplb-expert-policy.h"
#include "ns3/eplb-packing.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::rails::test
{

namespace
{

using Items = std::vector<std::vector<uint32_t>>;
using Slots = std::vector<uint32_t>;

TEST(EplbPacking, HeaviestGoesToTheLightestPackWithRoom)
{
    // 9 to 0; 4 and 4 to 1, which is then full although lighter; 1 to 0.
    EXPECT_EQ(PackEvenly({1, 9, 4, 4}, 2), (Items{{1, 0}, {2, 3}}));
    EXPECT_EQ(PackEvenly({7, 7, 7, 7}, 2), (Items{{0, 2}, {1, 3}})); // the lower first
}

TEST(EplbPacking, OneItemForEachPackStaysInOrder)
{
    EXPECT_EQ(PackEvenly({1, 9, 4}, 3), (Items{{0}, {1}, {2}}));
}

// deepseek-ai/EPLB, README at d52c72d: two layers of 12 experts in 4 groups, 16 replicas on 8 GPUs
// of 2 nodes.
TEST(EplbPacking, GivesThePlacementOfItsReadme)
{
    EplbShape shape;
    shape.replicas = 16;
    shape.groups = 4;
    shape.nodes = 2;
    shape.gpus = 8;
    EXPECT_EQ(PlaceByEplb({90, 132, 40, 61, 104, 165, 39, 4, 73, 56, 183, 86}, shape),
              (Slots{5, 6, 5, 7, 8, 4, 3, 4, 10, 9, 10, 2, 0, 1, 11, 1}));
    EXPECT_EQ(PlaceByEplb({20, 107, 104, 64, 19, 197, 187, 157, 172, 86, 16, 27}, shape),
              (Slots{7, 10, 6, 8, 6, 11, 8, 9, 2, 4, 5, 1, 5, 0, 3, 1}));
}

/// \return two servers of two GPUs, each with an expert at home and a slot more
ExpertSetting
MakeEplbSetting()
{
    return MakeOneGroup(4, 2, 4);
}

Ptr<EplbExpertPolicy>
MakeEplbPolicy(const ExpertSetting& setting, uint32_t groups = 1)
{
    const auto policy = CreateObject<EplbExpertPolicy>();
    policy->SetAttribute("ExpertGroups", UintegerValue(groups));
    policy->Check(setting);
    policy->Start(setting);
    return policy;
}

Items
PlaceAfter(EplbExpertPolicy& policy,
           const ExpertSetting& setting,
           const std::vector<uint64_t>& loads)
{
    policy.BeginIteration(0, MakeHistory(loads));
    return GetFirstPlacement(policy, setting).hosts;
}

// vLLM, pull request 37656: 8 devices with 2 slots, where EPLB's largest load is 232. GPU 7 gets
// two replicas of expert 1: counted as one, GPUs would have other loads.
TEST(EplbExpertPolicy, GivesThePeakThatVllmReports)
{
    const ExpertSetting setting = MakeOneGroup(8, 8, 8);
    const std::vector<uint64_t> loads{600, 560, 120, 120, 20, 10, 10, 10};
    const auto policy = MakeEplbPolicy(setting);
    const Items hosts = PlaceAfter(*policy, setting, loads);
    EXPECT_EQ(hosts[1], (Slots{0, 1, 2, 7, 7}));
    const PlanFigures figures = PlanFirstLayer(*policy, setting, DealLoads(loads, 1));
    EXPECT_EQ(figures.loads, (std::vector<uint64_t>{232, 232, 232, 140, 130, 130, 130, 224}));
}

TEST(EplbExpertPolicy, ReplicatesWhatIsHeaviestPerReplica)
{
    const ExpertSetting setting = MakeEplbSetting();
    // Loads per replica 12 5 3 2; +0: 6 5 3 2; +0: 4 5 3 2; +1: 4 2.5 3 2; +0: 3 2.5 3 2.
    // Replicas, heaviest first: 0 2 0 0 0 1 1 3. Four go to GPUs 0 1 2 3, which are as light then,
    // so the next four do as well.
    const Items hosts = PlaceAfter(*MakeEplbPolicy(setting), setting, {12, 5, 3, 2});
    EXPECT_EQ(hosts, (Items{{0, 0, 2, 3}, {1, 2}, {1}, {3}}));
}

// Three experts on two GPUs of two slots: the first GPU has two at home. Loads per replica 6 2 1;
// +0: 3 2 1. Heaviest first 0 0 1 2: to GPUs 0, 1, 0 (as light, and the first) and 1.
TEST(EplbExpertPolicy, HoldsRedundantExpertsWhereGpusDoNotDivideThem)
{
    const ExpertSetting setting = MakeOneGroup(2, 2, 3);
    EXPECT_EQ(ExpertPlacement::InOrder(setting).hosts, (Items{{0}, {0}, {1}}));
    const auto policy = MakeEplbPolicy(setting);
    const std::vector<uint64_t> loads{6, 2, 1};
    EXPECT_EQ(PlanFirstLayer(*policy, setting, DealLoads(loads, 1)).loads,
              (std::vector<uint64_t>{8, 1}));
    EXPECT_EQ(PlaceAfter(*policy, setting, loads), (Items{{0, 1}, {0}, {1}}));
    EXPECT_EQ(PlanFirstLayer(*policy, setting, DealLoads(loads, 1)).loads,
              (std::vector<uint64_t>{5, 4}));
    policy->SetAttribute("Slots", UintegerValue(0));
    EXPECT_THROW(policy->Check(setting), ConfigurationError);
}

TEST(EplbExpertPolicy, GroupsOfExpertsStayInAServerWhenTheyCanBeDealt)
{
    const ExpertSetting setting = MakeEplbSetting();
    // Global: the two hot experts of the first server are replicated everywhere.
    const std::vector<uint64_t> loads{9, 8, 1, 1};
    const Items global = PlaceAfter(*MakeEplbPolicy(setting, 1), setting, loads);
    const Items grouped = PlaceAfter(*MakeEplbPolicy(setting, 2), setting, loads);
    const auto isInOneServer = [](const Slots& gpus) {
        return std::all_of(gpus.begin(), gpus.end(), [&](uint32_t gpu) {
            return gpu / 2 == gpus.front() / 2;
        });
    };
    EXPECT_FALSE(isInOneServer(global[0]) && isInOneServer(global[1]));
    for (const Slots& gpus : grouped)
    {
        EXPECT_TRUE(isInOneServer(gpus));
    }
}

TEST(EplbExpertPolicy, TakesTheGroupsOfTheModelUnlessToldOtherwise)
{
    ExpertSetting setting = MakeEplbSetting();
    const std::vector<uint64_t> loads{9, 8, 1, 1};
    const Items global = PlaceAfter(*MakeEplbPolicy(setting, 1), setting, loads);
    const Items grouped = PlaceAfter(*MakeEplbPolicy(setting, 2), setting, loads);
    const auto place = [&] {
        const auto policy = CreateObject<EplbExpertPolicy>();
        policy->Check(setting);
        policy->Start(setting);
        return PlaceAfter(*policy, setting, loads);
    };
    EXPECT_EQ(place(), global);
    setting.expertGroups = 2;
    EXPECT_EQ(place(), grouped);
    EXPECT_NE(grouped, global);
    EXPECT_EQ(PlaceAfter(*MakeEplbPolicy(setting, 1), setting, loads), global);
    setting.expertGroups = 3;
    EXPECT_EQ(place(), global) << "two servers";
}

TEST(EplbExpertPolicy, ModeSaysWhetherGroupsMatter)
{
    const ExpertSetting setting = MakeEplbSetting();
    const std::vector<uint64_t> loads{9, 8, 1, 1};
    const Items global = PlaceAfter(*MakeEplbPolicy(setting, 1), setting, loads);
    const auto policy = MakeEplbPolicy(setting, 2);
    policy->SetAttribute("Mode", StringValue("global"));
    policy->Start(setting);
    EXPECT_EQ(PlaceAfter(*policy, setting, loads), global);
    policy->SetAttribute("Mode", StringValue("hierarchical"));
    policy->Start(setting);
    EXPECT_NE(PlaceAfter(*policy, setting, loads), global);
}

TEST(EplbExpertPolicy, WaitsForAHistoryAndThenForAPeriod)
{
    const ExpertSetting setting = MakeEplbSetting();
    const auto policy = MakeEplbPolicy(setting);
    policy->SetAttribute("Period", UintegerValue(3));
    policy->Start(setting);
    const LoadHistory first = MakeHistory({12, 5, 3, 2});
    const LoadHistory later = MakeHistory({2, 3, 5, 12});
    EXPECT_TRUE(policy->BeginIteration(0, LoadHistory(4, 1)).empty());
    EXPECT_EQ(GetFirstPlacement(*policy, setting).hosts, ExpertPlacement::InOrder(setting).hosts);
    // The slots 0 0 2 3, 1 2, 1, 3 of the test above hold four replicas that were not there.
    EXPECT_EQ(policy->BeginIteration(0, first).size(), 4U);
    EXPECT_TRUE(policy->BeginIteration(0, later).empty());
    EXPECT_TRUE(policy->BeginIteration(0, later).empty());
    EXPECT_FALSE(policy->BeginIteration(0, later).empty());
}

TEST(EplbExpertPolicy, WindowIsTheMeanThatItGoesBy)
{
    const ExpertSetting setting = MakeEplbSetting();
    LoadHistory history(4, 4);
    for (const std::vector<uint64_t>& loads :
         {std::vector<uint64_t>{24, 10, 6, 4}, std::vector<uint64_t>{0, 0, 0, 22}})
    {
        history.Add(DealLoads(loads, 4));
        history.EndIteration();
    }
    const auto policy = MakeEplbPolicy(setting);
    policy->BeginIteration(0, history); // 12 5 3 13
    EXPECT_EQ(GetFirstPlacement(*policy, setting).hosts[0].size(), 3U);
    policy->SetAttribute("Window", UintegerValue(1));
    policy->Start(setting);
    policy->BeginIteration(0, history);
    EXPECT_EQ(GetFirstPlacement(*policy, setting).hosts[0].size(), 1U);
}

TEST(EplbExpertPolicy, SourcesTakeTheNearestReplicasWhenToldTo)
{
    const ExpertSetting setting = MakeEplbSetting();
    const auto policy = MakeEplbPolicy(setting);
    policy->SetAttribute("Replicas", StringValue("near"));
    policy->Start(setting);
    // Two slots of GPU 0, one of 2 and one of 3 hold expert 0 (the test above), GPUs 1 and 2
    // expert 1.
    EXPECT_EQ(PlaceAfter(*policy, setting, {12, 5, 3, 2}), (Items{{0, 0, 2, 3}, {1, 2}, {1}, {3}}));
    TokenCounts counts(4, 4);
    for (uint32_t source = 0; source < 4; ++source)
    {
        counts.Set(source, 0, 9);
    }
    counts.Set(0, 1, 4); // GPU 1 is in the same server
    counts.Set(0, 3, 5); // and no GPU that has expert 3
    EXPECT_EQ(PlanFirstLayer(*policy, setting, counts).loads,
              (std::vector<uint64_t>{9 + 9, 4, 9, 9 + 5}));
}

TEST(EplbExpertPolicy, SaysWhatCannotBeDealt)
{
    const auto policy = CreateObject<EplbExpertPolicy>();
    policy->SetAttribute("Mode", StringValue("hierarchical"));
    EXPECT_THROW(policy->Check(MakeEplbSetting()), ConfigurationError); // 1 group, 2 servers
    policy->SetAttribute("ExpertGroups", UintegerValue(6));             // 4 experts
    EXPECT_THROW(policy->Check(MakeEplbSetting()), ConfigurationError);
    policy->SetAttribute("ExpertGroups", UintegerValue(4));
    EXPECT_NO_THROW(policy->Check(MakeEplbSetting()));
    EXPECT_THROW(policy->Check(MakeOneGroup(3, 2, 12)), ConfigurationError); // servers of 2 and 1
    ExpertSetting groups = MakeEplbSetting();
    groups.expertParallel = 2;
    EXPECT_THROW(policy->Check(groups), ConfigurationError);
}

} // namespace

} // namespace ns3::rails::test
