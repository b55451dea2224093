// SPDX-License-Identifier: GPL-2.0-only
#include "graph-fixtures.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Sixteen servers, four replicas of two stages of two servers: all that is sent divides by 16.
const std::string kReplicas =
    "topology: {type: rail, domains: 16, gpus_per_domain: 4, nic_rate: 100Gbps, spines: 0}\n"
    "balance: {type: rails, tie: lowest}\n"
    "transport: {congestion_control: none}\n"
    "engine: {type: flow}\n"
    "workload:\n"
    "  type: training\n"
    "  model: {type: mixtral-8x7b, layers: 4, hidden: 512, heads: 8, kv_heads: 4, head_width: 64,\n"
    "    ffn: 1024, experts: 8, expert_ffn: 512, vocabulary: 32000, top_k: 2}\n"
    "  parallel: {pp: 2, ep: 8}\n"
    "  batch: {micro: 1, global: 64, sequence: 128}\n"
    "  load: {type: imbalance, workload: w1}\n";

/// Runs trainings with and without a fold.
class FoldedRunTest : public GraphTest
{
  protected:
    struct Both
    {
        Result folded;
        Result whole;
    };

    static Both RunBoth(const Sets& sets = {})
    {
        Sets off = sets;
        off.emplace_back("engine.symmetry=off");
        return {RunDone(kReplicas, sets), RunDone(kReplicas, off)};
    }

    /// Runs both, which must come to the same: nothing was folded, for a reason that has the words.
    static void ExpectWhole(const Sets& sets, const std::string& words)
    {
        const Both both = RunBoth(sets);
        ASSERT_TRUE(both.folded.symmetry);
        EXPECT_EQ(both.folded.symmetry->computed, both.folded.symmetry->replicas);
        EXPECT_NE(both.folded.symmetry->reason.find(words), std::string::npos)
            << both.folded.symmetry->reason;
        EXPECT_EQ(both.folded.fingerprint, both.whole.fingerprint);
    }

    /// Runs both, which must be close, though not all replicas are run.
    static void ExpectClose(const Sets& sets)
    {
        const Both both = RunBoth(sets);
        ASSERT_TRUE(both.folded.symmetry);
        EXPECT_LT(both.folded.symmetry->computed, both.folded.symmetry->replicas)
            << both.folded.symmetry->reason;
        EXPECT_NEAR(static_cast<double>(both.folded.cct),
                    static_cast<double>(both.whole.cct),
                    0.005 * static_cast<double>(both.whole.cct));
        EXPECT_EQ(both.folded.bytes, both.whole.bytes);
        EXPECT_EQ(both.folded.messageRecords.size(), both.whole.messageRecords.size());
        for (std::size_t i = 0; i < both.whole.portRecords.size(); ++i)
        {
            EXPECT_NEAR(static_cast<double>(both.folded.portRecords[i].bytes),
                        static_cast<double>(both.whole.portRecords[i].bytes),
                        1e-4 * static_cast<double>(both.whole.portRecords[i].bytes) + 2)
                << "port " << i;
        }
    }

