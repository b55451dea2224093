// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/sanitized.h"
#include "graph-fixtures.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Eight servers in regions of four: six NICs on circuits, two on a leaf.
const std::string kMixNet =
    "topology:\n"
    "  type: nic-groups\n"
    "  domains: 8\n"
    "  gpus_per_domain: 8\n"
    "  fabrics:\n"
    "    ocs: {type: optical, region: 4}\n"
    "    eps: {type: leaf-spine, leaf_ports: 64, spines: 0}\n"
    "  nic_groups:\n"
    "    - {nics: [0, 1, 2, 3, 4, 5], fabric: ocs}\n"
    "    - {nics: [6, 7], fabric: eps}\n"
    "balance: {type: delegates, other: {type: delegates, uses_circuits: false}}\n"
    "transport: {congestion_control: none}\n"
    "engine: flow\n"
    "optical: {reconfiguration_delay: 1ms, control_delay: 2us, moves: always}\n" +
    kSmallTraining + "  layers: 4\n";

/// Engine, transport and workload of that, for topologies without circuits.
const std::string kPacketFabric =
    kMixNet.substr(kMixNet.find("transport:"),
                   kMixNet.find("optical:") - kMixNet.find("transport:")) +
    kMixNet.substr(kMixNet.find("workload:"));

class OpticalRunTest : public GraphTest
{
  protected:
    static Result RunOn(const std::string& engine, Sets sets)
    {
        sets.push_back("engine=" + engine);
        return RunDone(kMixNet, sets);
    }

    static double GetOptical(const Result& result, const std::string& key)
    {
        for (const auto& [name, value] : result.optical)
        {
            if (name == key)
            {
                return value;
            }
        }
        ADD_FAILURE() << "no " << key;
        return 0;
    }

    static void ExpectRefused(const Sets& sets, const std::string& remedy)
    {
        const std::string errors = FindErrors(kMixNet, sets);
        EXPECT_NE(errors.find(remedy), std::string::npos) << errors;
    }

    static bool IsExchange(const Result& result, const MessageRecord& message)
    {
        const std::string& kind = result.graphKinds[message.kind];
        return kind.rfind("dispatch", 0) == 0 || kind.rfind("combine", 0) == 0;
    }
};

TEST_F(OpticalRunTest, TokensTakeCircuitsAndAllElseThePacketFabric)
{
    const Result result = RunDone(kMixNet, {"optical.backward=charged"});
    uint32_t tokens = 0;
    uint32_t others = 0;
    for (const MessageRecord& message : result.messageRecords)
    {
        if (message.rail == kNoRail)
        {
            continue;
        }
        const bool isOptical = message.rail < 6;
        EXPECT_EQ(isOptical, IsExchange(result, message)) << result.graphKinds[message.kind];
        (isOptical ? tokens : others) += 1;
    }
    EXPECT_GT(tokens, 1000U);
    EXPECT_GT(others, 10U);
    // Two stages, two layers each, two micro-batches, there and back, but for the last layer, which
    // on its way back finds its circuits.
    EXPECT_EQ(GetOptical(result, "reconfigurations"), 14);
    EXPECT_EQ(GetOptical(result, "circuits"), 12) << "four servers of six ports";
    EXPECT_EQ(GetOptical(result, "circuit_share"), 1) << "six pairs";
    EXPECT_NEAR(GetOptical(result, "dark_s"), 14 * 1e-3, 1e-12);
}

TEST_F(OpticalRunTest, ALongerDelayIsAddedOnceForEachMoveOnThePath)
{
    RAILS_LONG_CASE();
    const std::string charged = "optical.backward=charged";
    const Result shorter = RunDone(kMixNet, {charged, "optical.reconfiguration_delay=10ms"});
    const Result longer = RunDone(kMixNet, {charged, "optical.reconfiguration_delay=30ms"});
    const double moves =
        static_cast<double>(longer.cct - shorter.cct) / 20e9; // nothing hides any of it
    EXPECT_NEAR(moves, std::round(moves), 1e-6);
    EXPECT_GE(moves, 8) << "all four layers forward, and back";
    const Result linkUp =
        RunDone(kMixNet,
                {charged, "optical.reconfiguration_delay=10ms", "optical.link_up_delay=20ms"});
    EXPECT_EQ(linkUp.cct, longer.cct);
    const Result planning = RunDone(kMixNet,
                                    {charged,
                                     "optical.reconfiguration_delay=10ms",
                                     "optical.circuits={type: greedy, planning_time: 20ms}"});
    EXPECT_EQ(planning.cct, longer.cct);
}

