// SPDX-License-Identifier: GPL-2.0-only

// Runs that are slow for one known reason: the explanation names it, and nothing else. That factors
// multiply to the whole is tested on generated descriptors (test/generated).

#include "run-experiment-fixtures.h"

#include "ns3/rails-explanation.h"

#include <cmath>
#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace ns3::rails
{

namespace
{

constexpr std::size_t kPlan = 0;
constexpr std::size_t kRoutes = 1;
constexpr std::size_t kRepeats = 2;
constexpr std::size_t kOutages = 3;
constexpr std::size_t kWaiting = 4;

/// \return the share of a state in the time of a port
double
GetShare(const Explanation::Shares& shares, PortState state)
{
    TimePs sum = 0;
    for (const std::optional<TimePs>& time : shares.times)
    {
        sum += time.value_or(0);
    }
    return static_cast<double>(shares.times[static_cast<std::size_t>(state)].value()) /
           static_cast<double>(sum);
}

} // namespace

class ExplanationTest : public RunTest
{
  protected:
    /// Runs a descriptor with explanations. \return the result; its explanation is there
    static Result RunExplained(const std::string& text, const Sets& sets = {})
    {
        Sets all = sets;
        all.push_back("record.explain=true");
        Result result = Run(text, all);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        EXPECT_TRUE(result.explanation.has_value());
        return result;
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

TEST_F(ExplanationTest, OneGpuThatUsesItsOwnNicAloneIsTheFaultOfThePlan)
{
    const Result result = RunExplained("topology: {type: rail, domains: 2, gpus_per_domain: 4}\n"
                                       "workload: {type: connections, path: " +
                                       m_folder.Write("one.csv", "0,4,8000000\n") +
                                       "}\n"
                                       "transport: {congestion_control: none}\n"
                                       "balance: rail-source\n");
    // R1 + R2 instead of R2 alone: NVLink at 3.6 Tbps is faster than three more NICs.
    EXPECT_NEAR(GetFactor(result, kPlan), 4, 0.1);
    ExpectOnly(result, kPlan);
    EXPECT_TRUE(Says(result, "The plan costs a factor of"));
    EXPECT_TRUE(Says(result, "at server0-nic0 (sending)")) << result.explanation->sentence;
    EXPECT_TRUE(Says(result, "nothing waited for long"));
}

TEST_F(ExplanationTest, TwoMessagesHashedOntoOneUplinkAreTheFaultOfTheirRoutes)
{
    const std::string text =
        "topology: {type: rail, domains: 4, gpus_per_domain: 1, leaf_ports: 2, rail_spines: 2}\n"
        "workload: {type: connections, path: " +
        m_folder.Write("two.csv", "0,2,8000000\n1,3,8000000\n") +
        "}\n"
        "transport: {congestion_control: none}\n"
        "balance: ecmp\n";
    bool hasCollision = false;
    bool hasNone = false;
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        const Result result = RunExplained(text, {"seed=" + std::to_string(seed)});
        if (GetFactor(result, kRoutes) > 1.5)
        {
            hasCollision = true;
            EXPECT_NEAR(GetFactor(result, kRoutes), 2, 0.05);
            ExpectOnly(result, kRoutes);
            // Two messages on one of four uplinks.
            EXPECT_TRUE(Says(result, "routes put 4.00 times the mean on the cable rail0-leaf0 to "))
                << result.explanation->sentence;
        }
        else
        {
            hasNone = true;
            ExpectOnly(result, kRoutes);
            EXPECT_LT(GetFactor(result, kRoutes), 1.01);
        }
    }
    EXPECT_TRUE(hasCollision && hasNone);
}

TEST_F(ExplanationTest, AQueuePairThatDcqcnSlowsDownIsHeldByItsRate)
{
    // Marked from the first byte that waits, and slow to come back.
    const Result result =
        RunExplained("topology: {type: rail, domains: 3, gpus_per_domain: 1}\n"
                     "switch: {ecn: {kmin: 1KB, kmax: 2KB, pmax: 1}}\n"
                     "workload: {type: incast, senders: 2, bytes: 4MB}\n"
                     "transport: {congestion_control: {type: dcqcn, increase_timer: 10ms}}\n"
                     "balance: rails\n");
    ExpectOnly(result, kWaiting);
    EXPECT_GT(GetFactor(result, kWaiting), 1.5);
    ASSERT_TRUE(result.explanation->nic);
    EXPECT_GT(GetShare(*result.explanation->nic, PortState::Rate), 0.5);
    EXPECT_EQ(GetShare(*result.explanation->nic, PortState::Paused), 0);
    EXPECT_TRUE(Says(result, "was held by dcqcn for")) << result.explanation->sentence;
}

TEST_F(ExplanationTest, ANicThatIsHeldBackByItsSwitchIsPaused)
{
    // Each sender has a quarter of the receiver's rate, for want of buffer almost from the start.
    const Result result = RunExplained("topology: {type: rail, domains: 5, gpus_per_domain: 1}\n"
                                       "switch: {buffer: 600KB}\n"
                                       "workload: {type: incast, senders: 4, bytes: 4MB}\n"
                                       "transport: {congestion_control: none}\n"
                                       "balance: rails\n");
    ExpectOnly(result, kWaiting);
    ASSERT_TRUE(result.explanation->nic);
    EXPECT_NEAR(GetShare(*result.explanation->nic, PortState::Busy), 0.25, 0.03);
    EXPECT_NEAR(GetShare(*result.explanation->nic, PortState::Paused), 0.75, 0.05);
    EXPECT_EQ(GetShare(*result.explanation->nic, PortState::Rate), 0);
    ASSERT_TRUE(result.explanation->cable);
    EXPECT_EQ(result.explanation->cable->name, "rail0-leaf0 to server0-nic0");
    EXPECT_GT(GetShare(*result.explanation->cable, PortState::Busy), 0.98);
}

TEST_F(ExplanationTest, ANicBehindASlowNvlinkWaitsForBytes)
{
    const Result result = RunExplained(
        "topology: {type: rail, domains: 2, gpus_per_domain: 2, nvlink_rate: 100Gbps}\n"
        "workload: {type: connections, path: " +
        m_folder.Write("across.csv", "0,3,4000000\n") +
        "}\n"
        "transport: {congestion_control: none}\n"
        "balance: rail-destination\n");
    // All of it over NVLink at 100 Gbps: a fault of the plan.
    ExpectOnly(result, kPlan);
    EXPECT_GT(GetFactor(result, kPlan), 3);
    EXPECT_TRUE(Says(result, "at the NVLink port of GPU 0 (sending)"))
        << result.explanation->sentence;
    ASSERT_TRUE(result.explanation->nic);
    EXPECT_EQ(result.explanation->nic->name, "server0-nic1");
    EXPECT_NEAR(GetShare(*result.explanation->nic, PortState::NotThereYet), 0.75, 0.03);
}

TEST_F(ExplanationTest, TrafficInsideServersHasNeitherNicNorCable)
{
    const Result result = RunExplained("topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
                                       "workload: {type: connections, path: " +
                                       m_folder.Write("inside.csv", "0,1,4000000\n") +
                                       "}\n"
                                       "balance: rails\n");
    EXPECT_FALSE(result.explanation->nic);
    EXPECT_FALSE(result.explanation->cable);
    EXPECT_NEAR(GetFactor(result, kPlan), 1, 1e-9);
}

TEST_F(ExplanationTest, TheTimeOfACableThatWasDownIsAnOutage)
{
    const Result result = RunExplained(
        "topology: {type: rail, domains: 2, gpus_per_domain: 1}\n"
        "workload: {type: incast, senders: 1, bytes: 10MB}\n"
        "transport: {congestion_control: none, loss_recovery: {type: selective-repeat, "
        "timeout: 20us}}\n"
        "balance: rails\n"
        "failures: {convergence: never, queued: held, schedule: [{at: 50us, nic: "
        "server1-nic0, state: down}, {at: 250us, nic: server1-nic0, state: up}]}\n");
    // 204 us of wire time, and 200 us down.
    EXPECT_NEAR(GetFactor(result, kOutages), 404.0 / 204, 0.03);
    ExpectOnly(result, kOutages);
    EXPECT_TRUE(Says(result, "cables that were down or slow cost a factor of"))
        << result.explanation->sentence;
    EXPECT_NEAR(GetShare(*result.explanation->nic, PortState::Down), 0.5, 0.02);
}

TEST_F(ExplanationTest, ACableThatStaysDownAndIsReplacedByAnotherIsNoOutage)
{
    // Two rails; one dies half way and its messages go by the other.
    const Result result = RunExplained(
        "topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 1MB}}\n"
        "transport: {congestion_control: none, loss_recovery: {type: selective-repeat, "
        "timeout: 20us}}\n"
        "balance: {type: rails, chunk: 100KB}\n"
        "failures: {convergence: 5us, schedule: [{at: 20us, nic: server1-nic1, state: "
        "down}]}\n");
    EXPECT_EQ(GetFactor(result, kOutages), 1);
    EXPECT_GT(GetFactor(result, kPlan), 1.3); // the bound has both rails at full rate
}

TEST_F(ExplanationTest, TheTimeThatACableLostToALowerRateIsAnOutage)
{
    const Result result = RunExplained(
        "topology: {type: rail, domains: 2, gpus_per_domain: 1}\n"
        "workload: {type: incast, senders: 1, bytes: 10MB}\n"
        "transport: {congestion_control: none}\n"
        "balance: rails\n"
        "failures: {convergence: never, schedule: [{at: 50us, nic: server1-nic0, rate: 100Gbps}, "
        "{at: 150us, nic: server1-nic0, rate: 400Gbps}]}\n");
    // 204 us of wire time, and three quarters of 100 us.
    EXPECT_NEAR(GetFactor(result, kOutages), 279.0 / 204, 0.01);
    ExpectOnly(result, kOutages);
}

TEST_F(ExplanationTest, WhatHappensBeforeTheFirstPostExplainsNothing)
{
    const Result result =
        RunExplained("topology: {type: rail, domains: 2, gpus_per_domain: 1}\n"
                     "workload: {type: connections, path: " +
                     m_folder.Write("late.csv", "0,1,8000000,50us\n") +
                     "}\n"
                     "transport: {congestion_control: none}\n"
                     "balance: rails\n"
                     "failures: {schedule: [{at: 1us, nic: server0-nic0, state: down}, {at: 40us, "
                     "nic: server0-nic0, state: up}]}\n");
    for (std::size_t factor = 0; factor < Explanation::kFactors.size(); ++factor)
    {
        EXPECT_GE(GetFactor(result, factor), 1);
        EXPECT_LT(GetFactor(result, factor), 1.02);
    }
    EXPECT_EQ(GetShare(*result.explanation->nic, PortState::Down), 0);
}

TEST_F(ExplanationTest, ACableThatIsSlowInALaterPhaseIsAnOutageThere)
{
    const Result result = RunExplained(
        "topology: {type: rail, domains: 2, gpus_per_domain: 1}\n"
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 1MB}, phases: "
        "[dispatch, compute: 100us, combine]}\n"
        "transport: {congestion_control: none}\n"
        "balance: rails\n"
        "failures: {schedule: [{at: 50us, nic: server0-nic0, rate: 100Gbps}]}\n");
    ExpectOnly(result, kOutages);
    EXPECT_GT(GetFactor(result, kOutages), 1.3);
}

TEST_F(ExplanationTest, LostFramesAreRepeats)
{
    const Result result = RunExplained(
        "topology: {type: rail, domains: 2, gpus_per_domain: 1, link_loss: 0.05}\n"
        "workload: {type: incast, senders: 1, bytes: 40MB}\n"
        "transport: {congestion_control: none, loss_recovery: {type: selective-repeat, timeout: "
        "20us}}\n"
        "balance: rails\n");
    ExpectOnly(result, kRepeats);
    // Two links lose a twentieth each; the sender's carries all of it, and some in vain, as ACKs
    // are lost too.
    EXPECT_GT(GetFactor(result, kRepeats), 1 / (0.95 * 0.95));
    const auto frames = static_cast<double>(result.frameCounters->frames);
    const auto repeated = static_cast<double>(result.frameCounters->retransmittedFrames);
    EXPECT_NEAR(GetFactor(result, kRepeats), frames / (frames - repeated), 0.005);
}

TEST_F(ExplanationTest, PlanIsKnownWithoutARecordAndTheRestIsNot)
{
    const Result result = Run("topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
                              "workload: {type: all-to-all, matrix: uniform, phases: [dispatch, "
                              "compute: 5us, combine]}\n"
                              "balance: rails\n");
    ASSERT_TRUE(result.explanation);
    EXPECT_TRUE(result.explanation->GetFactor(kPlan));
    EXPECT_FALSE(result.explanation->GetFactor(kRoutes));
    EXPECT_FALSE(result.explanation->GetFactor(kWaiting));
    EXPECT_EQ(result.explanation->times.front(), result.lowerBound);
    EXPECT_EQ(result.explanation->times.back(), result.cct);
    EXPECT_EQ(result.explanation->sentence, "");
}

TEST_F(ExplanationTest, NoLinkIsUsedForLongerThanTheRunLasts)
{
    // A rate that falls, frames sent again and ACKs behind the last delivery.
    const Result result = Run(
        "topology: {type: rail, domains: 2, gpus_per_domain: 1, link_loss: 0.01}\n"
        "workload: {type: incast, senders: 1, bytes: 2MB}\n"
        "transport: {congestion_control: none, loss_recovery: {type: go-back-n, timeout: 50us}}\n"
        "balance: rails\n"
        "failures: {convergence: never, schedule: [{at: 30us, nic: server1-nic0, rate: "
        "100Gbps}]}\n");
    ASSERT_EQ(result.status, RunStatus::Done) << result.report;
    for (const PortRecord& port : result.portRecords)
    {
        ASSERT_TRUE(port.busy);
        EXPECT_LE(*port.busy, result.cct) << port.node << " " << port.port;
    }
    // The sender never rests but for the ways of frames and replies.
    EXPECT_GT(*result.portRecords[1].busy, result.cct * 9 / 10);
}

} // namespace ns3::rails
