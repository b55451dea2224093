// SPDX-License-Identifier: GPL-2.0-only
#include "run-experiment-fixtures.h"

#include "ns3/balancer.h"
#include "ns3/cluster-topology.h"
#include "ns3/rails-error.h"
#include "ns3/rails-failure-plan.h"
#include "ns3/rails-failures.h"
#include "ns3/rails-transport.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

class FailuresTest : public RunTest
{
  protected:
    // Two leaves joined by two spines, two servers of one GPU on each.
    static inline const std::string kTwoLeaves =
        "topology: {type: rail, domains: 4, gpus_per_domain: 1, leaf_ports: 2, rail_spines: 2}\n"
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 400KB}}\n"
        "transport: {congestion_control: none, loss_recovery: {type: go-back-n, timeout: 50us}}\n"
        "balance: ecmp\n"
        "watchdog: {no_progress_after: 1ms}\n";

    // Three rails of one leaf each, four servers.
    static inline const std::string kRails =
        "topology: {type: rail, domains: 4, gpus_per_domain: 3}\n"
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 300KB}}\n"
        "transport: {congestion_control: none, loss_recovery: {type: go-back-n, timeout: 50us}}\n"
        "balance: {type: rails, chunk: 100KB}\n"
        "watchdog: {no_progress_after: 1ms}\n";

    /// \return a descriptor with a section `failures`
    static std::string With(const std::string& text,
                            const std::string& convergence,
                            const std::string& schedule,
                            const std::string& others = "")
    {
        return text + "failures: {convergence: " + convergence + ", schedule: [" + schedule + "]" +
               others + "}\n";
    }

    static uint64_t SumEnded(const Result& result)
    {
        uint64_t bytes = 0;
        for (const MessageRecord& message : result.messageRecords)
        {
            bytes += message.end == kNever ? 0 : message.bytes;
        }
        return bytes;
    }

    static void ExpectAllDelivered(const Result& result)
    {
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        EXPECT_EQ(SumEnded(result), result.bytes);
    }
};

const std::string kCut = "{at: 10us, link: [rail0-leaf0, rail0-spine1], state: down}";
const std::string kMended = kCut + ", {at: 60us, link: [rail0-leaf0, rail0-spine1], state: up}";

/// What recovers from losses, as a value of `transport`.
class FailuresRecoveryTest : public FailuresTest, public testing::WithParamInterface<std::string>
{
};

