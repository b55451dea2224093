// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/sanitized.h"
#include "run-experiment-fixtures.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr TimePs kPatchPanelRunDelay = 500'000; // of a circuit
constexpr TimePs kPatchPanelRunFrame =
    83'560;                           // 4096 B with headers, preamble and gap at 400 Gbit/s
constexpr TimePs kWhole = 20'401'800; // 1 MB in 245 frames
constexpr TimePs kRounding = 30;

/// A ring of five servers with two GPUs.
const std::string kPatchPanelRunRing =
    "topology: {type: patch-panel, domains: 5, gpus_per_domain: 2, "
    "region_nics: 0, strides: [1]}\n"
    "transport: {congestion_control: none}\n"
    "engine: flow\n"
    "balance: rail-source\n"
    "watchdog: {no_progress_after: 1ms}\n";

/// Eight servers with eight GPUs in two regions.
const std::string kRegions =
    "topology: {type: patch-panel, domains: 8, gpus_per_domain: 8, region: 4, region_nics: 4,\n"
    "  strides: [1, 4]}\n"
    "balance: ecmp\n"
    "transport: {congestion_control: none}\n"
    "engine: flow\n" +
    kSmallTraining + "  layers: 2\n";

class PatchPanelRunTest : public RunTest
{
  protected:
    /// Runs messages on the ring. \param rows of a file of connections
    Result RunRing(const std::string& rows, const Sets& sets = {}) const
    {
        const std::string path = folder.Write("posts.csv", "source,destination,bytes\n" + rows);
        Result result =
            Run(kPatchPanelRunRing + "workload: {type: connections, path: " + path + "}\n", sets);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        return result;
    }

    /// \return when the message from one GPU to another had come
    static TimePs GetEnd(const Result& result, uint32_t source, uint32_t destination)
    {
        const auto found =
            std::find_if(result.messageRecords.begin(),
                         result.messageRecords.end(),
                         [=](const MessageRecord& message) {
                             return message.source == source && message.destination == destination;
                         });
        return found == result.messageRecords.end() ? kNever : found->end;
    }

    /// \return bytes that all circuits from one server to another carried
    static uint64_t GetCarried(const Result& result, uint32_t from, uint32_t to, uint32_t servers)
    {
        uint64_t bytes = 0;
        for (const PortRecord& port : result.portRecords)
        {
            bytes += port.portClass == "circuit" && port.node == servers + from &&
                             port.peer == servers + to
                         ? port.bytes
                         : 0;
        }
        return bytes;
    }

    TemporaryFolder folder;
};

TEST_F(PatchPanelRunTest, ALoneMessageTakesTheTimeOfItsCircuits)
{
    EXPECT_NEAR(GetEnd(RunRing("0,2,1000000\n"), 0, 2),
                kPatchPanelRunDelay + kWhole + 2 * kPatchPanelRunFrame,
                kRounding);
    EXPECT_NEAR(GetEnd(RunRing("0,4,1000000\n"), 0, 4),
                2 * kPatchPanelRunDelay + kWhole + 3 * kPatchPanelRunFrame,
                kRounding)
        << "server 1 or no other passes it on";
}

TEST_F(PatchPanelRunTest, WhatIsPassedOnSharesTheCircuitsWithWhatIsNot)
{
    // From server 0 to server 1, to server 2 by way of server 1, and from server 1 to server 2.
    const Result result = RunRing("1,3,1000000\n0,4,1000000\n3,5,1000000\n");
    EXPECT_NEAR(GetEnd(result, 1, 3),
                kPatchPanelRunDelay + 2 * kWhole + 2 * kPatchPanelRunFrame,
                kPatchPanelRunFrame);
    EXPECT_NEAR(GetEnd(result, 0, 4),
                2 * kPatchPanelRunDelay + 2 * kWhole + 3 * kPatchPanelRunFrame,
                kPatchPanelRunFrame);
    EXPECT_NEAR(GetEnd(result, 3, 5),
                kPatchPanelRunDelay + 2 * kWhole + 2 * kPatchPanelRunFrame,
                kPatchPanelRunFrame);
    EXPECT_EQ(GetCarried(result, 0, 1, 5), 2'040'180U) << "two messages with their headers";
    EXPECT_EQ(GetCarried(result, 1, 2, 5), 2'040'180U);
    EXPECT_EQ(GetCarried(result, 2, 3, 5), 0U);
    EXPECT_EQ(result.nicTxBytes[1], (std::vector<uint64_t>{0, 1'000'000}))
        << "what server 1 passes on takes none of its own cables";
    EXPECT_GE(result.cct, result.lowerBound);
}

