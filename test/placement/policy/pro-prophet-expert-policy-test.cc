// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/boolean.h"
#include "ns3/component-maker.h"
#include "ns3/double.h"
#include "ns3/plan-figures.h"
#include "ns3/pro-prophet-estimate.h"
#include "ns3/rails-error.h"
#include "ns3/shadow-policy.h"
#include "ns3/shadow-units.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// Four GPUs with an expert each. An input takes a second to compute and a second to send.
ExpertSetting
MakeProProphetSetting(uint64_t expertBytes = 600)
{
    ExpertSetting setting;
    setting.cluster.gpus = 4;
    setting.cluster.gpusPerServer = 1;
    setting.cluster.nicRate = 1;
    setting.cluster.flops = 1;
    setting.expertParallel = 4;
    setting.experts = 4;
    setting.tokens = 100;
    setting.tokenBytes = 1;
    setting.tokenFlops = 1;
    setting.weightBytes = expertBytes;
    setting.gradientBytes = expertBytes;
    return setting;
}

Ptr<ShadowPolicy>
MakeProProphetPolicy(const ExpertSetting& setting, bool scheduled, double tolerance = 1)
{
    const auto policy = MakeComponent<ShadowPolicy>("ProProphetExpertPolicy");
    policy->SetAttribute("Scheduled", BooleanValue(scheduled));
    policy->SetAttribute("BalanceTolerance", DoubleValue(tolerance));
    policy->Check(setting);
    policy->Start(setting);
    return policy;
}

/// Each GPU has 70 tokens for expert 0 and 10 for each other: loads 280, 40, 40, 40.
TokenCounts
MakeOneHot()
{
    TokenCounts counts(4, 4, std::vector<uint32_t>(16, 10));
    for (uint32_t source = 0; source < 4; ++source)
    {
        counts.Set(source, 0, 70);
    }
    return counts;
}

/// Loads 200, 200, 0, 0. To shadow one of both alone makes the other worse.
TokenCounts
MakeTwoHot()
{
    TokenCounts counts(4, 4);
    for (uint32_t source = 0; source < 4; ++source)
    {
        counts.Set(source, 0, 50);
        counts.Set(source, 1, 50);
    }
    return counts;
}

// Before, 4 * 210 + 3 * 280 = 1680 s. After, GPUs compute 70, 110, 110, 110 and receive 0, 30, 30,
// 30: 4 * 30 + 3 * 110 = 450 s. So it pays if transfers take less than 1230 s.
TEST(ProProphet, ShadowsWhatPaysByEquation6)
{
    const auto gains =
        MakeProProphetPolicy(MakeProProphetSetting(614), false)->Choose(MakeOneHot());
    ASSERT_EQ(gains.size(), 1U);
    EXPECT_EQ(gains[0].expert, 0U);
    EXPECT_EQ(gains[0].gpus, (std::vector<uint32_t>{1, 2, 3}));
    EXPECT_TRUE(
        MakeProProphetPolicy(MakeProProphetSetting(616), false)->Choose(MakeOneHot()).empty());
}

// With shadows, experts compute 110 s forward and 220 s backward.
TEST(ProProphet, ComputationHidesTransfersByEquation8)
{
    ExpertSetting setting = MakeProProphetSetting(110 + 500 + 614);
    setting.otherForward = 500;
    setting.otherBackward = 390;
    EXPECT_EQ(MakeProProphetPolicy(setting, true)->Choose(MakeOneHot()).size(), 1U);
    EXPECT_TRUE(MakeProProphetPolicy(setting, false)->Choose(MakeOneHot()).empty());
    setting.weightBytes += 3;
    EXPECT_TRUE(MakeProProphetPolicy(setting, true)->Choose(MakeOneHot()).empty());
}

TEST(ProProphet, TakesTheBestOfAllStepsAlsoBehindOneThatIsWorse)
{
    const auto shadows =
        MakeProProphetPolicy(MakeProProphetSetting(100), false)->Choose(MakeTwoHot());
    ASSERT_EQ(shadows.size(), 2U);
    EXPECT_EQ(shadows[0].expert, 0U);
    EXPECT_EQ(shadows[1].expert, 1U);
}

