// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/component-maker.h"
#include "ns3/double.h"
#include "ns3/expert-policy.h"
#include "ns3/plan-figures.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// Four GPUs with an expert each. An input takes a second to compute and a second to send.
ExpertSetting
MakeFasterMoeSetting(uint64_t expertBytes)
{
    ExpertSetting setting;
    setting.cluster.gpus = 4;
    setting.cluster.gpusPerServer = 1;
    setting.cluster.nicRate = 1;
    setting.cluster.flops = 1;
    setting.expertParallel = 4;
    setting.experts = 4;
    setting.tokenBytes = 1;
    setting.tokenFlops = 1;
    setting.weightBytes = expertBytes;
    setting.gradientBytes = expertBytes;
    return setting;
}

/// \param perSource tokens of each GPU for each expert
TokenCounts
MakeCounts(const std::vector<uint32_t>& perSource)
{
    const auto experts = static_cast<uint32_t>(perSource.size());
    TokenCounts counts(4, experts);
    for (uint32_t source = 0; source < 4; ++source)
    {
        for (uint32_t expert = 0; expert < experts; ++expert)
        {
            counts.Set(source, expert, perSource[expert]);
        }
    }
    return counts;
}

Ptr<ExpertPolicy>
MakeFasterMoePolicy(const ExpertSetting& setting, const std::string& variant)
{
    const auto policy = MakeComponent<ExpertPolicy>("FasterMoeExpertPolicy");
    policy->SetAttribute("Variant", StringValue(variant));
    if (variant == "artifact")
    {
        policy->SetAttribute("Bandwidth", StringValue("8bps"));
        policy->SetAttribute("Flops", DoubleValue(1));
    }
    policy->Check(setting);
    policy->Start(setting);
    return policy;
}

/// \return experts that are shadowed, in the order in which they were chosen
std::vector<uint32_t>
FindShadows(ExpertPolicy& policy, const TokenCounts& counts)
{
    std::vector<uint32_t> shadows;
    for (const ExpertTransfer& copy : policy.Plan(0, counts).weights)
    {
        if (shadows.empty() || shadows.back() != copy.expert)
        {
            shadows.push_back(copy.expert);
        }
    }
    return shadows;
}

uint32_t
CountShadows(const TokenCounts& counts, const std::string& variant, uint64_t expertBytes)
{
    const auto policy = MakeFasterMoePolicy(MakeFasterMoeSetting(expertBytes), variant);
    return static_cast<uint32_t>(FindShadows(*policy, counts).size());
}

TEST(FasterMoe, ShadowsGoToAllGpus)
{
    for (const char* variant : {"published", "artifact", "master"})
    {
        const ExpertSetting setting = MakeFasterMoeSetting(1);
        const TokenCounts counts = MakeCounts({10, 70, 10, 10});
        const ExpertPlan full = MakeFasterMoePolicy(setting, variant)->Plan(0, counts);
        EXPECT_EQ(FindDefect(setting, counts, full), "");
        ASSERT_GE(full.weights.size(), 3U) << variant;
        for (uint32_t i = 0; i < 3; ++i)
        {
            EXPECT_EQ(full.weights[i].expert, 1U) << variant;
            EXPECT_EQ(full.weights[i].from, 1U);
            EXPECT_EQ(full.gradients[i].to, 1U);
        }
        EXPECT_EQ(FindFigures(setting, counts, full).loads[1] % 10, 0U);
    }
}

// Loads 280, 40, 40, 40. Before, 4 * 210 + 3 * 280 = 1680 s. After, GPU 1 computes 110, and each
// sends and receives 30: 450 s.
TEST(FasterMoe, PublishedShadowsAsLongAsItPays)
{
    const TokenCounts counts = MakeCounts({70, 10, 10, 10});
    EXPECT_EQ(CountShadows(counts, "published", 614), 1U);
    EXPECT_EQ(CountShadows(counts, "published", 616), 0U);
    // Each step has less to send or to compute; at the end nothing is sent.
    EXPECT_EQ(CountShadows(MakeCounts({40, 30, 20, 10}), "published", 0), 4U);
}

TEST(FasterMoe, PublishedStopsAtTheFirstStepWithoutGain)
{
    // To shadow one of two hot experts alone makes the other worse.
    EXPECT_EQ(CountShadows(MakeCounts({50, 50, 0, 0}), "published", 1), 0U);
}

