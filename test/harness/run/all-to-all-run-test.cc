// SPDX-License-Identifier: GPL-2.0-only
#include "run-experiment-fixtures.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/// All-to-alls of tokens whose copies serve several experts.
class AllToAllRunTest : public RunTest
{
  protected:
    static inline const std::string kTokens =
        "topology: {type: rail, domains: 2, gpus_per_domain: 8}\n"
        "balance: rail-source\n"
        "transport: {congestion_control: none}\n"
        "workload:\n"
        "  type: all-to-all\n"
        "  phases: [dispatch, compute: 10us, combine]\n"
        "  matrix: {type: moe, tokens_per_gpu: 64, hidden: 1024, experts: 64, top_k: 8}\n";

    static Result RunDone(std::vector<std::string> sets)
    {
        Result result = Run(kTokens, sets);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        EXPECT_GE(result.cct, result.lowerBound);
        return result;
    }

    /// \return payload that crossed NICs
    static uint64_t CountAcross(const Result& result)
    {
        uint64_t bytes = 0;
        for (const MessageRecord& message : result.messageRecords)
        {
            bytes += message.rail == kNoRail ? 0 : message.bytes;
        }
        return bytes;
    }
};

TEST_F(AllToAllRunTest, CopiesForServersTakeAQuarterOfTheNicBytesOnBothEngines)
{
    for (const std::string engine : {"frames", "flow"})
    {
        SCOPED_TRACE(engine);
        const std::vector<std::string> sets{"engine=" + engine,
                                            "workload.phases=[dispatch, combine]"};
        const Result pairs = RunDone(sets);
        const Result copies = RunDone({sets[0], sets[1], "workload.exchange=deduplicated"});
        // 1024 tokens cross for 4 experts in the mean, or once but for one in 420; there and back.
        EXPECT_NEAR(CountAcross(pairs), 2 * 1024 * 2048 * 4.0, 0.04 * CountAcross(pairs));
        EXPECT_NEAR(CountAcross(copies), 2 * 1024 * 2048 * 0.9976, 0.01 * CountAcross(copies));
        EXPECT_LT(copies.cct, pairs.cct);
        // The same is asked for, so bandwidths compare as times do.
        EXPECT_DOUBLE_EQ(*copies.busBandwidth * static_cast<double>(copies.cct),
                         *pairs.busBandwidth * static_cast<double>(pairs.cct));
        for (const MessageRecord& message : copies.messageRecords)
        {
            EXPECT_TRUE(message.rail == kNoRail || message.rail == message.source % 8);
        }
    }
}

TEST_F(AllToAllRunTest, WithOneGpuAServerBothExchangesAreTheSame)
{
    for (const std::string engine : {"frames", "flow"})
    {
        std::vector<std::string> sets{"engine=" + engine,
                                      "topology={type: rail, domains: 8, gpus_per_domain: 1}",
                                      "workload.matrix.experts=8",
                                      "workload.matrix.top_k=3"};
        const Result pairs = RunDone(sets);
        sets.emplace_back("workload.exchange=deduplicated");
        const Result copies = RunDone(sets);
        EXPECT_EQ(copies.matrixHash, pairs.matrixHash);
        EXPECT_EQ(copies.cct, pairs.cct);
        EXPECT_EQ(copies.lowerBound, pairs.lowerBound);
        EXPECT_EQ(GetFingerprint(copies), GetFingerprint(pairs));
    }
}

TEST_F(AllToAllRunTest, TokensWithOneExpertTakeTheSameNicBytes)
{
    const Result pairs = RunDone({"workload.matrix.top_k=1"});
    const Result copies = RunDone({"workload.matrix.top_k=1", "workload.exchange=deduplicated"});
    EXPECT_EQ(CountAcross(copies), CountAcross(pairs));
}

