// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/sanitized.h"
#include "graph-fixtures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

/// A small model with all that a layer can have, divided in every way.
const std::string kTraining =
    "topology: {type: rail, domains: 4, gpus_per_domain: 4, spines: 2}\n"
    "balance: rails\n"
    "transport: {congestion_control: none}\n"
    "switch: {buffer: 1GiB}\n"
    "workload:\n"
    "  type: training\n"
    "  model: {type: deepseek-v3, layers: 4, dense_layers: 1, hidden: 256, heads: 4, kv_heads: 4,\n"
    "    head_width: 16, experts: 16, expert_ffn: 64, shared_ffn: 64, ffn: 512, vocabulary: 1000,\n"
    "    query_rank: 32, kv_rank: 32, rope_width: 8, top_k: 4}\n"
    "  parallel: {tp: 2, cp: 2, pp: 2, ep: 4}\n"
    "  batch: {global: 8, sequence: 512}\n"
    "  compute: {type: flops, peak: 1e13}\n";

class TrainingRunTest : public GraphTest
{
  protected:
    static void ExpectError(const Sets& sets, const std::string& message)
    {
        const std::string errors = FindErrors(kTraining, sets);
        EXPECT_NE(errors.find(message), std::string::npos) << errors;
    }
};

} // namespace

TEST_F(TrainingRunTest, BothEnginesMoveTheSameBytesOfEveryKind)
{
    const Result frames = RunDone(kTraining);
    const Result flow = RunDone(kTraining, {"engine=flow"});
    EXPECT_EQ(frames.bytes, flow.bytes);
    EXPECT_EQ(frames.matrixHash, flow.matrixHash);
    for (const KindRecord& kind : frames.graph->kinds)
    {
        EXPECT_EQ(kind.bytes, GetKind(flow, kind.name).bytes) << kind.name;
        EXPECT_EQ(kind.nodes, GetKind(flow, kind.name).nodes) << kind.name;
    }
    EXPECT_GT(GetKind(frames, "dispatch").bytes, 0U);
    EXPECT_EQ(GetKind(frames, "dispatch").bytes, GetKind(frames, "dispatch-backward").bytes);
    EXPECT_NEAR(static_cast<double>(flow.iteration),
                static_cast<double>(frames.iteration),
                0.03 * static_cast<double>(frames.iteration));
}

TEST_F(TrainingRunTest, WithoutALoadThatOfTheModelsOwnTrainingIsTaken)
{
    const auto run = [](Sets sets) {
        sets.emplace_back("engine=flow");
        return RunDone(kTraining, sets).matrixHash;
    };
    const std::string usual = run({});
    EXPECT_EQ(usual, run({"workload.load.preset=loss-free"}));
    EXPECT_EQ(usual, run({"workload.load={type: synthetic}"}));
    EXPECT_NE(usual, run({"workload.load.preset=no-aux"}));
    EXPECT_EQ(run({"workload.model.balancing=no-aux"}), run({"workload.load.preset=no-aux"}));
}

TEST_F(TrainingRunTest, PiecesMoveTheSameInLessTimeOnBothEngines)
{
    std::map<std::string, std::array<TimePs, 2>> exchanges; // by engine: whole, in pieces
    for (const std::string engine : {"frames", "flow"})
    {
        std::array<uint64_t, 2> bytes{};
        for (const bool isDivided : {false, true})
        {
            const Result result =
                RunDone(kTraining,
                        {"workload.parallel={ep: 16}",
                         "workload.batch.global=16",
                         "engine=" + engine,
                         std::string("workload.exchange={type: deduplicated, piece: ") +
                             (isDivided ? "10KB}" : "0B}")});
            for (const char* kind : {"dispatch", "combine"})
            {
                bytes[isDivided ? 1 : 0] += GetKind(result, kind).bytes;
                exchanges[engine][isDivided ? 1 : 0] += GetKind(result, kind).critical;
            }
        }
        EXPECT_EQ(bytes[0], bytes[1]);
        EXPECT_LT(exchanges[engine][1], exchanges[engine][0]) << engine;
    }
    EXPECT_NEAR(exchanges["flow"][1], exchanges["frames"][1], 0.05 * exchanges["frames"][1]);
}

TEST_F(TrainingRunTest, CopiesForServersSendLessThanPairsOnBothEngines)
{
    const Sets across{"workload.parallel={ep: 16}", "workload.batch.global=16"};
    const Result pairs = RunDone(kTraining, across);
    Sets sets = across;
    sets.emplace_back("workload.exchange=deduplicated");
    const Result frames = RunDone(kTraining, sets);
    sets.emplace_back("engine=flow");
    const Result flow = RunDone(kTraining, sets);
    EXPECT_EQ(frames.bytes, flow.bytes);
    EXPECT_EQ(GetKind(pairs, "data").bytes, GetKind(frames, "data").bytes);
    // Each copy crosses to a server, and then mostly to another GPU of it.
    uint64_t crossed = 0;
    uint64_t crossedPairs = 0;
    const auto count = [](const Result& result, uint64_t& sum) {
        for (const MessageRecord& message : result.messageRecords)
        {
            const bool isDispatch = result.graphKinds[message.kind] == "dispatch";
            sum += isDispatch && message.rail != kNoRail ? message.bytes : 0;
        }
    };
    count(frames, crossed);
    count(pairs, crossedPairs);
    EXPECT_LT(crossed, crossedPairs);
    EXPECT_GT(crossed, crossedPairs / 4) << "a token goes to four experts";
}

TEST_F(TrainingRunTest, EndsDoNotDependOnHowFarServersRunBehindNorOnTheScheduler)
{
    const Sets sets{"workload.iterations=2", "workload.load=imbalance"};
    const Result late = RunDone(kTraining, sets);
    Sets punctual = sets;
    punctual.emplace_back("record.punctual=true");
    EXPECT_EQ(late.fingerprint, RunDone(kTraining, punctual).fingerprint);
    EXPECT_EQ(late.fingerprint, Run(kTraining, sets, "ns3::MapScheduler").fingerprint);
}