TEST(ProProphet, LeavesOutGpusWithTheFewestTokensButNeverTheHome)
{
    TokenCounts counts = MakeOneHot();
    counts.Set(0, 0, 2);
    counts.Set(2, 0, 60);
    const auto policy = MakeProProphetPolicy(MakeProProphetSetting(100), false);
    policy->SetAttribute("Excluded", UintegerValue(1));
    const auto shadows = policy->Choose(counts);
    ASSERT_EQ(shadows.size(), 1U);
    EXPECT_EQ(shadows[0].gpus, (std::vector<uint32_t>{1, 3}));
}

// Before, 4 * 192 + 3 * 262 = 1554 s. After, the home computes 70 of its own and the 52 of the GPU
// that is left out, and transfers are a quarter shorter: 4 * 52 + 3 * 122 + 2 * 0.75 * bytes.
TEST(ProProphet, TokensOfGpusLeftOutAreComputedAtHome)
{
    TokenCounts counts = MakeOneHot();
    counts.Set(2, 0, 52);
    const auto choose = [&counts](uint64_t bytes) {
        const auto policy = MakeProProphetPolicy(MakeProProphetSetting(bytes), false, 0.9);
        policy->SetAttribute("Excluded", UintegerValue(1));
        return policy->Choose(counts).size();
    };
    EXPECT_EQ(choose(653), 1U);
    EXPECT_EQ(choose(654), 0U);
}

TEST(ProProphet, StopsWhenGpusAreBalanced)
{
    // 280 - 40 over a mean of 100
    EXPECT_EQ(
        MakeProProphetPolicy(MakeProProphetSetting(1), false, 2.4)->Choose(MakeOneHot()).size(),
        1U);
    EXPECT_TRUE(
        MakeProProphetPolicy(MakeProProphetSetting(1), false, 2.41)->Choose(MakeOneHot()).empty());
}

/// \return the policy as it is made
Ptr<ShadowPolicy>
MakeDefaultPolicy(const std::string& variant)
{
    const auto policy = MakeComponent<ShadowPolicy>("ProProphetExpertPolicy");
    policy->SetAttribute("Variant", StringValue(variant));
    policy->SetAttribute("Flops", DoubleValue(1));
    policy->Start(MakeProProphetSetting(1));
    return policy;
}

// The largest load is above the smallest by 2.4 mean loads. With all shadowed they are equal.
TEST(ProProphet, WithoutATolerancePlansUntilTheBusiestGpuHasBeenShadowed)
{
    EXPECT_EQ(MakeDefaultPolicy("algorithm-1")->Choose(MakeOneHot()).size(), 4U);
    EXPECT_TRUE(MakeDefaultPolicy("released")->Choose(MakeOneHot()).empty()) << "that has 3";
}

TEST(ProProphet, AFixedRuleShadowsTheHeaviestOnAllGpusWhateverItCosts)
{
    const auto policy = MakeProProphetPolicy(MakeProProphetSetting(1'000'000), false, 1000);
    policy->SetAttribute("Heaviest", UintegerValue(2));
    TokenCounts counts = MakeOneHot();
    counts.Set(0, 2, 11);
    const auto shadows = policy->Choose(counts);
    ASSERT_EQ(shadows.size(), 2U);
    EXPECT_EQ(shadows[0].expert, 0U);
    EXPECT_EQ(shadows[0].gpus, (std::vector<uint32_t>{1, 2, 3}));
    EXPECT_EQ(shadows[1].expert, 2U);
    EXPECT_EQ(shadows[1].gpus, (std::vector<uint32_t>{0, 1, 3}));
    policy->SetAttribute("Heaviest", UintegerValue(9));
    EXPECT_EQ(policy->Choose(counts).size(), 4U) << "there are no more";
}

TEST(ProProphet, RatesAreItsOwnUnlessTheClusterHasToSay)
{
    const ExpertSetting setting = MakeProProphetSetting();
    const auto policy = MakeComponent<ShadowPolicy>("ProProphetExpertPolicy");
    LayerRates rates = policy->FindRates(setting);
    EXPECT_DOUBLE_EQ(rates.bandwidth, 1);
    EXPECT_DOUBLE_EQ(rates.inputsPerSecond, 1);
    policy->SetAttribute("Bandwidth", StringValue("24bps"));
    policy->SetAttribute("Flops", DoubleValue(5));
    rates = policy->FindRates(setting);
    EXPECT_DOUBLE_EQ(rates.bandwidth, 3);
    EXPECT_DOUBLE_EQ(rates.inputsPerSecond, 5);
}

