// SPDX-License-Identifier: GPL-2.0-only

// What the watchdog says of runs that do not end, and of runs that only look like it.

#include "run-experiment-fixtures.h"

#include "ns3/rails-point-run.h"
#include "ns3/rails-result-reader.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

// One rail with three leaves of two servers each. What leaf n sends to leaf n + 1 goes straight by
// spine n; what it sends to leaf n + 2 goes by leaf n + 1, that is, by spine n and spine n + 1. No
// frame goes in circles, but buffers wait for each other in one: leaf 0, spine 0, leaf 1, spine 1,
// leaf 2, spine 2, leaf 0.
const std::string kDeadlockRing =
    "topology:\n"
    "  type: rail\n"
    "  domains: 6\n"
    "  gpus_per_domain: 1\n"
    "  leaf_ports: 2\n"
    "  rail_spines: 3\n"
    "  routes: >-\n"
    "    rail0-leaf0 > rail0-leaf1 via rail0-spine0;\n"
    "    rail0-leaf0 > rail0-leaf2 via rail0-spine0;\n"
    "    rail0-spine0 > rail0-leaf2 via rail0-leaf1;\n"
    "    rail0-leaf1 > rail0-leaf2 via rail0-spine1;\n"
    "    rail0-leaf1 > rail0-leaf0 via rail0-spine1;\n"
    "    rail0-spine1 > rail0-leaf0 via rail0-leaf2;\n"
    "    rail0-leaf2 > rail0-leaf0 via rail0-spine2;\n"
    "    rail0-leaf2 > rail0-leaf1 via rail0-spine2;\n"
    "    rail0-spine2 > rail0-leaf1 via rail0-leaf0\n"
    "switch: {buffer: 512KiB}\n"
    "transport: {congestion_control: none}\n"
    "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 1MB}}\n"
    "balance: rails\n";

// What leaf 0 sends to leaf 1 comes back from the spine.
const std::string kLoop =
    "topology:\n"
    "  type: rail\n"
    "  domains: 4\n"
    "  gpus_per_domain: 1\n"
    "  leaf_ports: 2\n"
    "  rail_spines: 1\n"
    "  routes: rail0-spine0 > rail0-leaf1 via rail0-leaf0\n"
    "transport: {congestion_control: none, loss_recovery: {type: go-back-n, timeout: 100us}}\n"
    "watchdog: {no_progress_after: 1ms, deadlock_after: 200us}\n"
    "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 100KB}}\n"
    "balance: rails\n";

/// \return the notes on pause storms, in lines
std::string
GetStorms(const Result& result)
{
    std::string storms;
    for (const std::string& note : result.notes)
    {
        storms += note.find("pause storm") == std::string::npos ? "" : note + "\n";
    }
    return storms;
}

std::size_t
Count(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    {
        ++count;
    }
    return count;
}

} // namespace

class DeadlockTest : public RunTest
{
};