TEST_F(TrainingRunTest, MessagesThatNobodyReadsAreForgottenAndNothingElse)
{
    // GPUs of a server come to their parts of a step at different times.
    const Sets sets{"engine=flow",
                    "workload.load=imbalance",
                    "workload.parallel={tp: 2, pp: 2, ep: 4, etp: 2}",
                    "workload.iterations=2"};
    const auto run = [&](const std::string& keeps) {
        Sets all = sets;
        all.push_back("record.messages=" + keeps);
        return RunDone(kTraining, all);
    };
    const Result kept = run("true");
    const Result forgotten = run("false");
    EXPECT_EQ(kept.fingerprint, forgotten.fingerprint);
    EXPECT_EQ(kept.slowestFlow, forgotten.slowestFlow);
    EXPECT_EQ(kept.cct, forgotten.cct);
}

TEST_F(TrainingRunTest, OnANetworkThatTakesNoTimeAnIterationIsItsComputing)
{
    const Result result = RunDone(kTraining,
                                  {"engine=flow",
                                   "topology.nic_rate=1000Tbps",
                                   "topology.nvlink_rate=1000Tbps",
                                   "topology.link_delay=1ps",
                                   "topology.nvlink_latency=0ns"});
    EXPECT_NEAR(static_cast<double>(result.lowerBoundParts.at("path")),
                static_cast<double>(result.lowerBoundParts.at("compute")),
                0.001 * static_cast<double>(result.lowerBoundParts.at("compute")));
    EXPECT_NEAR(static_cast<double>(result.iteration),
                static_cast<double>(result.lowerBound),
                0.01 * static_cast<double>(result.lowerBound));
}

TEST_F(TrainingRunTest, WithoutComputingAnIterationIsItsCommunication)
{
    const Result result = RunDone(kTraining,
                                  {"workload.compute={type: given, attention: 0ns, expert_token: "
                                   "0ns, dense: 0ns}"});
    TimePs critical = 0;
    for (const KindRecord& kind : result.graph->kinds)
    {
        EXPECT_TRUE(!kind.isCompute || kind.critical == 0) << kind.name;
        EXPECT_EQ(kind.exposed, kind.isCompute ? 0 : kind.busy) << kind.name;
        critical += kind.critical;
    }
    EXPECT_EQ(critical, result.cct);
}

// All GPUs of a stage are as fast, and every layer waits for all of them. So a slow one is on the
// path with all that it computes, and stretches that part alone.
TEST_F(TrainingRunTest, ASlowGpuMovesTheIterationByWhatItComputesLonger)
{
    const Sets sets{"workload.parallel={ep: 16}",
                    "workload.batch.global=16",
                    "workload.load={preset: uniform}"};
    const Result even = RunDone(kTraining, sets);
    Sets slow = sets;
    slow.emplace_back("workload.compute.slow_gpu=5");
    slow.emplace_back("workload.compute.slow_factor=3");
    const Result uneven = RunDone(kTraining, slow);
    TimePs computing = 0;
    for (const KindRecord& kind : even.graph->kinds)
    {
        computing += kind.isCompute ? kind.critical : 0;
    }
    const auto predicted = static_cast<double>(even.iteration + 2 * computing);
    EXPECT_NEAR(static_cast<double>(uneven.iteration), predicted, 0.03 * predicted);
}

TEST_F(TrainingRunTest, ResultsSayHowManyTokens)
{
    const Result result = RunDone(kTraining);
    // Two replicas, four sequences of 512 tokens each.
    const double seconds = static_cast<double>(result.iteration) * 1e-12;
    ASSERT_GT(result.graphFigures.size(), 4U);
    EXPECT_EQ(result.graphFigures[0].first, "tokens_per_s");
    EXPECT_NEAR(result.graphFigures[0].second, 4096 / seconds, 1);
    EXPECT_EQ(result.graphFigures[1].first, "mfu");
    EXPECT_GT(result.graphFigures[1].second, 0);
    EXPECT_LT(result.graphFigures[1].second, 0.5) << "the efficiency of a GPU";
    EXPECT_EQ(result.graphFigures[2].first, "memory_bytes");
    EXPECT_GT(result.graphFigures[2].second, 0);
    const std::map<std::string, double> figures(result.graphFigures.begin(),
                                                result.graphFigures.end());
    EXPECT_GE(figures.at("expert_max_over_mean"), 1);
    EXPECT_EQ(figures.at("expert_max_over_mean"), figures.at("expert_max_over_mean_before"));
    EXPECT_EQ(figures.at("expert_copies"), 0);
}

TEST_F(TrainingRunTest, DroppedTokensAreNoOperationsOfExperts)
{
    const auto run = [](const std::string& experts) {
        const Result result = RunDone(kTraining,
                                      {"engine=flow",
                                       "workload.load={type: imbalance, workload: w1}",
                                       "workload.experts=" + experts});
        return std::map<std::string, double>(result.graphFigures.begin(),
                                             result.graphFigures.end());
    };
    const auto flopsOfToken = [](const std::map<std::string, double>& figures) {
        return figures.at("mfu") / figures.at("tokens_per_s");
    };
    const auto all = run("plain-ep");
    const auto some = run("{type: plain-ep, capacity_factor: 1}");
    const auto few = run("{type: plain-ep, capacity_factor: 0.5}");
    EXPECT_EQ(all.at("expert_dropped_share"), 0);
    EXPECT_GT(few.at("expert_dropped_share"), some.at("expert_dropped_share"));
    EXPECT_LT(flopsOfToken(some), flopsOfToken(all));
    // What a token costs falls in proportion to the part of its experts that is left.
    const double ofExperts =
        (flopsOfToken(all) - flopsOfToken(some)) / some.at("expert_dropped_share");
    EXPECT_NEAR(flopsOfToken(few),
                flopsOfToken(all) - few.at("expert_dropped_share") * ofExperts,
                1e-9 * flopsOfToken(all));
    EXPECT_LT(ofExperts, flopsOfToken(all));
    EXPECT_GE(few.at("expert_max_over_mean"), 1);
}

