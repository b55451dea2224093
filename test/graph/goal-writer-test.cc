// SPDX-License-Identifier: GPL-2.0-only
#include "../moe/training-fixtures.h"
#include "goal-fixtures.h"

#include "ns3/component-maker.h"
#include "ns3/compute-model.h"
#include "ns3/compute-time.h"
#include "ns3/goal-program.h"
#include "ns3/goal-writer.h"
#include "ns3/nstime.h"
#include "ns3/stage-program.h"
#include "ns3/training-program.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr uint64_t kNoLimit = 1'000'000;

const ClusterShape kGoalWriterShape{2, 2};

Stage
Compute(const std::string& stream, TimePs time, std::vector<std::size_t> after = {})
{
    Stage stage;
    stage.name = "compute";
    stage.stream = stream;
    stage.duration = time;
    stage.after = std::move(after);
    return stage;
}

/// \param steps matrices
Stage
StreamTransfer(const std::string& stream,
               const std::vector<TrafficMatrix>& steps,
               std::vector<std::size_t> after = {})
{
    Stage stage;
    stage.name = "transfer";
    stage.type = GraphNode::Type::Transfer;
    stage.stream = stream;
    stage.after = std::move(after);
    for (const TrafficMatrix& step : steps)
    {
        stage.steps.push_back(std::make_shared<const TrafficMatrix>(step));
    }
    return stage;
}

/// \return the program of a schedule whose ranks are the GPUs
GoalProgram
MakeProgram(const GoalSchedule& schedule, const ClusterShape& shape)
{
    std::vector<uint32_t> gpus(shape.GetGpus());
    std::iota(gpus.begin(), gpus.end(), 0);
    return {schedule, shape, gpus};
}