/// Two servers of two GPUs, of which each has a token for every expert: so 8 MiB cross from GPU to
/// GPU, and the GPU that gets them passes on as many, and its own, over NVLink.
class PiecesRunTest : public AllToAllRunTest,
                      public ::testing::WithParamInterface<std::tuple<std::string, std::string>>
{
  protected:
    static constexpr int64_t kBytes = 8'388'608;

    /// \param pieces of a message \return when all is over
    static TimePs RunPieces(uint32_t pieces, const std::string& nvlink, const std::string& nic)
    {
        const auto [engine, phase] = GetParam();
        const Result result = RunDone(
            {"engine=" + engine,
             "topology={type: rail, domains: 2, gpus_per_domain: 2, link_delay: 0s, "
             "nvlink_latency: 0s, nvlink_rate: " +
                 nvlink + ", nic_rate: " + nic + "}",
             "workload.phases=[" + phase + "]",
             "workload.matrix={type: moe, tokens_per_gpu: 1024, hidden: 4096, "
             "bytes_per_element: 2B, experts: 4, top_k: 4}",
             "workload.exchange={type: deduplicated, piece: " + std::to_string(kBytes / pieces) +
                 "B}"});
        EXPECT_EQ(result.messageRecords.size(), 8 * pieces);
        return result.cct;
    }

    /// \return time of bytes at a rate in Gbit/s
    static TimePs Take(int64_t bytes, int64_t rate)
    {
        return bytes * 8'000 / rate;
    }
};

TEST_P(PiecesRunTest, NvlinkAddsTheLastPieceToTheTimeOfTheNics)
{
    const TimePs whole = RunPieces(1, "1600Gbps", "400Gbps");
    for (const uint32_t pieces : {2, 4, 16})
    {
        const TimePs hidden = Take(2 * (kBytes - kBytes / pieces), 1600);
        EXPECT_NEAR(RunPieces(pieces, "1600Gbps", "400Gbps"), whole - hidden, 50) << pieces;
    }
}

TEST_P(PiecesRunTest, NicsAddAPieceToTheTimeOfASlowerNvlink)
{
    const TimePs whole = RunPieces(1, "400Gbps", "400Gbps");
    const TimePs inside = Take(2 * kBytes, 400);
    const TimePs across = whole - inside;
    for (const uint32_t pieces : {2, 8})
    {
        // 2 % more than the payload, as headers and ACKs.
        EXPECT_NEAR(RunPieces(pieces, "400Gbps", "400Gbps"), inside + across / pieces, 100'000)
            << pieces;
    }
}

INSTANTIATE_TEST_SUITE_P(Pieces,
                         PiecesRunTest,
                         ::testing::Combine(::testing::Values("frames", "flow"),
                                            ::testing::Values("dispatch", "combine")),
                         [](const auto& info) {
                             return std::get<0>(info.param) + "_" + std::get<1>(info.param);
                         });

// Exchanges of DeepEP V2: a token to 8 of 256 experts, there in FP8 with scales, back in BF16.
TEST_F(AllToAllRunTest, PiecesOfDeepEpTakeTheSameOnBothEngines)
{
    for (const char* what : {"topology.domains=2 1B 7392 dispatch",
                             "topology.domains=2 2B 7168 combine",
                             "topology.domains=4 1B 7392 dispatch"})
    {
        SCOPED_TRACE(what);
        std::istringstream words(what);
        std::string domains;
        std::string bytes;
        std::string hidden;
        std::string phase;
        words >> domains >> bytes >> hidden >> phase;
        const std::vector<std::string> sets{
            domains,
            "workload.phases=[" + phase + "]",
            "workload.exchange={type: deduplicated, piece: 256KB}",
            "workload.matrix={type: moe, tokens_per_gpu: 1024, experts: 256, top_k: 8, hidden: " +
                hidden + ", bytes_per_element: " + bytes + "}"};
        std::vector<TimePs> times;
        for (const char* engine : {"engine=frames", "engine=flow"})
        {
            std::vector<std::string> all = sets;
            all.emplace_back(engine);
            times.push_back(RunDone(all).cct);
        }
        EXPECT_NEAR(times[1], times[0], 0.003 * times[0]);
    }
}

TEST_F(AllToAllRunTest, GroupsKeepTheirBoundsWhateverTheScheduler)
{
    const std::vector<std::string> sets{"topology.domains=3",
                                        "workload.groups={size: 12}",
                                        "workload.matrix.experts=24",
                                        "workload.exchange=deduplicated"};
    const Result heap = RunDone(sets);
    EXPECT_EQ(GetFingerprint(Run(kTokens, sets, "ns3::ListScheduler")), GetFingerprint(heap));
    EXPECT_GT(heap.lowerBound, 0);
}

} // namespace ns3::rails