TEST_F(TrainingRunTest, APartOfAnIterationHasNoFiguresOfTheModel)
{
    const auto run = [](Sets sets) {
        sets.emplace_back("workload.load={type: imbalance, workload: w0}");
        const Result result = RunDone(kTraining, sets);
        return std::pair(
            std::map<std::string, double>(result.graphFigures.begin(), result.graphFigures.end()),
            std::set<std::string>(result.notes.begin(), result.notes.end()));
    };
    const auto [whole, plain] = run({});
    const auto [fewer, said] = run({"workload.microbatches=1"});
    EXPECT_TRUE(std::isnan(fewer.at("tokens_per_s")));
    EXPECT_TRUE(std::isnan(fewer.at("mfu")));
    EXPECT_EQ(fewer.at("memory_bytes"), whole.at("memory_bytes")) << "with all that are under way";
    EXPECT_EQ(said.count("shortened: 1 of 4 micro-batches"), 1U);
    EXPECT_EQ(said.size(), plain.size() + 3);
    const auto [layers, saidOfLayers] = run({"workload.layers=3"});
    EXPECT_TRUE(std::isnan(layers.at("tokens_per_s")));
    EXPECT_TRUE(std::isnan(layers.at("mfu")));
    EXPECT_TRUE(std::isnan(layers.at("memory_bytes")));
    EXPECT_GE(layers.at("expert_max_over_mean"), 1);
    EXPECT_EQ(saidOfLayers.count("shortened: the first 3 of 4 layers"), 1U);
}

TEST_F(TrainingRunTest, APartTellsWhatTheWholeIterationTakes)
{
    const auto run = [](Sets sets) {
        sets.emplace_back("engine=flow");
        sets.emplace_back("workload.model.layers=12");
        sets.emplace_back("workload.batch.global=16");
        return RunDone(kTraining, sets);
    };
    const auto estimate = [](const Result& result) {
        const auto found =
            std::find_if(result.graphFigures.begin(),
                         result.graphFigures.end(),
                         [](const auto& figure) { return figure.first == "whole_iteration_s"; });
        return found == result.graphFigures.end() ? -1 : found->second;
    };
    const Result whole = run({});
    EXPECT_EQ(estimate(whole), -1) << "it is the whole";
    const double seconds = static_cast<double>(whole.iteration) * 1e-12;
    EXPECT_NEAR(estimate(run({"workload.layers=4"})), seconds, 0.05 * seconds);
    EXPECT_NEAR(estimate(run({"workload.microbatches=2"})), seconds, 0.05 * seconds);
    const Result part = run({"workload.layers=4", "workload.microbatches=3"});
    EXPECT_NEAR(estimate(part), seconds, 0.05 * seconds);
    EXPECT_LT(static_cast<double>(part.iteration) * 1e-12, 0.4 * seconds);
    EXPECT_TRUE(std::isnan(estimate(run({"workload.microbatches=1"}))))
        << "no pass backward leaves gradients incomplete";
    EXPECT_TRUE(std::isnan(estimate(run({"workload.layers=1", "workload.parallel.pp=1"}))))
        << "no layer has experts";
    const Result jolted = run({"workload.layers=4",
                               "failures={schedule: [{at: 10us, link: [server0-nic1], "
                               "rate: 200Gbps}]}"});
    EXPECT_TRUE(std::isnan(estimate(jolted))) << "more of the iteration is without the link";
}

/// 32 GPUs, whose NICs are slow beside the parameters of the model.
const std::string kSlowNics = "topology: {type: rail, servers: 4, gpus_per_server: 8}\n"
                              "transport: {congestion_control: none}\n"
                              "balance: rail-source\n"
                              "engine: flow\n"
                              "workload:\n"
                              "  type: training\n"
                              "  model: {type: mixtral-8x7b, hidden: 1024, layers: 16}\n"
                              "  parallel: {ep: 8}\n"
                              "  load: {type: imbalance, workload: w0}\n";

class ShortenedRunTest : public TrainingRunTest
{
  protected:
    /// \return how far the estimate of a part is from the whole
    static double FindError(const std::vector<std::string>& sets,
                            const std::vector<std::string>& part)
    {
        std::vector<std::string> ofPart = sets;
        ofPart.insert(ofPart.end(), part.begin(), part.end());
        const Result shortened = RunDone(kSlowNics, ofPart);
        const auto& figures = shortened.graphFigures;
        const auto found = std::find_if(figures.begin(), figures.end(), [](const auto& figure) {
            return figure.first == "whole_iteration_s";
        });
        const double whole = static_cast<double>(RunDone(kSlowNics, sets).iteration) * 1e-12;
        return found == figures.end() ? 1 : std::abs(found->second / whole - 1);
    }
};

TEST_F(ShortenedRunTest, LayersBesideTheHeadStandForNoOthersInTheWhole)
{
    RAILS_LONG_CASE();
    EXPECT_LT(FindError({"workload.data=fsdp",
                         "topology.nic_rate=50Gbps",
                         "workload.batch={micro: 1, global: 384, sequence: 4096}"},
                        {"workload.layers=4", "workload.microbatches=6"}),
              0.02);
}

TEST_F(ShortenedRunTest, ExpertsThatMoveAreThoseOfAllLayersInTheWhole)
{
    EXPECT_LT(FindError({"workload.experts={type: eplb, slots: 1}",
                         "workload.parallel.pp=2",
                         "workload.model.layers=32",
                         "topology.nic_rate=25Gbps",
                         "workload.batch={micro: 1, global: 192, sequence: 4096}"},
                        {"workload.layers=8", "workload.microbatches=6"}),
              0.02);
}