    static void ExpectEqual(const Both& both)
    {
        const Result& folded = both.folded;
        const Result& whole = both.whole;
        EXPECT_EQ(folded.cct, whole.cct);
        EXPECT_EQ(folded.cctSender, whole.cctSender);
        EXPECT_EQ(folded.bytes, whole.bytes);
        EXPECT_EQ(folded.messages, whole.messages);
        EXPECT_EQ(folded.matrixHash, whole.matrixHash);
        EXPECT_EQ(folded.lowerBoundParts, whole.lowerBoundParts);
        EXPECT_EQ(folded.slowestFlow, whole.slowestFlow);
        EXPECT_EQ(folded.nicTxBytes, whole.nicTxBytes);
        EXPECT_EQ(folded.nicRxBytes, whole.nicRxBytes);
        ExpectEqualMessages(folded.messageRecords, whole.messageRecords);
        ASSERT_EQ(folded.portRecords.size(), whole.portRecords.size());
        for (std::size_t i = 0; i < whole.portRecords.size(); ++i)
        {
            const auto list = [](const PortRecord& port) {
                return std::tie(port.node, port.port, port.peer, port.bytes, port.busy);
            };
            EXPECT_EQ(list(folded.portRecords[i]), list(whole.portRecords[i])) << "port " << i;
        }
        EXPECT_EQ(folded.graph->nodes, whole.graph->nodes);
        for (std::size_t i = 0; i < whole.graph->kinds.size(); ++i)
        {
            const auto list = [](const KindRecord& kind) {
                return std::tie(kind.name, kind.nodes, kind.bytes, kind.critical, kind.end);
            };
            const KindRecord& own = folded.graph->kinds[i];
            const KindRecord& its = whole.graph->kinds[i];
            EXPECT_EQ(list(own), list(its)) << its.name;
            EXPECT_DOUBLE_EQ(own.busy, its.busy) << its.name;
            EXPECT_DOUBLE_EQ(own.exposed, its.exposed) << its.name;
        }
    }

  private:
    static void ExpectEqualMessages(const std::vector<MessageRecord>& folded,
                                    const std::vector<MessageRecord>& whole)
    {
        ASSERT_EQ(folded.size(), whole.size());
        const auto list = [](const MessageRecord& message) {
            return std::tie(message.id,
                            message.pair,
                            message.source,
                            message.destination,
                            message.kind,
                            message.rail,
                            message.bytes,
                            message.start,
                            message.end);
        };
        for (std::size_t i = 0; i < whole.size(); ++i)
        {
            ASSERT_EQ(list(folded[i]), list(whole[i])) << "message " << i;
        }
    }
};

} // namespace

TEST_F(FoldedRunTest, TwoReplicasAnswerForAllInEveryRecord)
{
    const Both both = RunBoth();
    ASSERT_TRUE(both.folded.symmetry);
    EXPECT_EQ(both.folded.symmetry->replicas, 4U);
    EXPECT_EQ(both.folded.symmetry->computed, 2U);
    EXPECT_FALSE(both.whole.symmetry);
    ExpectEqual(both);
}

TEST_F(FoldedRunTest, ServersOfAGroupThatExchangeTokensAnswerForEachOther)
{
    const Both both = RunBoth({"balance=rail-source", "workload.load.workload=w0"});
    ASSERT_TRUE(both.folded.symmetry);
    EXPECT_EQ(both.folded.symmetry->replicas, 8U) << both.folded.symmetry->reason;
    EXPECT_EQ(both.folded.symmetry->computed, 2U);
    ExpectEqual(both);
    EXPECT_EQ(both.folded.fingerprint, both.whole.fingerprint);
}

TEST_F(FoldedRunTest, EqualMicrobatchesAreLeftOutOfReplicasThatAnswerForAll)
{
    const Sets sets{"workload.fast_forward=true", "workload.batch.global=512"};
    const Both both = RunBoth(sets);
    ASSERT_TRUE(both.folded.symmetry);
    EXPECT_EQ(both.folded.symmetry->computed, 2U) << both.folded.symmetry->reason;
    ASSERT_TRUE(both.folded.forward);
    EXPECT_LT(both.folded.forward->unitsRun, both.folded.forward->units);
    ExpectEqual(both);
}

TEST_F(FoldedRunTest, BalancersThatBeginElsewhereOnEachServerFoldWhereTheyRepeat)
{
    // Another rail first on each server: two replicas of two servers each are one.
    ExpectWhole({"balance.tie=rotated"}, "no whole servers");
    const Both both =
        RunBoth({"balance.tie=rotated", "topology.domains=32", "workload.batch.global=128"});
    EXPECT_EQ(both.folded.symmetry->replicas, 4U);
    ExpectEqual(both);
}