TEST_P(FailuresRecoveryTest, EveryByteArrivesWhenALinkGoesDownInMidMessage)
{
    const Sets sets{"transport.loss_recovery={type: " + GetParam() + ", timeout: 50us}",
                    "transport.qp_per=message"};
    for (const std::string queued : {"dropped", "held"})
    {
        for (const std::string inFlight : {"delivered", "lost"})
        {
            const std::string others = ", queued: " + queued + ", in_flight: " + inFlight;
            SCOPED_TRACE(others);
            // It comes back, and the routing never hears of it.
            const Result mended = Run(With(kTwoLeaves, "never", kMended, others), sets);
            ExpectAllDelivered(mended);
            EXPECT_EQ(mended.failures.size(), 2U);
            EXPECT_EQ(mended.failedCables, 1U);
            EXPECT_TRUE(mended.convergences.empty());
            // It stays down, and the routing goes round it.
            const Result avoided = Run(With(kTwoLeaves, "30us", kCut, others), sets);
            ExpectAllDelivered(avoided);
            EXPECT_EQ(avoided.convergences, std::vector<TimePs>{40'000'000});
            if (queued == "dropped")
            {
                EXPECT_GT(mended.frameCounters->linkLosses, 0U);
                EXPECT_GT(avoided.frameCounters->linkLosses, 0U);
                EXPECT_GT(avoided.frameCounters->retransmittedFrames, 0U);
            }
            EXPECT_EQ(avoided.frameCounters->drops, 0U);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Recoveries,
                         FailuresRecoveryTest,
                         testing::Values("go-back-n", "selective-repeat", "ideal"));

TEST_F(FailuresTest, HeldFramesWaitAndNothingIsLost)
{
    const Result result = Run(With(kTwoLeaves,
                                   "never",
                                   "{at: 10us, link: [rail0-leaf0, rail0-spine1], state: down}, "
                                   "{at: 20us, link: [rail0-leaf0, rail0-spine1], state: up}",
                                   ", queued: held"),
                              {"transport.loss_recovery.timeout=500us"});
    ExpectAllDelivered(result);
    EXPECT_EQ(result.frameCounters->linkLosses, 0U);
    EXPECT_EQ(result.frameCounters->retransmittedFrames, 0U);
}

TEST_F(FailuresTest, RoutingThatNeverConvergesSendsIntoTheFailureUntilTheWatchdog)
{
    const Result result = Run(With(kTwoLeaves, "never", kCut));
    EXPECT_EQ(result.status, RunStatus::NotFinished);
    EXPECT_NE(result.report.find("watchdog.no_progress_after"), std::string::npos);
    EXPECT_NE(result.report.find("failures.convergence is never"), std::string::npos);
    EXPECT_NE(result.report.find("set it to a time, such as 20us"), std::string::npos);
    // A path is left, if only the routing knew.
    EXPECT_EQ(result.report.find("no path is left"), std::string::npos);
    EXPECT_GT(result.frameCounters->linkLosses, 100U);
}

TEST_F(FailuresTest, UnlessToldOtherwiseRoutingGoesAroundALeafThatDies)
{
    // Every server keeps rails 0 and 2.
    const Result result =
        Run(kRails + "failures: {schedule: [{at: 10us, switch: rail1-leaf0, state: down}]}\n");
    ExpectAllDelivered(result);
    EXPECT_EQ(result.convergences, std::vector<TimePs>{30'000'000});
}

TEST_F(FailuresTest, ConvergedAtTheStartNothingIsLost)
{
    const Result result =
        Run(With(kTwoLeaves, "0s", "{at: 0s, link: [rail0-leaf0, rail0-spine1], state: down}"));
    ExpectAllDelivered(result);
    EXPECT_EQ(result.frameCounters->linkLosses, 0U);
    EXPECT_EQ(result.convergences, std::vector<TimePs>{0});
    uint64_t overTheCut = 0;
    for (const PortRecord& port : result.portRecords)
    {
        overTheCut += port.portClass == "leaf_up" && port.bytes == 0 ? 1 : 0;
    }
    // The leaf does not send to that spine, nor does the other leaf, for it leads nowhere.
    EXPECT_EQ(overTheCut, 2U);
}

TEST_F(FailuresTest, ConvergedInTheInstantOfTheFailureOnlyWhatWasQueuedIsLost)
{
    const Result at = Run(With(kTwoLeaves, "0s", kCut));
    const Result late = Run(With(kTwoLeaves, "30us", kCut));
    ExpectAllDelivered(at);
    EXPECT_LT(at.frameCounters->linkLosses, late.frameCounters->linkLosses);
}

TEST_F(FailuresTest, CutOffHostsAreNamedWhenNothingElseMoves)
{
    const Result result =
        Run(With(kTwoLeaves, "20us", "{at: 10us, switch: rail0-leaf1, state: down}"));
    EXPECT_EQ(result.status, RunStatus::NotFinished);
    EXPECT_NE(result.report.find("no path is left between server0-nic0 and server2-nic0"),
              std::string::npos)
        << result.report;
    EXPECT_NE(result.report.find("and 9 other pairs"), std::string::npos) << result.report;
    EXPECT_EQ(result.report.find("between server0-nic0 and server1-nic0"), std::string::npos);
    EXPECT_EQ(result.failedCables, 4U);
    // Those who are not cut off came to their end, and the watchdog's patience runs from there.
    TimePs last = 0;
    for (const MessageRecord& message : result.messageRecords)
    {
        if (message.source + message.destination == 1)
        {
            ASSERT_NE(message.end, kNever);
            last = std::max(last, message.end);
        }
    }
    EXPECT_EQ(result.simulated, last + 1'000'000'001);
}

/// One frame from server 0 to server 2 of kTwoLeaves: four links.
class LastFrameTest : public FailuresTest
{
  protected:
    static constexpr TimePs kHop = 500'000 + 83'560; // 4096 B of payload at 400 Gbps
    static constexpr TimePs kAckHop = 500'000 + 1'680;

    static Result RunOne(const std::string& cut, const std::string& convergence = "never")
    {
        return Run(With("topology: {type: rail, domains: 3, gpus_per_domain: 1, leaf_ports: 2, "
                        "rail_spines: 1}\n"
                        "workload: {type: incast, senders: 1, receiver: 2, bytes: 4096B}\n"
                        "transport: {congestion_control: none, loss_recovery: {type: go-back-n, "
                        "timeout: 50us}}\n"
                        "balance: ecmp\n"
                        "watchdog: {no_progress_after: 1ms}\n",
                        convergence,
                        cut));
    }
};

TEST_F(LastFrameTest, ArrivesAlthoughItsSenderIsCutOffBehindIt)
{
    const Result result = RunOne("{at: 400ns, nic: server0-nic0, state: down}");
    ExpectAllDelivered(result);
    EXPECT_EQ(result.cct, 4 * kHop);
    // The ACK is lost. The sender takes the message for acknowledged at the first time-out that is
    // farther than a time-out behind the delivery: the second.
    EXPECT_EQ(result.cctSender, 100'000'000);
}

TEST_F(LastFrameTest, IsAcknowledgedAlthoughItsReceiverIsCutOffBehindTheAck)
{
    const Result result = RunOne("{at: 2400ns, nic: server2-nic0, state: down}");
    ExpectAllDelivered(result);
    EXPECT_EQ(result.cctSender, 4 * kHop + 4 * kAckHop);
}

TEST_F(LastFrameTest, MayHaveItsAckLostOnTheWay)
{
    const Result result = RunOne("{at: 2500ns, switch: rail0-spine0, state: down}", "0s");
    ExpectAllDelivered(result);
    EXPECT_EQ(result.cct, 4 * kHop);
    EXPECT_EQ(result.cctSender, 100'000'000);
}

TEST_F(FailuresTest, AMessageThatHasArrivedIsAcknowledgedNoSoonerThanItsAckComes)
{
    // The receiving NIC dies while the ACK travels, and other rails are left.
    const std::string text =
        "topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
        "workload: {type: incast, senders: 1, receiver: 0, bytes: 4096B}\n"
        "transport: {congestion_control: none, loss_recovery: {type: go-back-n, timeout: 50us}}\n"
        "balance: rails\n"
        "watchdog: {no_progress_after: 1ms}\n";
    const Result intact = Run(text);
    const std::string down = std::to_string(intact.cct + 10'000) + "ps";
    const Result result = Run(
        With(text,
             "0s",
             "{at: " + down + ", nic: server0-nic0, state: down}, {at: " + down +
                 ", nic: server0-nic1, state: down}, {at: 20us, nic: server0-nic1, state: up}"));
    ExpectAllDelivered(result);
    EXPECT_EQ(result.cctSender, intact.cctSender);
}

TEST_F(FailuresTest, APauseIsInForceOnACableThatComesBack)
{
    // The pause frame was lost: without it the headroom of leaf 0 overflows by hundreds of frames.
    const Result result = Run(With("topology: {type: rail, domains: 9, gpus_per_domain: 1}\n"
                                   "workload: {type: incast, senders: 8, bytes: 2MB}\n"
                                   "balance: rails\n"
                                   "transport: {congestion_control: none, loss_recovery: {type: "
                                   "selective-repeat, timeout: 1ms}}\n"
                                   "switch: {buffer: 2MB}\n",
                                   "never",
                                   "{at: 73us, nic: server1-nic0, state: down}, "
                                   "{at: 78us, nic: server1-nic0, state: up}"));
    ExpectAllDelivered(result);
    EXPECT_EQ(result.frameCounters->drops, 0U);
    EXPECT_GT(result.frameCounters->pfcPauses, 0U);
}

TEST_F(FailuresTest, APauseThatIsRenewedLastsUntilItsNextRefreshComes)
{
    // Quanta of 1.3 us, and cables of 5 us.
    const Result result = Run(With(
        "topology: {type: rail, domains: 3, gpus_per_domain: 1, nic_rate: 100Gbps, link_delay: "
        "5us, leaf_ports: 2, rail_spines: 1}\n"
        "switch: {buffer: 800KB, alpha: 0.1, pause_quanta: 260}\n"
        "transport: {congestion_control: none}\n"
        "workload: {type: incast, senders: 2, bytes: 2MB}\n"
        "balance: rail-source\n",
        "20us",
        "{at: 34us, switch: rail0-spine0, rate: 10Gbps}, "
        "{at: 60us, nic: server2-nic0, state: down}, "
        "{at: 75us, nic: server2-nic0, state: up}"));
    ExpectAllDelivered(result);
    EXPECT_EQ(result.frameCounters->drops, 0U);
}

TEST_F(FailuresTest, PauseFramesOfBeforeACutSayNothingBehindIt)
{
    // The cable is away for less time than its delay, and what is on its way arrives.
    const TemporaryFolder folder;
    const std::string path = folder.Write("early-and-late.csv",
                                          "1,0,100000\n2,0,100000\n3,0,100000\n4,0,100000\n"
                                          "1,0,10000000,12us\n2,0,10000000,12us\n"
                                          "3,0,10000000,12us\n4,0,10000000,12us\n");
    const Result result =
        Run(With("topology: {type: rail, domains: 5, gpus_per_domain: 1, link_delay: 10us}\n"
                 "switch: {buffer: 64MiB, alpha: 0.001}\n"
                 "transport: {congestion_control: none}\n"
                 "workload: {type: connections, path: " +
                     path +
                     "}\n"
                     "balance: rail-source\n",
                 "never",
                 "{at: 23500ns, nic: server2-nic0, state: down}, "
                 "{at: 23750ns, nic: server2-nic0, state: up}"));
    ExpectAllDelivered(result);
    EXPECT_EQ(result.frameCounters->drops, 0U);
}

TEST_F(FailuresTest, NoMessageIsAcknowledgedSoonerThanAnAckCanCome)
{
    // Time-outs of 1 us, and cables of 10 us; with a rail that is left, and without.
    for (const std::string gpus : {"1", "2"})
    {
        const TemporaryFolder folder;
        const std::string path = folder.Write("one.csv", gpus == "1" ? "0,1,3000\n" : "0,2,3000\n");
        const Result result = Run(With("topology: {type: rail, domains: 2, link_delay: 10us, "
                                       "gpus_per_domain: " +
                                           gpus +
                                           "}\n"
                                           "transport: {congestion_control: none, loss_recovery: "
                                           "{type: go-back-n, timeout: 1us}}\n"
                                           "workload: {type: connections, path: " +
                                           path +
                                           "}\n"
                                           "balance: rails\n",
                                       "0s",
                                       "{at: 20200ns, nic: server1-nic0, state: down}"));
        ExpectAllDelivered(result);
        EXPECT_GE(result.cctSender, result.lowerBoundSender);
    }
}

TEST_F(LastFrameTest, IsAcknowledgedWhateverElseIsToChangeThatMendsNothing)
{
    const Result result = RunOne("{at: 400ns, nic: server0-nic0, state: down}, "
                                 "{at: 200ms, nic: server1-nic0, rate: 100Gbps}");
    ExpectAllDelivered(result);
    EXPECT_EQ(result.cctSender, 100'000'000);
}

TEST_F(FailuresTest, DcqcnOutlivesAShortDipOfItsNicsRate)
{
    const std::string text =
        "topology: {type: rail, domains: 10, gpus_per_domain: 1, nic_rate: 100Gbps}\n"
        "workload: {type: incast, senders: 8, bytes: 2MB}\n"
        "balance: rail-source\n";
    const Result intact = Run(text);
    const Result dip = Run(With(text,
                                "20us",
                                "{at: 300us, nic: server1-nic0, rate: 10Gbps}, "
                                "{at: 301us, nic: server1-nic0, rate: 100Gbps}"));
    ExpectAllDelivered(dip);
    EXPECT_NEAR(static_cast<double>(dip.cct) / static_cast<double>(intact.cct), 1, 0.02);
}

/// Congestion controls, as values of `transport.congestion_control`.
class LineRateTest : public FailuresTest, public testing::WithParamInterface<std::string>
{
};

TEST_P(LineRateTest, IsThatOfTheNicAtAnyTime)
{
    const std::string text = "topology: {type: rail, domains: 2, gpus_per_domain: 1}\n"
                             "workload: {type: incast, senders: 1, bytes: 10MB}\n"
                             "balance: rails\n"
                             "transport: {congestion_control: " +
                             GetParam() + "}\n";
    const Result intact = Run(text);
    const Result slowAtFirst = Run(With(text,
                                        "never",
                                        "{at: 0s, nic: server1-nic0, rate: 100Gbps}, "
                                        "{at: 10us, nic: server1-nic0, rate: 400Gbps}"));
    ExpectAllDelivered(slowAtFirst);
    // A quarter of the rate for 10 us.
    EXPECT_NEAR(static_cast<double>(slowAtFirst.cct - intact.cct), 7.5e6, 0.5e6);
    const Result slowLater = Run(With(text,
                                      "never",
                                      "{at: 10us, nic: server1-nic0, rate: 100Gbps}, "
                                      "{at: 20us, nic: server1-nic0, rate: 400Gbps}"));
    EXPECT_NEAR(static_cast<double>(slowLater.cct - intact.cct), 7.5e6, 0.5e6);
}

INSTANTIATE_TEST_SUITE_P(Controls,
                         LineRateTest,
                         testing::Values("none",
                                         "dcqcn",
                                         "fixed-rate",
                                         // No delay here is beyond it, so that no window shrinks.
                                         "{type: swift, base_target: 10us}"));

TEST_F(FailuresTest, ACableThatIsHeldForeverIsNamed)
{
    const Result result = Run(With(kTwoLeaves,
                                   "never",
                                   "{at: 10us, link: [rail0-leaf0, rail0-spine1], state: down}",
                                   ", queued: held"));
    EXPECT_EQ(result.status, RunStatus::NotFinished);
    EXPECT_NE(result.report.find("held: rail0-leaf0 port 3 (leaf_up) keeps what it has to "
                                 "send, as its cable is down (failures.queued: held)"),
              std::string::npos)
        << result.report;
}

TEST_F(FailuresTest, BytesOverNvlinkAreProgress)
{
    // 2 MB inside each server take 160 us, and nothing else moves.
    const TemporaryFolder folder;
    const std::string path = folder.Write("inside.csv", "0,1,2000000\n2,3,2000000\n");
    const Result result =
        Run("topology: {type: rail, domains: 2, gpus_per_domain: 2, nvlink_rate: 100Gbps}\n"
            "workload: {type: connections, path: " +
            path +
            "}\n"
            "transport: {loss_recovery: {type: go-back-n, timeout: 20us}}\n"
            "balance: rails\n"
            "watchdog: {no_progress_after: 30us}\n");
    ExpectAllDelivered(result);
    EXPECT_GT(result.cct, 160'000'000);
}

TEST_F(FailuresTest, NobodyIsGivenUpWhileTheSwitchIsToComeBack)
{
    const Result result = Run(With(kTwoLeaves,
                                   "20us",
                                   "{at: 10us, switch: rail0-leaf1, state: down}, "
                                   "{at: 300us, switch: rail0-leaf1, state: up}"));
    ExpectAllDelivered(result);
    EXPECT_GT(result.cct, 300'000'000);
}

TEST_F(FailuresTest, ASwitchThatComesBackLeavesItsBrokenCablesDown)
{
    // Spine 1 returns, but one of its cables was cut meanwhile: nothing crosses that one.
    const Result result = Run(With(kTwoLeaves,
                                   "0s",
                                   "{at: 0s, switch: rail0-spine1, state: down}, "
                                   "{at: 0s, link: [rail0-leaf0, rail0-spine1], state: down}, "
                                   "{at: 1us, switch: rail0-spine1, state: up}"));
    ExpectAllDelivered(result);
    EXPECT_EQ(result.frameCounters->linkLosses, 0U);
    ASSERT_EQ(result.failures.size(), 3U);
    EXPECT_EQ(result.failures[0].cables, 2U);
    EXPECT_EQ(result.failures[1].cables, 0U); // it was down already
    EXPECT_EQ(result.failures[2].cables, 1U);
}

TEST_F(FailuresTest, HalfTheRateTakesTwiceTheTime)
{
    const std::string text =
        "topology: {type: rail, domains: 2, gpus_per_domain: 1, link_delay: 10ns}\n"
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 2MB}}\n"
        "transport: {congestion_control: none}\n"
        "balance: rails\n";
    const Result whole = Run(text);
    const Result half = Run(With(text, "never", "{at: 0s, nic: server0-nic0, rate: 200Gbps}"));
    ExpectAllDelivered(half);
    EXPECT_NEAR(static_cast<double>(half.cct) / static_cast<double>(whole.cct), 2, 0.01);
    // The bound follows, and stays one.
    EXPECT_NEAR(half.GetCctOverBound(), whole.GetCctOverBound(), 0.01);
    EXPECT_GE(half.cct, half.lowerBound);
    // Slower from the middle on: the bound is that of the better time.
    const Result later = Run(With(text, "never", "{at: 20us, nic: server0-nic0, rate: 200Gbps}"));
    EXPECT_EQ(later.lowerBound, whole.lowerBound);
    EXPECT_GT(later.cct, whole.cct + 10'000'000);
}

TEST_F(FailuresTest, RatesWithoutACommonDivisorShareTheTraffic)
{
    const Result result = Run(
        With(kTwoLeaves, "0s", "{at: 0s, link: [rail0-leaf0, rail0-spine1], rate: 99999999999bps}"),
        {"balance.host=spray",
         "transport.qp_per=message",
         "transport.loss_recovery={type: ideal, timeout: 50us}"});
    ExpectAllDelivered(result);
    std::vector<double> up; // of leaf 0
    for (const PortRecord& port : result.portRecords)
    {
        if (port.portClass == "leaf_up" && port.node == result.portRecords[4].node)
        {
            up.push_back(static_cast<double>(port.bytes));
        }
    }
    ASSERT_EQ(up.size(), 2U);
    EXPECT_NEAR(up[1] / up[0], 0.25, 0.1);
}

TEST_F(FailuresTest, LinkLossesAreCountedWhereTheyHappened)
{
    const Result result = Run(With(kTwoLeaves, "30us", kCut));
    EXPECT_EQ(SumPorts(result, "leaf_up", &PortFrames::linkLosses) +
                  SumPorts(result, "rail_spine_down", &PortFrames::linkLosses),
              result.frameCounters->linkLosses);
    EXPECT_GT(SumPorts(result, "leaf_up", &PortFrames::linkLosses), 0U);
}

TEST_F(FailuresTest, FlappingLinkLosesFramesEachTimeAndAllIsDelivered)
{
    const Result result =
        Run(With(kTwoLeaves,
                 "never",
                 "{from: 5us, every: 10us, down_for: 1us, times: 3, link: [rail0-leaf0, "
                 "rail0-spine1]}"));
    ExpectAllDelivered(result);
    EXPECT_EQ(result.failedCables, 1U);
    std::vector<TimePs> times;
    for (const FailureRecord& failure : result.failures)
    {
        times.push_back(failure.at);
        EXPECT_EQ(failure.state, times.size() % 2 == 1 ? "down" : "up");
    }
    EXPECT_EQ(times,
              (std::vector<
                  TimePs>{5'000'000, 6'000'000, 15'000'000, 16'000'000, 25'000'000, 26'000'000}));
    EXPECT_GT(result.frameCounters->linkLosses, 0U);
}

TEST_F(FailuresTest, RunsWithFailuresAreRepeatable)
{
    const std::string text = With(kTwoLeaves, "20us", kMended, ", in_flight: lost");
    const std::string first = GetFingerprint(Run(text));
    EXPECT_EQ(GetFingerprint(Run(text)), first);
    EXPECT_EQ(GetFingerprint(Run(text, {}, "ns3::MapScheduler")), first);
}

TEST_F(FailuresTest, APlanOfNothingChangesNothing)
{
    EXPECT_EQ(GetFingerprint(Run(kTwoLeaves)), GetFingerprint(Run(With(kTwoLeaves, "20us", ""))));
}

/// The random draw, without running anything.
class RandomFailuresTest : public FailuresTest
{
  protected:
    /// \return the ports of cables that fail, as positions among all cables between switches
    static std::set<std::size_t> Draw(uint64_t seed, double probability, uint32_t spines = 8)
    {
        const Experiment experiment =
            Read("seed: " + std::to_string(seed) +
                 "\n"
                 "topology: {type: rail, domains: 64, gpus_per_domain: 1, leaf_ports: 8, "
                 "rail_spines: " +
                 std::to_string(spines) +
                 "}\n"
                 "workload: {type: all-to-all, matrix: uniform}\n"
                 "balance: ecmp\n"
                 "failures: {random: {probability: " +
                 std::to_string(probability) + "}}\n")
                .MakeExperiment(0);
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(seed);
        std::set<std::size_t> failed;
        {
            const std::shared_ptr<Wiring> wiring = experiment.Get<Topology>("topology")->Lay();
            Router router(*wiring);
            Failures failures(experiment.Get<FailurePlan>("failures")->MakeSchedule(),
                              *wiring,
                              router);
            failures.AssignStreams(9'000'000);
            std::vector<Failures::ServerPair> pairs;
            for (uint32_t from = 0; from < 64; ++from)
            {
                pairs.emplace_back(from, (from + 8) % 64);
            }
            failures.Draw(pairs, false);
            failures.Start();
            for (const Failures::ServerPair& pair : pairs)
            {
                EXPECT_FALSE(failures.IsCutOff(pair.first, pair.second));
            }
            for (std::size_t i = 0; i < wiring->GetCables().size(); ++i)
            {
                if (!wiring->GetCables()[i].isUp)
                {
                    failed.insert(i);
                }
            }
            EXPECT_EQ(failures.GetFailedCables(), failed.size());
        }
        Simulator::Destroy();
        return failed;
    }
};

TEST_F(RandomFailuresTest, DependsOnTheSeedOnly)
{
    const std::set<std::size_t> first = Draw(1, 0.1);
    EXPECT_EQ(Draw(1, 0.1), first);
    EXPECT_NE(Draw(2, 0.1), first);
    EXPECT_EQ(Draw(1, 0), std::set<std::size_t>());
}

TEST_F(RandomFailuresTest, AsManyFailAsTheProbabilitySays)
{
    constexpr double kProbability = 0.1;
    constexpr double kCables = 20 * 64;
    double failed = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        failed += static_cast<double>(Draw(seed, kProbability).size());
    }
    const double deviation = std::sqrt(kCables * kProbability * (1 - kProbability));
    EXPECT_NEAR(failed, kCables * kProbability, 4 * deviation);
}

TEST_F(RandomFailuresTest, IsDrawnAgainUntilEveryPairHasAPath)
{
    // With two spines and half of the cables gone most draws cut somebody off: Draw() checks.
    for (uint64_t seed = 1; seed <= 3; ++seed)
    {
        EXPECT_FALSE(Draw(seed, 0.35, 2).empty());
    }
    EXPECT_THROW(Draw(1, 1.0), DescriptorError);
    Simulator::Destroy();
}

TEST_F(RandomFailuresTest, ClassSaysWhichCablesAndSwitchesFailWithAllOfTheirs)
{
    // Two rails of 16 servers, without spines: a leaf each.
    const auto draw = [](const std::string& random, uint64_t seed) {
        const Experiment experiment =
            Read("seed: " + std::to_string(seed) +
                 "\ntopology: {type: rail, domains: 16, gpus_per_domain: 2, spines: 0}\n"
                 "workload: {type: all-to-all, matrix: uniform}\nbalance: rails\n"
                 "failures: {random: {" +
                 random + "}}\n")
                .MakeExperiment(0);
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(seed);
        const std::shared_ptr<Wiring> wiring = experiment.Get<Topology>("topology")->Lay();
        Router router(*wiring);
        Failures failures(experiment.Get<FailurePlan>("failures")->MakeSchedule(), *wiring, router);
        failures.AssignStreams(9'000'000);
        failures.Draw({{0, 1}}, false);
        failures.Start();
        std::set<uint32_t> failed;
        for (uint32_t cable = 0; cable < wiring->GetCables().size(); ++cable)
        {
            if (!wiring->GetCables()[cable].isUp)
            {
                failed.insert(cable);
            }
        }
        Simulator::Destroy();
        return failed;
    };
    std::size_t nics = 0;
    std::size_t pairs = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        nics += draw("probability: 0.25, class: nic", seed).size();
        const std::set<uint32_t> leaves = draw("switches: 0.5", seed);
        EXPECT_TRUE(leaves.empty() || leaves.size() == 16) << "one leaf, or a rail is left";
        for (const uint32_t cable : draw("servers: 0.25", seed))
        {
            EXPECT_GE(cable, 4U) << "servers 0 and 1 have traffic";
            ++pairs;
        }
    }
    EXPECT_NEAR(static_cast<double>(nics), 20 * 32 * 0.25, 4 * std::sqrt(20 * 32 * 0.25 * 0.75));
    EXPECT_EQ(pairs % 2, 0U) << "all NICs of a server";
    EXPECT_NEAR(static_cast<double>(pairs) / 2,
                20 * 14 * 0.25,
                4 * std::sqrt(20 * 14 * 0.25 * 0.75));
    EXPECT_THROW(draw("probability: 0.1", 1), DescriptorError) << "none between switches";
    Simulator::Destroy();
}

