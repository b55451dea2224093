// SPDX-License-Identifier: GPL-2.0-only
#include "../run-experiment-fixtures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr TimePs kFlowRunFrame = 83'560; // 4096 B of payload at 400 Gbit/s

// No pauses: what frames do then is what flows are meant to do.
const std::string kCalm = "transport: {congestion_control: none, loss_recovery: "
                          "{type: selective-repeat, timeout: 10ms}}\n"
                          "switch: {buffer: 64GiB}\n";

const std::string kFabric = "topology: {type: rail, domains: 4, gpus_per_domain: 4, leaf_ports: 2, "
                            "rail_spines: 2, spines: 2}\n";

const std::string kUniform =
    "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 40KB}}\n";

class FlowRunTest : public RunTest
{
  protected:
    static Result RunFlow(const std::string& text,
                          Sets sets = {},
                          const std::string& scheduler = "ns3::HeapScheduler")
    {
        sets.insert(sets.begin(), "engine=flow");
        return Run(text, sets, scheduler);
    }

    static Result RunFrames(const std::string& text, const Sets& sets = {})
    {
        const Result result = Run(text, sets);
        EXPECT_EQ(result.frameCounters->pfcPauses, 0U);
        return result;
    }

    /// Expects every byte at its place once, and no time below its bound.
    static void ExpectWhole(const Result& result)
    {
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        EXPECT_EQ(result.engine, "flow");
        EXPECT_GE(result.cct, result.lowerBound);
        EXPECT_GE(result.cctSender, result.lowerBoundSender);
        uint64_t ended = 0;
        for (const MessageRecord& message : result.messageRecords)
        {
            ended += message.end == kNever ? 0 : message.bytes;
            EXPECT_TRUE(message.end > message.start || result.abandonedMessages > 0);
        }
        EXPECT_EQ(ended, result.bytes);
        for (const PortRecord& port : result.portRecords)
        {
            EXPECT_FALSE(port.frames.has_value());
            EXPECT_LE(port.busy.value_or(0), result.cctSender) << port.node << ":" << port.port;
        }
    }

    static std::map<std::pair<uint32_t, uint32_t>, uint64_t> GetPortBytes(const Result& result)
    {
        std::map<std::pair<uint32_t, uint32_t>, uint64_t> bytes;
        for (const PortRecord& port : result.portRecords)
        {
            bytes[{port.node, port.port}] = port.bytes;
        }
        return bytes;
    }

    /// Expects the same bytes in NICs, and, where a hash chooses the path, on every cable.
    static void ExpectSameBytes(const Result& flows, const Result& frames, bool isHashed)
    {
        EXPECT_EQ(flows.matrixHash, frames.matrixHash);
        EXPECT_EQ(flows.messages, frames.messages);
        EXPECT_EQ(flows.nicTxBytes, frames.nicTxBytes);
        EXPECT_EQ(flows.nicRxBytes, frames.nicRxBytes);
        ASSERT_EQ(flows.portRecords.size(), frames.portRecords.size());
        const auto expected = GetPortBytes(frames);
        for (const auto& [place, bytes] : GetPortBytes(flows))
        {
            ASSERT_EQ(expected.count(place), 1U);
            const auto want = static_cast<double>(expected.at(place));
            if (isHashed)
            {
                EXPECT_NEAR(static_cast<double>(bytes), want, 0.001 * want)
                    << place.first << ":" << place.second;
            }
        }
    }

    TemporaryFolder m_folder;
};

/// \return matrices of all kinds, small
std::vector<std::string>
GetMatrices(const TemporaryFolder& folder)
{
    std::string trace = "iteration,layer,microbatch,rank";
    for (int expert = 0; expert < 16; ++expert)
    {
        trace += ",e" + std::to_string(expert);
    }
    for (int rank = 0; rank < 16; ++rank)
    {
        trace += "\n1,0,0," + std::to_string(rank);
        for (int expert = 0; expert < 16; ++expert)
        {
            trace += "," + std::to_string((7 * rank + 3 * expert) % 11);
        }
    }
    return {"{type: uniform, bytes_per_pair: 20KB}",
            "{type: uniform, bytes_per_pair: 5KB, intra: true}",
            "{type: sparse, density: 0.3, mean: 40KB}",
            "{type: zipf, exponent: 1.2, bytes_per_gpu: 200KB}",
            "{type: moe, experts: 16, top_k: 2, hidden: 64, tokens_per_gpu: 100}",
            "{type: trace, hidden: 512, path: \"" + folder.Write("trace.csv", trace + "\n") +
                "\"}"};
}

} // namespace

