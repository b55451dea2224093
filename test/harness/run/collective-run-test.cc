// SPDX-License-Identifier: GPL-2.0-only
#include "graph-fixtures.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr TimePs kCollectiveRunDelay = 500'000; // of a cable
constexpr TimePs kBytePs = 20;                  // at 400 Gbps
constexpr TimePs kFrame = 4178 * kBytePs;       // with 4096 bytes of payload
constexpr TimePs kAck = 84 * kBytePs;
constexpr TimePs kNvlinkLatency = 25'000;

const std::string kServers = "domains: 4, gpus_per_domain: 8";

/// \param topology keys \param stage keys of the only stage
std::string
MakeRun(const std::string& topology, const std::string& stage)
{
    return "topology: {type: rail, nic_rate: 400Gbps, link_delay: 500ns, " + topology +
           "}\n"
           "balance: rail-source\n"
           "transport: {congestion_control: none}\n"
           "switch: {buffer: 1GiB}\n"
           "workload:\n  type: graph\n  stages: [{" +
           stage + "}]\n";
}

class CollectiveRunTest : public GraphTest
{
  protected:
    /// \return when the last message had come
    static TimePs GetLastEnd(const Result& result)
    {
        TimePs last = 0;
        for (const MessageRecord& message : result.messageRecords)
        {
            last = std::max(last, message.end);
        }
        return last;
    }

    /// \return bytes that leave servers, by server and rail of the NIC
    static std::map<std::pair<uint32_t, uint32_t>, uint64_t> CountOfNics(const Result& result)
    {
        std::map<std::pair<uint32_t, uint32_t>, uint64_t> bytes;
        for (const MessageRecord& message : result.messageRecords)
        {
            if (message.source / 8 != message.destination / 8)
            {
                bytes[{message.source / 8, message.rail}] += message.bytes;
            }
        }
        return bytes;
    }
};

} // namespace

TEST_F(CollectiveRunTest, AChainTakesAsLongAsAChunkEverywhereAndTheOthersOnce)
{
    for (const std::string engine : {"frames", "flow"})
    {
        for (const std::string type : {"broadcast", "reduce"})
        {
            for (const uint32_t chunks : {1U, 2U, 8U})
            {
                const Result result =
                    RunDone(MakeRun("domains: 5, gpus_per_domain: 1",
                                    "type: " + type + ", root: 2, bytes: 655360B, chunks: " +
                                        std::to_string(chunks)),
                            {"engine=" + engine});
                const TimePs frames = 160 / chunks;
                const TimePs one = (frames + 1) * kFrame + 2 * kCollectiveRunDelay;
                const TimePs time = 4 * one + (chunks - 1) * frames * kFrame;
                // A GPU acknowledges frames of a chunk while it passes on the one before.
                const TimePs acks = chunks == 1 ? 3 : (chunks - 1 + 2) * frames + 1;
                EXPECT_GE(GetLastEnd(result), time) << engine << ", " << type << ", " << chunks;
                EXPECT_LE(GetLastEnd(result), time + acks * kAck + 100)
                    << engine << ", " << type << ", " << chunks;
            }
        }
    }
}

TEST_F(CollectiveRunTest, TwoLevelsTakeTheTimeOfTheirStepsOneAfterTheOther)
{
    // 2621440 bytes: 32 parts of 20 frames on NICs, 8 of 80 frames on NVLink at 3600 Gbps.
    // Broadcast and reduce cut 80 frames into 16 chunks.
    const TimePs part = 728'178;
    const TimePs inside = 7 * (part + kNvlinkLatency);
    const TimePs across = 3 * (21 * kFrame + 2 * kCollectiveRunDelay);
    const TimePs chain = 3 * (6 * kFrame + 2 * kCollectiveRunDelay) + 15 * 5 * kFrame;
    const TimePs handOut = 7 * part + kNvlinkLatency;

    const struct
    {
        std::string type;
        TimePs time;
        TimePs acks; // frames that GPUs acknowledge while they send
    } cases[] = {{"all-gather", across + inside, 3 * 20},
                 {"reduce-scatter", inside + across, 3 * 20},
                 {"all-reduce", 2 * (inside + across), 6 * 20},
                 {"broadcast", handOut + chain + inside, 16 * 5 + 1},
                 {"reduce", inside + chain + handOut, 16 * 5 + 1}};

    for (const std::string engine : {"frames", "flow"})
    {
        for (const auto& one : cases)
        {
            const Result result = RunDone(
                MakeRun(kServers, "algorithm: hierarchical, bytes: 2621440B, type: " + one.type),
                {"engine=" + engine});
            EXPECT_GE(GetLastEnd(result), one.time - 100) << engine << ", " << one.type;
            EXPECT_LE(GetLastEnd(result), one.time + one.acks * kAck + 100)
                << engine << ", " << one.type;
        }
    }
}