TEST_F(FoldedRunTest, RandomTrainingsEndAtTheSamePicosecond)
{
    RAILS_LONG_CASE();
    std::mt19937 random(36);
    const auto draw = [&random](const std::vector<std::string>& from) {
        return from[random() % from.size()];
    };
    uint32_t folded = 0;
    for (uint32_t i = 0; i < 20; ++i)
    {
        const Sets sets{"workload.load.workload=" + draw({"w0", "w1", "w3", "w4", "w5"}),
                        "workload.collectives.algorithm=" +
                            draw({"automatic", "ring", "hierarchical"}),
                        "workload.exchange=" +
                            draw({"pairs", "deduplicated", "{type: deduplicated, piece: 10KB}"}),
                        "workload.communicators=" + draw({"separate", "shared"}),
                        "workload.schedule=" + draw({"1f1b", "zero-bubble"}),
                        "workload.model.shared_ffn=" + draw({"0", "512"}),
                        "workload.parallel=" + draw({"{pp: 2, ep: 8}",
                                                     "{pp: 1, ep: 8}",
                                                     "{pp: 2, ep: 4}",
                                                     "{pp: 2, ep: 4, etp: 2, tp: 2}",
                                                     "{pp: 4, ep: 4, cp: 2}"}),
                        "workload.iterations=" + draw({"1", "2"}),
                        "topology.link_delay=" + draw({"100ns", "2us"}),
                        "balance=" + draw({"rail-source",
                                           "rail-destination",
                                           "even-split",
                                           "affine",
                                           "{type: rails, chunk: 64KB, tie: lowest}"})};
        const Both both = RunBoth(sets);
        folded += both.folded.symmetry && both.folded.symmetry->computed == 2 ? 1 : 0;
        ExpectEqual(both);
        if (HasFailure())
        {
            for (const std::string& set : sets)
            {
                ADD_FAILURE() << set;
            }
            return;
        }
    }
    EXPECT_GE(folded, 12U);
}

TEST_F(FoldedRunTest, MergedPassesFold)
{
    RAILS_LONG_CASE();
    const std::string merged =
        "workload.schedule={type: 1f1b, overlap: exchange, delayed_weights: true}";
    for (const Sets& sets : {Sets{merged, "workload.parallel={pp: 1, ep: 8}"},
                             Sets{merged, "workload.parallel={pp: 2, ep: 4, etp: 2, tp: 2}"},
                             Sets{"workload.schedule=dualpipe", "workload.batch.global=256"}})
    {
        const Both both = RunBoth(sets);
        EXPECT_TRUE(both.folded.symmetry && both.folded.symmetry->computed == 2) << sets.back();
        ExpectEqual(both);
    }
}

TEST_F(FoldedRunTest, ASlowGpuSplitsReplicas)
{
    ExpectWhole({"workload.compute.slow_gpu=37", "workload.compute.slow_factor=1.5"},
                "compute or send");
}

TEST_F(FoldedRunTest, UnlikeLoadsSplitReplicas)
{
    ExpectWhole({"workload.load={type: synthetic, preset: uniform}"}, "compute or send");
}

TEST_F(FoldedRunTest, PartsOfARingThatDifferByAByteSplitReplicasUnlessItNeedBeCloseOnly)
{
    const Sets odd{"topology.domains=12", "workload.batch.global=48"}; // three replicas
    ExpectWhole(odd, "data)");
    Sets close = odd;
    close.emplace_back("engine.symmetry=close");
    ExpectClose(close);
}

TEST_F(FoldedRunTest, AFailureSplitsReplicas)
{
    ExpectWhole({"failures={schedule: [{at: 10us, nic: server15-nic0, rate: 50Gbps}]}"}, "fails");
}