TEST_F(ShortenedRunTest, CopiesAreThoseThatArePlannedForTheLayersOfTheWhole)
{
    EXPECT_LT(FindError({"topology={type: rail, servers: 4, gpus_per_server: 4}",
                         "workload.model={type: mixtral-8x7b, heads: 8, vocabulary: 1000, "
                         "experts: 16, hidden: 1024, expert_ffn: 2048, layers: 32}",
                         "workload.parallel={ep: 4, pp: 2}",
                         "workload.batch={micro: 1, global: 64, sequence: 1024}",
                         "workload.load={type: synthetic, preset: no-aux}",
                         "workload.experts=echo",
                         "balance=rails",
                         "workload.warm_up=2"},
                        {"workload.layers=4", "workload.microbatches=4"}),
              0.05);
}

// Four GPUs, each a server: two layers of eight experts, two micro-batches of 256 tokens for each.
TEST_F(TrainingRunTest, BytesAndRatesAreWhatIsWorkedOutByHand)
{
    const double attention = 4 * 256 * 64;
    const double gate = 256 * 8;
    const double ends = 2 * 1000 * 256; // embedding and head
    const double tokens = 4 * 2 * 256;
    // Two experts of a token, each of three matrices; of a sequence half is before a token.
    const double token =
        2 * (ends / 2 + 2 * (attention + gate + 2 * 3 * 256 * 128)) + 2 * 256 * (64 + 64);
    for (const char* engine : {"engine=flow", "engine=frames"})
    {
        const Result result = RunDone("topology: {type: rail, domains: 4, gpus_per_domain: 1}\n"
                                      "transport: {congestion_control: none}\n"
                                      "switch: {buffer: 1GiB}\n"
                                      "balance: rail-source\n"
                                      "workload:\n"
                                      "  type: training\n"
                                      "  model: {type: mixtral-8x7b, layers: 2, hidden: 256,\n"
                                      "    heads: 4, kv_heads: 4, head_width: 16, experts: 8,\n"
                                      "    expert_ffn: 128, top_k: 2, vocabulary: 1000}\n"
                                      "  parallel: {ep: 4}\n"
                                      "  batch: {global: 8, sequence: 256}\n"
                                      "  precision: fp8-block\n"
                                      "  data: fsdp\n"
                                      "  load: {type: imbalance, workload: w0}\n"
                                      "  compute: {type: profile, device: h20}\n",
                                      {engine});
        const std::map<std::string, double> figures(result.graphFigures.begin(),
                                                    result.graphFigures.end());
        const double seconds = static_cast<double>(result.iteration) * 1e-12;
        EXPECT_DOUBLE_EQ(figures.at("tokens_per_s"), tokens / seconds);
        EXPECT_DOUBLE_EQ(figures.at("mfu"), 3 * tokens * token / (seconds * 4 * 148e12));
        EXPECT_DOUBLE_EQ(figures.at("mfu_fp8"), figures.at("mfu") / 2);
        // Three of four rows go to another GPU, there in FP8 with scales, and back in BF16.
        const double rows = tokens * 2 * 3 / 4 * 256 * 2;
        const std::map<std::string, double> expected{
            {"dispatch", rows * (1 + 4.0 / 128)},
            {"combine", rows * 2},
            {"combine-backward", rows * (1 + 4.0 / 128)},
            {"dispatch-backward", rows * 2},
            // Layers are gathered twice, the ends once, and gradients of both are scattered.
            {"data", 2 * 3 * (2 * (attention + gate) * (2 + 2 + 4) + ends * (2 + 4))}};
        for (const auto& [kind, bytes] : expected)
        {
            EXPECT_EQ(static_cast<double>(GetKind(result, kind).bytes), bytes) << kind;
        }
    }
}

TEST_F(TrainingRunTest, SaysWhatIsWrong)
{
    ExpectError({"workload.parallel.tp=3"},
                "tp x cp x pp is 12, which does not divide the 16 GPUs");
    ExpectError({"workload.parallel.ep=3"}, "etp x ep x pp is 6");
    ExpectError({"workload.parallel.dp=3"}, "leave dp = 2");
    ExpectError({"workload.parallel.order=tp-pp"}, "expected each of tp, cp, ep, dp, pp once");
    ExpectError({"workload.model.experts=6",
                 "workload.model.expert_groups=1",
                 "workload.model.top_groups=1"},
                "must divide the 6 experts of a layer");
    ExpectError({"workload.batch.global=7"},
                "expected a multiple of 2, which is micro x dp = 1 x 2");
    ExpectError({"workload.batch.sequence=510"}, "cp x tp = 4");
    ExpectError({"workload.layers=5"}, "the model has only 4 layers");
    ExpectError({"workload.microbatches=5"}, "the batch has 4 micro-batches only");
    ExpectError({"workload.layers=1"}, "there are 1 layers for pp x vpp = 2");
    ExpectError({"workload.parallel.vpp=2"}, "set schedule to interleaved");
    ExpectError({"workload.schedule=interleaved"}, "set parallel.pp and parallel.vpp to 2");
    ExpectError({"workload.schedule=zero-bubble", "workload.parallel.vpp=2"},
                "zero-bubble has one chunk of layers on a GPU");
    ExpectError({"workload.schedule=zero-bubble", "workload.recompute=full"},
                "so nothing is computed again");
    ExpectError({"workload.schedule=zero-bubble", "workload.experts=pro-prophet"},
                "set expert_transfers to blocking or overlapped");
    ExpectError(
        {"workload.schedule=dualpipe", "workload.experts={type: plain-ep, capacity_factor: 1}"},
        "set it to plain-ep without these, or schedule to 1f1b");
    ExpectError({"workload.schedule={type: 1f1b, delayed_weights: true}"},
                "set schedule.overlap to exchange");
    ExpectError({"workload.schedule={type: 1f1b, overlap: exchange, delayed_weights: true}",
                 "workload.experts=ultra-ep"},
                "or experts to plain-ep");
    ExpectError(
        {"workload.schedule={type: 1f1b, overlap: exchange}", "workload.experts=pro-prophet"},
        "expert_transfers to overlapped");
    ExpectError({"workload.schedule=zerobubble"}, "did you mean 'zero-bubble'?");
    ExpectError({"workload.parallel.layout=[3]"}, "it has 1 parts for pp x vpp = 2 chunks");
    ExpectError({"workload.parallel.layout=[3, 2]"}, "it has 5 layers, and 4 are run");
    ExpectError({"workload.parallel.layout=[3, -1]"}, "'-1'");
    ExpectError({"workload.parallel.layout=even+embeddings"}, "found even+embeddings");
    ExpectError({"workload.parallel={pp: 16, layout: even+embedding+loss}"},
                "there are 6 layers, those that layout counts as such among them,");
    ExpectError({"workload.parallel.layout=Et|txL"}, "unexpected 'x' at character 5");
    ExpectError({"workload.parallel.layout=tt|tt"}, "E, the embedding, is the first");
    ExpectError({"workload.parallel.layout=Et|ttmL"}, "it has 3 layers, and 4 are run");
    ExpectError({"workload.compute.slow_gpu=16"}, "has only 16 GPUs");
    ExpectError({"workload.exchange={type: pairs, sms: 132}"},
                "a GPU has 132 multiprocessors (compute.sms)");
    ExpectError({"workload.exchange={type: pairs, sms: 78}",
                 "workload.compute={type: profile, device: h20}"},
                "a GPU has 78 multiprocessors");
    ExpectError({"workload.exchange={type: deduplicated, sms: 20}", "workload.compute.sms=20"},
                "a GPU has 20 multiprocessors");
    ExpectError({"workload.compute={type: given, attention: 100000s}"}, "for more than a day");
    ExpectError({"workload.iterations=1000000", "workload.batch.global=2000"}, "more than 2^32");
    ExpectError({"workload.batch.global=4000000"}, "more than 2 million passes");
    ExpectError({"workload.model.heads=9"}, "set kv_heads");
    ExpectError({"workload.model.ffn=0"}, "set ffn");
    ExpectError(
        {"workload.schedule=interleaved", "workload.parallel.vpp=2", "workload.microbatches=3"},
        "needs a multiple of pp = 2");
    ExpectError({"workload.load={type: imbalance, workload: w5}",
                 "workload.model.top_k=9",
                 "workload.model.top_groups=8"},
                "w5 uses the second half");
    ExpectError({"workload.model.top_k=9"}, "4 groups have less than the 9 experts");
    ExpectError({"workload.model.top_k=17"}, "17 different experts out of 16");
}

