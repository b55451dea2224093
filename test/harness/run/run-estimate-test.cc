// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-fixtures.h"

#include "ns3/cluster-topology.h"
#include "ns3/experiment-settings.h"
#include "ns3/rails-experiment-check.h"
#include "ns3/run-estimate.h"
#include "ns3/workload-setting.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Eight replicas of two stages, whose loads are all alike.
const std::string kAlikeTraining =
    "topology: {type: rail, domains: 16, gpus_per_domain: 8, spines: 0}\n"
    "transport: {congestion_control: none}\n"
    "balance: rail-source\n"
    "engine: {type: flow}\n"
    "workload:\n"
    "  type: training\n"
    "  model: mixtral-8x7b\n"
    "  layers: 4\n"
    "  parallel: {pp: 2, ep: 8}\n"
    "  batch: {micro: 1, global: 2048, sequence: 4096}\n"
    "  load: {type: imbalance, workload: w0}\n";

class RunOutlookTest : public ExperimentTest
{
  protected:
    static ExpectedTraffic Examine(const std::vector<std::string>& sets,
                                   const std::string& text = kAlikeTraining)
    {
        const Experiment experiment = Read(text, sets).MakeExperiment(0);
        const RunSettings settings = MakeRunSettings(experiment);
        const auto wiring = experiment.Get<Topology>("topology")->Lay();
        const Ptr<Workload> workload = experiment.Get<Workload>("workload");
        return EstimateTraffic(*workload,
                               MakeWorkloadSetting(*workload, *wiring, settings),
                               *wiring,
                               settings);
    }

    static double EstimateSeconds(const std::vector<std::string>& sets,
                                  const std::string& text = kAlikeTraining)
    {
        FabricCache fabrics;
        return EstimateRunSize(Read(text, sets).MakeExperiment(0), fabrics).seconds;
    }
};

TEST_F(RunOutlookTest, EachPieceOfAnExchangeThatTakesAnotherRailCostsTwoFifthsOfAMessage)
{
    const std::string phases = "topology: {type: rail, domains: 4, gpus_per_domain: 8, spines: 0}\n"
                               "balance: even-split\n"
                               "workload: {type: all-to-all, matrix: {type: zipf}}\n";
    const double whole = Examine({"balance=rail-source"}, phases).cost;
    EXPECT_DOUBLE_EQ(Examine({}, phases).cost, 3.8 * whole);
    EXPECT_DOUBLE_EQ(Examine({"balance={type: rails, chunk: whole}"}, phases).cost, whole);
    const double most = Examine({"engine.symmetry=off", "balance=even-split"}).cost;
    EXPECT_GT(most, 2 * Examine({"engine.symmetry=off"}).cost);
    EXPECT_LT(most, 3.8 * Examine({"engine.symmetry=off"}).cost); // gradients are not cut
}

TEST_F(RunOutlookTest, ReplicasThatAnswerForOthersDivideTheEstimate)
{
    const ExpectedTraffic whole = Examine({"engine.symmetry=off"});
    const ExpectedTraffic folded = Examine({});
    EXPECT_EQ(whole.gpus, 128);
    EXPECT_EQ(folded.gpus, 32);
    EXPECT_EQ(folded.bytes, whole.bytes);
    EXPECT_EQ(folded.messages, whole.messages);
    EXPECT_DOUBLE_EQ(folded.cost, whole.cost / 4);
    EXPECT_DOUBLE_EQ(folded.outside, whole.outside / 4);
    EXPECT_LT(EstimateSeconds({}), EstimateSeconds({"engine.symmetry=off"}) / 3);
}

TEST_F(RunOutlookTest, ExchangesOfUnequalLoadsCostMore)
{
    const std::vector<std::string> unequal{"workload.load.workload=w1", "workload.exchange=pairs"};
    EXPECT_LT(Examine({"workload.exchange=pairs"}).cost, 0.95 * Examine(unequal).cost);
}

TEST_F(RunOutlookTest, ReplicasThatDifferAreAllCounted)
{
    EXPECT_EQ(Examine({"workload.load={type: synthetic, preset: no-aux}"}).gpus, 128);
    EXPECT_EQ(Examine({"record.explain=true"}).gpus, 128);
}

