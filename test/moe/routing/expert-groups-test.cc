// SPDX-License-Identifier: GPL-2.0-only
#include "../expert-fixtures.h"

#include "ns3/string.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Groups = std::vector<std::vector<uint32_t>>;

/// \return a training whose GPUs are numbered in an order
TrainingPlan
MakeOrdered(const ClusterShape& shape,
            const std::map<std::string, uint32_t>& degrees,
            const std::string& order = "tp-cp-ep-dp-pp")
{
    TrainingPlan plan = MakeExpertPlan(shape, MakeTinyModel(2), degrees, MakePolicy("MicroMoe"));
    const auto layout = MakeLayout(degrees);
    layout->SetAttribute("Order", StringValue(order));
    layout->Check(shape.GetGpus());
    const RankMaps maps = layout->MakeMaps(shape.GetGpus());
    plan.attention = maps.attention;
    plan.experts = maps.experts;
    return plan;
}

TEST(ExpertGroups, AreThoseOfExpertParallelismStageByStage)
{
    const ExpertGroups groups(MakeOrdered({2, 4}, {{"Ep", 2}, {"Pp", 2}}));
    EXPECT_EQ(groups.GetTable().GetGroups(), (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
    EXPECT_EQ(groups.GetStage(1), 0U);
    EXPECT_EQ(groups.GetStage(2), 1U);
    EXPECT_EQ(groups.GetFirstPart(1), 1U);
    EXPECT_EQ(groups.GetFirstPart(2), 0U);
    EXPECT_EQ(groups.GetFirstPart(3), 1U);
    EXPECT_EQ(groups.GetOfStage(1), (std::vector<uint32_t>{2, 3}));
}

TEST(ExpertGroups, MergedOnesFollowEachOtherInAStage)
{
    TrainingPlan plan = MakeOrdered({4, 4}, {{"Ep", 2}, {"Pp", 2}});
    plan.handling.merged = 2;
    const ExpertGroups groups(plan);
    EXPECT_EQ(groups.GetTable().GetGroups(),
              (Groups{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}));
    EXPECT_EQ(groups.GetFirstPart(0), 0U);
    EXPECT_EQ(groups.GetFirstPart(1), 2U);
    EXPECT_EQ(groups.GetFirstPart(2), 0U);
    EXPECT_EQ(groups.GetFirstPart(3), 2U);
    EXPECT_EQ(groups.GetStage(1), 0U);
    EXPECT_EQ(groups.GetOfStage(1), (std::vector<uint32_t>{2, 3}));
    EXPECT_EQ(groups.GetTable().GetPlace(6), 2U);
    EXPECT_EQ(groups.GetTable().GetNumber(6), 1U);
}

TEST(ExpertGroups, StagesNeedNotFollowEachOther)
{
    TrainingPlan plan = MakeOrdered({2, 4}, {{"Ep", 2}, {"Pp", 2}}, "pp-tp-cp-ep-dp");
    EXPECT_EQ(ExpertGroups(plan).GetTable().GetGroups(), (Groups{{0, 2}, {4, 6}, {1, 3}, {5, 7}}));
    plan.handling.merged = 2;
    EXPECT_EQ(ExpertGroups(plan).GetTable().GetGroups(), (Groups{{0, 2, 4, 6}, {1, 3, 5, 7}}));
}

TEST(ExpertGroups, KnowHowManyOfThemAreInEachServer)
{
    const ExpertGroups one(MakeOrdered({2, 4}, {{"Ep", 4}}));
    EXPECT_EQ(one.CountPerServer(0), 4U);
    const ExpertGroups two(MakeOrdered({4, 2}, {{"Ep", 4}}));
    EXPECT_EQ(two.CountPerServer(0), 2U);
    EXPECT_EQ(two.CountPerServer(1), 2U);
    EXPECT_EQ(two.GetServers(1).GetCount(), 2U);
    // Strided: as many in each server, side by side.
    const ExpertGroups strided(MakeOrdered({2, 4}, {{"Ep", 4}}, "tp-cp-dp-ep-pp"));
    EXPECT_EQ(strided.GetTable().GetGroups().front(), (std::vector<uint32_t>{0, 2, 4, 6}));
    EXPECT_EQ(strided.CountPerServer(0), 2U);
    // Merged, servers come twice.
    TrainingPlan plan = MakeOrdered({2, 4}, {{"Ep", 4}}, "tp-cp-dp-ep-pp");
    plan.handling.merged = 2;
    EXPECT_EQ(ExpertGroups(plan).CountPerServer(0), 0U);
    // The second of three groups begins in one server and ends in the next, the third is like the
    // first.
    const ExpertGroups uneven(MakeOrdered({2, 6}, {{"Ep", 4}}));
    EXPECT_EQ(uneven.CountPerServer(0), 4U);
    EXPECT_EQ(uneven.CountPerServer(1), 2U);
    EXPECT_EQ(uneven.CountPerServer(2), 4U);
    // Two in one server and one in the other.
    EXPECT_EQ(ExpertGroups(MakeOrdered({3, 4}, {{"Ep", 6}})).CountPerServer(0), 0U);
}

} // namespace

} // namespace ns3::rails::test