TEST_F(TrainingRunTest, ALayoutIsAListOrLettersOrEven)
{
    const auto run = [&](const std::string& layout) {
        return RunDone(kTraining, {"engine=flow", "workload.parallel.layout=" + layout});
    };
    const Result even = run("even");
    EXPECT_EQ(run("[2, 2]").fingerprint, even.fingerprint);
    EXPECT_EQ(run("Ett|ttL").fingerprint, even.fingerprint);
    EXPECT_EQ(run("'Et*2|t,tL'").fingerprint, even.fingerprint);
    const Result uneven = run("[3, 1]");
    EXPECT_NE(uneven.fingerprint, even.fingerprint);
    EXPECT_EQ(run("E(t)*3|tL").fingerprint, uneven.fingerprint);
    EXPECT_EQ(GetKind(run("Etttt|L"), "pipeline").bytes, GetKind(even, "pipeline").bytes);
    EXPECT_EQ(run("even+embedding+loss").fingerprint, even.fingerprint);
    EXPECT_EQ(run("even+loss").fingerprint, uneven.fingerprint);
}

TEST_F(TrainingRunTest, LayersOfMultiTokenPredictionAreLayersMore)
{
    const Result result = RunDone(kTraining, {"engine=flow", "workload.parallel.layout=Ett|ttmL"});
    const Result five =
        RunDone(kTraining,
                {"engine=flow", "workload.model.layers=5", "workload.parallel.layout=[2, 3]"});
    for (const char* kind : {"dispatch", "tensor", "pipeline", "expert-data"})
    {
        EXPECT_EQ(GetKind(result, kind).bytes, GetKind(five, kind).bytes) << kind;
    }
    EXPECT_GT(GetKind(result, "data").bytes, GetKind(five, "data").bytes);
    EXPECT_GT(result.graph->computing, five.graph->computing);
    const Result key = RunDone(kTraining, {"engine=flow", "workload.model.mtp_layers=1"});
    EXPECT_EQ(key.fingerprint, result.fingerprint);
    EXPECT_EQ(
        RunDone(kTraining,
                {"engine=flow", "workload.model.mtp_layers=1", "workload.parallel.layout=[2, 2]"})
            .fingerprint,
        result.fingerprint);
    ExpectError({"workload.model.mtp_layers=2", "workload.parallel.layout=Ett|ttmL"},
                "1 layers of multi-token prediction (m), and model.mtp_layers 2");
    EXPECT_TRUE(std::any_of(result.notes.begin(), result.notes.end(), [](const std::string& note) {
        return note.find("multi-token prediction") != std::string::npos;
    }));
}

