// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/expert-budget.h"
#include "ns3/object-factory.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr uint64_t kMb = 1'000'000;

using Keys = std::vector<std::pair<std::string, std::string>>;

/// Two GPUs, four experts of 10 MB in each of two layers: with gradients and states 90 MB each.
class ExpertBudgetTest : public testing::Test
{
  protected:
    static ExpertSetting MakeSetting(uint32_t gpus = 2)
    {
        ExpertSetting setting;
        setting.cluster.gpus = gpus;
        setting.cluster.gpusPerServer = gpus;
        setting.expertParallel = 2;
        setting.experts = 4;
        setting.layers = 2;
        return setting;
    }

    static ExpertBudget MakeBudget(uint64_t megabytes)
    {
        return {"budget", "policy", megabytes * kMb, 10 * kMb, 20 * kMb, 60 * kMb, 2, 1, 1};
    }

    static Ptr<ExpertPolicy> Make(const std::string& type, const Keys& keys = {})
    {
        ObjectFactory factory;
        factory.SetTypeId("ns3::rails::" + type + "ExpertPolicy");
        for (const auto& [key, value] : keys)
        {
            factory.Set(key, StringValue(value));
        }
        return factory.Create<ExpertPolicy>();
    }

    static std::optional<uint32_t> Fit(const std::string& type,
                                       uint64_t megabytes,
                                       const Keys& keys = {})
    {
        return FitSlots(*Make(type, keys), MakeSetting(), MakeBudget(megabytes));
    }

    /// \return key and message of the error
    static std::pair<std::string, std::string> Refuse(const std::string& type,
                                                      uint64_t megabytes,
                                                      const Keys& keys = {})
    {
        try
        {
            Fit(type, megabytes, keys);
        }
        catch (const ConfigurationError& error)
        {
            return {error.GetKey(), error.what()};
        }
        return {};
    }
};

// Homes: 2 layers x 2 experts x 90 MB = 360 MB.
TEST_F(ExpertBudgetTest, AReplicaTakesASlotOfEachLayerWithStates)
{
    // 2 layers x 90 MB
    EXPECT_EQ(Fit("Eplb", 360), 0U);
    EXPECT_EQ(Fit("Eplb", 539), 0U);
    EXPECT_EQ(Fit("Eplb", 540), 1U);
    EXPECT_EQ(Fit("Eplb", 719), 1U);
    EXPECT_EQ(Fit("Eplb", 720), 2U);
    EXPECT_EQ(Fit("Eplb", 100'000), 2U) << "a GPU that has all experts needs no slot";
}

TEST_F(ExpertBudgetTest, ACopyTakesWeightsAndGradientOfEachLayerOrOnceWhereLayersShare)
{
    for (const std::string type : {"Llep", "FasterMoe", "ProProphet"})
    {
        EXPECT_EQ(Fit(type, 419), 0U) << type; // 2 layers x 30 MB
        EXPECT_EQ(Fit(type, 420), 1U) << type;
        EXPECT_EQ(Fit(type, 480), 2U) << type;
    }
    for (const std::string type : {"UltraEp", "RailAware", "MoonEp"})
    {
        EXPECT_EQ(Fit(type, 389), 0U) << type; // 30 MB
        EXPECT_EQ(Fit(type, 390), 1U) << type;
        EXPECT_EQ(Fit(type, 420), 2U) << type;
    }
    EXPECT_EQ(Fit("Echo", 420), 1U) << "its default algorithm knows one slot";
    EXPECT_EQ(Fit("Echo", 420, {{"Algorithm", "one-shot-greedy"}}), 2U);
}

// A ring of two: each GPU has as many experts with a copy elsewhere as copies, and so the states of
// two experts of a layer as before.
TEST_F(ExpertBudgetTest, CopiesOfLplbBringNoStates)
{
    EXPECT_EQ(Refuse("Lplb", 419).first, "policy");
    EXPECT_EQ(Fit("Lplb", 420), 1U);
    EXPECT_EQ(Fit("Lplb", 480), 2U);
}

TEST_F(ExpertBudgetTest, SwapsNeedASlotThatLayersShareBesideReplicas)
{
    EXPECT_EQ(Refuse("Epic", 389).first, "policy");
    EXPECT_EQ(Fit("Epic", 390), 0U);
    EXPECT_EQ(Fit("Epic", 569), 0U);
    EXPECT_EQ(Fit("Epic", 570), 1U);
}

TEST_F(ExpertBudgetTest, HomesDivideStatesWithOtherGroupsAndMergedOnesMayNot)
{
    ExpertBudget budget = MakeBudget(360);
    budget.groups = 2; // homes: 2 x 2 x (30 + 60 / 2) MB
    EXPECT_EQ(FitSlots(*Make("Eplb"), MakeSetting(), budget), 1U) << "2 x 60 MB";
    budget.merged = 2;
    const ExpertSetting merged = MakeSetting(4);
    EXPECT_EQ(FitSlots(*Make("MicroMoe"), merged, budget), 0U);
    budget.bytes = 420 * kMb;
    EXPECT_EQ(FitSlots(*Make("MicroMoe"), merged, budget), 1U) << "2 x 90 MB";
}

TEST_F(ExpertBudgetTest, PoliciesWithoutSlotsAndOraclesHaveNone)
{
    for (const std::string type : {"PlainEp", "DeepspeedMoe", "SmartMoe", "PerfectBalance"})
    {
        EXPECT_EQ(Fit(type, 100'000), std::nullopt) << type;
    }
}

TEST_F(ExpertBudgetTest, WhatIsTooLittleIsRefusedWithWhatIsNeeded)
{
    for (const std::string type : {"PlainEp", "Eplb", "UltraEp", "MicroMoe"})
    {
        const auto [key, message] = Refuse(type, 359);
        EXPECT_EQ(key, "budget") << type;
        EXPECT_NE(message.find("need 360 MB"), std::string::npos) << message;
    }
    for (const std::string type : {"MicroMoe", "FlexMoe"})
    {
        EXPECT_EQ(Fit(type, 540), 1U);
        const auto [key, message] = Refuse(type, 539);
        EXPECT_EQ(key, "policy") << "so that sweeps leave it out";
        EXPECT_NE(message.find("set budget to at least that"), std::string::npos) << message;
        EXPECT_NE(message.find("540 MB"), std::string::npos) << message;
    }
}

TEST_F(ExpertBudgetTest, SlotsThatAreGivenAsWellAreRefused)
{
    const std::map<std::string, std::string> keys{{"Eplb", "Slots"},
                                                  {"Epic", "Slots"},
                                                  {"FlexMoe", "Slots"},
                                                  {"MicroMoe", "Slots"},
                                                  {"Lplb", "Copies"},
                                                  {"Echo", "Slots"},
                                                  {"MoonEp", "Slots"},
                                                  {"UltraEp", "Slots"},
                                                  {"RailAware", "Slots"}};
    for (const auto& [type, name] : keys)
    {
        const auto [key, message] = Refuse(type, 720, {{name, "1"}});
        EXPECT_EQ(key, "budget") << type;
        EXPECT_NE(message.find("leave out"), std::string::npos) << message;
    }
}

} // namespace

} // namespace ns3::rails
