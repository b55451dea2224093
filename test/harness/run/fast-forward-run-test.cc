// SPDX-License-Identifier: GPL-2.0-only
#include "graph-fixtures.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

const std::string kTraining =
    "topology: {type: rail, domains: 8, gpus_per_domain: 2, spines: 2}\n"
    "engine: flow\n"
    "balance: rails\n"
    "transport: {congestion_control: none}\n"
    "workload:\n"
    "  type: training\n"
    "  model: {type: mixtral-8x7b, layers: 8, hidden: 256, heads: 4, kv_heads: 4, head_width: 16,\n"
    "    experts: 8, expert_ffn: 512, vocabulary: 1000}\n"
    "  parallel: {pp: 4, ep: 4}\n"
    "  batch: {global: 96, sequence: 256}\n"
    "  compute: {type: flops, efficiency: 0.02}\n"
    "  load: {type: imbalance, workload: w1}\n";

/// A pipeline whose network takes no time, and all of whose micro-batches are equal.
const std::string kPipeline =
    "topology: {type: rail, domains: 4, gpus_per_domain: 1, spines: 1, nic_rate: 1000Tbps,\n"
    "  nvlink_rate: 1000Tbps, link_delay: 1ps, nvlink_latency: 0ns}\n"
    "engine: flow\n"
    "balance: rails\n"
    "transport: {congestion_control: none}\n"
    "workload:\n"
    "  type: training\n"
    "  fast_forward: true\n"
    "  model: {type: deepseek-v3, layers: 8, dense_layers: 8, hidden: 128, heads: 4, kv_heads: 4,\n"
    "    head_width: 16, ffn: 128, vocabulary: 100, query_rank: 32, kv_rank: 32, rope_width: 8}\n"
    "  parallel: {pp: 4}\n"
    "  batch: {global: 4000, sequence: 16}\n"
    "  compute: {type: given, attention: 0ns, dense: 1ms}\n";

class FastForwardRunTest : public GraphTest
{
  protected:
    static Result RunForward(const std::string& text, Sets sets)
    {
        sets.emplace_back("workload.fast_forward=true");
        return RunDone(text, sets);
    }

    /// \return micro-batches that were run
    static uint32_t ExpectEqual(const std::string& text, const Sets& sets)
    {
        const Result whole = RunDone(text, sets);
        const Result part = RunForward(text, sets);
        EXPECT_FALSE(whole.forward);
        if (!part.forward)
        {
            EXPECT_EQ(part.fingerprint, whole.fingerprint);
            return 0;
        }
        const auto expectNear = [](double one, double other, const std::string& what) {
            EXPECT_NEAR(one, other, 1e-3 * std::max(one, other)) << what;
        };
        expectNear(part.cct, whole.cct, "time");
        expectNear(part.iteration, whole.iteration, "iteration");
        expectNear(part.graph->computing, whole.graph->computing, "computing");
        EXPECT_EQ(part.cct, part.phases.back().end);
        EXPECT_EQ(part.matrixHash, whole.matrixHash);
        EXPECT_EQ(part.lowerBound, whole.lowerBound);
        EXPECT_EQ(part.bytes, whole.bytes);
        EXPECT_EQ(part.messages, whole.messages);
        EXPECT_EQ(part.graph->nodes, whole.graph->nodes);
        EXPECT_EQ(part.nicTxBytes, whole.nicTxBytes);
        EXPECT_EQ(part.nicRxBytes, whole.nicRxBytes);
        TimePs critical = 0;
        for (const KindRecord& kind : part.graph->kinds)
        {
            const KindRecord& same = GetKind(whole, kind.name);
            EXPECT_EQ(kind.nodes, same.nodes) << kind.name;
            EXPECT_EQ(kind.bytes, same.bytes) << kind.name;
            expectNear(kind.busy, same.busy, kind.name);
            EXPECT_NEAR(kind.exposed, same.exposed, 1e-3 * same.busy) << kind.name;
            critical += kind.critical;
        }
        expectNear(critical, part.cct, "critical path");
        EXPECT_EQ(part.portRecords.size(), whole.portRecords.size());
        for (std::size_t port = 0; port < part.portRecords.size(); ++port)
        {
            expectNear(part.portRecords[port].bytes, whole.portRecords[port].bytes, "port");
            expectNear(*part.portRecords[port].busy, *whole.portRecords[port].busy, "busy port");
        }
        return part.forward->unitsRun;
    }

