// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/compute-time.h"
#include "ns3/stage-program.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

const ClusterShape kStageProgramShape{2, 2};

Stage
ComputeStage(const std::string& name, TimePs time, std::vector<std::size_t> after = {})
{
    Stage stage;
    stage.name = name;
    stage.duration = time;
    stage.after = std::move(after);
    return stage;
}

/// Steps in which GPU 0 sends to GPU 3, the first a byte, the second two and so on.
Stage
StageTransfer(const std::string& name, uint32_t steps, std::vector<std::size_t> after = {})
{
    Stage stage;
    stage.name = name;
    stage.type = GraphNode::Type::Transfer;
    stage.stream = "communication";
    stage.after = std::move(after);
    for (uint32_t step = 0; step < steps; ++step)
    {
        TrafficMatrix matrix(kStageProgramShape);
        matrix.Add(0, 3, step + 1);
        stage.steps.push_back(std::make_shared<const TrafficMatrix>(std::move(matrix)));
    }
    return stage;
}

GraphNode
GetNode(const StageProgram& program, uint32_t stream, uint64_t index)
{
    GraphNode node;
    EXPECT_TRUE(program.GetNode(1, stream, index, node));
    return node;
}

/// \return the waits of a node as text: "stream:count ..."
std::string
GetWaits(const GraphNode& node)
{
    std::string text;
    for (const GraphNode::Wait& wait : node.waits)
    {
        text += std::to_string(wait.stream) + ":" + std::to_string(wait.count) + " ";
    }
    return text;
}

} // namespace

TEST(StageProgram, NodesAreTheStagesOfAStreamIterationAfterIteration)
{
    const StageProgram program(
        kStageProgramShape,
        {ComputeStage("a", 5), StageTransfer("b", 3, {0}), ComputeStage("c", 7, {1})},
        2);
    EXPECT_EQ(program.GetKinds(), (std::vector<std::string>{"a", "b", "c"}));
    ASSERT_EQ(program.GetStreams(), 2U);
    for (uint64_t index = 0; index < 4; ++index)
    {
        EXPECT_EQ(GetNode(program, 0, index).kind, index % 2 == 0 ? 0 : 2) << index;
        EXPECT_EQ(GetNode(program, 0, index).duration, index % 2 == 0 ? 5 : 7) << index;
    }
    GraphNode node;
    EXPECT_FALSE(program.GetNode(0, 0, 4, node));
    EXPECT_FALSE(program.GetNode(0, 1, 2, node));
}

TEST(StageProgram, StepsHaveNumbersOfTheirOwnInEveryIteration)
{
    const StageProgram program(kStageProgramShape,
                               {StageTransfer("a", 3), StageTransfer("b", 2)},
                               2);
    EXPECT_EQ(GetNode(program, 0, 0).step, 0U);
    EXPECT_EQ(GetNode(program, 0, 1).step, 3U);
    EXPECT_EQ(GetNode(program, 0, 2).step, 5U);
    EXPECT_EQ(GetNode(program, 0, 3).step, 8U);
    EXPECT_EQ(GetNode(program, 0, 0).transfer->GetTraits().steps, 3U);
    for (const uint64_t index : {0, 1, 2, 3})
    {
        const GraphNode node = GetNode(program, 0, index);
        ASSERT_EQ(node.transfer->GetSends(0, 1).size(), 1U) << index;
        EXPECT_EQ(node.transfer->GetSends(0, 1).front().bytes, 2U) << index;
        EXPECT_EQ(node.transfer->GetReceived(3, 1), 2U) << index;
        EXPECT_EQ(node.transfer->GetReceived(0, 1), 0U) << index;
    }
}

TEST(StageProgram, AnIterationIsBehindAllStreamsOfTheOneBefore)
{
    const StageProgram program(kStageProgramShape,
                               {ComputeStage("a", 1), StageTransfer("b", 1), StageTransfer("c", 1)},
                               3);
    EXPECT_EQ(GetWaits(GetNode(program, 0, 0)), "0:0 1:0 ");
    EXPECT_EQ(GetWaits(GetNode(program, 0, 1)), "0:1 1:2 ");
    EXPECT_EQ(GetWaits(GetNode(program, 1, 2)), "0:1 1:2 ");
    EXPECT_EQ(GetWaits(GetNode(program, 1, 3)), "");
    EXPECT_EQ(GetWaits(GetNode(program, 1, 4)), "0:2 1:4 ");
}

TEST(StageProgram, AStageWaitsForWhatItIsAfterInItsOwnIteration)
{
    const StageProgram program(kStageProgramShape,
                               {ComputeStage("a", 1),
                                ComputeStage("b", 1),
                                StageTransfer("c", 1),
                                StageTransfer("d", 1, {1, 2})},
                               2);
    EXPECT_EQ(GetWaits(GetNode(program, 1, 1)), "0:2 1:1 ");
    EXPECT_EQ(GetWaits(GetNode(program, 1, 3)), "0:4 1:3 ");
}

TEST(StageProgram, TheTimeOfComputingIsThatOfTheLongestWay)
{
    Stage beside = ComputeStage("beside", 30);
    beside.stream = "other";
    const StageProgram program(
        kStageProgramShape,
        {ComputeStage("a", 10), beside, StageTransfer("b", 2, {0}), ComputeStage("c", 15, {2})},
        4);
    EXPECT_EQ(FindComputeTime(program), 4 * 30);
    beside.after = {0};
    const StageProgram chained(kStageProgramShape,
                               {ComputeStage("a", 10), beside, ComputeStage("c", 15, {0})},
                               4);
    EXPECT_EQ(FindComputeTime(chained), 4 * 40);
}

TEST(StageProgram, TheTotalHasEveryStepOfEveryIteration)
{
    const StageProgram program(kStageProgramShape,
                               {StageTransfer("a", 3), ComputeStage("b", 1), StageTransfer("c", 1)},
                               5);
    EXPECT_EQ(program.GetTotal().GetTotalBytes(), 5U * (1 + 2 + 3 + 1));
    EXPECT_EQ(program.GetTotal().GetRow(0).size(), 1U);
}

TEST(StageProgram, RefusesAStageAfterItselfAndTooManySteps)
{
    EXPECT_THROW(StageProgram(kStageProgramShape, {ComputeStage("a", 1, {0})}, 1),
                 std::logic_error);
    EXPECT_THROW(StageProgram(kStageProgramShape, {StageTransfer("a", 3)}, 2'000'000'000),
                 std::logic_error);
    EXPECT_NO_THROW(StageProgram(kStageProgramShape, {StageTransfer("a", 3)}, 1'000'000'000));
}

} // namespace ns3::rails