TEST_F(DeadlockTest, ACircleOfBuffersEndsTheRunAndNamesItsPorts)
{
    const Result result = Run(kDeadlockRing);
    EXPECT_EQ(result.status, RunStatus::NotFinished);
    EXPECT_NE(result.report.find("PFC deadlock: a circle of 6 paused ports"), std::string::npos)
        << result.report;
    for (int n = 0; n < 3; ++n)
    {
        const std::string leaf = "rail0-leaf" + std::to_string(n);
        const std::string spine = "rail0-spine" + std::to_string(n);
        const std::string next = "rail0-leaf" + std::to_string((n + 1) % 3);
        // A leaf has ports 0 and 1 for servers and then one for each spine, a spine one for each
        // leaf.
        EXPECT_NE(result.report.find(leaf + " port " + std::to_string(2 + n) +
                                     " (leaf_up) waits for " + spine),
                  std::string::npos)
            << result.report;
        EXPECT_NE(result.report.find(spine + " port " + std::to_string((n + 1) % 3) +
                                     " (rail_spine_down) waits for " + next),
                  std::string::npos)
            << result.report;
    }
    EXPECT_GT(Count(result.report, "queue pair"), 1U) << "who suffers from it";
    // Found soon, not after the patience of the other checks.
    EXPECT_LT(result.simulated, 3'000'000'000);
}

TEST_F(DeadlockTest, ARunThatDoesNotEndLeavesAResultAndStatusThree)
{
    const TemporaryFolder folder;
    PointTarget target;
    target.folder = folder.GetPath() / "result";
    const ExperimentFunction simulate = [](const Experiment& experiment, const ProgressCallback&) {
        return RunExperiment(experiment);
    };
    testing::internal::CaptureStderr();
    const int status = RunPoint(Read(kDeadlockRing), 0, target, simulate, nullptr).status;
    const std::string errors = testing::internal::GetCapturedStderr();
    EXPECT_EQ(status, 3);
    EXPECT_NE(errors.find("error: PFC deadlock"), std::string::npos) << errors;
    const nlohmann::json result = ReadResultJson(target.folder);
    EXPECT_EQ(result["status"], 3);
    EXPECT_NE(result["report"].get<std::string>().find("PFC deadlock"), std::string::npos);
    EXPECT_TRUE(result["phases"][0]["end_s"].is_null());
}

TEST_F(DeadlockTest, TheSameRoutesWithAmpleBuffersAreFine)
{
    const Result result = Run(kDeadlockRing, {"switch.buffer=64MiB"});
    EXPECT_EQ(result.status, RunStatus::Done) << result.report;
    EXPECT_EQ(result.frameCounters->pfcPauses, 0U);
}

TEST_F(DeadlockTest, FramesThatGoInCirclesBlockEachOther)
{
    const Result result =
        Run(kLoop, {"switch.buffer=512KiB", "workload.matrix.bytes_per_pair=1MB"});
    EXPECT_EQ(result.status, RunStatus::NotFinished);
    EXPECT_NE(result.report.find("PFC deadlock: a circle of 2 paused ports"), std::string::npos)
        << result.report;
    EXPECT_NE(result.report.find("rail0-leaf0 port 2 (leaf_up) waits for rail0-spine0"),
              std::string::npos);
    EXPECT_NE(result.report.find("rail0-spine0 port 0 (rail_spine_down) waits for rail0-leaf0"),
              std::string::npos);
}

TEST_F(DeadlockTest, MutualPausingByOverloadedHostsIsNotReported)
{
    // Servers 0 and 2, on different leaves, each get more than their NIC takes, from all others at
    // once: the leaves and the spine pause each other in both directions, each for longer than the
    // watchdog's patience, and all drains in the end.
    const TemporaryFolder folder;
    folder.Write("two-hot-servers.csv",
                 "0,0,2000000,0\n"
                 "2000000,0,2000000,0\n"
                 "2000000,0,0,0\n"
                 "2000000,0,2000000,0\n");
    const std::string text =
        "topology: {type: rail, domains: 4, gpus_per_domain: 1, leaf_ports: 2, rail_spines: 1}\n"
        "switch: {buffer: 1MiB, xon_offset: 150KB}\n"
        "transport: {congestion_control: none}\n"
        "watchdog: {deadlock_after: 500ns, storm_after: 1ms}\n"
        "workload: {type: all-to-all, matrix: {type: file, path: two-hot-servers.csv}}\n"
        "balance: rails\n";
    const Descriptor descriptor =
        Descriptor::FromText(text, (folder.GetPath() / "x.yaml").string(), {}, CheckExperiment);
    const Result result = RunExperiment(descriptor.MakeExperiment(0));
    EXPECT_EQ(result.status, RunStatus::Done) << result.report;
    EXPECT_EQ(result.report, "");
    EXPECT_EQ(GetStorms(result), "");
    for (const PortRecord& port : result.portRecords)
    {
        // Both ends of both cables between leaves and spine.
        if (port.portClass == "leaf_up" || port.portClass == "rail_spine_down")
        {
            EXPECT_GT(port.frames->pauses, 0U) << port.portClass << " of node " << port.node;
        }
    }
}

TEST_F(DeadlockTest, NoProgressEndsTheRunAndNamesTheStuckQueuePairs)
{
    const Result result = Run(kLoop, {"switch.pfc=false"});
    EXPECT_EQ(result.status, RunStatus::NotFinished);
    EXPECT_NE(result.report.find("no payload byte arrived for"), std::string::npos)
        << result.report;
    EXPECT_NE(result.report.find("watchdog.no_progress_after"), std::string::npos);
    // Those from leaf 0 to leaf 1, two servers each: no frame of theirs arrives. The others get no
    // ACK, which goes the other way round, and are stuck too, with all their bytes there.
    for (const std::string from : {"server0", "server1"})
    {
        for (const std::string to : {"2", "3"})
        {
            EXPECT_NE(result.report.find(" of " + from + " NIC 0 to NIC " + to + ": "),
                      std::string::npos)
                << result.report;
        }
    }
    EXPECT_EQ(Count(result.report, ", 0 of 100000 B arrived"), 4U) << result.report;
    EXPECT_EQ(Count(result.report, ", 100000 of 100000 B arrived"), 4U) << result.report;
    EXPECT_NE(result.report.find("8 queue pairs stuck in all; 0 ports paused"), std::string::npos)
        << result.report;
    EXPECT_GE(result.simulated, 1'000'000'000);
    EXPECT_LT(result.simulated, 2'000'000'000);
}

TEST_F(DeadlockTest, WaitingForAComputePhaseIsNoStandstill)
{
    const Result result =
        Run("topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
            "transport: {loss_recovery: {type: go-back-n, timeout: 1ms}}\n"
            "watchdog: {no_progress_after: 5ms}\n"
            "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 10KB}, "
            "phases: [dispatch, compute: 200ms, combine]}\n"
            "balance: rails\n");
    EXPECT_EQ(result.status, RunStatus::Done) << result.report;
    EXPECT_GE(result.cct, 200'000'000'000);
}

TEST_F(DeadlockTest, APortThatIsPausedForLongIsNoted)
{
    EXPECT_EQ(GetStorms(Run(kDeadlockRing, {"watchdog.storm_after=5ms"})), "");
    const std::string storms = GetStorms(Run(kDeadlockRing, {"watchdog.storm_after=500us"}));
    EXPECT_NE(storms.find("rail0-spine0 port 1 (rail_spine_down) was paused"), std::string::npos)
        << storms;
    EXPECT_NE(storms.find("for more than 500 us"), std::string::npos) << storms;
}

TEST_F(DeadlockTest, HeadroomFarBelowTheFormulaBreaksTheInvariant)
{
    // 7 servers send to one at once; 500 ns of cable hold 25 KB each way.
    const std::string text =
        "topology: {type: rail, domains: 8, gpus_per_domain: 1}\n"
        "switch: {buffer: 768KiB}\n"
        "transport: {congestion_control: none, loss_recovery: {type: go-back-n, timeout: 100us}}\n"
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 200KB}}\n"
        "balance: rails\n";
    const TemporaryFolder folder;
    std::string rows;
    for (int source = 0; source < 8; ++source)
    {
        rows += (source == 0 ? "0" : "1000000") + std::string(",0,0,0,0,0,0,0\n");
    }
    const std::string path = folder.Write("incast.csv", rows);
    const Sets incast{"workload.matrix.type=file", "workload.matrix.path=" + path};
    const Result sound = Run(text, incast);
    EXPECT_EQ(sound.status, RunStatus::Done) << sound.report;
    EXPECT_GT(sound.frameCounters->pfcPauses, 0U);
    EXPECT_EQ(sound.frameCounters->drops, 0U);

    Sets tight = incast;
    tight.push_back("switch.headroom=10KB");
    const Result broken = Run(text, tight);
    EXPECT_EQ(broken.status, RunStatus::InvariantBroken);
    EXPECT_GT(broken.frameCounters->drops, 0U);
    EXPECT_NE(broken.report.find("rail0-leaf0 dropped " +
                                 std::to_string(broken.frameCounters->drops) +
                                 " frames of a lossless class"),
              std::string::npos)
        << broken.report;
}

} // namespace ns3::rails