TEST_F(CollectiveRunTest, AnAutomaticBroadcastTakesTwoLevelsWhereThereAreTwo)
{
    const auto run = [](const std::string& shape, const std::string& algorithm) {
        return GetLastEnd(RunDone(
            MakeRun(shape, "algorithm: " + algorithm + ", bytes: 2621440B, type: broadcast"),
            {"engine=flow"}));
    };
    EXPECT_EQ(run(kServers, "automatic"), run(kServers, "hierarchical"));
    const std::string flat = "domains: 5, gpus_per_domain: 1";
    EXPECT_EQ(run(flat, "automatic"), run(flat, "ring"));
}

TEST_F(CollectiveRunTest, TwoLevelsUseAllNicsWhereOneRingUsesOne)
{
    constexpr uint64_t bytes = 2'621'440;
    for (const std::string engine : {"frames", "flow"})
    {
        const auto run = [&](const std::string& algorithm) {
            return RunDone(
                MakeRun(kServers,
                        "type: all-reduce, bytes: 2621440B, rings: 1, algorithm: " + algorithm),
                {"engine=" + engine});
        };
        const Result ring = run("ring");
        const Result levels = run("hierarchical");
        const auto onRing = CountOfNics(ring);
        const auto inLevels = CountOfNics(levels);
        EXPECT_EQ(ring.bytes, levels.bytes);
        for (uint32_t server = 0; server < 4; ++server)
        {
            EXPECT_EQ(onRing.at({server, 7}), 2 * 31 * bytes / 32);
            for (uint32_t rail = 0; rail < 8; ++rail)
            {
                EXPECT_EQ(inLevels.at({server, rail}), 2 * 3 * bytes / 32) << engine;
            }
        }
        EXPECT_EQ(onRing.size(), 4U);
        EXPECT_EQ(inLevels.size(), 32U);
        EXPECT_LT(levels.cct, ring.cct / 3) << engine;
    }
}

TEST_F(CollectiveRunTest, SaysWhatIsWrongWithCollectives)
{
    const auto expect = [](const std::string& stage, const std::string& message) {
        const std::string errors = FindErrors(MakeRun(kServers, stage));
        EXPECT_NE(errors.find(message), std::string::npos) << errors;
    };
    expect("type: broadcast, root: 32", "the topology has 32 GPUs, which are counted from 0");
    expect("type: reduce, root: 4, groups: {size: 4}", "a group has 4 GPUs");
    const std::string uneven =
        FindErrors(MakeRun("domains: 4, gpus_per_domain: 3",
                           "type: reduce, algorithm: hierarchical, groups: {size: 4}"));
    EXPECT_NE(uneven.find("a divisor or a multiple of the 3 GPUs of a server"), std::string::npos)
        << uneven;
}

/// Bus bandwidth of an all-reduce of 1 GB on 8 x 8 GPUs, in GB/s. What a NIC sends at most
/// is 48.05: 400 Gbps, less what acknowledgements of what it gets and headers take.
class BusBandwidthTest : public CollectiveRunTest
{
  protected:
    static double Run(const std::string& algorithm, const Sets& sets = {})
    {
        const std::string text =
            "topology: {type: rail, domains: 8, gpus_per_domain: 8, "
            "nic_rate: 400Gbps, link_delay: 500ns, nvlink_rate: 1000Tbps}\n"
            "balance: rail-source\n"
            "transport: {congestion_control: none}\n"
            "engine: flow\n"
            "workload: {type: ring, bytes: 1GB, rings: automatic, algorithm: " +
            algorithm + "}\n";
        return *RunTest::Run(text, sets).busBandwidth / 1e9;
    }

    static constexpr double kNic = 48.05;
};

TEST_F(BusBandwidthTest, RingsFillAllNics)
{
    const double bandwidth = Run("ring");
    EXPECT_GT(bandwidth, 380);
    EXPECT_LT(bandwidth, 8 * kNic);
    EXPECT_NEAR(Run("ring", {"workload.rings=1"}), kNic, 0.1);
    EXPECT_NEAR(Run("ring", {"workload.rings=4"}), 4 * kNic, 1);
}

TEST_F(BusBandwidthTest, TwoLevelsLeaveTheRestOfAServerInside)
{
    // A NIC sends 2 (k - 1) / (m k) of the buffer, one step of latency behind the other.
    const double most = kNic * 2 * 63 / 64 / (2 * 7.0 / 64);
    for (const char* rings : {"1", "automatic"})
    {
        const double bandwidth = Run("hierarchical", {std::string("workload.rings=") + rings});
        EXPECT_GT(bandwidth, 425);
        EXPECT_LT(bandwidth, most);
        EXPECT_NEAR(Run("automatic"), bandwidth, 1) << "with such an NVLink the fastest";
    }
}

TEST_F(BusBandwidthTest, TreesPayForTheirHeight)
{
    // Two trees for each NIC, of two lanes with 62 chunks of 128 KiB: as much as rings, times 62
    // over the steps, which are those of a height of 3 servers and 7 GPUs behind each, up and down.
    // Chunks that meet on a cable do not wait for each other, so it may be less.
    const double steps = 62 + 2 * (3 + 7) - 1;
    const double bandwidth = Run("tree", {"workload.bytes=256MB"});
    EXPECT_GT(bandwidth, 8 * kNic * 63 / 64 * 62 / steps * 0.95);
    EXPECT_LT(bandwidth, 8 * kNic);
}

} // namespace ns3::rails
