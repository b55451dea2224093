// SPDX-License-Identifier: GPL-2.0-only
#include "run-experiment-fixtures.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::rails
{

class WorkloadRunTest : public RunTest
{
  protected:
    // The paper's set-up, small: 16 hosts, messages of 64 frames.
    static inline const std::string kFatTree =
        "topology: {type: fat-tree, k: 4, nic_rate: 800Gbps, link_delay: 500ns}\n"
        "switch: {pfc: false, port_buffer: 800KB}\n"
        "transport: {congestion_control: fixed-rate, loss_recovery: ideal, qp_per: message,"
        " ack_class: data}\n"
        "balance: {type: ecmp}\n"
        "watchdog: {no_progress_after: 1ms}\n";
    static inline const std::string kPermutation = "workload: {type: permutation, bytes: 256KiB}\n";
    TemporaryFolder m_folder;
    static inline const std::string kCoreLinkDown =
        "schedule: [{at: 0s, link: [pod0-agg0, core0], state: down}]}\n";
};

TEST_F(WorkloadRunTest, EveryWorkloadKeepsItsBoundsAndIgnoresTheScheduler)
{
    const std::string file = (m_folder.GetPath() / "connections.csv").string();
    std::ofstream(file) << "0,5,100000\n3,5,50000,2us\n0,5,7\n9,1,200000,1us\n";
    for (const std::string& workload : {std::string("{type: permutation, bytes: 100KB}"),
                                        std::string("{type: incast, senders: 5, receiver: 3}"),
                                        std::string("{type: ring, bytes: 300KB}"),
                                        "{type: connections, path: \"" + file + "\"}"})
    {
        SCOPED_TRACE(workload);
        const std::string text = kFatTree + "workload: " + workload + "\n";
        const Result heap = Run(text);
        EXPECT_EQ(heap.status, RunStatus::Done) << heap.report;
        EXPECT_GT(heap.lowerBound, 0);
        EXPECT_GE(heap.cct, heap.lowerBound);
        EXPECT_GE(heap.cctSender, heap.lowerBoundSender);
        const Result list = Run(text, {}, "ns3::ListScheduler");
        EXPECT_EQ(GetFingerprint(list), GetFingerprint(heap));
    }
}

/// Two hosts that send each other 64 B, under one leaf or two.
class LatencyRunTest : public RunTest,
                       public ::testing::WithParamInterface<std::tuple<std::string, bool>>
{
  protected:
    /// \return when both have theirs
    static TimePs RunTwo(const std::vector<std::string>& more)
    {
        const auto& [engine, isApart] = GetParam();
        std::vector<std::string> sets{"engine=" + engine,
                                      "topology.leaf_ports=" + std::string(isApart ? "1" : "2")};
        sets.insert(sets.end(), more.begin(), more.end());
        const Result result =
            Run("topology: {type: leaf-spine, domains: 2, spines: 2, link_delay: 50ns}\n"
                "transport: {congestion_control: none}\n"
                "workload: {type: permutation, bytes: 64B}\n"
                "balance: ecmp\n",
                sets);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        EXPECT_GE(result.cct, result.lowerBound);
        return result.cct;
    }
};

TEST_P(LatencyRunTest, AMessageTakesLongerByThoseOnItsWay)
{
    const TimePs switches = std::get<bool>(GetParam()) ? 3 : 1;
    const TimePs without = RunTwo({});
    EXPECT_EQ(RunTwo({"topology.nic_latency=701ns"}), without + 2 * 701'000);
    EXPECT_EQ(RunTwo({"topology.switch_latency=300ns"}), without + switches * 300'000);
    EXPECT_EQ(RunTwo({"topology.nic_latency=701ns", "topology.switch_latency=300ns"}),
              without + 2 * 701'000 + switches * 300'000);
}

// arXiv 2505.09343, Table 5, within 1 %: 64 B under one leaf, and across.
TEST_P(LatencyRunTest, ThoseOfDeepSeeksFabricsFollowFromTwoNumbers)
{
    const bool isApart = std::get<bool>(GetParam());
    const TimePs roce = RunTwo({"topology.nic_latency=1270ns", "topology.switch_latency=950ns"});
    EXPECT_NEAR(roce, isApart ? 5'600'000 : 3'600'000, 0.01 * roce);
    const TimePs infiniband =
        RunTwo({"topology.nic_latency=1150ns", "topology.switch_latency=400ns"});
    EXPECT_NEAR(infiniband, isApart ? 3'700'000 : 2'800'000, 0.01 * infiniband);
}

INSTANTIATE_TEST_SUITE_P(Latencies,
                         LatencyRunTest,
                         ::testing::Combine(::testing::Values("frames", "flow"), ::testing::Bool()),
                         [](const auto& info) {
                             return std::get<0>(info.param) +
                                    (std::get<1>(info.param) ? "_across" : "_leaf");
                         });

TEST_F(WorkloadRunTest, SeedsDrawPermutationsAndSchemesDoNot)
{
    const Result once = Run(kFatTree + kPermutation);
    const Result other = Run(kFatTree + kPermutation, {"balance.host=reps"});
    EXPECT_EQ(other.matrixHash, once.matrixHash);
    EXPECT_NE(Run("seed: 2\n" + kFatTree + kPermutation).matrixHash, once.matrixHash);
}

TEST_F(WorkloadRunTest, CompletionTimesAreMeasuredByThePublishedBound)
{
    const Result result = Run(kFatTree + kPermutation, {"balance.host=destination-rotation"});
    // m = 64 frames, all sent before the first ACK: 63 * 41.78 ns and a round trip of 6.25332 us.
    EXPECT_EQ(result.publishedBound, 63 * 41'780 + 6'253'320);
    const Result slow = Run(kFatTree + kPermutation,
                            {"topology.nic_latency=100ns", "topology.switch_latency=200ns"});
    EXPECT_EQ(*slow.publishedBound, *result.publishedBound + 2 * (2 * 100'000 + 5 * 200'000));
    EXPECT_FALSE(result.rhoMax) << "nothing failed and nobody asked";
    ASSERT_TRUE(result.GetCctIncrease());
    EXPECT_GT(*result.GetCctIncrease(), 0);
    EXPECT_LT(*result.GetCctIncrease(), 0.1);
    EXPECT_FALSE(Run(kFatTree + "workload: {type: incast, bytes: 9KB}\n").publishedBound);
}

TEST_F(WorkloadRunTest, RingsReportBandwidthAsNcclTestsDo)
{
    const Result result = Run(kFatTree + "workload: {type: ring, bytes: 1600KB}\n");
    EXPECT_EQ(result.bytes, 16u * 30 * 100'000);
    const double algorithm = 1.6e6 / (static_cast<double>(result.cct) / 1e12);
    EXPECT_NEAR(*result.algorithmBandwidth, algorithm, 1);
    EXPECT_NEAR(*result.busBandwidth, algorithm * 30 / 16, 1);
    EXPECT_EQ(result.lowerBoundBinding, "chain");
}

TEST_F(WorkloadRunTest, BusBandwidthIsTheNicsRateAtTheBusierEnd)
{
    const std::string text = "topology: {type: rail, domains: 4, gpus_per_domain: 1, nic_rate: "
                             "400Gbps}\ntransport: {congestion_control: none}\nbalance: "
                             "rail-source\nengine: flow\nworkload: ";
    // 400 Gbps less headers and acknowledgements. A receiver sends the acknowledgements.
    const double line = 50e9 * 4096 / 4178;
    EXPECT_NEAR(*Run(text + "{type: incast, senders: 3, receiver: 0, bytes: 64MB}\n").busBandwidth,
                line,
                1e-3 * line);
    const Result equal = Run(text + "{type: all-to-all, matrix: {type: uniform, bytes_per_pair: "
                                    "64MB, intra: true}}\n");
    EXPECT_NEAR(*equal.busBandwidth, line * 4178 / (4178 + 84), 2e-3 * line);
    EXPECT_NEAR(*equal.algorithmBandwidth, *equal.busBandwidth * 4 / 3, 1);
    EXPECT_FALSE(Run(text + "{type: all-to-all, matrix: {type: uniform}, phases: [dispatch, "
                            "{compute: 1ms}]}\n")
                     .busBandwidth);
    EXPECT_FALSE(
        Run(text + "{type: graph, stages: [{type: all-reduce, bytes: 1MB}]}\n").busBandwidth);
}

TEST_F(WorkloadRunTest, AConnectionThatStartsLateIsNotAStandstill)
{
    const std::string file = (m_folder.GetPath() / "late.csv").string();
    std::ofstream(file) << "0,5,5000\n3,5,5000,10ms\n";
    const Result result = Run(kFatTree + "workload: {type: connections, path: \"" + file + "\"}\n");
    EXPECT_EQ(result.status, RunStatus::Done) << result.report;
    EXPECT_EQ(result.messageRecords.at(1).start, 10'000'000'000);
    EXPECT_GE(result.cct, result.lowerBound);
    EXPECT_GT(result.lowerBound, 10'000'000'000);
}

TEST_F(WorkloadRunTest, HostsSlowDownToWhatFailuresLeave)
{
    const Sets asked{"transport.congestion_control={type: fixed-rate, rho_max: true}",
                     "balance.host=reps"};
    const Result intact = Run(kFatTree + kPermutation, asked);
    EXPECT_EQ(intact.rhoMax, 1);
    // Every host sends to the next pod: 4/3 of a link, see RhoMaxTest.
    const std::string file = (m_folder.GetPath() / "shift.csv").string();
    std::ofstream stream(file);
    for (int host = 0; host < 16; ++host)
    {
        stream << host << ',' << (host + 4) % 16 << ",262144\n";
    }
    stream.close();
    const std::string shift = kFatTree + "workload: {type: connections, path: \"" + file + "\"}\n";
    for (const std::string convergence : {"0s", "never"})
    {
        SCOPED_TRACE(convergence);
        const std::string text =
            shift + "failures: {convergence: " + convergence + ", " + kCoreLinkDown;
        const Result slow = Run(text, asked);
        EXPECT_EQ(slow.status, RunStatus::Done) << slow.report;
        ASSERT_TRUE(slow.rhoMax) << "of the paths that work, whatever the routing knows";
        EXPECT_DOUBLE_EQ(*slow.rhoMax, 0.75);
        EXPECT_EQ(slow.publishedBound, 63 * 41'780 * 4 / 3 + 6'253'320);
        // Bounds refer to it also when the hosts send as they like.
        EXPECT_EQ(Run(text, {"balance.host=reps"}).publishedBound, slow.publishedBound);
    }
}

} // namespace ns3::rails