/// A rail that dies.
class DeadRailTest : public FailuresTest, public testing::WithParamInterface<std::string>
{
};

TEST_P(DeadRailTest, NothingGoesOverItWhenTheRoutingKnowsFromTheStart)
{
    const Sets sets{"balance={type: " + GetParam() + "}"};
    const Result result = Run(With(kRails, "0s", "{at: 0s, nic: server1-nic2, state: down}"), sets);
    ExpectAllDelivered(result);
    EXPECT_EQ(result.frameCounters->linkLosses, 0U);
    EXPECT_EQ(result.abandonedMessages, 0U);
    EXPECT_EQ(result.nicTxBytes[1][2], 0U);
    EXPECT_EQ(result.nicRxBytes[1][2], 0U);
    EXPECT_GT(result.nicTxBytes[0][2], 0U); // the others still have it among themselves
    // The bound is that of a server with two NICs.
    const Result whole = Run(kRails, sets);
    EXPECT_GT(result.lowerBound, whole.lowerBound * 14 / 10);
    EXPECT_GE(result.cct, result.lowerBound);
    const Result dead = Run(With(kRails, "0s", "{at: 0s, switch: rail0-leaf0, state: down}"), sets);
    ExpectAllDelivered(dead);
    EXPECT_EQ(dead.frameCounters->linkLosses, 0U);
    for (uint32_t server = 0; server < 4; ++server)
    {
        EXPECT_EQ(dead.nicTxBytes[server][0], 0U);
    }
}

