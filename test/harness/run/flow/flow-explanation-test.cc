// SPDX-License-Identifier: GPL-2.0-only

// Runs of flows that are slow for one known reason, by hand: see also those of frames.

#include "../run-experiment-fixtures.h"

#include "ns3/rails-explanation.h"

#include <cmath>
#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace ns3::rails
{

namespace
{

constexpr std::size_t kRoutesFactor = 1;
constexpr std::size_t kRepeatsFactor = 2;
constexpr std::size_t kOutagesFactor = 3;
constexpr std::size_t kWaitingFactor = 4;

/// \return the time of bytes at 400 Gbps
TimePs
At400Gbps(uint64_t bytes)
{
    return static_cast<TimePs>(bytes * 20);
}

/// \return wire bytes of data: frames of 4096 B with 82 B around them
uint64_t
GetWireBytes(uint64_t bytes)
{
    return bytes + (bytes + 4095) / 4096 * 82;
}

} // namespace

class FlowExplanationTest : public RunTest
{
  protected:
    /// Runs a descriptor as flows, with explanations, and checks what holds for all of them.
    static Result RunExplained(const std::string& text, const Sets& sets = {})
    {
        Sets all = sets;
        all.insert(all.end(),
                   {"record.explain=true", "engine=flow", "transport.congestion_control=none"});
        Result result = Run(text, all);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        const Explanation& explanation = result.explanation.value();
        EXPECT_EQ(*explanation.times.front(), result.lowerBound);
        EXPECT_EQ(*explanation.times.back(), result.cct);
        for (std::size_t factor = 0; factor < Explanation::kFactors.size(); ++factor)
        {
            EXPECT_GE(explanation.GetFactor(factor).value(), 1) << Explanation::kFactors[factor];
        }
        for (const std::optional<Explanation::Shares>& port : {explanation.nic, explanation.cable})
        {
            EXPECT_FALSE(port && GetTime(*port, PortState::Paused));
            EXPECT_FALSE(port && GetTime(*port, PortState::Rate));
            EXPECT_FALSE(port && GetTime(*port, PortState::NotThereYet));
        }
        return result;
    }

    static std::optional<TimePs> GetTime(const Explanation::Shares& shares, PortState state)
    {
        return shares.times[static_cast<std::size_t>(state)];
    }

    /// \return the share of a state in the time of a port
    static double GetShareOf(const Explanation::Shares& shares, PortState state)
    {
        const TimePs sum = *GetTime(shares, PortState::Busy) + *GetTime(shares, PortState::Down) +
                           *GetTime(shares, PortState::Idle);
        return static_cast<double>(*GetTime(shares, state)) / static_cast<double>(sum);
    }

    static double GetFactor(const Result& result, std::size_t factor)
    {
        return result.explanation->GetFactor(factor).value();
    }

    /// Expects a factor to be the only one that is notable.
    static void ExpectOnly(const Result& result, std::size_t factor)
    {
        for (std::size_t other = 0; other < Explanation::kFactors.size(); ++other)
        {
            if (other != factor)
            {
                EXPECT_LT(GetFactor(result, other), 1.03) << Explanation::kFactors[other];
            }
        }
    }

    static bool Says(const Result& result, const std::string& words)
    {
        return result.explanation->sentence.find(words) != std::string::npos;
    }

    TemporaryFolder m_folder;
};

TEST_F(FlowExplanationTest, DataAndAcksOfACableAreCountedToTheByte)
{
    const Result result = RunExplained("topology: {type: rail, domains: 2, gpus_per_domain: 1}\n"
                                       "workload: {type: connections, path: " +
                                       m_folder.Write("both.csv", "0,1,8000000\n1,0,8000000\n") +
                                       "}\nbalance: rails\n");
    // Each NIC sends data, and ACKs for what it receives.
    const TimePs time = At400Gbps(GetWireBytes(8'000'000) + (8'000'000 + 4095) / 4096 * 84);
    EXPECT_NEAR(*result.explanation->times[3], time, 20);
    EXPECT_EQ(result.explanation->times[4], result.explanation->times[3]);
    EXPECT_NEAR(*GetTime(*result.explanation->nic, PortState::Busy), time, 20);
    EXPECT_EQ(result.explanation->nic->name, "server0-nic0");
    EXPECT_EQ(result.explanation->cable->name, "rail0-leaf0 to server0-nic0");
    EXPECT_TRUE(Says(result, "nothing waited for long")) << result.explanation->sentence;
}

TEST_F(FlowExplanationTest, CollisionsAreTheFaultOfTheSameRoutesAsAmongFrames)
{
    const std::string text =
        "topology: {type: rail, domains: 4, gpus_per_domain: 1, leaf_ports: 2, rail_spines: 2}\n"
        "workload: {type: connections, path: " +
        m_folder.Write("two.csv", "0,2,8000000\n1,3,8000000\n") + "}\nbalance: ecmp\n";
    bool hasCollision = false;
    bool hasNone = false;
    for (uint32_t seed = 1; seed <= 6; ++seed)
    {
        const std::string set = "seed=" + std::to_string(seed);
        const Result result = RunExplained(text, {set});
        const Result frames = Run(
            text,
            {set, "record.explain=true", "transport.congestion_control=none", "switch.buffer=1GB"});
        EXPECT_NEAR(GetFactor(result, kRoutesFactor), GetFactor(frames, kRoutesFactor), 1e-3);
        ExpectOnly(result, kRoutesFactor);
        const std::string cable = "routes put 4.00 times the mean on the cable rail0-leaf0 to ";
        const bool collides = GetFactor(result, kRoutesFactor) > 1.5;
        (collides ? hasCollision : hasNone) = true;
        if (collides)
        {
            EXPECT_NEAR(*result.explanation->times[2], At400Gbps(2 * GetWireBytes(8'000'000)), 20);
        }
        EXPECT_EQ(Says(result, cable), collides) << result.explanation->sentence;
        // The same cable, up to the name of the spine.
        EXPECT_EQ(result.explanation->sentence, frames.explanation->sentence);
    }
    EXPECT_TRUE(hasCollision && hasNone);
}

TEST_F(FlowExplanationTest, ASenderOfAnIncastIsIdleForTheRestOfItsTime)
{
    const Result result = RunExplained("topology: {type: rail, domains: 5, gpus_per_domain: 1}\n"
                                       "workload: {type: incast, senders: 4, bytes: 4MB}\n"
                                       "balance: rails\n");
    ExpectOnly(result, kWaitingFactor);
    EXPECT_LT(GetFactor(result, kWaitingFactor), 1.03);
    EXPECT_NEAR(GetShareOf(*result.explanation->nic, PortState::Busy), 0.25, 0.01);
    EXPECT_NEAR(GetShareOf(*result.explanation->nic, PortState::Idle), 0.75, 0.01);
    EXPECT_EQ(result.explanation->cable->name, "rail0-leaf0 to server0-nic0");
    EXPECT_GT(GetShareOf(*result.explanation->cable, PortState::Busy), 0.98);
}

TEST_F(FlowExplanationTest, ANicWhoseFlowsAreHeldBackElsewhereLeavesItsRateUnused)
{
    // Both flows of NIC 0 have a third of its rate until their far ends are rid of two others each.
    const Result result = RunExplained(
        "topology: {type: rail, domains: 7, gpus_per_domain: 1}\n"
        "workload: {type: connections, path: " +
        m_folder.Write("thirds.csv",
                       "0,1,8000000\n0,2,8000000\n3,1,4000000\n4,1,4000000\n5,2,4000000\n"
                       "6,2,4000000\n") +
        "}\nbalance: rails\n");
    ExpectOnly(result, kWaitingFactor);
    EXPECT_NEAR(GetFactor(result, kWaitingFactor), 1.25, 0.01);
    EXPECT_EQ(result.explanation->nic->name, "server0-nic0");
    EXPECT_NEAR(GetShareOf(*result.explanation->nic, PortState::Idle), 0.2, 0.005);
    EXPECT_TRUE(Says(result,
                     "the last NIC, server0-nic0, left its rate unused for 20 % of the time: other "
                     "cables or NVLink held its flows back, or it had nothing to send"))
        << result.explanation->sentence;
}

TEST_F(FlowExplanationTest, TheTimeOfACableThatWasDownIsAnOutage)
{
    const Result result =
        RunExplained("topology: {type: rail, domains: 2, gpus_per_domain: 1}\n"
                     "workload: {type: incast, senders: 1, bytes: 8MB}\n"
                     "balance: rails\n"
                     "failures: {convergence: never, queued: held, schedule: [{at: 50us, nic: "
                     "server1-nic0, state: down}, {at: 250us, nic: server1-nic0, state: up}]}\n");
    ExpectOnly(result, kOutagesFactor);
    EXPECT_NEAR(*result.explanation->times[4],
                At400Gbps(GetWireBytes(8'000'000)) + 200'000'000,
                40);
    EXPECT_EQ(GetTime(*result.explanation->nic, PortState::Down), 200'000'000);
    EXPECT_TRUE(Says(result, "cables that were down or slow cost a factor of"))
        << result.explanation->sentence;
}

TEST_F(FlowExplanationTest, ACableThatStaysDownAndIsReplacedByAnotherIsNoOutage)
{
    const Result result =
        RunExplained("topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
                     "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 1MB}}\n"
                     "balance: {type: rails, chunk: 100KB}\n"
                     "failures: {convergence: 5us, schedule: [{at: 20us, nic: server1-nic1, state: "
                     "down}]}\n");
    EXPECT_EQ(GetFactor(result, kOutagesFactor), 1);
}

TEST_F(FlowExplanationTest, TheTimeThatACableLostToALowerRateIsAnOutage)
{
    const Result result = RunExplained(
        "topology: {type: rail, domains: 2, gpus_per_domain: 1}\n"
        "workload: {type: incast, senders: 1, bytes: 8MB}\n"
        "balance: rails\n"
        "failures: {convergence: never, schedule: [{at: 50us, nic: server1-nic0, rate: 100Gbps}, "
        "{at: 150us, nic: server1-nic0, rate: 400Gbps}]}\n");
    ExpectOnly(result, kOutagesFactor);
    EXPECT_NEAR(*result.explanation->times[4], At400Gbps(GetWireBytes(8'000'000)) + 75'000'000, 40);
}

TEST_F(FlowExplanationTest, EachPhaseIsWatchedForItself)
{
    const std::string text =
        "topology: {type: rail, domains: 2, gpus_per_domain: 1}\n"
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 8MB}, phases: "
        "[dispatch, compute: 100us, combine]}\n"
        "balance: rails\n";
    const Result whole = RunExplained(text);
    const TimePs phase = At400Gbps(GetWireBytes(8'000'000) + (8'000'000 + 4095) / 4096 * 84);
    EXPECT_NEAR(*whole.explanation->times[3], 2 * phase + 100'000'000, 80);
    const Result slow = RunExplained(
        text + "failures: {schedule: [{at: 250us, nic: server0-nic0, rate: 100Gbps}]}\n");
    ExpectOnly(slow, kOutagesFactor);
    // ACKs count to a small part of the rate, here of a quarter of it.
    EXPECT_NEAR(*slow.explanation->times[4] - *slow.explanation->times[3], 3 * phase, phase / 25e3);
}

TEST_F(FlowExplanationTest, RecordingChangesNothing)
{
    const std::string text =
        "topology: {type: rail, domains: 4, gpus_per_domain: 2, spines: 2}\n"
        "workload: {type: all-to-all, matrix: {type: zipf, bytes_per_gpu: 2MB}}\n"
        "balance: ecmp\n"
        "failures: {convergence: 5us, schedule: [{at: 20us, nic: server1-nic1, rate: 100Gbps}]}\n";
    const Result with = RunExplained(text);
    const Result without = Run(text, {"engine=flow", "transport.congestion_control=none"});
    EXPECT_EQ(GetFingerprint(with), GetFingerprint(without));
    EXPECT_EQ(with.events, without.events);
    EXPECT_TRUE(without.explanation->GetFactor(0));
    EXPECT_FALSE(without.explanation->GetFactor(kRepeatsFactor));
    EXPECT_EQ(without.explanation->sentence, "");
}

} // namespace ns3::rails
