// SPDX-License-Identifier: GPL-2.0-only
#include "../expert-fixtures.h"
#include "../training-fixtures.h"

#include "ns3/component-maker.h"
#include "ns3/compute-model.h"
#include "ns3/expert-groups.h"
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

using Groups = GpuPartition::Groups;

/// \return the training with its GPUs numbered in an order
TrainingSpec
Order(TrainingSpec spec, const std::map<std::string, uint32_t>& degrees, const std::string& order)
{
    const auto layout = MakeLayout(degrees);
    layout->SetAttribute("Order", StringValue(order));
    layout->Check(spec.shape.GetGpus());
    const RankMaps maps = layout->MakeMaps(spec.shape.GetGpus());
    spec.attention = maps.attention;
    spec.experts = maps.experts;
    return spec;
}

/// \return a training with a policy of experts
TrainingSpec
MakeOrdered(const ClusterShape& shape,
            const std::map<std::string, uint32_t>& degrees,
            const std::string& order = "tp-cp-ep-dp-pp")
{
    return Order(MakeExpertPlan(shape, MakeTinyModel(2), degrees, MakePolicy("MicroMoe")),
                 degrees,
                 order);
}

/// \return a training without one
TrainingSpec
MakePlain(const ClusterShape& shape,
          const std::map<std::string, uint32_t>& degrees,
          const std::string& order = "tp-cp-ep-dp-pp")
{
    return Order(MakeSpec(shape,
                          MakeTinyModel(2),
                          degrees,
                          MakeComponent<ComputeModel>("GivenComputeModel")),
                 degrees,
                 order);
}