TEST_F(OpticalRunTest, WithFewerPortsSomePairsStayOnThePacketFabric)
{
    const Result result = RunDone(kMixNet,
                                  {"topology.nic_groups=[{nics: [0, 1], fabric: ocs}, "
                                   "{nics: [2, 3, 4, 5, 6, 7], fabric: eps}]"});
    EXPECT_GE(GetOptical(result, "circuits"), 3) << "greedy may leave two ports of a server free";
    EXPECT_LE(GetOptical(result, "circuits"), 4);
    EXPECT_GT(GetOptical(result, "circuit_share"), 0.5);
    EXPECT_LT(GetOptical(result, "circuit_share"), 0.9);
}

TEST_F(OpticalRunTest, WithoutCircuitsForTokensTheyTakeThePacketFabricAsIfItWereAlone)
{
    const Result dark = RunDone(kMixNet,
                                {"balance={type: delegates, uses_circuits: false}",
                                 "optical.reconfiguration_delay=1ps",
                                 "optical.control_delay=1us"});
    for (const MessageRecord& message : dark.messageRecords)
    {
        EXPECT_TRUE(message.rail == kNoRail || message.rail >= 6);
    }
}

TEST_F(OpticalRunTest, SchemesThatPinUseAllNicsOfThePacketFabricAlike)
{
    const std::string uniform = kMixNet.substr(0, kMixNet.find("balance:")) +
                                "balance: rail-source\n"
                                "transport: {congestion_control: none}\n"
                                "engine: flow\n"
                                "workload: {type: all-to-all, matrix: {type: uniform, "
                                "bytes_per_pair: 1MB}}\n";
    for (const char* const scheme : {"rail-source", "rail-destination"})
    {
        const Result result = Run(uniform, {std::string("balance=") + scheme});
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        // Eight GPUs have 56 messages each, by two NICs.
        const std::vector<uint64_t> even{0, 0, 0, 0, 0, 0, 224'000'000, 224'000'000};
        for (const auto& bytes : {result.nicTxBytes, result.nicRxBytes})
        {
            EXPECT_EQ(bytes, std::vector<std::vector<uint64_t>>(8, even)) << scheme;
        }
    }
}

TEST_F(OpticalRunTest, FramesTakeAsLongAsFlowsAndNoneIsLost)
{
    RAILS_LONG_CASE();
    // With a peak of 1e18 computing takes next to nothing, and messages most of the time.
    const std::vector<std::pair<std::string, std::string>> points{{"1e13", "0ps"},
                                                                  {"1e13", "1us"},
                                                                  {"1e13", "1ms"},
                                                                  {"1e18", "0ps"}};
    for (const auto& [peak, delay] : points)
    {
        SCOPED_TRACE(peak + ", " + delay);
        const Sets sets{"optical.reconfiguration_delay=" + delay,
                        "workload.compute={type: flops, peak: " + peak + "}"};
        const Result frames = RunOn("frames", sets);
        const Result flows = RunOn("flow", sets);
        EXPECT_NEAR(static_cast<double>(frames.cct) / static_cast<double>(flows.cct), 1, 0.03);
        EXPECT_EQ(frames.frameCounters->unroutable, 0U);
        EXPECT_EQ(frames.frameCounters->linkLosses, 0U);
        EXPECT_EQ(frames.frameCounters->retransmittedFrames, 0U);
        EXPECT_EQ(GetOptical(frames, "circuit_share"), GetOptical(flows, "circuit_share"));
        EXPECT_EQ(GetOptical(frames, "dark_s"), GetOptical(flows, "dark_s"));
    }
}

