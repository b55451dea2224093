// SPDX-License-Identifier: GPL-2.0-only
#include "history-fixture.h"
#include "zipf-counts.h"

#include "ns3/component-maker.h"
#include "ns3/expert-policy.h"
#include "ns3/token-routing.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>

namespace ns3::rails::test
{

namespace
{

// MicroMoE, Fig. 8: 8 GPUs, 32 experts. Two groups of 4 GPUs are side by side.
constexpr uint32_t kGpus = 8;
constexpr uint32_t kBalancedExperts = 32;
constexpr uint32_t kChoices = 4096;
constexpr uint32_t kDraws = 20;
constexpr uint32_t kEarlier = 12; // micro-batches that are the history, each an iteration

ExpertSetting
MakePlacementBalanceSetting()
{
    ExpertSetting setting = MakeOneGroup(kGpus, kGpus, kBalancedExperts);
    setting.expertParallel = 4;
    return setting;
}

/// \return largest load over mean load of GPUs when experts stay in order
double
PlanInOrder(const ExpertSetting& setting, const TokenCounts& counts)
{
    ExpertPlan plan;
    plan.placement = std::make_shared<ExpertPlacement>(ExpertPlacement::InOrder(setting));
    plan.routes = RouteInGroups(counts, setting);
    return FindFigures(setting, counts, plan).maxOverMean;
}

/// Largest load over mean load of GPUs, in the mean of draws.
struct Balance
{
    double plain{0};
    double smartMoe{0};
    double flexMoe{0};
};

Balance
Measure(double exponent)
{
    const ExpertSetting setting = MakePlacementBalanceSetting();
    const auto smartMoe = MakeComponent<ExpertPolicy>("SmartMoeExpertPolicy");
    const auto flexMoe = MakeComponent<ExpertPolicy>("FlexMoeExpertPolicy");
    Balance balance;
    for (uint32_t seed = 1; seed <= kDraws; ++seed)
    {
        ZipfCounts zipf(kGpus, kBalancedExperts, kChoices, exponent, seed);
        LoadHistory history(kBalancedExperts, kEarlier);
        smartMoe->Start(setting);
        flexMoe->Start(setting);
        for (uint32_t iteration = 0; iteration < kEarlier; ++iteration)
        {
            history.Add(zipf.Draw());
            history.EndIteration();
            smartMoe->BeginIteration(0, history);
            flexMoe->BeginIteration(0, history);
        }
        const TokenCounts counts = zipf.Draw();
        balance.plain += PlanInOrder(setting, counts) / kDraws;
        balance.flexMoe += PlanFirstLayer(*flexMoe, setting, counts).maxOverMean / kDraws;
        const double smart = PlanFirstLayer(*smartMoe, setting, counts).maxOverMean;
        balance.smartMoe += smart / kDraws;
        // A GPU of each group computes all that its group has for the hottest expert.
        const std::vector<uint64_t> loads = counts.GetLoads();
        const uint64_t hottest = *std::max_element(loads.begin(), loads.end());
        EXPECT_GE(smart, 4.0 * static_cast<double>(hottest) / (kGpus * kChoices));
    }
    return balance;
}

TEST(PlacementBalance, SmartMoeGrowsWithSkewAndFlexMoeGrowsLessAndIsNeverExact)
{
    Balance last;
    for (const double exponent : {0.0, 0.5, 1.0, 1.5, 2.0})
    {
        const Balance balance = Measure(exponent);
        EXPECT_GT(balance.flexMoe, 1.005);
        if (exponent > 0)
        {
            EXPECT_LT(balance.smartMoe, balance.plain);
            EXPECT_LT(balance.flexMoe, balance.plain);
            EXPECT_GT(balance.smartMoe, last.smartMoe);
        }
        if (exponent > 1)
        {
            EXPECT_LT(balance.flexMoe, balance.smartMoe);
        }
        last = balance;
    }
    EXPECT_GT(last.smartMoe, 2.48); // 4 times the share of the hottest expert
}

TEST(ZipfCounts, HaveTheirProbabilities)
{
    ZipfCounts zipf(4, 32, 50'000, 1.5, 7);
    const std::vector<uint64_t> loads = zipf.Draw().GetLoads();
    double sum = 0;
    double largest = 0;
    for (uint32_t expert = 0; expert < 32; ++expert)
    {
        const double mean = 200'000 * zipf.GetProbability(expert);
        EXPECT_NEAR(static_cast<double>(loads[expert]), mean, 4 * std::sqrt(mean));
        sum += zipf.GetProbability(expert);
        largest = std::max(largest, zipf.GetProbability(expert));
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_NEAR(4 * largest, 1.77, 0.005); // of MicroMoE's experts
}

TEST(ZipfCounts, SeedSaysWhichExpertsAreHotUnlessTheyAreInOrder)
{
    const ZipfCounts one(1, 32, 1, 1, 1);
    const ZipfCounts other(1, 32, 1, 1, 2);
    const ZipfCounts inOrder(1, 32, 1, 1, 1, false);
    bool isSame = true;
    for (uint32_t expert = 0; expert < 32; ++expert)
    {
        isSame = isSame && one.GetProbability(expert) == other.GetProbability(expert);
        EXPECT_DOUBLE_EQ(inOrder.GetProbability(expert), inOrder.GetProbability(0) / (expert + 1));
    }
    EXPECT_FALSE(isSame);
}

} // namespace

} // namespace ns3::rails::test