TEST(ProProphet, StopsWhenTheBusiestGpuIsShadowedAlready)
{
    // 0 alone has tokens, and keeps most of them.
    TokenCounts counts(4, 4);
    counts.Set(0, 0, 390);
    counts.Set(1, 0, 10);
    const auto shadows = MakeProProphetPolicy(MakeProProphetSetting(1), false, 0)->Choose(counts);
    ASSERT_EQ(shadows.size(), 1U);
    EXPECT_EQ(shadows[0].expert, 0U);
}

TEST(ProProphet, ForecastsTheLastIteration)
{
    const auto policy = MakeProProphetPolicy(MakeProProphetSetting(), false);
    LoadHistory history(4, 1);
    policy->BeginIteration(0, history);
    EXPECT_TRUE(policy->Plan(0, MakeOneHot()).weights.empty()) << "nothing is known yet";
    history.Add(MakeOneHot());
    history.EndIteration();
    policy->BeginIteration(0, history);
    const ExpertPlan plan = policy->Plan(0, MakeTwoHot());
    EXPECT_EQ(plan.weights.size(), 3U);
    EXPECT_EQ(FindDefect(MakeProProphetSetting(), MakeTwoHot(), plan), "");
    EXPECT_EQ(FindFigures(MakeProProphetSetting(), MakeTwoHot(), plan).loads,
              (std::vector<uint64_t>{50, 250, 50, 50}));
}

// Part F.3: if computation hides all transfers, the plan of eq. 8 has at least those of eq. 6.
TEST(ProProphet, ScheduledShadowsAtLeastAsManyAsBlockingWhenTransfersFit)
{
    std::mt19937 random(1);
    uint32_t more = 0;
    for (int round = 0; round < 300; ++round)
    {
        TokenCounts counts(4, 4);
        for (uint32_t source = 0; source < 4; ++source)
        {
            for (uint32_t expert = 0; expert < 4; ++expert)
            {
                counts.Set(source, expert, random() % (expert < 2 ? 200 : 50));
            }
        }
        ExpertSetting setting = MakeProProphetSetting(1 + random() % 600);
        setting.otherForward = setting.otherBackward = 4 * 600;
        const auto scheduled = MakeProProphetPolicy(setting, true, 0.1)->Choose(counts).size();
        const auto blocking = MakeProProphetPolicy(setting, false, 0.1)->Choose(counts).size();
        EXPECT_GE(scheduled, blocking);
        more += scheduled > blocking;
    }
    EXPECT_GT(more, 30U);
}

TEST(ProProphet, ExpertsOfAGpuGoTogetherOrOneByOne)
{
    ExpertSetting setting = MakeProProphetSetting(10);
    setting.experts = 8;
    TokenCounts counts(4, 8, std::vector<uint32_t>(32, 5));
    for (uint32_t source = 0; source < 4; ++source)
    {
        counts.Set(source, 1, 60);
    }
    const auto policy = MakeProProphetPolicy(setting, false);
    const auto together = policy->Choose(counts);
    ASSERT_EQ(together.size(), 2U);
    EXPECT_EQ(together[0].expert, 0U);
    EXPECT_EQ(together[1].expert, 1U);
    policy->SetAttribute("Fused", BooleanValue(false));
    const auto single = policy->Choose(counts);
    ASSERT_EQ(single.size(), 1U);
    EXPECT_EQ(single[0].expert, 1U);
}

// Deviations of the released planner, one test for each.

/// \return rates in which an input takes 4 seconds to compute, transfers of an expert 40 and 80
LayerRates
MakeReleasedRates()
{
    LayerRates rates;
    rates.devices = 4;
    rates.inputsPerSecond = 0.25;
    rates.inputBytes = 1;
    rates.parameterBytes = 40;
    rates.gradientBytes = 80;
    return rates;
}

std::vector<ShadowUnit>
MakeGpuUnits(const TokenCounts& counts)
{
    return MakeUnits(MakeProProphetSetting(), counts, ShadowGrain::Gpu);
}