    static void ExpectNothing(const std::string& text, const Sets& sets, const std::string& why)
    {
        const Result result = RunForward(text, sets);
        EXPECT_FALSE(result.forward);
        const auto says = [&](const std::string& note) {
            return note.find("fast_forward does nothing: " + why) == 0;
        };
        EXPECT_TRUE(std::any_of(result.notes.begin(), result.notes.end(), says)) << why;
        EXPECT_EQ(result.cct, RunDone(text, sets).cct);
    }
};

} // namespace

// Stages p, micro-batches m: m units and a bubble, of p - 1 units, of as many over the chunks, of
// p - 1 thirds with both parts of the way back apart. No run of all 4,000 is needed for that.
TEST_F(FastForwardRunTest, ThousandsOfMicrobatchesTakeTheirFormula)
{
    const struct
    {
        Sets sets;
        double bubble; //!< units of two layers forward and back
    } cases[] = {{{}, 3},
                 {{"workload.parallel={pp: 4, vpp: 2}", "workload.schedule=interleaved"}, 1.5},
                 {{"workload.schedule=zero-bubble"}, 1},
                 {{"workload.schedule=dualpipe"}, 2.0 / 3},
                 // What is merged waits twice as long for what comes back, but for the last stage.
                 {{"workload.schedule={type: 1f1b, overlap: exchange}"}, 3},
                 {{"workload.parallel={pp: 4, vpp: 2}",
                   "workload.schedule={type: interleaved, overlap: exchange}"},
                  1.5}};

    for (const auto& [sets, bubble] : cases)
    {
        const Result result = RunDone(kPipeline, sets);
        ASSERT_TRUE(result.forward);
        EXPECT_LT(result.forward->unitsRun, 30U);
        EXPECT_EQ(result.forward->units, 4000U);
        constexpr double unit = 6e9; // ps
        EXPECT_NEAR(result.forward->period, unit, 1e-6 * unit);
        EXPECT_NEAR(static_cast<double>(result.iteration == 0 ? result.cct : result.iteration),
                    (4000 + bubble) * unit,
                    unit / 100);
        EXPECT_NEAR(GetKind(result, "dense").busy, 4 * 4000 * unit, 1e-6 * 4 * 4000 * unit);
    }
}

TEST_F(FastForwardRunTest, APartTellsWhatAllOfItTakesOnBothEngines)
{
    RAILS_LONG_CASE();
    const Sets cases[] = {
        {},
        {"workload.iterations=2", "workload.load.workload=w7"},
        {"engine=frames",
         "workload.batch={global: 80, sequence: 64}",
         "workload.model.hidden=128",
         "workload.compute.efficiency=0.002"},
        {"workload.parallel={pp: 4, ep: 4, vpp: 2}",
         "workload.schedule=interleaved",
         "workload.batch.global=160",
         "workload.iterations=2"},
        {"workload.schedule=zero-bubble",
         "workload.exchange=deduplicated",
         "workload.compute.efficiency=0.005",
         "workload.batch.global=480"},
        {"workload.schedule={type: 1f1b, overlap: exchange}", "workload.batch.global=480"},
        // Parameters are gathered for the micro-batch behind.
        {"workload.parallel={pp: 2, ep: 4, layout: [0, 8]}",
         "workload.data={type: fsdp, prefetch: 5}",
         "workload.batch.global=160"},
        {"workload.parallel={pp: 4, ep: 4, vpp: 2}",
         "workload.schedule={type: interleaved, overlap: exchange, delayed_weights: true}",
         "workload.compute.efficiency=0.005",
         "workload.batch.global=480"},
        // Hosts launch all kernels of an iteration at its begin, or wait for gates.
        {"workload.parallel={pp: 4, ep: 4, vpp: 2}",
         "workload.schedule=interleaved",
         "workload.compute={type: profile}",
         "workload.model.hidden=4096",
         "workload.batch={global: 240, sequence: 4096}"},
        {"workload.compute={type: profile}",
         "workload.iterations=2",
         "workload.batch={global: 240, sequence: 4096}"},
    };
    for (const Sets& sets : cases)
    {
        EXPECT_GT(ExpectEqual(kTraining, sets), 0U) << (sets.empty() ? "" : sets.front());
    }
}