/// A planner that plans ahead, as a type of `balance`.
class FlowBalancerTest : public FlowRunTest, public testing::WithParamInterface<std::string>
{
};

TEST_P(FlowBalancerTest, NicsAndCablesCarryWhatTheyCarryAsFrames)
{
    for (const std::string& matrix : GetMatrices(m_folder))
    {
        for (int seed = 1; seed <= (test::IsSanitized() ? 1 : 5); ++seed)
        {
            SCOPED_TRACE(matrix + ", seed " + std::to_string(seed));
            const std::string text =
                "seed: " + std::to_string(seed) + "\n" + kFabric + kCalm +
                "workload: {type: all-to-all, matrix: " + matrix +
                ", phases: [dispatch, combine]}\nbalance: {type: " + GetParam() + "}\n";
            const Result flows = RunFlow(text);
            ExpectWhole(flows);
            ExpectSameBytes(flows, RunFrames(text), true);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Balancers,
                         FlowBalancerTest,
                         testing::Values("ecmp",
                                         "rail-source",
                                         "rail-destination",
                                         "rails, chunk: 16KB",
                                         "even-split",
                                         "affine",
                                         "round-robin, chunk: 16KB",
                                         "random, chunk: 16KB"));

TEST_F(FlowRunTest, OverEveryKindOfFabricThePathsAreThoseOfFrames)
{
    for (const std::string topology :
         {"{type: leaf-spine, domains: 6, gpus_per_domain: 2, leaf_ports: 4, spines: 3}",
          "{type: fat-tree, k: 4, domains: 8, gpus_per_domain: 2}",
          "{type: rail, domains: 6, gpus_per_domain: 4, nics_per_domain: 2, leaf_ports: 2, "
          "rail_spines: 3, spines: 2}"})
    {
        for (const std::string host : {"flow", "{type: subflow, count: 3}"})
        {
            SCOPED_TRACE(topology + host);
            const std::string text = "topology: " + topology + "\n" + kUniform + kCalm +
                                     "balance: {type: ecmp, host: " + host + "}\n";
            const Result flows = RunFlow(text);
            ExpectWhole(flows);
            ExpectSameBytes(flows, RunFrames(text), true);
        }
    }
}

TEST_F(FlowRunTest, GroupsOfNicsCarryWhatTheyCarryAsFrames)
{
    const std::string groups =
        "topology: {type: nic-groups, domains: 3, gpus_per_domain: 2, nics_per_domain: 3,\n"
        "  fabrics: {fast: {type: leaf-spine, leaf_ports: 2, spines: 2},\n"
        "            slow: {type: rail, nic_rate: 200Gbps}},\n"
        "  nic_groups: [{nics: [0, 1], fabric: fast}, {nics: [2], fabric: slow}]}\n";
    for (const std::string balancer : {"rails", "even-split", "affine"})
    {
        SCOPED_TRACE(balancer);
        const std::string text = groups + kUniform + kCalm + "balance: " + balancer + "\n";
        const Result flows = RunFlow(text);
        ExpectWhole(flows);
        ExpectSameBytes(flows, RunFrames(text), true);
    }
}

TEST_F(FlowRunTest, WhatSpreadsOverAllPathsLoadsThemEvenly)
{
    for (const std::string spread : {"host: spray",
                                     "host: destination-rotation",
                                     "switch: random",
                                     "switch: round-robin",
                                     "switch: ofan"})
    {
        SCOPED_TRACE(spread);
        const std::string text =
            "topology: {type: fat-tree, k: 4, domains: 16, gpus_per_domain: 1}\n" + kUniform +
            kCalm + "balance: {type: ecmp, " + spread + "}\n";
        const Result flows = RunFlow(text);
        ExpectWhole(flows);
        ExpectSameBytes(flows, RunFrames(text), false);
        std::map<std::string, std::pair<uint64_t, uint64_t>> ranges;
        for (const PortRecord& port : flows.portRecords)
        {
            auto& [least, most] =
                ranges.emplace(port.portClass, std::pair{port.bytes, port.bytes}).first->second;
            least = std::min(least, port.bytes);
            most = std::max(most, port.bytes);
        }
        for (const auto& [portClass, range] : ranges)
        {
            EXPECT_LE(range.second - range.first, 1U) << portClass;
        }
    }
}

TEST_F(FlowRunTest, WithoutContentionARunEndsWithinAFrameOfFrames)
{
    // Each NIC has one peer at a time.
    for (const std::string workload : {"{type: ring, bytes: 1000001B, operation: all-reduce}",
                                       "{type: ring, bytes: 300KB, operation: all-gather}"})
    {
        const std::string text = "topology: {type: rail, domains: 4, gpus_per_domain: 1}\n"
                                 "balance: rail-source\n" +
                                 kCalm + "workload: " + workload + "\n";
        SCOPED_TRACE(workload);
        const Result flows = RunFlow(text);
        const Result frames = RunFrames(text);
        ExpectWhole(flows);
        // A frame for every step, each of which begins at the end of another.
        const TimePs slack = 6 * kFlowRunFrame;
        EXPECT_NEAR(flows.cct, frames.cct, slack);
        EXPECT_NEAR(flows.cctSender, frames.cctSender, slack);
        ExpectSameBytes(flows, frames, true);
    }
}

TEST_F(FlowRunTest, PhasesAndIterationsFollowEachOtherWithoutGap)
{
    const std::string text =
        kFabric + kCalm +
        "workload: {type: all-to-all, matrix: {type: sparse, density: 0.5, mean: 100KB, intra: "
        "true}, phases: [dispatch, compute: 7us, combine], iterations: 3}\nbalance: rails\n";
    const Result result = RunFlow(text);
    EXPECT_EQ(result.status, RunStatus::Done) << result.report;
    ASSERT_EQ(result.phases.size(), 9U);
    TimePs at = 0;
    for (std::size_t i = 0; i < result.phases.size(); ++i)
    {
        EXPECT_EQ(result.phases[i].start, at) << i;
        at = result.phases[i].end;
        if (i % 3 == 1)
        {
            EXPECT_EQ(result.phases[i].end - result.phases[i].start, 7'000'000);
        }
    }
    EXPECT_EQ(result.cct, at);
    const Result frames = RunFrames(text);
    EXPECT_EQ(result.nicTxBytes, frames.nicTxBytes);
    EXPECT_NEAR(static_cast<double>(result.cct),
                static_cast<double>(frames.cct),
                0.05 * frames.cct);
}

TEST_F(FlowRunTest, EveryWorkloadMovesAllItsBytes)
{
    const std::string posts =
        m_folder.Write("posts.csv", "0,5,100000\n3,5,50000,2us\n0,5,7\n9,1,200000,1us\n");
    for (const std::string& workload : {std::string("{type: permutation, bytes: 100KB}"),
                                        std::string("{type: incast, senders: 5, receiver: 3}"),
                                        std::string("{type: ring, bytes: 300KB}"),
                                        "{type: connections, path: \"" + posts + "\"}"})
    {
        SCOPED_TRACE(workload);
        const std::string text = kFabric + kCalm + "balance: ecmp\nworkload: " + workload + "\n";
        const Result flows = RunFlow(text);
        ExpectWhole(flows);
        ExpectSameBytes(flows, RunFrames(text), true);
    }
}

TEST_F(FlowRunTest, BalancersThatChooseAsTheySendMoveAllBytes)
{
    for (const std::string depth : {"1", "2", "7"})
    {
        for (const std::string perPair : {"nic-pair", "message"})
        {
            const Result result = RunFlow(
                kFabric + kCalm + kUniform +
                    "balance: {type: least-outstanding, chunk: 7KB, depth: " + depth + "}\n",
                {"transport.qp_per=" + perPair});
            ExpectWhole(result);
            EXPECT_LT(result.cct, 3 * result.lowerBound) << depth;
        }
    }
}

TEST_F(FlowRunTest, EveryKindOfQueuePairMovesTheSameBytes)
{
    for (const std::string gap : {"0s", "150ns"})
    {
        for (const std::string per : {"nic-pair", "gpu-pair", "message"})
        {
            SCOPED_TRACE(per + gap);
            const Sets sets{"transport.qp_per=" + per, "nic.message_gap=" + gap};
            const std::string text =
                kFabric + kCalm + kUniform + "balance: {type: rails, chunk: 10KB}\n";
            const Result flows = RunFlow(text, sets);
            ExpectWhole(flows);
            ExpectSameBytes(flows, RunFrames(text, sets), true);
        }
    }
}

TEST_F(FlowRunTest, WithAToleranceNoTimeIsBelowItsBound)
{
    const std::string text =
        kFabric + kCalm +
        "workload: {type: all-to-all, matrix: {type: zipf, exponent: 1.2, bytes_per_gpu: 1MB}, "
        "phases: [dispatch, combine]}\nbalance: ecmp\n";
    const Result exact = RunFlow(text);
    for (const std::string tolerance : {"0.001", "0.005", "0.1"})
    {
        const Result result = RunFlow(text, {"engine.tolerance=" + tolerance});
        ExpectWhole(result);
        EXPECT_EQ(result.nicTxBytes, exact.nicTxBytes);
        ASSERT_TRUE(result.shift);
        EXPECT_LE(result.shift->part, 1.001 * std::stod(tolerance));
        EXPECT_LE(static_cast<double>(result.cct),
                  static_cast<double>(exact.cct) * (1 + result.shift->part));
    }
}

TEST_F(FlowRunTest, WithAToleranceFlowsThatTakeTheSameWayEndWithinTheShift)
{
    const std::string text =
        kCalm +
        "topology: {type: rail, domains: 2, gpus_per_domain: 48, nics_per_domain: 1, spines: 0}\n"
        "workload: {type: all-to-all, matrix: {type: sparse, density: 0.95, mean: 200KB}}\n"
        "balance: rails\n";
    const std::string ways = "transport.qp_per=message";
    const Result exact = RunFlow(text, {ways});
    const Result result = RunFlow(text, {ways, "engine.tolerance=0.02"});
    ASSERT_TRUE(result.shift);
    EXPECT_LE(result.shift->part, 0.02);
    EXPECT_NEAR(static_cast<double>(result.cct) / static_cast<double>(exact.cct),
                1,
                result.shift->part);
}

TEST_F(FlowRunTest, WithAToleranceShiftsOfWhatNicsReadAndWriteAreNumbers)
{
    const std::string text =
        kCalm +
        "topology: {type: rail, domains: 6, gpus_per_domain: 8, nic_rate: 100Gbps, spines: 0, "
        "intra: {type: nvswitch, pcie_rate: 64Gbps}}\n"
        "workload: {type: all-to-all, matrix: {type: sparse, density: 0.95, mean: 200KB}}\n"
        "balance: rails\n";
    const Result result = RunFlow(text, {"transport.qp_per=gpu-pair", "engine.tolerance=0.005"});
    ExpectWhole(result);
    ASSERT_TRUE(result.shift);
    EXPECT_LT(result.shift->part, 0.01);
    EXPECT_GT(result.shift->time, 0);
    EXPECT_LT(result.shift->time, result.cct / 10);
}

// Failures.

namespace
{

// Two leaves joined by two spines, two servers of one GPU on each.
const std::string kFlowRunTwoLeaves =
    "topology: {type: rail, domains: 4, gpus_per_domain: 1, leaf_ports: 2, rail_spines: 2}\n"
    "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 4MB}}\n"
    "balance: ecmp\n"
    "watchdog: {no_progress_after: 3ms}\n" +
    kCalm;
const std::string kCable = "link: [rail0-leaf0, rail0-spine1]";
const std::string kDown = "{at: 100us, " + kCable + ", state: down}";
const std::string kBack = kDown + ", {at: 300us, " + kCable + ", state: up}";

} // namespace

class FlowFailuresTest : public FlowRunTest
{
  protected:
    static std::string With(const std::string& convergence, const std::string& schedule)
    {
        return "failures: {convergence: " + convergence + ", schedule: [" + schedule + "]}\n";
    }
};

TEST_F(FlowFailuresTest, ACableThatGoesAndComesBackCostsWhatItCostsFrames)
{
    const TimePs undisturbed = RunFlow(kFlowRunTwoLeaves).cct;
    for (const std::string convergence : {"0s", "20us"})
    {
        SCOPED_TRACE(convergence);
        const std::string text = kFlowRunTwoLeaves + With(convergence, kBack);
        const Result flows = RunFlow(text);
        ExpectWhole(flows);
        EXPECT_EQ(flows.failures.size(), 2U);
        EXPECT_EQ(flows.convergences.size(), 2U);
        EXPECT_GT(flows.cct, undisturbed);
        const Result frames = Run(text,
                                  {"failures.queued=held",
                                   "failures.in_flight=delivered",
                                   "watchdog.no_progress_after=30ms"});
        EXPECT_EQ(frames.status, RunStatus::Done) << frames.report;
        EXPECT_NEAR(static_cast<double>(flows.cct),
                    static_cast<double>(frames.cct),
                    0.01 * static_cast<double>(frames.cct));
    }
}

TEST_F(FlowFailuresTest, WhereRoutingNeverConvergesFlowsStandStillAndGoOn)
{
    const TimePs undisturbed = RunFlow(kFlowRunTwoLeaves).cct;
    const Result result = RunFlow(kFlowRunTwoLeaves + With("never", kBack));
    ExpectWhole(result);
    EXPECT_NEAR(static_cast<double>(result.cct),
                static_cast<double>(undisturbed + 200'000'000),
                1e8); // what shared the cables with them had more meanwhile
    EXPECT_TRUE(result.convergences.empty());
}

TEST_F(FlowFailuresTest, ASlowerCableMakesTheWholeSlower)
{
    const Result intact = RunFlow(kFlowRunTwoLeaves);
    const Result result =
        RunFlow(kFlowRunTwoLeaves + With("20us", "{at: 100us, " + kCable + ", rate: 50Gbps}"));
    ExpectWhole(result);
    EXPECT_GT(result.cct, 2 * intact.cct);
}

TEST_F(FlowFailuresTest, WithoutAnotherWayARunEndsWithAReportOfItsQueuePairs)
{
    const Result lost = RunFlow(kFlowRunTwoLeaves + With("never", kDown));
    EXPECT_EQ(lost.status, RunStatus::NotFinished);
    EXPECT_NE(lost.report.find("watchdog.no_progress_after"), std::string::npos) << lost.report;
    EXPECT_NE(lost.report.find("failures.convergence is never"), std::string::npos);
    EXPECT_NE(lost.report.find("a cable on its way is down"), std::string::npos) << lost.report;
    EXPECT_EQ(lost.report.find("no path is left"), std::string::npos) << lost.report;
    const Result cut =
        RunFlow(kFlowRunTwoLeaves + With("20us", "{at: 100us, switch: rail0-leaf1, state: down}"));
    EXPECT_EQ(cut.status, RunStatus::NotFinished);
    EXPECT_NE(cut.report.find("no path is left between server0-nic0 and server2-nic0"),
              std::string::npos)
        << cut.report;
    EXPECT_NE(cut.report.find("and 9 other pairs"), std::string::npos) << cut.report;
    EXPECT_NE(cut.report.find("queue pair 1 of server0-nic0 to server2-nic0: 1 messages"),
              std::string::npos)
        << cut.report;
    EXPECT_EQ(cut.report.find("server0-nic0 to server1-nic0"), std::string::npos) << cut.report;
}

TEST_F(FlowFailuresTest, WhatADeadNicHadToSendGoesByAnother)
{
    for (const std::string balancer : {"rails", "even-split", "rail-source", "least-outstanding"})
    {
        for (const std::string what : {"{at: 30us, nic: server0-nic1, state: down}",
                                       "{at: 0s, switch: rail1-leaf0, state: down}",
                                       "{at: 30us, switch: rail1-leaf0, state: down}, "
                                       "{at: 80us, switch: rail1-leaf0, state: up}"})
        {
            for (const std::string convergence : {"0s", "20us"})
            {
                SCOPED_TRACE(balancer + what + convergence);
                const Result result =
                    RunFlow("topology: {type: rail, domains: 4, gpus_per_domain: 3}\n"
                            "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: "
                            "1MB}}\nbalance: " +
                            balancer + "\n" + kCalm + With(convergence, what));
                ExpectWhole(result);
                // What has failed at the start is planned around.
                EXPECT_EQ(result.abandonedMessages > 0, what.find("30us") != std::string::npos);
            }
        }
    }
}

// Results repeat.

// Rates of tiny messages over PCIe moved each other for ever in one instant.
// What NVLink relays is read by the NIC, too, for each queue pair in order; and queue pairs take
// turns, so that a NIC does not send to one server after the other.
TEST_F(FlowRunTest, WhatNicsReadOverPcieTakesAboutAsLongAsFrames)
{
    const std::string calls[] = {
        "topology: {type: rail, server: dgx-h100, domains: 3, spines: 8}\nbalance: ecmp\n",
        "topology: {type: rail, server: dgx-a100, domains: 2, spines: 1}\nbalance: ecmp\n",
        "topology: {type: rail, domains: 2, gpus_per_domain: 8, nic_rate: 400Gbps,\n"
        "  intra: {type: nvswitch, pcie_rate: 252Gbps}}\nbalance: rails\n",
        "topology: {type: rail, domains: 2, gpus_per_domain: 4, nic_rate: 800Gbps,\n"
        "  intra: {type: nvswitch, pcie_rate: 512Gbps}}\nbalance: rail-destination\n"};
    for (const std::string& text : calls)
    {
        const std::string all =
            kCalm + text +
            "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 1MB}}\n";
        EXPECT_NEAR(static_cast<double>(RunFlow(all).cct) / static_cast<double>(RunFrames(all).cct),
                    1,
                    0.05)
            << text;
    }
}

TEST_F(FlowRunTest, TinyMessagesOverPcieComeToAnEnd)
{
    const std::string text =
        "topology: {type: fat-tree, k: 6, domains: 7, gpus_per_domain: 4, nics_per_domain: 3,\n"
        "  intra: pcie}\n"
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 1B}}\n"
        "balance: even-split\n";
    const Result flows = RunFlow(kCalm + text);
    ExpectWhole(flows);
    EXPECT_LT(flows.cct, RunFrames(kCalm + text).cct);
    const bool isSaid =
        std::any_of(flows.notes.begin(), flows.notes.end(), [](const std::string& note) {
            return note.find("still moved each other when they were left") != std::string::npos;
        });
    EXPECT_TRUE(isSaid);
}