TEST_F(PatchPanelRunTest, ATrainingIsSlowerThanWithoutRelaysAndAboveItsBound)
{
    RAILS_LONG_CASE();
    // Each would choose its own.
    const std::string rings = "workload.collectives.algorithm=ring";
    const Result panel = Run(kRegions, {rings});
    ASSERT_EQ(panel.status, RunStatus::Done) << panel.report;
    const Result switched =
        Run(kRegions,
            {"topology={type: leaf-spine, domains: 8, gpus_per_domain: 8, leaf_ports: 64}", rings});
    EXPECT_GT(panel.cct, switched.cct);
    EXPECT_GE(panel.cct, panel.lowerBound);
    EXPECT_EQ(panel.bytes, switched.bytes);
    EXPECT_EQ(Run(kRegions, {rings}).fingerprint, panel.fingerprint);
}

TEST_F(PatchPanelRunTest, CutCircuitsAreGoneRound)
{
    // Cut when a tenth has come: the rest goes the long way, which is four circuits.
    const Result cut = RunRing("0,2,1000000\n",
                               {"failures={convergence: 20us, schedule: [{at: 2us, state: down, "
                                "link: [relay0, relay1]}]}"});
    EXPECT_GT(GetCarried(cut, 0, 4, 5), 900'000U);
    EXPECT_EQ(GetCarried(cut, 0, 4, 5), GetCarried(cut, 2, 1, 5));
    EXPECT_GT(cut.cct, 20'000'000 + kWhole * 9 / 10);
    EXPECT_LT(cut.cct, 24'000'000 + kWhole);
    // A server that is down passes on nothing.
    const Result down = RunRing("0,4,1000000\n",
                                {"failures={convergence: 20us, schedule: [{at: 0s, state: down, "
                                 "switch: relay1}]}"});
    EXPECT_EQ(GetCarried(down, 0, 1, 5), 0U);
    EXPECT_EQ(GetCarried(down, 3, 2, 5), 1'020'090U);
    const Result random =
        Run(kRegions, {"failures={random: {probability: 0.2, port_class: circuit}}"});
    EXPECT_EQ(random.status, RunStatus::Done) << random.report;
    EXPECT_GT(random.failedCables, 0U);
}

TEST_F(PatchPanelRunTest, ThePublishedBoundIsForFabricsWhoseHostsRelayNothing)
{
    const std::string allToAll = "workload: {type: all-to-all, matrix: uniform}\n"
                                 "transport: {congestion_control: none}\n"
                                 "balance: ecmp\n"
                                 "engine: flow\n";
    const auto hasBound = [&](const std::string& topology) {
        return Run("topology: " + topology + "\n" + allToAll).publishedBound.has_value();
    };
    EXPECT_TRUE(hasBound("{type: rail, domains: 2, gpus_per_domain: 1}"));
    EXPECT_FALSE(hasBound("{type: patch-panel, domains: 2, gpus_per_domain: 1, region: 2, "
                          "region_nics: 1, strides: []}"));
}

TEST_F(PatchPanelRunTest, WhatDoesNotFitIsRefusedWithTheRemedy)
{
    const auto expectRefused = [](const Sets& sets, const std::string& remedy) {
        const std::string errors = FindErrors(kRegions, sets);
        EXPECT_NE(errors.find(remedy), std::string::npos) << errors;
    };
    EXPECT_EQ(FindErrors(kRegions), "");
    expectRefused({"engine=frames"}, "set it to flow");
    expectRefused({"balance.host=destination-rotation"}, "use flow, subflow or spray");
    expectRefused({"topology.region_nics=6"}, "make region_nics + 2 x strides the number of NICs");
    expectRefused({"topology.strides=[8, 1]"}, "expected 1 to 7");
}

} // namespace

} // namespace ns3::rails
