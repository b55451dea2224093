// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-fixtures.h"

#include "ns3/cluster-run.h"
#include "ns3/cluster-topology.h"
#include "ns3/exchange-messages.h"
#include "ns3/experiment-settings.h"
#include "ns3/progress-reporter.h"
#include "ns3/rails-workload.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

const std::string kWatchedTraining =
    "topology: {type: rail, domains: 4, gpus_per_domain: 4, spines: 2}\n"
    "balance: rails\n"
    "transport: {congestion_control: none}\n"
    "workload:\n"
    "  type: training\n"
    "  model: {type: deepseek-v3, layers: 4, dense_layers: 1, hidden: 256, heads: 4, kv_heads: 4,\n"
    "    head_width: 16, experts: 16, expert_ffn: 64, shared_ffn: 64, ffn: 512, vocabulary: 1000,\n"
    "    query_rank: 32, kv_rank: 32, rope_width: 8, top_k: 4}\n"
    "  parallel: {pp: 2, ep: 8}\n"
    "  batch: {global: 64, sequence: 512}\n"
    "  iterations: 2\n"
    "  compute: {type: flops, peak: 1e13}\n"
    "engine: flow\n";

/// What was told when: times of a clock that goes on by a millisecond with every message.
struct Told
{
    double seconds;
    RunProgress progress;
};

class ProgressReporterTest : public ExperimentTest
{
  protected:
    static std::vector<Told> Run(const std::string& text)
    {
        const Experiment experiment = Read(text).MakeExperiment(0);
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(experiment.seed);
        ClusterRun run(experiment.Get<Topology>("topology")->Lay(),
                       experiment.Get<Workload>("workload"),
                       MakeRunSettings(experiment));
        const GraphRunner& runner = run.GetRunner();
        const auto delivered = [&runner] { return runner.GetMessages().GetDelivered(); };
        std::vector<Told> told;
        {
            const ProgressReporter reporter(
                runner,
                [&](const RunProgress& progress) {
                    told.push_back({1e-3 * static_cast<double>(delivered()), progress});
                },
                [&] {
                    return ProgressReporter::TimePoint(std::chrono::milliseconds(delivered()));
                });
            run.Run();
        }
        told.push_back({1e-3 * static_cast<double>(delivered()), {}}); // the end
        return told;
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }
};

TEST_F(ProgressReporterTest, TrainingTellsItsPlaceAndTheTimeToGo)
{
    std::vector<Told> told = Run(kWatchedTraining);
    const double end = told.back().seconds;
    told.pop_back();
    ASSERT_GT(told.size(), 50U);
    std::vector<std::string> places;
    double done = 0;
    for (const Told& at : told)
    {
        EXPECT_GE(at.progress.done, done);
        done = at.progress.done;
        if (places.empty() || places.back() != at.progress.place)
        {
            places.push_back(at.progress.place);
        }
        if (at.seconds >= 0.2 * end && at.seconds <= 0.85 * end)
        {
            const double toGo = EstimateRemaining(done, at.seconds);
            EXPECT_GT(toGo, 0.5 * (end - at.seconds)) << at.seconds << " of " << end;
            EXPECT_LT(toGo, 2 * (end - at.seconds)) << at.seconds << " of " << end;
        }
    }
    EXPECT_LE(done, 1);
    EXPECT_GT(done, 0.9);
    EXPECT_EQ(places.front(), "iteration 1 of 2, micro-batch 1 of 8");
    EXPECT_EQ(places.back(), "iteration 2 of 2, micro-batch 8 of 8");
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
    EXPECT_GE(places.size(), 12U);
}

TEST_F(ProgressReporterTest, WhatHasNoMicroBatchesTellsOfItsBytes)
{
    const std::vector<Told> told =
        Run("topology: {type: rail, domains: 4, gpus_per_domain: 4}\n"
            "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 1MB}}\n"
            "balance: rails\ntransport: {congestion_control: none}\nengine: flow\n");
    const RunProgress& first = told.front().progress;
    EXPECT_EQ(first.place, "");
    EXPECT_EQ(first.done, 0);
    EXPECT_EQ(std::prev(told.end(), 2)->progress.messagesTotal, 192U);
}

} // namespace

} // namespace ns3::rails