TEST_P(DeadRailTest, WhatIsStrandedIsSentAgainOverTheRailsLeft)
{
    const Sets sets{"balance={type: " + GetParam() + "}"};
    for (const std::string failing : {"nic: server1-nic2", "switch: rail2-leaf0"})
    {
        const Result result =
            Run(With(kRails, "10us", "{at: 15us, " + failing + ", state: down}"), sets);
        ExpectAllDelivered(result);
        EXPECT_GT(result.abandonedMessages, 0U);
        EXPECT_GT(result.nicTxBytes[1][2], 0U);
        uint64_t given = 0;
        for (const MessageRecord& message : result.messageRecords)
        {
            given += message.end == kNever ? 1 : 0;
        }
        EXPECT_EQ(given, result.abandonedMessages);
        // What was sent in vain is sent twice, and no more than that.
        uint64_t sent = 0;
        for (const std::vector<uint64_t>& server : result.nicTxBytes)
        {
            sent += std::accumulate(server.begin(), server.end(), uint64_t{0});
        }
        EXPECT_GE(sent, result.bytes);
        EXPECT_LT(sent, 2 * result.bytes);
    }
}

TEST_P(DeadRailTest, ItIsUsedAgainInThePhaseAfterItCameBack)
{
    const Result result = Run(With(kRails,
                                   "5us",
                                   "{at: 15us, nic: server1-nic2, state: down}, "
                                   "{at: 50us, nic: server1-nic2, state: up}"),
                              {"balance={type: " + GetParam() + "}",
                               "workload.phases=[dispatch, compute: 100us, combine]"});
    ExpectAllDelivered(result);
    uint64_t back = 0;
    for (const MessageRecord& message : result.messageRecords)
    {
        back += message.kind == 2 && message.rail == 2 && message.source / 3 == 1 ? 1 : 0;
    }
    EXPECT_GT(back, 0U);
}