// Small and bound by their network, so that some of them come to no steady state.
TEST_F(FastForwardRunTest, RandomTrainingsTakeTheSameWithAndWithout)
{
    RAILS_LONG_CASE();
    std::mt19937 random(7);
    const auto draw = [&random](const std::vector<std::string>& from) {
        return from[random() % from.size()];
    };
    uint32_t forwarded = 0;
    for (int i = 0; i < 6; ++i)
    {
        forwarded +=
            ExpectEqual(kTraining,
                        {"workload.parallel.pp=" + draw({"1", "2", "4"}),
                         "workload.parallel.ep=" + draw({"1", "2", "4"}),
                         "workload.schedule=" + draw({"1f1b", "zero-bubble"}),
                         "workload.load.workload=" + draw({"w0", "w3", "w6"}),
                         "workload.exchange=" +
                             draw({"pairs", "deduplicated", "{type: deduplicated, piece: 10KB}"}),
                         "workload.iterations=" + draw({"1", "2"}),
                         "workload.compute.efficiency=" + draw({"0.1", "0.02", "0.005"}),
                         "workload.batch.global=384",
                         "balance=" + draw({"rails", "ecmp", "even-split"})}) > 0
                ? 1
                : 0;
    }
    EXPECT_GE(forwarded, 3U);
}

TEST_F(FastForwardRunTest, WhatCannotBeToldFromAPartIsRunWhole)
{
    const Sets few{"workload.batch.global=32"};
    ExpectNothing(kTraining, few, "there are too few micro-batches");
    ExpectNothing(kTraining, {"workload.load={type: synthetic}"}, "loads of experts differ");
    ExpectNothing(kTraining, {"record.explain=true"}, "record.explain looks at all of them");
    ExpectNothing(
        kTraining,
        {"failures.schedule=[{at: 5us, link: [rail0-leaf0, spine0], state: down}, {at: 9us, "
         "link: [rail0-leaf0, spine0], state: up}]"},
        "failures come at times of their own");
    // Micro-batches that compute hardly anything push each other about.
    ExpectNothing(kTraining,
                  {"workload.compute.efficiency=0.5"},
                  "micro-batches did not come to take equally long");
}

TEST_F(FastForwardRunTest, OfSeveralJobsEachMicrobatchIsRun)
{
    const std::string mark = "workload:\n";
    const std::size_t at = kTraining.find(mark);
    std::string job = "  fast_forward: true\n" + kTraining.substr(at + mark.size());
    for (std::size_t line = 0; line < job.size(); line = job.find('\n', line) + 1)
    {
        job.insert(line, "      ");
    }
    const Result result =
        RunDone(kTraining.substr(0, at) +
                "workload:\n  type: jobs\n  jobs:\n    a:\n      workload:\n" + job);
    EXPECT_FALSE(result.forward);
    EXPECT_EQ(std::count(result.notes.begin(),
                         result.notes.end(),
                         "job a: fast_forward does nothing: jobs meet at times of their own"),
              1);
}

} // namespace ns3::rails