// Replicas alone: what computing hides makes no difference.
TEST_F(TrainingRunTest, FullyShardedReplicasHideWhatTheyGatherUnderEnoughComputing)
{
    const auto run = [&](const std::string& data, const std::string& attention) {
        return RunDone(kTraining,
                       {"engine=flow",
                        "workload.parallel={ep: 1}",
                        "workload.batch={global: 32, sequence: 128}",
                        "workload.data=" + data,
                        "workload.compute={type: given, attention: " + attention +
                            ", gate: 0s, expert_token: 0s, shared: 0s, dense: 0s, head: " +
                            attention + ", optimizer: 0s}"});
    };
    const auto inSeconds = [](const Result& result) {
        return static_cast<double>(result.iteration) * 1e-12;
    };
    const Result once = run("fsdp", "10ms");
    const Result twice = run("fsdp", "20ms");
    // Two micro-batches of four layers and the head, forward and twice as long back.
    const double more = 2 * 3 * (4 + 1) * 10e-3;
    EXPECT_NEAR(inSeconds(twice) - inSeconds(once), more, 1e-8);
    const double exposed = inSeconds(once) - more;
    EXPECT_GT(exposed, 0); // the first that is gathered, and the last gradients
    EXPECT_LT(exposed, 0.3 * inSeconds(run("fsdp", "0s")));
    EXPECT_GT(inSeconds(run("{type: fsdp, prefetch: 0}", "10ms")), inSeconds(once));
    const Result usual = run("distributed-optimizer", "10ms");
    const Result plain = run("plain", "10ms");
    EXPECT_GT(inSeconds(usual), more);
    EXPECT_GT(GetKind(once, "data").bytes, GetKind(usual, "data").bytes);
    EXPECT_GT(GetKind(plain, "data").bytes, GetKind(usual, "data").bytes);
    // Parameters, of 2 bytes, travel under the way forward, and gradients under the way back.
    EXPECT_LT(inSeconds(run("{overlap_parameters: true}", "10ms")), inSeconds(usual));
    EXPECT_GT(inSeconds(run("{bucket: whole}", "10ms")), inSeconds(usual));
    EXPECT_GT(inSeconds(run("{norm: true}", "10ms")), inSeconds(usual));
    EXPECT_LT(inSeconds(run("{norm: true}", "10ms")), inSeconds(usual) + 1e-3);
}

TEST_F(TrainingRunTest, ReplicasAreCheckedWithPoliciesOfExperts)
{
    ExpectError({"workload.data=fsdp", "workload.experts=ultra-ep"}, "set this, or experts to");
    ExpectError({"workload.data={overlap_parameters: true}", "workload.experts=ultra-ep"},
                "knows distributed-optimizer alone");
    ExpectError({"workload.data={type: fsdp, bucket: 1MB}"}, "bucket");
    ExpectError({"workload.data=plain", "workload.schedule=dualpipe"}, "or another schedule");
    // Passes that are merged exchange the same.
    for (const std::string data : {"fsdp", "{bucket: whole, overlap_parameters: true}"})
    {
        const auto run = [&](const std::string& schedule) {
            return RunDone(kTraining,
                           {"engine=flow",
                            "workload.data=" + data,
                            "workload.schedule={type: 1f1b, " + schedule + "}"});
        };
        const Result usual = run("overlap: none");
        for (const char* schedule :
             {"overlap: exchange", "overlap: exchange, delayed_weights: true"})
        {
            const Result merged = run(schedule);
            EXPECT_EQ(merged.bytes, usual.bytes) << data << ", " << schedule;
            EXPECT_EQ(GetKind(merged, "expert-data").nodes, GetKind(usual, "expert-data").nodes);
        }
    }
    // Tokens are dropped, but experts stay.
    const auto run = [](const std::string& data) {
        return RunDone(kTraining,
                       {"engine=flow",
                        "workload.experts={type: plain-ep, capacity_factor: 1}",
                        "workload.data=" + data});
    };
    EXPECT_GT(GetKind(run("fsdp"), "expert-data").bytes,
              GetKind(run("distributed-optimizer"), "expert-data").bytes);
}

TEST_F(TrainingRunTest, ZeroBubbleIsShorterInBothEnginesAndMovesTheSame)
{
    const Sets zero{"workload.schedule=zero-bubble", "workload.compute.peak=1e11"};
    const Sets flow{"engine=flow", zero[0], zero[1]};
    const Result usual = RunDone(kTraining, {"engine=flow", zero[1]});
    const Result byFlow = RunDone(kTraining, flow);
    const Result byFrames = RunDone(kTraining, zero);
    EXPECT_EQ(byFlow.bytes, usual.bytes);
    EXPECT_EQ(byFrames.bytes, usual.bytes);
    EXPECT_LT(byFlow.iteration, usual.iteration);
    EXPECT_NEAR(static_cast<double>(byFrames.iteration) / static_cast<double>(byFlow.iteration),
                1,
                0.01);
}

// What is dropped is decided before an expert computes: its gradients come as without a capacity.
TEST_F(TrainingRunTest, ACapacityGoesWithGradientsOfParametersThatComeLater)
{
    for (const char* engine : {"engine=flow", "engine=frames"})
    {
        const auto run = [&](const std::string& schedule) {
            return RunDone(kTraining,
                           {engine,
                            "workload.schedule=" + schedule,
                            "workload.experts={type: plain-ep, capacity_factor: 1}",
                            "workload.load=imbalance"});
        };
        const Result usual = run("1f1b");
        for (const char* schedule :
             {"zero-bubble", "{type: 1f1b, overlap: exchange, delayed_weights: true}"})
        {
            const Result other = run(schedule);
            EXPECT_LT(other.iteration, usual.iteration) << schedule;
            EXPECT_GE(other.cct, other.lowerBound) << schedule;
            for (const KindRecord& kind : usual.graph->kinds)
            {
                EXPECT_EQ(GetKind(other, kind.name).bytes, kind.bytes) << kind.name;
            }
            EXPECT_NEAR(static_cast<double>(GetKind(other, "experts").busy),
                        static_cast<double>(GetKind(usual, "experts").busy),
                        1e-6 * static_cast<double>(GetKind(usual, "experts").busy));
        }
    }
}

