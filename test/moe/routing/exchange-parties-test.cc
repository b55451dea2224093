// SPDX-License-Identifier: GPL-2.0-only
#include "../expert-fixtures.h"
#include "../training-fixtures.h"

#include "ns3/exchange-parties.h"
#include "ns3/string.h"
#include "ns3/training-program.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// \return the party of each GPU where those along an axis exchange tokens
std::vector<uint32_t>
FindParties(const TrainingPlan& plan, const std::string& axis = "ep")
{
    const ExchangeParties parties(plan, GpuGroupTable(plan.experts, {axis}));
    std::vector<uint32_t> found;
    for (uint32_t gpu = 0; gpu < plan.shape.GetGpus(); ++gpu)
    {
        found.push_back(parties.Get(gpu));
        EXPECT_LT(found.back(), parties.Count());
    }
    return found;
}

TrainingPlan
MakeTiny(const ClusterShape& shape,
         const std::map<std::string, uint32_t>& degrees,
         const std::string& order = "tp-cp-ep-dp-pp")
{
    TrainingPlan plan =
        MakePlan(shape, MakeTinyModel(2), degrees, CreateObject<GivenComputeModel>());
    const auto layout = MakeLayout(degrees);
    layout->SetAttribute("Order", StringValue(order));
    const RankMaps maps = layout->MakeMaps(shape.GetGpus());
    plan.attention = maps.attention;
    plan.experts = maps.experts;
    return plan;
}

TEST(ExchangeParties, GroupsThatShareAServerAreDifferentOnes)
{
    EXPECT_EQ(FindParties(MakeTiny({2, 4}, {{"Ep", 2}})),
              (std::vector<uint32_t>{0, 0, 1, 1, 0, 0, 1, 1}));
}

TEST(ExchangeParties, GroupsWithServersOfTheirOwnAreTheSame)
{
    EXPECT_EQ(FindParties(MakeTiny({4, 2}, {{"Ep", 4}})), std::vector<uint32_t>(8, 0));
}

TEST(ExchangeParties, AGroupIsTheSameOneInAllItsServers)
{
    // Groups of every second GPU.
    EXPECT_EQ(FindParties(MakeTiny({2, 4}, {{"Ep", 4}}, "dp-ep-tp-cp-pp")),
              (std::vector<uint32_t>{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(ExchangeParties, StagesOfAServerNeedNoPartiesAsTheirStepsDiffer)
{
    EXPECT_EQ(FindParties(MakeTiny({1, 8}, {{"Ep", 4}, {"Pp", 2}})), std::vector<uint32_t>(8, 0));
}

TEST(ExchangeParties, GpusThatShareExpertsAreGroupsOfTheirOwn)
{
    const TrainingPlan plan = MakeTiny({1, 8}, {{"Tp", 2}, {"Ep", 4}, {"Etp", 2}});
    EXPECT_EQ(FindParties(plan, "etp"), (std::vector<uint32_t>{0, 0, 1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(FindParties(plan), (std::vector<uint32_t>{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(ExchangeParties, AServerPlansTheTokensOfEachGroupApart)
{
    const TrainingProgram program(MakeTiny({2, 4}, {{"Ep", 2}}));
    CheckSteps(program);
    std::set<std::vector<uint32_t>> together;
    ForEachNode(program, [&](uint32_t gpu, uint32_t, uint64_t, const GraphNode& node) {
        if (node.transfer && node.transfer->GetTraits().isDrawn)
        {
            EXPECT_EQ(CountSteps(node), 1U);
            together.insert(node.transfer->GetMembers(program.GetShape(), gpu / 4, 0));
        }
    });
    EXPECT_EQ(together, (std::set<std::vector<uint32_t>>{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

} // namespace

} // namespace ns3::rails::test
