// SPDX-License-Identifier: GPL-2.0-only
#include "expert-fixtures.h"
#include "training-fixtures.h"

#include "ns3/circuit-demand.h"
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

constexpr TimePs kDelay = 1'000'000;

using Place = NodeOrder::Place;

/// Four servers of two GPUs, whose regions are two servers each.
TrainingPlan
MakeRegions(const std::map<std::string, uint32_t>& degrees)
{
    TrainingPlan plan =
        MakePlan({4, 2}, MakeTinyModel(2), degrees, CreateObject<GivenComputeModel>());
    plan.microbatches = 2;
    plan.sequence = 64;
    plan.circuits = {2, kDelay};
    return plan;
}

TEST(TrainingCircuits, AllGpusOfARegionMeetBeforeItsCircuitsMove)
{
    const TrainingProgram program(MakeRegions({{"Ep", 4}, {"Pp", 2}}));
    CheckSteps(program);
    std::map<uint32_t, std::set<uint32_t>> comers; // by barrier
    ForEachNode(program, [&](uint32_t gpu, uint32_t, uint64_t, const GraphNode& node) {
        if (node.movesCircuits)
        {
            EXPECT_EQ(node.type, GraphNode::Type::Barrier);
            EXPECT_EQ(node.duration, kDelay);
            EXPECT_EQ(program.GetKinds()[node.kind], "reconfiguration");
            comers[node.step].insert(gpu);
        }
    });
    // One layer a stage, forward and backward, two micro-batches, two stages; on the way back the
    // last stage finds the circuits of the way there.
    EXPECT_EQ(comers.size(), 6U);
    for (const auto& [barrier, gpus] : comers)
    {
        const uint32_t first = *gpus.begin();
        EXPECT_EQ(gpus, (std::set<uint32_t>{first, first + 1, first + 2, first + 3}));
        EXPECT_EQ(first % 4, 0U);
        EXPECT_EQ(program.CountMembers(barrier), 4U);
    }
}

TEST(TrainingCircuits, ForwardTokensWaitForThemAndTheyForTheGate)
{
    const NodeOrder order(TrainingProgram(MakeRegions({{"Ep", 4}})), 0);
    const std::vector<Place> moves = order.List("reconfiguration");
    const std::vector<Place> gates = order.List("gate");
    const std::vector<Place> dispatches = order.List("dispatch");
    ASSERT_EQ(moves.size(), 8U); // two layers there and back, two micro-batches
    for (uint32_t layer = 0; layer < 2; ++layer)
    {
        EXPECT_TRUE(order.IsBefore(gates[layer], moves[layer]));
        EXPECT_TRUE(order.IsBefore(moves[layer], dispatches[layer]));
    }
}

TEST(TrainingCircuits, OnTheWayBackTheyMoveBesideAttentionOfTheLayerBehind)
{
    const NodeOrder order(TrainingProgram(MakeRegions({{"Ep", 4}})), 0);
    const std::vector<Place> moves = order.List("reconfiguration");
    const std::vector<Place> attention = order.List("attention");
    // Of the first micro-batch layers 0, 1 forward; of the schedule then 0, 1 or the way back.
    const std::vector<Place> back = order.List("combine-backward");
    const std::vector<Place> over = order.List("dispatch-backward");
    ASSERT_EQ(back.size(), 4U);
    const Place& last = moves.back(); // of layer 0 of the last micro-batch
    EXPECT_TRUE(order.IsBefore(over[2], last)) << "tokens of layer 1 are over";
    EXPECT_TRUE(order.IsBefore(last, back[3]));
    EXPECT_FALSE(order.IsBefore(attention[attention.size() - 2], last));
    EXPECT_FALSE(order.IsBefore(last, attention[attention.size() - 2]));
}

TEST(TrainingCircuits, AreToldAllTokensThatWillGoToExperts)
{
    const TrainingProgram program(MakeRegions({{"Ep", 4}}));
    std::map<uint32_t, GraphNode> moves; // the first of each GPU
    std::map<uint32_t, GraphNode> dispatches;
    ForEachNode(program, [&](uint32_t gpu, uint32_t, uint64_t, const GraphNode& node) {
        const std::string& kind = program.GetKinds()[node.kind];
        if (kind == "reconfiguration")
        {
            moves.emplace(gpu, node);
        }
        if (kind == "dispatch")
        {
            dispatches.emplace(gpu, node);
        }
    });
    for (uint32_t gpu = 0; gpu < 8; ++gpu)
    {
        const std::vector<Demand> announced = program.GetAnnounced(gpu, moves.at(gpu).step);
        const std::vector<Demand> sent = program.GetSends(gpu, dispatches.at(gpu).step);
        ASSERT_FALSE(sent.empty());
        ASSERT_EQ(announced.size(), sent.size());
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            EXPECT_EQ(announced[i].destination, sent[i].destination);
            EXPECT_EQ(announced[i].bytes, sent[i].bytes);
        }
    }
}

TEST(TrainingCircuits, MoveOnceForALayerThatIsComputedAgain)
{
    TrainingPlan plan = MakeRegions({{"Ep", 4}});
    plan.recomputes = true;
    const NodeOrder order(TrainingProgram(plan), 0);
    EXPECT_EQ(order.List("reconfiguration").size(), 8U);
    EXPECT_EQ(order.List("dispatch").size(), 8U) << "there, and again on the way back";
}

TEST(TrainingCircuits, WithoutRegionsNothingMoves)
{
    TrainingPlan plan = MakeRegions({{"Ep", 4}});
    plan.circuits = {};
    EXPECT_TRUE(NodeOrder(TrainingProgram(plan), 0).List("reconfiguration").empty());
}

} // namespace

} // namespace ns3::rails::test