/// Writes a program, reads what is written, and expects the same of what comes of it.
void
ExpectTheSame(const GraphProgram& program)
{
    const std::string text = WriteText(MakeGoal(program, kNoLimit));
    SCOPED_TRACE(text.substr(0, 10'000));
    const GoalProgram again = MakeProgram(ReadText(text), program.GetShape());
    EXPECT_EQ(FindComputeTime(again), FindComputeTime(program));
    EXPECT_EQ(again.GetTotal().GetHash(), program.GetTotal().GetHash());
}

StageProgram
DrawStages(uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<Stage> stages;
    const uint32_t count = 1 + random() % 8;
    for (uint32_t number = 0; number < count; ++number)
    {
        const std::string stream = random() % 2 == 0 ? "one" : "other";
        std::vector<std::size_t> after;
        if (number > 0 && random() % 2 == 0)
        {
            after.push_back(random() % number);
        }
        if (random() % 2 == 0)
        {
            stages.push_back(Compute(stream, random() % 3 * 100 * kNanosecond, after));
            continue;
        }
        std::vector<TrafficMatrix> steps(1 + random() % 3, TrafficMatrix(kGoalWriterShape));
        for (TrafficMatrix& step : steps)
        {
            for (uint32_t pair = 0; pair < 16; ++pair)
            {
                step.Add(pair / 4, pair % 4, random() % 3 * 10);
            }
        }
        stages.push_back(StreamTransfer(stream, steps, after));
    }
    return {kGoalWriterShape, stages, 1 + static_cast<uint32_t>(random() % 3)};
}

} // namespace

TEST(GoalWriter, WritesNodesTheirMessagesAndWhatTheyWaitFor)
{
    const TrafficMatrix there = MakeMatrix({2, 1}, {{0, 10}});
    const StageProgram program({2, 1},
                               {Compute("a", 5 * kNanosecond),
                                StreamTransfer("b", {there, there.Transpose()}, {0}),
                                Compute("a", 7 * kNanosecond, {1})},
                               1);
    EXPECT_EQ(WriteText(MakeGoal(program, 12)),
              "num_ranks 2\n"
              "\n"
              "rank 0 {\n"
              "l1: calc 5\n"
              "l2: send 10b to 1 cpu 1\n"
              "l3: recv 10b from 1 tag 1 cpu 1\n"
              "l4: calc 0 cpu 1\n"
              "l5: calc 7\n"
              "l2 requires l1\n"
              "l3 requires l1\n"
              "l4 requires l2\n"
              "l4 requires l3\n"
              "l5 requires l1\n"
              "l5 requires l4\n"
              "}\n"
              "\n"
              "rank 1 {\n"
              "l1: calc 5\n"
              "l2: recv 10b from 0 cpu 1\n"
              "l3: send 10b to 0 tag 1 cpu 1\n"
              "l4: calc 0 cpu 1\n"
              "l5: calc 7\n"
              "l2 requires l1\n"
              "l3 requires l2\n"
              "l4 requires l2\n"
              "l4 requires l3\n"
              "l5 requires l1\n"
              "l5 requires l4\n"
              "}\n");
}

TEST(GoalWriter, WhatAGpuHasNoPartInIsPassedThrough)
{
    const StageProgram program({2, 1},
                               {Compute("a", 0),
                                StreamTransfer("a", {MakeMatrix({2, 1}, {})}),
                                Compute("a", 3 * kNanosecond),
                                StreamTransfer("a", {MakeMatrix({2, 1}, {})}),
                                Compute("a", 4 * kNanosecond)},
                               1);
    const GoalSchedule schedule = MakeGoal(program, 4);
    EXPECT_EQ(schedule.ranks[0].operations.size(), 2U);
    EXPECT_TRUE(schedule.ranks[0].needs == (std::vector<GoalNeed>{{1, 0, false}}));
}

TEST(GoalWriter, UnitsOfAGpuAreCpusBehindThoseOfItsStreams)
{
    const GoalSchedule schedule =
        ReadText("num_ranks 1\nrank 0 {\ncalc 5 cpu 3\ncalc 6 cpu 3\n}\n");
    const GoalSchedule again = MakeGoal(MakeProgram(schedule, {1, 1}), kNoLimit);
    EXPECT_EQ(again.ranks[0].operations[0].cpu, 2U + 3);
    EXPECT_EQ(again.ranks[0].operations[1].cpu, 2U + 3);
}

TEST(GoalWriter, AStreamIsNoNanosecondOff)
{
    const std::vector<Stage> stages(10, Compute("a", 1'400));
    const GoalSchedule schedule = MakeGoal(StageProgram({1, 1}, stages, 1), kNoLimit);
    uint64_t sum = 0;
    for (const GoalOperation& operation : schedule.ranks[0].operations)
    {
        sum += operation.amount;
    }
    EXPECT_EQ(sum, 14U);
}

TEST(GoalWriter, AProgramOfWhatIsWrittenTakesAndMovesTheSame)
{
    for (uint32_t seed = 0; seed < 300; ++seed)
    {
        ExpectTheSame(DrawStages(seed));
    }
    for (uint32_t seed = 0; seed < 100; ++seed)
    {
        const GoalSchedule schedule = DrawSchedule(seed);
        ExpectTheSame(MakeProgram(schedule, {static_cast<uint32_t>(schedule.ranks.size()), 1, 2}));
    }
}

TEST(GoalWriter, ATrainingTakesAndMovesTheSame)
{
    const auto compute = MakeComponent<ComputeModel>("GivenComputeModel");
    compute->SetAttribute("Attention", TimeValue(MicroSeconds(3)));
    compute->SetAttribute("ExpertToken", TimeValue(NanoSeconds(7)));
    ModelDimensions model = test::MakeModel("Mixtral-8x7b")->GetDimensions();
    model.layers = 4;
    TrainingSpec spec = test::MakeSpec({2, 4}, model, {{"Pp", 2}, {"Ep", 2}}, compute);
    spec.microbatches = 2;
    spec.sequence = 64;
    ExpectTheSame(TrainingProgram(spec));
}

TEST(GoalWriter, SaysWhenThereIsTooMuchAndWhatGoalCannotSay)
{
    const StageProgram computes(kGoalWriterShape,
                                std::vector<Stage>(10, Compute("a", kNanosecond)),
                                5);
    EXPECT_NO_THROW(MakeGoal(computes, 200));
    ExpectConfigurationError([&] { MakeGoal(computes, 199); },
                             "",
                             "at least 200 operations, and at most 199 are to be written: shorten");
    Stage barrier = Compute("a", kNanosecond);
    barrier.type = GraphNode::Type::Barrier;
    barrier.name = "meeting";
    ExpectConfigurationError(
        [&] { MakeGoal(StageProgram(kGoalWriterShape, {barrier}, 1), kNoLimit); },
        "",
        "GOAL has no barriers, and 'meeting' is one");
}

} // namespace ns3::rails
