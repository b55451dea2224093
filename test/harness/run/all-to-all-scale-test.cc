// SPDX-License-Identifier: GPL-2.0-only

// How near the schemes come to the bound on 8 servers of 8 GPUs, at 1/16 of full size, without loss
// and without rate control: what is over it is the schemes' and the fabric's own doing.

#include "run-experiment-fixtures.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>

namespace ns3::rails
{

namespace
{

const std::string kCluster = "topology: {type: rail, domains: 8, gpus_per_domain: 8}\n"
                             "transport: {congestion_control: none}\n"
                             "record: {queues: false, links: false}\n";
const std::string kRails = "{type: rails, chunk: 250KB}"; // 4 MB pieces at full size

// Defaults of the frame format, see `./rails describe transport`.
constexpr uint64_t kMtu = 4096;
constexpr uint64_t kDataOverhead = 62 + 20; // headers; preamble and gap
constexpr uint64_t kAckWireBytes = 64 + 20;
constexpr double kNicBytesPerPs = 400e9 / 8e12;

uint64_t
GetFrames(uint64_t bytes)
{
    return (bytes + kMtu - 1) / kMtu;
}

/// What the NICs of a run receive, by (server, rail).
struct NicLoad
{
    uint64_t frames{0};
    uint64_t wireBytes{0};
};

std::map<std::pair<uint32_t, uint16_t>, NicLoad>
GetReceived(const Result& result)
{
    std::map<std::pair<uint32_t, uint16_t>, NicLoad> loads;
    for (const MessageRecord& message : result.messageRecords)
    {
        if (message.rail != kNoRail)
        {
            NicLoad& load = loads[{message.destination / 8, message.rail}];
            load.frames += GetFrames(message.bytes);
            load.wireBytes += message.bytes + GetFrames(message.bytes) * kDataOverhead;
        }
    }
    return loads;
}

} // namespace

class AllToAllScaleTest : public RunTest
{
  protected:
    static Result RunMatrix(const std::string& matrix,
                            const std::string& balance,
                            uint64_t seed = 1,
                            const Sets& sets = {})
    {
        Result result = Run(kCluster + "seed: " + std::to_string(seed) +
                                "\nworkload: {type: all-to-all, matrix: " + matrix +
                                "}\nbalance: " + balance + "\n",
                            sets);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        EXPECT_EQ(result.frameCounters->drops, 0U);
        EXPECT_EQ(result.frameCounters->retransmittedFrames, 0U);
        return result;
    }
};

class UniformScaleTest : public AllToAllScaleTest, public testing::WithParamInterface<std::string>
{
};

// A NIC answers every data frame with an ACK, ahead of its own data. On a NIC that receives F data
// frames this takes F * 84 wire bytes from what it sends, which no scheme can avoid:
// bound + F * 84 B / rate. Here F = 56 pairs * 245 frames (248 in pieces of 250 KB), and the ACKs
// are 2.0 % of the bound.
TEST_P(UniformScaleTest, IsWithinOneAndAHalfPercentOfTheBoundPlusAcks)
{
    RAILS_LONG_CASE();
    const Result result = RunMatrix("{type: uniform, bytes_per_pair: 1MB}", GetParam());
    uint64_t frames = 0;
    for (const auto& [nic, load] : GetReceived(result))
    {
        frames = std::max(frames, load.frames);
    }
    EXPECT_GE(frames, 56U * 245);
    EXPECT_LE(frames, 56U * 248);
    const double acks = static_cast<double>(frames * kAckWireBytes) / kNicBytesPerPs;
    const double reachable = static_cast<double>(result.lowerBound) + acks;
    EXPECT_LE(static_cast<double>(result.cct), 1.015 * reachable);
    EXPECT_GE(static_cast<double>(result.cct), 0.995 * reachable) << "the formula is off";
}

INSTANTIATE_TEST_SUITE_P(Schemes,
                         UniformScaleTest,
                         testing::Values(kRails, "rails", "rail-source", "rail-destination"));

class SparseScaleTest : public AllToAllScaleTest, public testing::WithParamInterface<std::string>
{
};

TEST_P(SparseScaleTest, RailsIsNearTheBoundAndAheadOfPinnedRailsOnEverySeed)
{
    RAILS_LONG_CASE();
    const std::string matrix = "{type: sparse, density: 0.1, mean: 4MB}";
    const Sets buffer{"switch.buffer=" + GetParam()};
    constexpr uint64_t seeds = 5;
    double sum = 0;
    uint64_t pauses = 0;
    for (uint64_t seed = 1; seed <= seeds; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Result rails = RunMatrix(matrix, kRails, seed, buffer);
        const Result bySource = RunMatrix(matrix, "rail-source", seed, buffer);
        const Result byDestination = RunMatrix(matrix, "rail-destination", seed, buffer);
        EXPECT_EQ(rails.matrixHash, bySource.matrixHash);
        EXPECT_EQ(rails.matrixHash, byDestination.matrixHash);
        EXPECT_LT(rails.cct, bySource.cct);
        EXPECT_LT(rails.cct, byDestination.cct);
        sum += rails.GetCctOverBound();
        pauses += rails.frameCounters->pfcPauses;
    }
    EXPECT_LE(sum / static_cast<double>(seeds), 1.1);
    // The large buffer holds what comes together; with the small one senders are paused.
    EXPECT_EQ(pauses > 0, GetParam() == "4MiB");
}

INSTANTIATE_TEST_SUITE_P(Buffers, SparseScaleTest, testing::Values("64MiB", "4MiB"));

// 64 MB a GPU for hot destinations. Pinned to the rail of the destination GPU, what the hottest GPU
// gets from other servers comes in by its own NIC alone, and takes at least this NIC's wire bytes
// over its rate.
TEST_F(AllToAllScaleTest, ZipfPinnedToTheDestinationTakesAsLongAsItsWorstNic)
{
    RAILS_LONG_CASE();
    constexpr uint64_t seeds = 5;
    for (uint64_t seed = 1; seed <= seeds; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Result result =
            RunMatrix("{type: zipf, exponent: 1.2, bytes_per_gpu: 64MB}", "rail-destination", seed);
        uint64_t worst = 0;
        for (const auto& [nic, load] : GetReceived(result))
        {
            worst = std::max(worst, load.wireBytes);
        }
        const double time = static_cast<double>(worst) / kNicBytesPerPs;
        EXPECT_GE(static_cast<double>(result.cct), time);
        EXPECT_LE(static_cast<double>(result.cct), 1.05 * time);
        EXPECT_GE(result.GetCctOverBound(), 4.0);
    }
}

} // namespace ns3::rails