TEST_F(OpticalRunTest, WhatTheDelayAddsIsTheSameOnBothEngines)
{
    RAILS_LONG_CASE();
    // One stage, one region. Going back, circuits move beside attention, which hides short delays,
    // and of long ones a part that does not depend on them; the eight moves forward (four layers,
    // two micro-batches) hide nothing.
    const auto run = [](const std::string& engine, const std::string& delay) {
        return RunOn(engine,
                     {"optical.reconfiguration_delay=" + delay,
                      "optical.backward=charged",
                      "topology.domains=4",
                      "topology.fabrics.eps.leaf_ports=32",
                      "workload.parallel={ep: 32, pp: 1}"});
    };
    constexpr TimePs kRounding = 30; // of flows
    const TimePs framesAtOnce = run("frames", "0ps").cct;
    const TimePs flowsAtOnce = run("flow", "0ps").cct;
    std::map<std::string, std::pair<TimePs, TimePs>> added;
    const std::vector<std::pair<std::string, TimePs>> delays{{"1us", 1'000'000},
                                                             {"10us", 10'000'000},
                                                             {"1ms", 1'000'000'000},
                                                             {"25ms", 25'000'000'000},
                                                             {"1s", 1'000'000'000'000},
                                                             {"10s", 10'000'000'000'000}};
    for (const auto& [name, delay] : delays)
    {
        SCOPED_TRACE(name);
        const Result frames = run("frames", name);
        const Result flows = run("flow", name);
        added[name] = {frames.cct - framesAtOnce, flows.cct - flowsAtOnce};
        const auto& [onFrames, onFlows] = added[name];
        const auto moves = static_cast<TimePs>(GetOptical(flows, "reconfigurations"));
        EXPECT_EQ(GetOptical(frames, "reconfigurations"), moves);
        EXPECT_GT(moves, 8);
        EXPECT_NEAR(static_cast<double>(onFrames),
                    static_cast<double>(onFlows),
                    1e-3 * static_cast<double>(moves * delay));
        if (delay < 1'000'000'000)
        {
            EXPECT_EQ(onFrames, 8 * delay);
            EXPECT_NEAR(onFlows, 8 * delay, kRounding);
        }
        else
        {
            const TimePs more = delay - 1'000'000'000;
            EXPECT_EQ(onFrames - added["1ms"].first, moves * more);
            EXPECT_NEAR(onFlows - added["1ms"].second, moves * more, kRounding);
        }
    }
}

TEST_F(OpticalRunTest, WithoutANicOnCircuitsItIsThePacketFabricAlone)
{
    RAILS_LONG_CASE();
    const std::string balance = "balance: {type: delegates, uses_circuits: false}\n";
    const std::string servers = ", domains: 4, gpus_per_domain: 4";
    for (const std::string fabric : {"fat-tree, k: 4", "leaf-spine, leaf_ports: 4, spines: 2"})
    {
        for (const std::string engine : {"frames", "flow"})
        {
            SCOPED_TRACE(fabric + ", " + engine);
            const Sets sets{"engine=" + engine, "workload.layers=2", "workload.parallel={ep: 16}"};
            const Result alone =
                RunDone("topology: {type: " + fabric + servers + "}\n" + balance + kPacketFabric,
                        sets);
            const Result group = RunDone("topology: {type: nic-groups" + servers +
                                             ", fabrics: {eps: {type: " + fabric +
                                             "}}, nic_groups: [{nics: [0, 1, 2, 3], fabric: eps}]}"
                                             "\n" +
                                             balance + kPacketFabric,
                                         sets);
            EXPECT_EQ(group.fingerprint, alone.fingerprint);
            EXPECT_EQ(group.cct, alone.cct);
            EXPECT_TRUE(group.optical.empty());
        }
    }
}

TEST_F(OpticalRunTest, NothingMovesForThoseWhoLeaveCircuitsAlone)
{
    const Result alone = RunDone(kMixNet, {"balance={type: delegates, uses_circuits: false}"});
    EXPECT_EQ(GetOptical(alone, "reconfigurations"), 0);
    EXPECT_EQ(alone.cct,
              RunDone(kMixNet,
                      {"balance={type: delegates, uses_circuits: false}",
                       "optical.reconfiguration_delay=1s"})
                  .cct);
}

TEST_F(OpticalRunTest, WithOnlyChangesDarkARegionWhoseCircuitsStayNeverWaits)
{
    RAILS_LONG_CASE();
    // Six ports are two circuits for each pair of four servers, whatever there is to send.
    for (const std::string engine : {"flow", "frames"})
    {
        const Sets changes{"engine=" + engine, "optical.dark=changes"};
        const Result result = RunDone(kMixNet, changes);
        EXPECT_LT(GetOptical(result, "dark_s"), 2.5e-3) << "what was drawn first went once";
        Sets longer = changes;
        longer.push_back("optical.reconfiguration_delay=3ms");
        EXPECT_LE(RunDone(kMixNet, longer).cct - result.cct, 2 * 2'000'000'000LL + 1000);
        EXPECT_LT(result.cct, RunDone(kMixNet, {"engine=" + engine}).cct);
    }
}

TEST_F(OpticalRunTest, PredictionsMoveCircuitsBesideComputing)
{
    RAILS_LONG_CASE();
    for (const std::string engine : {"flow", "frames"})
    {
        const Result none = RunDone(kMixNet, {"engine=" + engine, "optical.backward=charged"});
        const Result previous =
            RunDone(kMixNet, {"engine=" + engine, "optical.prediction=previous"});
        const Result copilot = RunDone(kMixNet, {"engine=" + engine, "optical.prediction=copilot"});
        EXPECT_EQ(GetOptical(previous, "reconfigurations"), 14);
        EXPECT_EQ(GetOptical(copilot, "reconfigurations"), 22) << "and once more for each of 8";
        EXPECT_LT(previous.cct, none.cct);
        EXPECT_LT(copilot.cct, none.cct);
        EXPECT_EQ(GetOptical(copilot, "circuit_share"), 1) << "of what is sent, not of what is "
                                                              "foreseen";
    }
}

TEST_F(OpticalRunTest, StaticCircuitsAreThereFromTheStartForAnyWorkload)
{
    const Result training = RunDone(kMixNet, {"optical.circuits=static"});
    EXPECT_EQ(GetOptical(training, "reconfigurations"), 0);
    EXPECT_LT(training.cct, RunDone(kMixNet).cct);
    const Result exchange = Run(kMixNet,
                                {"optical.circuits=static",
                                 "balance=delegates",
                                 "workload={type: all-to-all, matrix: {type: uniform}}"});
    uint32_t optical = 0;
    for (const MessageRecord& message : exchange.messageRecords)
    {
        optical += message.rail < 6 ? 1 : 0;
    }
    EXPECT_GT(optical, 0U);
}

TEST_F(OpticalRunTest, StaticCircuitsCountWithTheBytesThatTheyCarry)
{
    const Result result = RunDone(kMixNet, {"optical.circuits=static"});
    uint64_t all = 0;
    uint64_t byCircuits = 0;
    for (const MessageRecord& message : result.messageRecords)
    {
        if (message.rail != kNoRail && IsExchange(result, message))
        {
            all += message.bytes;
            byCircuits += message.rail < 6 ? message.bytes : 0;
        }
    }
    EXPECT_GT(byCircuits, 0U);
    EXPECT_DOUBLE_EQ(GetOptical(result, "circuit_share"),
                     static_cast<double>(byCircuits) / static_cast<double>(all));
    EXPECT_GT(GetOptical(result, "circuits"), 3);
}

TEST_F(OpticalRunTest, CircuitsCanBeSeenWithAllBytesThatTheyCarry)
{
    RAILS_LONG_CASE();
    for (const std::string engine : {"flow", "frames"})
    {
        for (const std::string balancer : {"greedy", "birkhoff", "static"})
        {
            if (engine == "frames" && balancer == "birkhoff")
            {
                continue; // refused
            }
            SCOPED_TRACE(engine + ", " + balancer);
            const Sets sets{"engine=" + engine,
                            "optical.circuits=" + balancer,
                            "optical.moves=needed"};
            const Result result = RunDone(kMixNet, sets);
            uint64_t byCircuits = 0;
            for (const MessageRecord& message : result.messageRecords)
            {
                byCircuits += message.rail != kNoRail && message.rail < 6 ? message.bytes : 0;
            }
            uint64_t seen = 0;
            for (const CircuitRecord& circuit : result.circuitRecords.value())
            {
                seen += circuit.bytes;
                EXPECT_EQ(circuit.from / 4, circuit.region);
                EXPECT_EQ(circuit.to / 4, circuit.region);
                EXPECT_GE(circuit.end, circuit.start);
                EXPECT_GE(circuit.circuits, 1U);
            }
            EXPECT_EQ(seen, byCircuits);
            Sets without = sets;
            without.push_back("record.circuits=false");
            const Result silent = RunDone(kMixNet, without);
            EXPECT_FALSE(silent.circuitRecords);
            EXPECT_EQ(silent.fingerprint, result.fingerprint);
        }
    }
}

TEST_F(OpticalRunTest, ServersWithoutAPacketFabricAreToldWhoLeadsRoundIt)
{
    const std::string failed = "failures={convergence: 0s, schedule: [{at: 0s, nic: server0-nic6, "
                               "state: down}, {at: 0s, nic: server0-nic7, state: down}]}";
    EXPECT_EQ(Run(kMixNet, {failed}).status, RunStatus::Done);
    const Result stuck = Run(kMixNet, {failed, "balance.other=rails"});
    EXPECT_EQ(stuck.status, RunStatus::NotFinished);
    EXPECT_NE(stuck.report.find("balance.other: {type: delegates"), std::string::npos)
        << stuck.report;
}

TEST_F(OpticalRunTest, CircuitsThatServeAlreadyStay)
{
    // Six ports are two circuits for each pair of four servers, whatever there is to send: they
    // move once, from those that are drawn.
    const Result needed = RunDone(kMixNet, {"optical.moves=needed", "optical.backward=charged"});
    EXPECT_EQ(GetOptical(needed, "reconfigurations"), 2) << "once a region";
    EXPECT_NEAR(GetOptical(needed, "dark_s"), 2e-3, 1e-12);
    EXPECT_EQ(GetOptical(needed, "circuits"), 12);
    EXPECT_EQ(GetOptical(needed, "circuit_share"), 1);
    const Result always = RunDone(kMixNet, {"optical.backward=charged"});
    EXPECT_LT(needed.cct, always.cct - 6'000'000'000) << "at least six of eight moves forward";
    EXPECT_GE(needed.cct, needed.lowerBound);
}

TEST_F(OpticalRunTest, MovesForTheWayBackHideUnlessTheyAreCharged)
{
    const auto run = [](const std::string& delay, const std::string& backward) {
        return RunDone(kMixNet,
                       {"optical.reconfiguration_delay=" + delay, "optical.backward=" + backward});
    };
    const Result hidden = run("10ms", "hidden");
    const Result charged = run("10ms", "charged");
    EXPECT_EQ(GetOptical(hidden, "reconfigurations"), 14) << "they move all the same";
    EXPECT_NEAR(GetOptical(hidden, "dark_s"), 8 * 10e-3, 1e-12) << "forward";
    EXPECT_LT(hidden.cct, charged.cct - 10'000'000'000);
    EXPECT_GE(hidden.cct, hidden.lowerBound);
    using Rules = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(hidden.opticalRules, (Rules{{"moves", "always"}, {"backward", "hidden"}}));
    ExpectRefused({"optical.backward=charged", "optical.prediction=previous"},
                  "leave this out, or set prediction to none");
}

TEST_F(OpticalRunTest, PartsOfTheCriticalPathAddUpWhereOnlySomeServersWait)
{
    const std::vector<Sets> cases{
        {"optical.dark=changes", "optical.reconfiguration_delay=75ms"},
        {"optical.dark=changes", "optical.moves=needed", "optical.backward=charged"},
        {"topology.nic_groups=[{nics: [0, 1], fabric: ocs}, {nics: [2, 3, 4, 5, 6, 7], fabric: "
         "eps}]",
         "optical.dark=changes"}};
    for (const Sets& sets : cases)
    {
        const Result result = RunDone(kMixNet, sets);
        TimePs critical = 0;
        TimePs moving = 0;
        for (const auto& kind : result.graph->kinds)
        {
            critical += kind.critical;
            moving += kind.name == "reconfiguration" ? kind.critical : 0;
        }
        EXPECT_EQ(critical, result.cct) << sets.front();
        EXPECT_GT(moving, 0) << sets.front();
    }
}

TEST_F(OpticalRunTest, ADeviceSaysHowLongItTakes)
{
    RAILS_LONG_CASE();
    EXPECT_EQ(RunDone(kMixNet, {"optical={device: rotornet}"}).cct,
              RunDone(kMixNet, {"optical={reconfiguration_delay: 10us}"}).cct);
    EXPECT_EQ(RunDone(kMixNet, {"optical={}"}).cct,
              RunDone(kMixNet, {"optical={reconfiguration_delay: 25ms}"}).cct);
}

TEST_F(OpticalRunTest, WhatFailsIsGoneRound)
{
    RAILS_LONG_CASE();
    const auto fail = [](const std::vector<std::string>& nics) {
        std::string schedule;
        for (const std::string& nic : nics)
        {
            schedule +=
                (schedule.empty() ? "" : ", ") + ("{at: 0s, nic: " + nic) + ", state: down}";
        }
        return "failures.schedule=[" + schedule + "]";
    };
    for (const std::string engine : {"flow", "frames"})
    {
        const Result intact = RunDone(kMixNet, {"engine=" + engine});
        const Result port = RunDone(kMixNet, {"engine=" + engine, fail({"server1-nic2"})});
        EXPECT_LT(GetOptical(port, "circuits"), 12);
        EXPECT_GT(port.cct, intact.cct);
        const Result one = RunDone(kMixNet, {"engine=" + engine, fail({"server1-nic6"})});
        EXPECT_GT(one.cct, intact.cct);
        EXPECT_LT(one.cct, 1.05 * intact.cct);
        if (engine == "flow")
        {
            const Result both =
                RunDone(kMixNet, {"engine=flow", fail({"server1-nic6", "server1-nic7"})});
            EXPECT_GT(both.cct, one.cct);
            for (const MessageRecord& message : both.messageRecords)
            {
                const bool isSent = message.source / 8 == 1 && message.end != kNever;
                EXPECT_TRUE(!isSent || message.rail == kNoRail || message.rail < 6);
            }
        }
    }
}

/// \return settings for a job of two stages on four servers in regions of two, in front of two
/// spare ones
std::vector<std::string>
MakeJob(const std::string& placement)
{
    return {"topology.domains=6",
            "topology.fabrics.ocs.region=2",
            "topology.fabrics.ocs.spares=2",
            "workload={type: jobs, jobs: {a: {workload: {type: training, model: {type: "
            "qwen3-235b, hidden: 256, heads: 4, kv_heads: 2, head_width: 16, experts: 32, "
            "expert_ffn: 512, vocabulary: 1000, top_k: 4}, parallel: {ep: 16, pp: 2}, batch: "
            "{micro: 1, global: 32, sequence: 256}, load: {type: synthetic, preset: no-aux}, "
            "compute: {type: flops, peak: 1e13}, layers: 4}, " +
                placement + "}}}"};
}

TEST_F(OpticalRunTest, ARegionOnSpareServersHasNoCircuitsAndLeavesOthersTheirs)
{
    const std::string servers = "placement: {type: contiguous, servers: 4}";
    const Result intact = RunDone(kMixNet, MakeJob(servers));
    EXPECT_EQ(GetOptical(intact, "circuits"), 6);
    const Result half = RunDone(kMixNet, MakeJob(servers + ", spares: [5], failed_servers: [0]"));
    EXPECT_LT(GetOptical(half, "circuits"), 6);
    const Result all =
        RunDone(kMixNet, MakeJob(servers + ", spares: [4, 5], failed_servers: [0, 1]"));
    EXPECT_EQ(GetOptical(all, "circuits"), 6) << "of the other region";
    EXPECT_EQ(GetOptical(all, "circuit_share"), 1);
    EXPECT_LT(GetOptical(all, "reconfigurations"), GetOptical(intact, "reconfigurations"));
}

TEST_F(OpticalRunTest, CircuitsThatTakeTurnsServeEachExchangeAndPayForEachSlot)
{
    RAILS_LONG_CASE();
    const std::string turns = "optical.circuits=birkhoff";
    const Result shorter = RunDone(kMixNet, {turns, "optical.reconfiguration_delay=10us"});
    const Result longer = RunDone(kMixNet, {turns, "optical.reconfiguration_delay=10ms"});
    for (const MessageRecord& message : shorter.messageRecords)
    {
        EXPECT_TRUE(message.rail == kNoRail || (message.rail < 6) == IsExchange(shorter, message));
    }
    EXPECT_EQ(GetOptical(shorter, "circuit_share"), 1);
    // Two stages, two layers, two micro-batches, four exchanges, and several slots in each.
    const double slots = GetOptical(shorter, "reconfigurations");
    EXPECT_GE(slots, 32 * 4);
    EXPECT_LE(slots, 32 * 10) << "(n - 1)^2 + 1 of n servers";
    EXPECT_NEAR(GetOptical(shorter, "dark_s"), slots * 10e-6, 1e-12);
    EXPECT_GT(longer.cct - shorter.cct, 20 * 4 * 9'990'000'000) << "exchanges on the path";
}

TEST_F(OpticalRunTest, CopiesOfExpertsTakeThePacketFabricAndTheTokensOfThePlanCircuits)
{
    RAILS_LONG_CASE();
    const Sets copies{"workload.experts={type: llep, min_tokens: 16}"};
    const std::vector<Sets> ways{{"engine=flow"},
                                 {"engine=frames"},
                                 {"engine=flow", "optical.circuits=birkhoff"},
                                 {"engine=flow", "optical.prediction=copilot"}};
    std::vector<double> seconds;
    for (Sets sets : ways)
    {
        sets.insert(sets.end(), copies.begin(), copies.end());
        const Result result = RunDone(kMixNet, sets);
        std::map<std::string, std::set<bool>> optical; // by kind: what took circuits or did not
        for (const MessageRecord& message : result.messageRecords)
        {
            if (message.rail != kNoRail)
            {
                optical[result.graphKinds[message.kind]].insert(message.rail < 6);
            }
        }
        for (const std::string kind : {"dispatch", "combine", "combine-backward"})
        {
            EXPECT_EQ(optical[kind], std::set<bool>{true}) << sets.front() << ' ' << kind;
        }
        for (const std::string kind : {"expert-weights", "expert-gradients", "expert-counts"})
        {
            EXPECT_EQ(optical[kind], std::set<bool>{false}) << sets.front() << ' ' << kind;
        }
        EXPECT_EQ(GetOptical(result, "circuit_share"), 1);
        seconds.push_back(static_cast<double>(result.cct));
    }
    EXPECT_NEAR(seconds[1], seconds[0], seconds[0] * 0.03) << "frames and flows";
}

TEST_F(OpticalRunTest, PoliciesReckonWithTheNicsThatCopiesTakeWhateverTheirNumbers)
{
    RAILS_LONG_CASE();
    const auto countCopies = [](const std::string& policy,
                                const std::string& rate,
                                const std::string& optical,
                                const std::string& packet) {
        const Result result =
            RunDone(kMixNet,
                    {"workload.experts=" + policy,
                     "workload.warm_up=2",
                     "topology.fabrics.eps={type: leaf-spine, leaf_ports: 64, spines: 0, "
                     "nic_rate: " +
                         rate + "}",
                     "topology.nic_groups=[{nics: [" + optical + "], fabric: ocs}, {nics: [" +
                         packet + "], fabric: eps}]"});
        for (const auto& [name, value] : result.graphFigures)
        {
            if (name == "expert_copies")
            {
                return value;
            }
        }
        ADD_FAILURE() << "no expert_copies";
        return 0.0;
    };
    for (const std::string policy : {"faster-moe", "pro-prophet", "rail-aware"})
    {
        const double slow = countCopies(policy, "10Gbps", "0, 1, 2, 3, 4, 5", "6, 7");
        EXPECT_EQ(countCopies(policy, "10Gbps", "2, 3, 4, 5, 6, 7", "0, 1"), slow) << policy;
        EXPECT_GT(countCopies(policy, "400Gbps", "0, 1, 2, 3, 4, 5", "6, 7"), slow) << policy;
    }
}

TEST_F(OpticalRunTest, CircuitsMoveForWhatAPhaseIsToSend)
{
    const std::string dispatch = "workload={type: all-to-all, matrix: {type: moe, experts: 64, "
                                 "tokens_per_gpu: 256, popularity: zipf}, iterations: 2, phases: ";
    const Sets there{"balance=delegates", dispatch + "[dispatch]}"};
    const auto run = [](Sets sets, const Sets& more) {
        sets.insert(sets.end(), more.begin(), more.end());
        return Run(kMixNet, sets);
    };
    const Result always = run(there, {});
    EXPECT_EQ(GetOptical(always, "reconfigurations"), 4) << "two regions, twice";
    EXPECT_EQ(GetOptical(always, "circuit_share"), 1) << "of what stays in regions of four";
    uint32_t optical = 0;
    for (const MessageRecord& message : always.messageRecords)
    {
        optical += message.rail < 6 ? 1 : 0;
    }
    EXPECT_GT(optical, 1000U);
    const std::string longer = "optical.reconfiguration_delay=3ms";
    EXPECT_EQ(run(there, {longer}).cct - always.cct, 4'000'000'000);
    // The same demand wants the same circuits, which are there.
    EXPECT_EQ(GetOptical(run(there, {"optical.moves=needed"}), "reconfigurations"), 2);
    // What comes back takes the circuits of what went there, but for those of one direction.
    const Sets back{"balance=delegates", dispatch + "[dispatch, {compute: 1ms}, combine]}"};
    const Result both = run(back, {});
    EXPECT_EQ(GetOptical(both, "reconfigurations"), 4);
    EXPECT_EQ(run(back, {longer}).cct - both.cct, 4'000'000'000);
    const double turns = GetOptical(run(back, {"optical.circuits=birkhoff"}), "reconfigurations");
    EXPECT_GE(turns, 8 * 3) << "three other servers, four exchanges, two regions";
    const Result frames = run(back, {"engine=frames"});
    EXPECT_NEAR(static_cast<double>(frames.cct) / static_cast<double>(both.cct), 1, 0.03);
    EXPECT_EQ(frames.frameCounters->unroutable, 0U);
    EXPECT_EQ(GetOptical(frames, "circuit_share"), GetOptical(both, "circuit_share"));
}

TEST_F(OpticalRunTest, RunsRepeat)
{
    EXPECT_EQ(RunDone(kMixNet).fingerprint, RunDone(kMixNet).fingerprint);
}

TEST_F(OpticalRunTest, WhatDoesNotFitIsRefusedWithTheRemedy)
{
    ExpectRefused({"optical={device: telescent}"}, "say how long it takes");
    ExpectRefused({"optical={device: epiphotonics}"}, "which has 16 ports");
    ExpectRefused({"topology.fabrics.ocs2={type: optical, region: 4}",
                   "topology.nic_groups=[{nics: [0, 1, 2], fabric: ocs}, "
                   "{nics: [3, 4, 5], fabric: ocs2}, {nics: [6, 7], fabric: eps}]"},
                  "expected one fabric of type optical");
    ExpectRefused({"balance=delegates"}, "{type: delegates, uses_circuits: false}");
    ExpectRefused({"optical.control_delay=1ns"}, "longest propagation of a cable");
    const std::string turns = "optical.circuits=birkhoff";
    ExpectRefused({turns, "engine=frames"}, "set it to flow");
    ExpectRefused({turns, "optical.circuits.slots=4"}, "as many are laid as it takes");
    ExpectRefused({turns, "optical.dark=changes"}, "expected region");
    ExpectRefused({turns, "optical.prediction=previous"}, "expected none");
    ExpectRefused({turns, "failures={random: {probability: 0.2}}"}, "leave failures out");
    ExpectRefused({"topology.fabrics.ocs.region=2"}, "make regions larger");
    ExpectRefused({"topology.fabrics.ocs.region=3"}, "8 servers do not make regions of 3");
    ExpectRefused({"topology.fabrics.ocs.region=8"}, "make regions smaller");
    ExpectRefused({"topology.domains=9",
                   "topology.fabrics.ocs.spares=1",
                   "workload.parallel={ep: 8}",
                   "workload.batch.global=72"},
                  "expected whole regions of circuits");
    ExpectRefused({"topology.fabrics.ocs.spares=4", "workload.parallel={ep: 8}"},
                  "expected whole regions of circuits");
    ExpectRefused(MakeJob("placement: {type: contiguous, servers: 3}"),
                  "expected whole regions of 2 servers each");
    ExpectRefused(MakeJob("placement: {type: contiguous, first: 4, servers: 2}"),
                  "expected whole regions of 2 servers each");
    ExpectRefused(MakeJob("placement: {type: contiguous, servers: 2}, spares: [3]"),
                  "server 3 is in a region of circuits");
    const std::string exchanges = "expected all-to-all, permutation, incast or training";
    ExpectRefused({"workload={type: ring, bytes: 1MB}"}, "steps of a collective");
    ExpectRefused({"workload={type: ring, bytes: 1MB}"}, exchanges);
    ExpectRefused({"workload={type: graph, stages: [{type: exchange, name: a, matrix: uniform}]}"},
                  exchanges);
    const std::string phases = "workload={type: all-to-all, matrix: {type: uniform}}";
    ExpectRefused({phases}, "other traffic in the workloads graph and training alone");
    ExpectRefused({phases, "balance=delegates", "optical.prediction=previous"},
                  "expected optical.prediction: none");
    ExpectRefused({phases, "balance=delegates", "topology.fabrics.ocs.spares=4"},
                  "expected whole regions of circuits");
    ExpectRefused({"topology.fabrics={ocs: {type: optical, region: 4}}",
                   "topology.nic_groups=[{nics: [0, 1, 2, 3, 4, 5, 6, 7], fabric: ocs}]"},
                  "leave some to a packet fabric");
    ExpectRefused({"topology={type: optical}"}, "make it a fabric of the topology nic-groups");
}

} // namespace

} // namespace ns3::rails