TEST_F(TrainingRunTest, MergedPassesAreShorterInBothEnginesAndMoveTheSame)
{
    for (const char* parallel :
         {"{tp: 2, cp: 2, pp: 1, ep: 16}", "{tp: 2, pp: 2, vpp: 2, ep: 8, etp: 1}"})
    {
        const bool interleaves = std::string(parallel).find("vpp") != std::string::npos;
        const std::string type = interleaves ? "{type: interleaved, " : "{type: 1f1b, ";
        const auto run = [&](const std::string& overlap, bool isFlow) {
            Sets sets{std::string("workload.parallel=") + parallel,
                      "workload.batch.global=32",
                      "workload.compute.peak=1e12",
                      "workload.schedule=" + type + overlap + "}"};
            if (isFlow)
            {
                sets.emplace_back("engine=flow");
            }
            return RunDone(kTraining, sets);
        };
        const Result usual = run("overlap: none", true);
        const Result byFlow = run("overlap: exchange", true);
        const Result byFrames = run("overlap: exchange", false);
        const Result delayed = run("overlap: exchange, delayed_weights: true", true);
        EXPECT_EQ(byFlow.bytes, usual.bytes);
        EXPECT_EQ(byFrames.bytes, usual.bytes);
        EXPECT_EQ(delayed.bytes, usual.bytes);
        EXPECT_EQ(byFlow.matrixHash, usual.matrixHash);
        EXPECT_LT(byFlow.iteration, usual.iteration);
        EXPECT_LT(delayed.iteration, usual.iteration);
        EXPECT_NEAR(static_cast<double>(byFrames.iteration) / static_cast<double>(byFlow.iteration),
                    1,
                    0.03);
    }
}

// Every piece of computing is longer than the exchange beside it, so each exchange costs what its
// kernels take of the GPU meanwhile.
TEST_F(TrainingRunTest, HiddenExchangesCostWhatTheirKernelsTakeFromComputing)
{
    const std::string text = "topology: {type: rail, domains: 2, gpus_per_domain: 1}\n"
                             "transport: {congestion_control: none}\n"
                             "switch: {buffer: 1GiB}\n"
                             "balance: rail-source\n"
                             "workload:\n"
                             "  type: training\n"
                             "  model: {type: mixtral-8x7b, layers: 2, hidden: 256}\n"
                             "  parallel: {ep: 2}\n"
                             "  batch: {sequence: 256}\n"
                             "  compute: {type: given, attention: 300us, expert_token: 1us}\n"
                             "  load: {type: imbalance, workload: w0}\n";
    for (const char* engine : {"engine=flow", "engine=frames"})
    {
        const auto measure = [&](const std::string& schedule, const std::string& exchange) {
            const auto run = [&](uint32_t microbatches) {
                return RunDone(text,
                               {engine,
                                "workload.schedule={type: 1f1b, overlap: " + schedule + "}",
                                "workload.exchange={type: pairs, sms: " + exchange + "}",
                                "workload.batch.global=" + std::to_string(2 * microbatches)})
                    .cct;
            };
            return static_cast<double>(run(6) - run(5));
        };
        const double computed = 2 * 3 * (300e6 + 512e6); // two layers
        const double exchanges = measure("none", "0") - computed;
        EXPECT_GT(exchanges, 2 * 4 * 1e6);
        EXPECT_NEAR(measure("exchange", "0"), computed, 10);
        EXPECT_NEAR(measure("exchange", "33"), computed + exchanges / 4, 0.001 * exchanges);
        EXPECT_NEAR(measure("none", "33"), computed + exchanges, 10) << "nothing is beside them";
    }
}

TEST_F(TrainingRunTest, LayersWithoutExpertsHaveNoLoadsOfThem)
{
    const Result result = RunDone(kTraining, {"engine=flow", "workload.model.dense_layers=4"});
    std::size_t unknown = 0;
    for (const auto& [key, value] : result.graphFigures)
    {
        unknown += key.rfind("expert_max_over_mean", 0) == 0 && std::isnan(value) ? 1 : 0;
    }
    EXPECT_EQ(unknown, 3U);
    EXPECT_NE(std::find(result.notes.begin(),
                        result.notes.end(),
                        "none of the layers that are run has experts"),
              result.notes.end());
}

TEST_F(TrainingRunTest, APolicyThatLooksBackOverATraceThatBeginsAnewIsWarnedOf)
{
    const TemporaryFolder folder;
    std::string text = "iteration,layer,microbatch,rank";
    for (uint32_t expert = 0; expert < 16; ++expert)
    {
        text += ",e" + std::to_string(expert);
    }
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        text += "\n0,0,0," + std::to_string(rank) + ",64";
        for (uint32_t expert = 1; expert < 16; ++expert)
        {
            text += ",16";
        }
    }
    const std::string path = folder.Write("one.csv", text + "\n");
    const auto count = [&](const std::string& policy) {
        const Result result = RunDone(kTraining,
                                      {"engine=flow",
                                       "workload.warm_up=1",
                                       "workload.load={type: trace, path: '" + path + "'}",
                                       "workload.experts=" + policy});
        return std::count_if(result.notes.begin(), result.notes.end(), [](const auto& note) {
            return note.rfind("warning: the policy of experts looks back at loads that begin anew "
                              "after 1 iteration, and 2 are run",
                              0) == 0;
        });
    };
    EXPECT_EQ(count("{type: eplb, slots: 1, window: 1}"), 1);
    EXPECT_EQ(count("plain-ep"), 0);
    EXPECT_EQ(count("{type: ultra-ep, min_tokens: 1}"), 0);
}

TEST_F(TrainingRunTest, SaysHowOldTheTrainingIs)
{
    const auto find = [](const std::string& load) {
        std::vector<double> found;
        for (const auto& [key, value] :
             RunDone(kTraining, {"engine=flow", "workload.load=" + load}).graphFigures)
        {
            if (key == "load_first_iteration")
            {
                found.push_back(value);
            }
        }
        return found;
    };
    EXPECT_EQ(find("{type: synthetic, first_iteration: 7}"), std::vector<double>{7});
    EXPECT_EQ(find("synthetic"), std::vector<double>{5000});
    EXPECT_EQ(find("imbalance"), std::vector<double>());
}

TEST_F(TrainingRunTest, ThatCopiesOfImbalanceAreFewIsSaidWhereCopiesAreSent)
{
    const auto isSaid = [](const std::string& load, const std::string& exchange) {
        const Result result =
            RunDone(kTraining,
                    {"engine=flow", "workload.load=" + load, "workload.exchange=" + exchange});
        return std::any_of(result.notes.begin(), result.notes.end(), [](const std::string& note) {
            return note.find("follow each other") != std::string::npos;
        });
    };
    EXPECT_TRUE(isSaid("imbalance", "deduplicated"));
    EXPECT_FALSE(isSaid("imbalance", "pairs"));
    EXPECT_FALSE(isSaid("synthetic", "deduplicated"));
}

