// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-fixtures.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>

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
    EXPECT_NEAR(result.GetAlgorithmBandwidth(), algorithm, 1);
    EXPECT_NEAR(result.GetBusBandwidth(), algorithm * 30 / 16, 1);
    EXPECT_EQ(result.lowerBoundBinding, "chain");
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