TEST(ProProphetReleased, BandwidthOfAllToAllsGrowsInStepsOfBytes)
{
    const auto find = [](double bytes) {
        return ReleasedEstimate::FindAllToAllBandwidth(bytes) * 8 / 1e9;
    };
    EXPECT_DOUBLE_EQ(find(131072), 6);
    EXPECT_DOUBLE_EQ(find(131073), 16);
    EXPECT_DOUBLE_EQ(find(262144), 16);
    EXPECT_DOUBLE_EQ(find(262145), 42);
    EXPECT_DOUBLE_EQ(find(1048576), 42);
    EXPECT_DOUBLE_EQ(find(1048577), 100);
    EXPECT_DOUBLE_EQ(find(1e12), 100);
}

TEST(ProProphetReleased, BytesOfANumberAreMultipliedIntoOperations)
{
    const LayerRates rates = ReleasedEstimate::MakeRates(MakeProProphetSetting(), 1, 1);
    const ReleasedEstimate estimate(rates, MakeGpuUnits(MakeOneHot()), 0);
    EXPECT_DOUBLE_EQ(estimate.GetTime().forwardExperts, 4 * 280);
}

// Two sequences of 50 tokens, 3 wide: 4 * 2 * 50 * 50 * 3 + 4 * 2 * 50 * 3 * 3 = 63,600 operations.
TEST(ProProphetReleased, TheRestOfALayerIsItsFormula)
{
    ExpertSetting setting = MakeProProphetSetting();
    setting.sequence = 50;
    setting.hidden = 3;
    setting.otherForward = setting.otherBackward = 7;
    const LayerRates rates = ReleasedEstimate::MakeRates(setting, 1, 100);
    EXPECT_DOUBLE_EQ(rates.otherForward, 63'600 * 4 / 100.0);
    EXPECT_DOUBLE_EQ(rates.otherBackward, 2 * rates.otherForward);
}

TEST(ProProphetReleased, AllToAllsCarryTokensThatAreThereAlready)
{
    const ReleasedEstimate estimate(MakeReleasedRates(), MakeGpuUnits(MakeOneHot()), 0);
    EXPECT_DOUBLE_EQ(estimate.GetTime().allToAll, 280 / (6e9 / 8)); // not 210
}

/// \return units with loads of 100, 80, 40 and 40
std::vector<ShadowUnit>
MakeUnevenUnits()
{
    TokenCounts counts(4, 4, std::vector<uint32_t>(16, 10));
    for (uint32_t source = 0; source < 4; ++source)
    {
        counts.Set(source, 0, source == 0 ? 10 : 30);
        counts.Set(source, 1, 20);
    }
    return MakeGpuUnits(counts);
}

// The home of expert 0 keeps its own 10, and of the others that have 30 for it, GPU 1 is left with
// 80 - 30, although it receives 60 in truth.
TEST(ProProphetReleased, ShadowTakesOffWhatEachSourceWouldHaveSent)
{
    const auto units = MakeUnevenUnits();
    ReleasedEstimate estimate(MakeReleasedRates(), units, 0);
    EXPECT_DOUBLE_EQ(estimate.GetTime().allToAll, 100 / (6e9 / 8));
    estimate.Shadow(units[0], {});
    EXPECT_DOUBLE_EQ(estimate.GetTime().allToAll, 50 / (6e9 / 8));
}

TEST(ProProphetReleased, AShadowForgetsWhatEarlierOnesBrought)
{
    const auto units = MakeUnevenUnits();
    ReleasedEstimate estimate(MakeReleasedRates(), units, 0);
    EXPECT_EQ(estimate.GetComputed(), (std::vector<uint64_t>{100, 80, 40, 40}));
    estimate.Shadow(units[0], {});
    EXPECT_EQ(estimate.GetComputed(), (std::vector<uint64_t>{10, 110, 70, 70}));
    estimate.Shadow(units[1], {});
    EXPECT_EQ(estimate.GetComputed(), (std::vector<uint64_t>{30, 20, 90, 90}))
        << "GPU 1 computes 50 in truth";
}

TEST(ProProphetReleased, TransfersAreChargedForOneUnitHoweverManyThereAre)
{
    const auto units = MakeGpuUnits(MakeTwoHot());
    ReleasedEstimate estimate(MakeReleasedRates(), units, 1);
    EXPECT_EQ(estimate.GetTime().parameters, 0);
    estimate.Shadow(units[0], {});
    estimate.Shadow(units[1], {});
    EXPECT_DOUBLE_EQ(estimate.GetTime().parameters, 40 * 0.75);
    EXPECT_DOUBLE_EQ(estimate.GetTime().gradients, 80 * 0.75);
}

TEST(ProProphetReleased, GpusLeftOutAreBelievedToComputeTheirTokens)
{
    const auto units = MakeGpuUnits(MakeOneHot());
    ReleasedEstimate estimate(MakeReleasedRates(), units, 1);
    estimate.Shadow(units[0], {2});
    EXPECT_EQ(estimate.GetComputed(), (std::vector<uint64_t>{70, 110, 110, 110}));
}

TEST(ProProphetReleased, LeavesOutOneGpuOnlyWhereItHasNoToken)
{
    TokenCounts counts = MakeTwoHot();
    EXPECT_EQ(ReleasedEstimate::FindExcluded(MakeGpuUnits(counts)), 0U);
    counts.Set(3, 0, 0);
    EXPECT_EQ(ReleasedEstimate::FindExcluded(MakeGpuUnits(counts)), 0U) << "1 is everywhere";
    counts.Set(2, 1, 0);
    EXPECT_EQ(ReleasedEstimate::FindExcluded(MakeGpuUnits(counts)), 1U);
}

// The first step makes it worse and the second better: one improvement, so one shadow, the wrong.
TEST(ProProphetReleased, AcceptsAsManyAsThereWereImprovements)
{
    const auto policy = MakeProProphetPolicy(MakeProProphetSetting(1), false);
    policy->SetAttribute("Variant", StringValue("released"));
    policy->SetAttribute("Flops", DoubleValue(1));
    const auto shadows = policy->Choose(MakeTwoHot());
    ASSERT_EQ(shadows.size(), 1U);
    EXPECT_EQ(shadows[0].expert, 0U);
}

TEST(ProProphetReleased, HasConstantsOfItsOwn)
{
    // At 15 Gb/s parameters and gradients take 6.9 s each, and there is nothing to compute.
    ExpertSetting setting = MakeProProphetSetting(13'000'000'000);
    setting.cluster.flops = 1e-3;
    const auto policy = MakeProProphetPolicy(setting, false);
    policy->SetAttribute("Variant", StringValue("released"));
    EXPECT_TRUE(policy->Choose(MakeOneHot()).empty());
    setting.tokenFlops = 1e12; // saves 3 * 4 * 170 * 1e12 / 35.7e12 = 57 s
    policy->Start(setting);
    EXPECT_EQ(policy->Choose(MakeOneHot()).size(), 1U);
    policy->SetAttribute("Bandwidth", StringValue("1Mbps"));
    EXPECT_TRUE(policy->Choose(MakeOneHot()).empty());
}

TEST(ProProphet, WhatCannotWorkIsRefused)
{
    const auto policy = MakeComponent<ShadowPolicy>("ProProphetExpertPolicy");
    const auto refused = [&policy](const ExpertSetting& setting) -> std::string {
        try
        {
            policy->Check(setting);
        }
        catch (const ConfigurationError& error)
        {
            return error.GetKey();
        }
        return "nothing";
    };
    EXPECT_EQ(refused(MakeProProphetSetting()), "nothing");
    ExpertSetting silent = MakeProProphetSetting();
    silent.cluster.flops = 0;
    EXPECT_EQ(refused(silent), "flops");
    silent = MakeProProphetSetting();
    silent.cluster.nicRate = 0;
    EXPECT_EQ(refused(silent), "bandwidth");
    policy->SetAttribute("Excluded", UintegerValue(4));
    EXPECT_EQ(refused(MakeProProphetSetting()), "excluded");
    policy->SetAttribute("Excluded", UintegerValue(3));
    EXPECT_EQ(refused(MakeProProphetSetting()), "nothing");
    policy->SetAttribute("Fused", BooleanValue(false));
    policy->SetAttribute("Variant", StringValue("released"));
    EXPECT_EQ(refused(MakeProProphetSetting()), "fused");
}

} // namespace

} // namespace ns3::rails::test