INSTANTIATE_TEST_SUITE_P(Schemes,
                         DeadRailTest,
                         testing::Values("rails, chunk: 100KB",
                                         "rail-source",
                                         "rail-destination",
                                         "round-robin, chunk: 100KB",
                                         "random, chunk: 100KB",
                                         "even-split",
                                         "least-outstanding, chunk: 50KB"));

TEST_F(FailuresTest, ASchemeThatChangesRailMovesOffADeadNic)
{
    const Result result = Run(With(kRails, "0s", "{at: 0s, nic: server1-nic2, state: down}"),
                              {"balance=ecmp", "topology.spines=2"});
    ExpectAllDelivered(result);
    EXPECT_EQ(result.frameCounters->linkLosses, 0U);
    EXPECT_EQ(result.nicTxBytes[1][2], 0U);
    EXPECT_EQ(result.nicRxBytes[1][2], 0U);
}

TEST_F(FailuresTest, WithoutConvergenceOthersSendToADeadNicAndTheRunSaysSo)
{
    const Result result = Run(With(kRails, "never", "{at: 0s, nic: server1-nic2, state: down}"));
    EXPECT_EQ(result.status, RunStatus::NotFinished);
    EXPECT_NE(result.report.find("no path is left between"), std::string::npos);
    EXPECT_NE(result.report.find("server1-nic2"), std::string::npos);
    EXPECT_EQ(result.nicTxBytes[1][2], 0U); // the server itself knows
}

} // namespace ns3::rails