TEST_F(FoldedRunTest, WhatEndsAtOnceComesInTheSameOrderInAllReplicas)
{
    RAILS_LONG_CASE();
    // Rings of several lanes inside servers: to the first replica they come from the last one.
    const Sets sets{"workload.load.workload=w3",
                    "workload.collectives.algorithm=ring",
                    "workload.schedule=zero-bubble",
                    "workload.parallel={pp: 2, ep: 4}",
                    "workload.iterations=2",
                    "topology.link_delay=100ns",
                    "balance={type: rails, chunk: 64KB, tie: lowest}"};
    const Both both = RunBoth(sets);
    ASSERT_TRUE(both.folded.symmetry);
    EXPECT_EQ(both.folded.symmetry->computed, 2U) << both.folded.symmetry->reason;
    ExpectEqual(both);
    EXPECT_EQ(both.folded.fingerprint, both.whole.fingerprint);
    Sets close = sets;
    close.emplace_back("engine.symmetry=close");
    ExpectClose(close);
}

TEST_F(FoldedRunTest, WhatIsRecordedGpuByGpuSplitsReplicas)
{
    RAILS_LONG_CASE();
    ExpectWhole({"record.explain=true"}, "(record)");
    ExpectWhole({"record.timeline=true"}, "(record)");
}

TEST_F(FoldedRunTest, BalancersThatTellServersApartSplitReplicas)
{
    RAILS_LONG_CASE();
    ExpectWhole({"balance=random"}, "balancer");
    ExpectWhole({"balance={type: rail-source, other: ecmp}", "topology.spines=4"}, "balancer");
}

TEST_F(FoldedRunTest, CablesBetweenSwitchesThatReplicasShareSplitThem)
{
    RAILS_LONG_CASE();
    ExpectWhole({"topology.leaf_ports=8", "topology.rail_spines=4"}, "share cables");
    ExpectWhole({"topology.leaf_ports=8", "topology.rail_spines=4", "engine.symmetry=close"},
                "not everything spreads");
    ExpectWhole({"balance={type: affine, arrival: near}", "topology.spines=4"}, "share cables");
    const Both both = RunBoth({"topology.spines=4"});
    EXPECT_EQ(both.folded.symmetry->computed, 2U) << "nothing crosses the spines";
    ExpectEqual(both);
}

TEST_F(FoldedRunTest, OverCablesThatAllShareTwoReplicasHaveTheirPartOfThem)
{
    // Each stage has leaves of its own, whose uplinks carry what all replicas send to the other.
    ExpectClose({"topology.leaf_ports=8",
                 "topology.rail_spines=2",
                 "topology.uplink_rate=100Gbps",
                 "balance.host=spray",
                 "engine.symmetry=close"});
}

TEST_F(FoldedRunTest, ReplicasUnderLeavesOfTheirOwnFoldOverSpines)
{
    ExpectClose({"topology.leaf_ports=2",
                 "topology.rail_spines=1",
                 "balance.host=spray",
                 "engine.symmetry=close"});
}

TEST_F(FoldedRunTest, ANeighbourJobLeavesReplicasAsTheyAre)
{
    std::string jobs = kReplicas;
    const std::size_t at = jobs.find("workload:\n");
    std::string training = jobs.substr(at + std::string("workload:\n").size());
    jobs.resize(at);
    for (std::size_t line = 0; line < training.size(); line = training.find('\n', line) + 1)
    {
        training.insert(line, "      ");
    }
    jobs += "workload:\n  type: jobs\n  jobs:\n    training:\n"
            "      placement: {type: contiguous, servers: 8}\n      workload:\n" +
            training +
            "    neighbour:\n      placement: {type: contiguous, servers: 8}\n      workload:\n"
            "        type: all-to-all\n        matrix: {type: uniform, bytes_per_pair: 1MB}\n";
    const Sets wide{"topology.domains=24",
                    "workload.jobs.training.placement.servers=16",
                    "workload.jobs.neighbour.placement.servers=8"};
    const Result exact = RunDone(jobs, wide);
    EXPECT_FALSE(exact.symmetry);
    EXPECT_EQ(exact.jobs.size(), 2U);
    Sets off = wide;
    off.emplace_back("engine.symmetry=off");
    EXPECT_EQ(exact.fingerprint, RunDone(jobs, off).fingerprint);
}

} // namespace ns3::rails