TEST_F(TrainingRunTest, ThePublishedBoundIsOfPhasesAlone)
{
    const Result result =
        RunDone(kTraining,
                {"engine=flow", "topology={type: rail, domains: 16, gpus_per_domain: 1}"});
    EXPECT_FALSE(result.publishedBound.has_value());
}

// Gradients leave a server by all of its NICs, so that no scheme wins by spreading one ring.
TEST_F(TrainingRunTest, SchemesDoNotDifferByWhatRingsLeaveOneNicWith)
{
    RAILS_LONG_CASE();
    const std::string text =
        "topology: {type: rail, domains: 4, gpus_per_domain: 8, nic_rate: 400Gbps}\n"
        "transport: {congestion_control: none}\n"
        "engine: flow\n"
        "workload:\n"
        "  type: training\n"
        "  model: {type: deepseek-v3, layers: 8}\n"
        "  parallel: {tp: 1, pp: 1, ep: 16}\n"
        "  batch: {micro: 1, global: 64, sequence: 4096}\n"
        "  load: {type: synthetic, preset: loss-free}\n";
    const auto run = [&](const std::string& balance, const std::string& how) {
        const Result result = RunDone(text, {"balance=" + balance, "workload.collectives=" + how});
        return static_cast<double>(result.iteration);
    };
    const double source = run("rail-source", "{}");
    EXPECT_NEAR(run("rails", "{}") / source, 1, 0.01);
    EXPECT_NEAR(run("{type: rail-source, other: even-split}", "{}") / source, 1, 0.01);
    EXPECT_GT(run("rail-source", "{algorithm: ring, rings: 1}") / source, 1.4);
}

TEST_F(TrainingRunTest, SaysHowItsCollectivesAreDone)
{
    const Result result = RunDone(kTraining, {"engine=flow", "workload.parallel={tp: 2, ep: 4}"});
    std::map<std::string, std::set<std::string>> ways;
    for (const CollectiveRecord& record : result.graph->collectives)
    {
        ways[result.graph->kinds[record.kind].name].insert(record.algorithm + " " +
                                                           std::to_string(record.rings));
    }
    const std::map<std::string, std::set<std::string>> expected{
        {"tensor", {"ring 1"}},
        {"data", {"hierarchical 2", "ring 2"}}, // few bytes, and more
        {"expert-data", {"ring 1"}}};
    EXPECT_EQ(ways, expected);
    ExpectError({"workload.collectives={algorithm: hierarchical, rings: 3}"},
                "hierarchical has a ring for each place on a server");
}

TEST_F(TrainingRunTest, WhatIsComputedAgainIsOneWordOrAList)
{
    const std::string model = "workload.layers=2";
    const auto run = [&](const std::string& recompute) {
        return RunDone(kTraining, {"engine=flow", model, "workload.recompute=" + recompute})
            .graph->computing;
    };
    const double none = run("none");
    const double projected = run("[mla_up_proj]");
    const double full = run("full");
    EXPECT_GT(projected, none);
    EXPECT_GT(full, projected);
    ExpectError({"workload.recompute=mla_up_proj"}, "unknown word 'mla_up_proj'");
    ExpectError({"workload.recompute=[full]"}, "unknown word 'full'");
    ExpectError({"workload.recompute=[]"}, "or a list of mla_up_proj, core_attn");
    const double parts = run("[mla_up_proj, core_attn, mlp, moe, shared_experts, moe_act]");
    EXPECT_GT(parts, run("[mla_up_proj, moe_act, layernorm]"));
    EXPECT_LT(parts, full);
    EXPECT_EQ(run("[moe_act, layernorm]"), none);
    ExpectError({"workload.recompute=[mla_up_proj, mla_up_proj]"}, "is there twice");
}

// An own simulator of the graph, with a queue for each kind of traffic, has the same times
// (three cases of it).
TEST_F(TrainingRunTest, KindsOfTrafficDoNotWaitForEachOther)
{
    const std::string text =
        "topology: {type: rail, domains: 2, gpus_per_domain: 4, link_delay: 500ns, "
        "nic_rate: 100Gbps, nvlink_rate: 1600Gbps}\n"
        "balance: rail-source\n"
        "transport: {congestion_control: none}\n"
        "engine: flow\n"
        "workload:\n"
        "  type: training\n"
        "  model: {type: mixtral-8x7b, hidden: 1024, layers: 4, heads: 8, kv_heads: 4,\n"
        "    head_width: 128, experts: 4, expert_ffn: 2048, top_k: 2, vocabulary: 1000}\n"
        "  batch: {global: 8, sequence: 512}\n"
        "  load: {type: imbalance, workload: w0}\n"
        "  collectives: {algorithm: ring, rings: 1}\n";

    const struct
    {
        Sets sets;
        double separate; // ms, of the own simulator
        double shared;   // likewise with one queue for all
    } cases[] = {
        {{"workload.parallel={tp: 2, pp: 2, ep: 2, etp: 2, order: tp-pp-cp-ep-dp}"}, 3.776, 3.998},
        {{"workload.parallel={pp: 2, ep: 2, order: tp-pp-cp-dp-ep}"}, 6.001, 6.312},
        {{"workload.parallel={pp: 4, ep: 2, vpp: 2}",
          "workload.batch.global=16",
          "workload.model.layers=16",
          "workload.schedule=interleaved"},
         6.002,
         6.206}};

    for (const auto& one : cases)
    {
        for (const bool isShared : {false, true})
        {
            Sets sets = one.sets;
            sets.push_back(std::string("workload.communicators=") +
                           (isShared ? "shared" : "separate"));
            const double expected = isShared ? one.shared : one.separate;
            EXPECT_NEAR(static_cast<double>(RunDone(text, sets).iteration) * 1e-9,
                        expected,
                        expected * 1e-3)
                << one.sets.front();
        }
    }
}

} // namespace ns3::rails
