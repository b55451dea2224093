// SPDX-License-Identifier: GPL-2.0-only
#include "history-fixture.h"
#include "zipf-counts.h"

#include "ns3/component-maker.h"
#include "ns3/double.h"
#include "ns3/expert-policy.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::rails::test
{

namespace
{

using Hosts = std::vector<std::vector<uint32_t>>;

/// \return two groups of two GPUs in a server each, with two experts a GPU: eight slots
ExpertSetting
MakeTwoGroups()
{
    ExpertSetting setting = MakeOneGroup(4, 2, 4);
    setting.expertParallel = 2;
    return setting;
}

Hosts
PlaceAfter(ExpertPolicy& policy, const ExpertSetting& setting, const std::vector<uint64_t>& loads)
{
    policy.Check(setting);
    policy.Start(setting);
    policy.BeginIteration(0, MakeHistory(loads));
    return GetFirstPlacement(policy, setting).hosts;
}

TEST(FlexMoeExpertPolicy, HotExpertsFillFreeSlots)
{
    const ExpertSetting setting = MakeOneGroup(2, 2, 2);
    const auto policy = MakeComponent<ExpertPolicy>("FlexMoeExpertPolicy");
    // 30 and 10. A slot of GPU 1: 15 and 25; then one of GPU 0: 20 and 20. Expert 1 has one slot.
    const std::vector<uint64_t> loads{30, 10};
    EXPECT_EQ(PlaceAfter(*policy, setting, loads), (Hosts{{0, 1, 0}, {1}}));
    EXPECT_EQ(PlanFirstLayer(*policy, setting, DealLoads(loads, 1)).loads,
              (std::vector<uint64_t>{20, 20}));
}

TEST(FlexMoeExpertPolicy, SlotsOfColdExpertsGoToHotOnesWhileTheRatioFalls)
{
    const ExpertSetting setting = MakeTwoGroups();
    const auto policy = MakeComponent<ExpertPolicy>("FlexMoeExpertPolicy");
    // GPUs have 50 10 50 10.
    // Expert 0 gets the slot of 3 on GPU 1:                  36.7 34.7 36.7 12.
    // Expert 0 gets the slot of 2 on GPU 3 (on GPU 1: 44):   30 36 30 24.
    // Expert 0 could get a slot of 1, 32 32 36 20 or the reverse: no better, and next it would lose
    // that again.
    EXPECT_EQ(PlaceAfter(*policy, setting, {80, 20, 16, 4}),
              (Hosts{{0, 2, 1, 3}, {0, 2}, {1}, {3}}));
}

TEST(FlexMoeExpertPolicy, RoundsAreLimited)
{
    const auto policy = MakeComponent<ExpertPolicy>("FlexMoeExpertPolicy");
    policy->SetAttribute("Rounds", UintegerValue(1));
    EXPECT_EQ(PlaceAfter(*policy, MakeTwoGroups(), {80, 20, 16, 4}),
              (Hosts{{0, 2, 1}, {0, 2}, {1, 3}, {3}}));
}

TEST(FlexMoeExpertPolicy, GetsPastRoundsThatDoNotHelpUnlessItIsImpatient)
{
    ExpertSetting setting = MakeOneGroup(8, 4, 32);
    setting.expertParallel = 4;
    double impatient = 0;
    double patient = 0;
    for (uint32_t seed = 1; seed <= 10; ++seed)
    {
        const TokenCounts counts = ZipfCounts(8, 32, 512, 1, seed).Draw();
        const auto policy = MakeComponent<ExpertPolicy>("FlexMoeExpertPolicy");
        const auto measure = [&] {
            policy->Start(setting);
            policy->BeginIteration(0, MakeHistory(counts));
            return PlanFirstLayer(*policy, setting, counts).maxOverMean;
        };
        patient += measure() / 10;
        policy->SetAttribute("Patience", UintegerValue(0));
        impatient += measure() / 10;
    }
    EXPECT_LT(patient, impatient - 0.05);
}

TEST(FlexMoeExpertPolicy, StaysBelowItsThreshold)
{
    const ExpertSetting setting = MakeTwoGroups();
    const Hosts inOrder = ExpertPlacement::InOrder(setting).hosts;
    const std::vector<uint64_t> loads{80,
                                      20,
                                      16,
                                      4}; // 50 10 50 10: 5/3 of the mean, 5 of the least
    const auto policy = MakeComponent<ExpertPolicy>("FlexMoeExpertPolicy");
    policy->SetAttribute("Threshold", DoubleValue(1.7));
    EXPECT_EQ(PlaceAfter(*policy, setting, loads), inOrder);
    policy->SetAttribute("Threshold", DoubleValue(1.6));
    EXPECT_NE(PlaceAfter(*policy, setting, loads), inOrder);
    policy->SetAttribute("Ratio", StringValue("max-over-min"));
    policy->SetAttribute("Threshold", DoubleValue(5.1));
    EXPECT_EQ(PlaceAfter(*policy, setting, loads), inOrder);
    policy->SetAttribute("Threshold", DoubleValue(4.9));
    EXPECT_NE(PlaceAfter(*policy, setting, loads), inOrder);
}

TEST(FlexMoeExpertPolicy, PrefersServersThatHaveTheExpert)
{
    // Four GPUs in two servers, an expert each and a slot more. Expert 3 is hot: GPU 0, 1 and 2 are
    // as good for its second slot, and 2 is in its server.
    const ExpertSetting setting = MakeOneGroup(4, 2, 4);
    const auto policy = MakeComponent<ExpertPolicy>("FlexMoeExpertPolicy");
    policy->SetAttribute("Rounds", UintegerValue(1));
    EXPECT_EQ(PlaceAfter(*policy, setting, {1, 1, 1, 9})[3], (std::vector<uint32_t>{3, 2}));
}

TEST(FlexMoeExpertPolicy, TokensAreDealtEvenlyOverSlotsOfAllGroups)
{
    const ExpertSetting setting = MakeTwoGroups();
    const auto policy = MakeComponent<ExpertPolicy>("FlexMoeExpertPolicy");
    policy->Start(setting);
    TokenCounts counts(4, 4);
    counts.Set(0, 3, 20);
    EXPECT_EQ(PlanFirstLayer(*policy, setting, counts).loads,
              (std::vector<uint64_t>{0, 10, 0, 10}));
}

TEST(FlexMoeExpertPolicy, EveryExpertKeepsASlotAndEveryGpuItsNumber)
{
    ExpertSetting setting = MakeOneGroup(8, 4, 32);
    setting.expertParallel = 4;
    const auto policy = MakeComponent<ExpertPolicy>("FlexMoeExpertPolicy");
    for (uint32_t seed = 1; seed <= 5; ++seed)
    {
        policy->Start(setting);
        ZipfCounts zipf(8, 32, 512, 2, seed);
        ZipfCounts others(8, 32, 512, 1.5, seed + 100); // to which the hot experts change
        for (uint32_t iteration = 0; iteration < 40; ++iteration)
        {
            const TokenCounts counts = iteration < 20 ? zipf.Draw() : others.Draw();
            PlanFirstLayer(*policy, setting, counts);
            policy->BeginIteration(0, MakeHistory(counts));
            const ExpertPlacement placement = GetFirstPlacement(*policy, setting);
            for (const auto& hosts : placement.hosts)
            {
                EXPECT_FALSE(hosts.empty());
            }
            for (const auto& experts : placement.ListByGpu(8))
            {
                EXPECT_EQ(experts.size(), 8U);
            }
        }
    }
}

TEST(FlexMoeExpertPolicy, OneGroupNeedsSlots)
{
    const auto policy = MakeComponent<ExpertPolicy>("FlexMoeExpertPolicy");
    EXPECT_NO_THROW(policy->Check(MakeOneGroup(4, 2, 4))); // one more by default
    policy->SetAttribute("Slots", UintegerValue(0));
    EXPECT_THROW(policy->Check(MakeOneGroup(4, 2, 4)), ConfigurationError);
    EXPECT_NO_THROW(policy->Check(MakeTwoGroups()));
}

} // namespace

} // namespace ns3::rails::test