TEST_F(FlowRunTest, TheFingerprintIsThatOfTheExperimentAlone)
{
    const std::string text =
        kFabric + kCalm +
        "workload: {type: all-to-all, matrix: {type: sparse, density: 0.5, mean: 100KB, intra: "
        "true}, phases: [dispatch, compute: 5us, combine]}\n";
    std::vector<std::string> prints;
    for (const std::string balance : {"{type: rails, chunk: 30KB}",
                                      "{type: ecmp, host: spray}",
                                      "{type: least-outstanding, chunk: 30KB}"})
    {
        const std::string one = text + "balance: " + balance + "\n";
        const Result first = RunFlow(one);
        ExpectWhole(first);
        for (const std::string scheduler : {"ns3::MapScheduler",
                                            "ns3::HeapScheduler",
                                            "ns3::CalendarScheduler",
                                            "ns3::ListScheduler"})
        {
            const Result again = RunFlow(one, {}, scheduler);
            EXPECT_EQ(GetFingerprint(again), GetFingerprint(first)) << scheduler;
            EXPECT_EQ(again.cct, first.cct);
        }
        // The watchdog, and who looks at a run, change nothing.
        const Sets looks{"watchdog.no_progress_after=50us", "record.punctual=true"};
        EXPECT_EQ(GetFingerprint(RunFlow(one, looks)), GetFingerprint(first));
        prints.push_back(GetFingerprint(first));
        EXPECT_NE(GetFingerprint(RunFlow("seed: 2\n" + one)), GetFingerprint(first));
    }
    std::sort(prints.begin(), prints.end());
    EXPECT_EQ(std::unique(prints.begin(), prints.end()), prints.end());
}

