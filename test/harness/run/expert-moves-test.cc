// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/sanitized.h"
#include "experiment-fixtures.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Trainings whose policy moves experts every third iteration.
class ExpertMovesTest : public ExperimentTest
{
  protected:
    static Result Train(const std::vector<std::string>& sets)
    {
        return RunExperiment(Read(kTraining, sets).MakeExperiment(0));
    }

    static std::map<std::string, double> GetFigures(const Result& result)
    {
        return {result.graphFigures.begin(), result.graphFigures.end()};
    }

    static const KindRecord& GetMoves(const Result& result)
    {
        for (const KindRecord& kind : result.graph->kinds)
        {
            if (kind.name == "expert-moves")
            {
                return kind;
            }
        }
        throw std::logic_error("no moves");
    }

    static const std::string kTraining;
};

const std::string ExpertMovesTest::kTraining =
    "topology: {type: rail, domains: 2, gpus_per_domain: 4}\n"
    "engine: {type: flow}\n"
    "transport: {congestion_control: none}\n"
    "balance: {type: rails}\n"
    "workload:\n"
    "  type: training\n"
    "  model: {type: gpt-32x1.3b}\n"
    "  parallel: {ep: 8}\n"
    "  layers: 2\n"
    "  batch: {global: 16, micro: 1, sequence: 1024}\n"
    "  load: {type: synthetic, preset: no-aux}\n"
    "  experts: {type: eplb, slots: 1, period: 3, window: 3}\n"
    "  warm_up: 3\n";

TEST_F(ExpertMovesTest, AnIterationWithMovesIsEstimatedFromItsPartOfTheMean)
{
    RAILS_LONG_CASE();
    const Result mean = Train({});
    const Result moving = Train({"workload.expert_moves=as-they-come", "workload.warm_up=4"});
    ASSERT_EQ(mean.status, RunStatus::Done) << mean.report;
    ASSERT_GT(GetMoves(moving).bytes, 0U) << "the second placement is there";
    const auto figures = GetFigures(mean);
    EXPECT_NEAR(figures.at("expert_moving_share"), 1.0 / 3, 1e-9);
    EXPECT_EQ(GetFigures(moving).at("expert_moving_share"), 1);
    EXPECT_EQ(GetFigures(moving).count("iteration_with_moves_s"), 0U) << "it is one";
    const double seconds = static_cast<double>(moving.iteration) * 1e-12;
    EXPECT_GT(seconds, 1.2e-12 * static_cast<double>(mean.iteration));
    EXPECT_NEAR(figures.at("iteration_with_moves_s") / seconds, 1, 0.05);
}

TEST_F(ExpertMovesTest, ExpertsMoveBesideComputingWhereThatIsAskedFor)
{
    RAILS_LONG_CASE();
    // Micro-batches enough for them to go under.
    const std::string batch = "workload.batch.global=64";
    const Result blocking = Train({batch});
    const Result overlapped = Train({batch, "workload.expert_moves_overlap=true"});
    const Result none = Train({batch, "workload.expert_moves=as-they-come", "workload.warm_up=5"});
    EXPECT_EQ(GetMoves(overlapped).bytes, GetMoves(blocking).bytes);
    EXPECT_EQ(GetMoves(none).bytes, 0U);
    EXPECT_GT(GetMoves(blocking).critical, 0);
    // They have the network to share, but nobody waits for them.
    EXPECT_LT(overlapped.iteration, blocking.iteration);
    EXPECT_LT(GetMoves(overlapped).critical, GetMoves(blocking).critical / 10);
    EXPECT_EQ(GetFigures(overlapped).count("iteration_with_moves_s"), 0U);
    EXPECT_GT(overlapped.iteration, none.iteration * 0.98);
}

TEST_F(ExpertMovesTest, WhatMovesNothingSaysThatOverlapDoesNothing)
{
    const Result result =
        Train({"workload.experts=plain-ep", "workload.expert_moves_overlap=true"});
    EXPECT_EQ(std::count(result.notes.begin(),
                         result.notes.end(),
                         "expert_moves_overlap does nothing: no expert moves"),
              1);
}

} // namespace ns3::rails