TEST(ExpertGroups, AreThoseOfExpertParallelismStageByStage)
{
    const TrainingSpec spec = MakeOrdered({2, 4}, {{"Ep", 2}, {"Pp", 2}});
    EXPECT_EQ(MakeExpertGroups(spec).GetGroups(), (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
    EXPECT_EQ(spec.GetGroupStage(1), 0U);
    EXPECT_EQ(spec.GetGroupStage(2), 1U);
    EXPECT_EQ(spec.GetFirstPart(1), 1U);
    EXPECT_EQ(spec.GetFirstPart(2), 0U);
    EXPECT_EQ(spec.GetFirstPart(3), 1U);
    EXPECT_EQ(spec.CountExpertGroups(), 2U);
}

TEST(ExpertGroups, MergedOnesFollowEachOtherInAStage)
{
    TrainingSpec spec = MakeOrdered({4, 4}, {{"Ep", 2}, {"Pp", 2}});
    spec.handling.merged = 2;
    EXPECT_EQ(MakeExpertGroups(spec).GetGroups(),
              (Groups{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}));
    EXPECT_EQ(spec.GetFirstPart(0), 0U);
    EXPECT_EQ(spec.GetFirstPart(1), 2U);
    EXPECT_EQ(spec.GetFirstPart(2), 0U);
    EXPECT_EQ(spec.GetFirstPart(3), 2U);
    EXPECT_EQ(spec.GetGroupStage(1), 0U);
    EXPECT_EQ(spec.CountExpertGroups(), 2U);
}

TEST(ExpertGroups, StagesNeedNotFollowEachOther)
{
    TrainingSpec spec = MakeOrdered({2, 4}, {{"Ep", 2}, {"Pp", 2}}, "pp-tp-cp-ep-dp");
    EXPECT_EQ(MakeExpertGroups(spec).GetGroups(), (Groups{{0, 2}, {4, 6}, {1, 3}, {5, 7}}));
    spec.handling.merged = 2;
    EXPECT_EQ(MakeExpertGroups(spec).GetGroups(), (Groups{{0, 2, 4, 6}, {1, 3, 5, 7}}));
}

TEST(ExpertGroups, AreEvenWithAsManyGpusInEachServerSideBySide)
{
    const auto count = [](const TrainingSpec& spec) {
        const GpuPartition groups = MakeExpertGroups(spec);
        return groups.AreEven() ? groups.CountPerServer() : 0;
    };
    EXPECT_EQ(count(MakeOrdered({2, 4}, {{"Ep", 4}})), 4U);
    EXPECT_EQ(count(MakeOrdered({4, 2}, {{"Ep", 4}})), 2U);
    EXPECT_EQ(MakeExpertGroups(MakeOrdered({4, 2}, {{"Ep", 4}})).CountServers(1), 2U);
    // Strided: as many in each server, side by side.
    TrainingSpec spec = MakeOrdered({2, 4}, {{"Ep", 4}}, "tp-cp-dp-ep-pp");
    EXPECT_EQ(MakeExpertGroups(spec).GetGroups().front(), (std::vector<uint32_t>{0, 2, 4, 6}));
    EXPECT_EQ(count(spec), 2U);
    // Merged, servers come twice.
    spec.handling.merged = 2;
    EXPECT_EQ(count(spec), 0U);
    // The second of three groups begins in one server and ends in the next, the third is like the
    // first.
    EXPECT_EQ(count(MakeOrdered({2, 6}, {{"Ep", 4}})), 0U);
    // Two in one server and one in the other.
    EXPECT_EQ(count(MakeOrdered({3, 4}, {{"Ep", 6}})), 0U);
}

TEST(ExpertGroups, SeeTheirPartOfACluster)
{
    ClusterView whole;
    whole.gpus = 8;
    whole.gpusPerServer = 4;
    whole.nicsPerServer = 4;
    const GpuPartition groups =
        MakeExpertGroups(MakeOrdered({2, 4}, {{"Ep", 4}}, "tp-cp-dp-ep-pp"));
    const ClusterView own = Narrow(groups, whole);
    EXPECT_EQ(own.gpus, 4U);
    EXPECT_EQ(own.gpusPerServer, 2U);
    EXPECT_EQ(own.nicsPerServer, 2U);
}

/// \return the party of each GPU where those along an axis exchange tokens
std::vector<uint32_t>
Number(const TrainingSpec& spec, const std::string& axis = "ep")
{
    return FindParties(spec, {spec.shape, spec.experts.ListGroups({axis})});
}

TEST(FindParties, GroupsThatShareAServerAreDifferentOnes)
{
    EXPECT_EQ(Number(MakePlain({2, 4}, {{"Ep", 2}})),
              (std::vector<uint32_t>{0, 0, 1, 1, 0, 0, 1, 1}));
}

TEST(FindParties, GroupsWithServersOfTheirOwnAreTheSame)
{
    EXPECT_EQ(Number(MakePlain({4, 2}, {{"Ep", 4}})), std::vector<uint32_t>(8, 0));
}

TEST(FindParties, AGroupIsTheSameOneInAllItsServers)
{
    // Groups of every second GPU.
    EXPECT_EQ(Number(MakePlain({2, 4}, {{"Ep", 4}}, "dp-ep-tp-cp-pp")),
              (std::vector<uint32_t>{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(FindParties, StagesOfAServerNeedNoPartiesAsTheirStepsDiffer)
{
    EXPECT_EQ(Number(MakePlain({1, 8}, {{"Ep", 4}, {"Pp", 2}})), std::vector<uint32_t>(8, 0));
}

TEST(FindParties, GpusThatShareExpertsAreGroupsOfTheirOwn)
{
    const TrainingSpec spec = MakePlain({1, 8}, {{"Tp", 2}, {"Ep", 4}, {"Etp", 2}});
    EXPECT_EQ(Number(spec, "etp"), (std::vector<uint32_t>{0, 0, 1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(Number(spec), (std::vector<uint32_t>{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(FindParties, AServerPlansTheTokensOfEachGroupApart)
{
    const TrainingProgram program(MakePlain({2, 4}, {{"Ep", 2}}));
    CheckSteps(program);
    std::set<std::vector<uint32_t>> together;
    ForEachNode(program, [&](uint32_t gpu, uint32_t, uint64_t, const GraphNode& node) {
        if (node.transfer && node.transfer->GetTraits().isDataDependent)
        {
            EXPECT_EQ(CountSteps(node), 1U);
            together.insert(node.transfer->GetMembers(program.GetShape(), gpu / 4, 0));
        }
    });
    EXPECT_EQ(together, (std::set<std::vector<uint32_t>>{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

} // namespace

} // namespace ns3::rails::test