// Many small experiments.

namespace
{

/// \return what adds a key to a text, and one of some values that are drawn
auto
MakeAdding(std::string& text, std::mt19937& random)
{
    return [&](const std::string& key, const std::vector<std::string>& from) {
        text += key + from[random() % from.size()];
    };
}

} // namespace

TEST_F(FlowRunTest, WithAToleranceNoEndMovesByMoreThanTheResultSaysNorByMoreThanIt)
{
    std::mt19937 random(36);
    double most = 0;
    for (int i = 0; i < (test::IsSanitized() ? 10 : 60); ++i)
    {
        std::string text = "seed: " + std::to_string(i);
        const auto add = MakeAdding(text, random);
        add("\ntopology: ",
            {"{type: rail, domains: 8, gpus_per_domain: 4, nics_per_domain: 2, spines: 1}",
             "{type: rail, domains: 12, gpus_per_domain: 2, leaf_ports: 4, rail_spines: 2, "
             "spines: 2}",
             "{type: leaf-spine, domains: 8, gpus_per_domain: 4, leaf_ports: 8, spines: 3}",
             "{type: fat-tree, k: 4, domains: 8, gpus_per_domain: 2}"});
        add("\nworkload: {type: all-to-all, matrix: ",
            {"{type: zipf, exponent: 1.2, bytes_per_gpu: 4MB}",
             "{type: sparse, density: 0.4, mean: 500KB}",
             "{type: uniform, bytes_per_pair: 100KB}"});
        add(", phases: ", {"[dispatch]}", "[dispatch, combine]}"});
        add("\nbalance: {type: ", {"rails", "ecmp", "rail-source", "even-split"});
        add("}\ntransport: {congestion_control: none, qp_per: ",
            {"nic-pair", "gpu-pair", "message"});
        add("}\nengine: {type: flow, tolerance: ", {"0.002", "0.01", "0.05"});
        text += "}\n";
        SCOPED_TRACE(text);
        const Result exact = Run(text, {"engine.tolerance=0"});
        const Result result = Run(text);
        ExpectWhole(result);
        ASSERT_TRUE(result.shift);
        EXPECT_FALSE(exact.shift);
        EXPECT_LE(result.shift->part, 1.001 * std::stod(text.substr(text.rfind(' '))));
        ASSERT_EQ(result.messageRecords.size(), exact.messageRecords.size());
        for (std::size_t each = 0; each < exact.messageRecords.size(); ++each)
        {
            const MessageRecord& one = exact.messageRecords[each];
            const MessageRecord& other = result.messageRecords[each];
            const auto own = static_cast<double>(one.end - one.start);
            const double off = std::abs(static_cast<double>(other.end - other.start) - own) / own;
            EXPECT_LE(off, result.shift->part) << one.source << " to " << one.destination;
            most = std::max(most, off / result.shift->part);
        }
    }
    EXPECT_GT(most, 0.1) << "nothing moves";
}