TEST_F(RunOutlookTest, MicrobatchesThatAreLeftOutAreNotCounted)
{
    // Of 32: two are under way, then come two cycles, one that fills up and three that tell.
    const ExpectedTraffic whole = Examine({});
    const ExpectedTraffic part = Examine({"workload.fast_forward=true"});
    const ExpectedTraffic eight = Examine({"workload.microbatches=8"});
    EXPECT_LT(part.cost, 0.7 * whole.cost);
    EXPECT_DOUBLE_EQ(part.cost, eight.cost);
    EXPECT_DOUBLE_EQ(part.outside, eight.outside);
    EXPECT_EQ(part.bytes, whole.bytes);
    EXPECT_NEAR(EstimateSeconds({"engine=frames", "workload.fast_forward=true"}),
                EstimateSeconds({"engine=frames", "workload.microbatches=8"}),
                1e-6);
}

TEST_F(RunOutlookTest, WhatHasNoEqualMicrobatchesIsCountedWhole)
{
    const std::vector<std::string> reasons{
        "failures={schedule: [{at: 1ms, nic: server0-nic0, state: down}]}",
        "workload.load={type: synthetic, preset: no-aux}"};
    for (const std::string& reason : reasons)
    {
        EXPECT_EQ(Examine({reason, "workload.fast_forward=true"}).cost, Examine({reason}).cost);
    }
}

TEST_F(RunOutlookTest, WhatStaysInAServerMakesNoFrames)
{
    const std::vector<std::string> inside{"workload.parallel={tp: 8}",
                                          "topology.domains=1",
                                          "workload.batch.global=8"};
    EXPECT_EQ(Examine(inside).outside, 0);
    EXPECT_GT(Examine(inside).bytes, 0);
    // Of 7 others of a group of experts 4 are on another server.
    const ExpectedTraffic apart =
        Examine({"topology.gpus_per_domain=4", "topology.domains=2", "workload.parallel={ep: 8}"});
    EXPECT_NEAR(apart.outside / apart.bytes, 4. / 7, 0.1);
}

const std::string kAllToAll = "topology: {type: rail, domains: 64, gpus_per_domain: 1}\n"
                              "balance: rail-source\nengine: {type: flow}\n"
                              "transport: {congestion_control: none}\n"
                              "workload: {type: all-to-all, matrix: uniform}\n";

TEST_F(RunOutlookTest, UnequalPairsOfManyServersCostMore)
{
    const double even = Examine({}, kAllToAll).cost;
    const std::string zipf = "workload.matrix={type: zipf, bytes_per_gpu: 64MB}";
    EXPECT_EQ(even, 64 * 63);
    EXPECT_GT(Examine({zipf}, kAllToAll).cost, 4 * even);
    EXPECT_EQ(Examine({zipf, "topology.domains=2"}, kAllToAll).cost, 2 * 1.0625);
}

TEST_F(RunOutlookTest, CopiesOfExpertsAndTheirPlanningAreCounted)
{
    const std::string plain = "workload.load={type: synthetic, preset: no-aux}";
    const std::vector<std::string> copied{plain, "workload.experts=faster-moe"};
    EXPECT_GT(Examine(copied).cost, 2 * Examine({plain}).cost);
    EXPECT_GT(Examine(copied).seconds, 0);
    EXPECT_EQ(Examine({plain}).seconds, 0);
}

TEST_F(RunOutlookTest, JobsCostWhatTheirWorkloadsDo)
{
    const std::string jobs = "topology: {type: rail, domains: 16, gpus_per_domain: 8, spines: 8}\n"
                             "balance: rail-source\nengine: {type: flow}\n"
                             "transport: {congestion_control: none}\n"
                             "workload:\n"
                             "  type: jobs\n"
                             "  jobs:\n"
                             "    training:\n"
                             "      placement: {type: contiguous, servers: 16}\n"
                             "      workload:\n"
                             "        type: training\n"
                             "        model: mixtral-8x7b\n"
                             "        layers: 4\n"
                             "        parallel: {pp: 2, ep: 8}\n"
                             "        batch: {micro: 1, global: 2048, sequence: 4096}\n"
                             "        load: {type: imbalance, workload: w0}\n";
    EXPECT_EQ(Examine({}, jobs).cost, Examine({"engine.symmetry=off"}).cost);
}

} // namespace

} // namespace ns3::rails