TEST(FasterMoe, PublishedKnowsTheLinksOfServers)
{
    ExpertSetting setting = MakeFasterMoeSetting(0);
    setting.cluster.gpusPerServer = 2;
    setting.cluster.nvlinkRate = 10;
    TokenCounts counts(4, 4);
    counts.Set(1, 0, 100); // over NVLink: 4 * 10 s and experts 300 s
    const auto chooseAt = [&](uint64_t bytes, uint32_t source) {
        counts.Set(1, 0, source == 1 ? 100 : 0);
        counts.Set(2, 0, source == 2 ? 100 : 0);
        setting.weightBytes = setting.gradientBytes = bytes;
        return FindShadows(*MakeFasterMoePolicy(setting, "published"), counts).size();
    };
    // Nothing is computed faster, so what all-to-alls take is what can be saved. A broadcast is as
    // slow as its slowest link, between the servers: 1 byte per second.
    EXPECT_EQ(chooseAt(19, 1), 1U);
    EXPECT_EQ(chooseAt(20, 1), 0U);
    EXPECT_EQ(chooseAt(199, 2), 1U);
    EXPECT_EQ(chooseAt(200, 2), 0U);
    // Twice as many NICs: all-to-all and broadcast are twice as fast.
    setting.cluster.nicsPerServer = 2;
    EXPECT_EQ(chooseAt(39, 1), 1U);
    EXPECT_EQ(chooseAt(40, 1), 0U);
    EXPECT_EQ(chooseAt(199, 2), 1U);
    EXPECT_EQ(chooseAt(200, 2), 0U);
}

// With nothing shadowed (3 * 4 + 4) * 280 = 4480 s, as loads count that are at home already. Then
// 12 * 110 + 2 * bytes, 12 * 110 + 4 * bytes: the second step is not worth while.
TEST(FasterMoe, ArtifactForgetsAllToAllsAndMultipliesBytesIntoOperations)
{
    const TokenCounts counts = MakeCounts({70, 10, 10, 10});
    EXPECT_EQ(CountShadows(counts, "artifact", 1579), 1U);
    EXPECT_EQ(CountShadows(counts, "artifact", 1580), 0U);
}

TEST(FasterMoe, ArtifactGoesOnUntilTheCostRises)
{
    // GPUs compute 160, 150, 130, 100 at most: never more, but the last is left out all the same.
    EXPECT_EQ(CountShadows(MakeCounts({40, 30, 20, 10}), "artifact", 0), 3U);
    // 200, 200, 0, 0: steps cost 12 * 250, 12 * 100, 12 * 100 and transfers.
    EXPECT_EQ(CountShadows(MakeCounts({50, 50, 0, 0}), "artifact", 1), 2U);
    EXPECT_EQ(CountShadows(MakeCounts({50, 50, 0, 0}), "artifact", 0), 3U) << "as long as it stays";
}

TEST(FasterMoe, ArtifactShadowsWholeGpus)
{
    ExpertSetting setting = MakeFasterMoeSetting(1);
    setting.experts = 8;
    const TokenCounts counts = MakeCounts({5, 5, 5, 60, 5, 5, 5, 5});
    EXPECT_EQ(FindShadows(*MakeFasterMoePolicy(setting, "artifact"), counts),
              (std::vector<uint32_t>{2, 3}));
    EXPECT_EQ(FindShadows(*MakeFasterMoePolicy(setting, "published"), counts).front(), 3U);
}

TEST(FasterMoe, ArtifactHasConstantsOfItsOwn)
{
    // 12 * 170 * 1e9 / 11.5e12 = 0.177 s of computation are saved, and all-to-alls of nothing; two
    // transfers at 50 Gb/s take as long with 554 MB.
    ExpertSetting setting = MakeFasterMoeSetting(550'000'000);
    setting.tokenFlops = 1e9;
    setting.tokenBytes = 0;
    const auto policy = MakeComponent<ExpertPolicy>("FasterMoeExpertPolicy");
    policy->SetAttribute("Variant", StringValue("artifact"));
    policy->Start(setting);
    EXPECT_EQ(FindShadows(*policy, MakeCounts({70, 10, 10, 10})).size(), 1U);
    setting.weightBytes = setting.gradientBytes = 560'000'000;
    policy->Start(setting);
    EXPECT_EQ(FindShadows(*policy, MakeCounts({70, 10, 10, 10})).size(), 0U);
}

// Loads 280, 40, 40, 40: 7 * 280 s, then 7 * 40 and one transfer, then 7 * 40 and two.
TEST(FasterMoe, MasterTakesTheNextExpertForAll)
{
    const TokenCounts counts = MakeCounts({70, 10, 10, 10});
    EXPECT_EQ(CountShadows(counts, "master", 1679), 1U);
    EXPECT_EQ(CountShadows(counts, "master", 1680), 0U);
    // The last is never shadowed.
    EXPECT_EQ(CountShadows(MakeCounts({40, 30, 20, 10}), "master", 0), 3U);
    EXPECT_EQ(CountShadows(MakeCounts({50, 50, 0, 0}), "master", 1), 0U);
}

TEST(FasterMoe, WhatCannotWorkIsRefused)
{
    const auto policy = MakeComponent<ExpertPolicy>("FasterMoeExpertPolicy");
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
    EXPECT_EQ(refused(MakeFasterMoeSetting(1)), "nothing");
    ExpertSetting wrong = MakeFasterMoeSetting(1);
    wrong.cluster.flops = 0;
    EXPECT_EQ(refused(wrong), "flops");
    wrong = MakeFasterMoeSetting(1);
    wrong.cluster.nicRate = 0;
    EXPECT_EQ(refused(wrong), "bandwidth");
    wrong = MakeFasterMoeSetting(1);
    wrong.expertParallel = 2;
    EXPECT_EQ(refused(wrong), "");
}

} // namespace

} // namespace ns3::rails::test