TEST_F(FlowRunTest, NoExperimentEndsBelowItsBoundOrUnfinished)
{
    std::mt19937 random(2026);
    for (int i = 0; i < (test::IsSanitized() ? 20 : 120); ++i)
    {
        std::string text = "seed: " + std::to_string(i);
        const auto add = MakeAdding(text, random);
        add("\ntopology: ",
            {"{type: rail, domains: 4, gpus_per_domain: 4, nics_per_domain: 2, spines: 1}",
             "{type: rail, domains: 3, gpus_per_domain: 2, spines: 2, nvlink_rate: 300Gbps}",
             "{type: rail, domains: 6, gpus_per_domain: 2, leaf_ports: 2, rail_spines: 3, "
             "spines: 2, intra: pcie}",
             "{type: leaf-spine, domains: 4, gpus_per_domain: 4, leaf_ports: 8, spines: 2}",
             "{type: fat-tree, k: 4, domains: 4, gpus_per_domain: 4, nvlink_latency: 1us}"});
        add("\nworkload: ",
            {"{type: ring, bytes: 1000001B}",
             "{type: incast, senders: 2, receiver: 0, bytes: 100KB}",
             "{type: all-to-all, matrix: {type: uniform, bytes_per_pair: 1B}}",
             "{type: all-to-all, matrix: {type: zipf, bytes_per_gpu: 100KB}}",
             "{type: all-to-all, matrix: {type: sparse, density: 0.4, mean: 50KB, intra: true}, "
             "phases: [dispatch, combine]}"});
        add("\nbalance: {type: ", {"rails", "ecmp", "even-split", "least-outstanding"});
        add(", switch: ", {"ecmp", "random", "ofan"});
        add("}\ntransport: {congestion_control: none, loss_recovery: selective-repeat, qp_per: ",
            {"nic-pair", "gpu-pair", "message"});
        add(", mtu: ", {"1024B", "4096B"});
        add("}\nnic: {message_gap: ", {"0s", "200ns"});
        add("}\nengine: {type: flow, tolerance: ", {"0", "0", "0.01"});
        text += "}\n";
        SCOPED_TRACE(text);
        ExpectWhole(Run(text));
    }
}

} // namespace ns3::rails
