// SPDX-License-Identifier: GPL-2.0-only
#include "expert-fixtures.h"
#include "training-fixtures.h"

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

using Type = Operation::Type;

/// \return the party of each GPU in an exchange with experts
std::vector<uint32_t>
FindParties(const TrainingPlan& plan, Type type)
{
    const ExchangeParties parties(plan,
                                  GpuGroupTable(plan.experts, {"ep"}),
                                  GpuGroupTable(plan.experts, {"etp"}));
    std::vector<uint32_t> found;
    for (uint32_t gpu = 0; gpu < plan.shape.GetGpus(); ++gpu)
    {
        found.push_back(parties.Get(type, gpu));
        EXPECT_LT(found.back(), parties.Count(type));
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
    EXPECT_EQ(FindParties(MakeTiny({2, 4}, {{"Ep", 2}}), Type::ToExperts),
              (std::vector<uint32_t>{0, 0, 1, 1, 0, 0, 1, 1}));
}

TEST(ExchangeParties, GroupsWithServersOfTheirOwnAreTheSame)
{
    EXPECT_EQ(FindParties(MakeTiny({4, 2}, {{"Ep", 4}}), Type::FromServers),
              std::vector<uint32_t>(8, 0));
}

TEST(ExchangeParties, AGroupIsTheSameOneInAllItsServers)
{
    // Groups of every second GPU.
    EXPECT_EQ(FindParties(MakeTiny({2, 4}, {{"Ep", 4}}, "dp-ep-tp-cp-pp"), Type::ToExperts),
              (std::vector<uint32_t>{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(ExchangeParties, StagesOfAServerNeedNoPartiesAsTheirStepsDiffer)
{
    EXPECT_EQ(FindParties(MakeTiny({1, 8}, {{"Ep", 4}, {"Pp", 2}}), Type::ToExperts),
              std::vector<uint32_t>(8, 0));
}

TEST(ExchangeParties, GpusThatShareExpertsAreGroupsOfTheirOwn)
{
    const TrainingPlan plan = MakeTiny({1, 8}, {{"Tp", 2}, {"Ep", 4}, {"Etp", 2}});
    EXPECT_EQ(FindParties(plan, Type::GatherTokens),
              (std::vector<uint32_t>{0, 0, 1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(FindParties(plan, Type::ToExperts), (std::vector<uint32_t>{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(ExchangeParties, WhatIsNoExchangeOfTokensHasOne)
{
    EXPECT_EQ(FindParties(MakeTiny({2, 4}, {{"Ep", 2}}), Type::Collective),
              std::vector<uint32_t>(8, 0));
}

TEST(ExchangeParties, AServerPlansTheTokensOfEachGroupApart)
{
    const TrainingProgram program(MakeTiny({2, 4}, {{"Ep", 2}}));
    CheckSteps(program);
    std::set<std::vector<uint32_t>> together;
    ForEachNode(program, [&](uint32_t gpu, uint32_t, uint64_t, const GraphNode& node) {
        if (node.isDrawn)
        {
            EXPECT_EQ(node.steps, 1U);
            together.insert(program.GetMembers(gpu / 4, node.step));
        }
    });
    EXPECT_EQ(together, (std::set<std::vector<uint32_t>>{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

} // namespace

} // namespace ns3::rails::test
