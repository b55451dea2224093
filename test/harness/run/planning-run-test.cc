// SPDX-License-Identifier: GPL-2.0-only
#include "run-experiment-fixtures.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

/// Exchanges whose plans take a time, or need what other servers have to send.
class PlanningRunTest : public RunTest
{
  protected:
    static inline const std::string kExchange =
        "topology: {type: rail, domains: 4, gpus_per_domain: 4}\n"
        "balance: {type: rails-plus, count_exchange: 0s}\n"
        "transport: {congestion_control: none, loss_recovery: selective-repeat}\n"
        "workload:\n"
        "  type: all-to-all\n"
        "  matrix: {type: zipf, exponent: 1.2, bytes_per_gpu: 8MB}\n";

    static Result RunDone(const std::string& text, const Sets& sets = {})
    {
        Result result = Run(text, sets);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        EXPECT_GE(result.cct, result.lowerBound);
        EXPECT_GE(result.lowerBoundAcks, result.lowerBound);
        return result;
    }
};

TEST_F(PlanningRunTest, PlanningAndCountsTakeWhatTheyAreSaidToOnBothEngines)
{
    for (const std::string engine : {"engine=frames", "engine=flow"})
    {
        const TimePs free = RunDone(kExchange, {engine}).cct;
        EXPECT_EQ(RunDone(kExchange, {engine, "balance.count_exchange=20us"}).cct,
                  free + 20'000'000);
        EXPECT_EQ(RunDone(kExchange, {engine, "balance.planning_time=3us"}).cct, free + 3'000'000);
        const Sets rails{engine, "balance.type=rails"};
        Sets charged = rails;
        charged.emplace_back("balance.planning_time=3us");
        EXPECT_EQ(RunDone(kExchange, charged).cct, RunDone(kExchange, rails).cct + 3'000'000);
    }
}

TEST_F(PlanningRunTest, PacedServersMeetTheBoundWithAcksAndGetNoMark)
{
    for (const std::string control : {"none", "dcqcn"})
    {
        const Result paced =
            RunDone(kExchange, {"transport.congestion_control=" + control, "record.links=true"});
        EXPECT_LE(static_cast<double>(paced.cct), 1.01 * static_cast<double>(paced.lowerBoundAcks));
        EXPECT_EQ(SumPorts(paced, "leaf_down", &PortFrames::marks), 0U);
    }
    const Result marked =
        RunDone(kExchange,
                {"transport.congestion_control=dcqcn", "record.links=true", "balance.type=rails"});
    EXPECT_GT(SumPorts(marked, "leaf_down", &PortFrames::marks), 0U);
}

TEST_F(PlanningRunTest, AnEvenExchangeHasOneAckForEachFrameInItsSecondBound)
{
    // 64 frames each way, on each of four NICs 16 in the mean: 84 B of ACK for each, 20 ps a byte.
    const std::string pair =
        "topology: {type: rail, domains: 2, gpus_per_domain: 1}\n"
        "balance: rails-plus\n"
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 262144B}}\n";
    const Result result = RunDone(pair);
    EXPECT_EQ(result.lowerBoundAcks, result.lowerBound + 64 * 84 * 20);
}

TEST_F(PlanningRunTest, ANicThatDiesOrSlowsDownCostsWhatItCarriedAndLittleMore)
{
    const Result whole = RunDone(kExchange);
    const auto time = static_cast<double>(whole.cct);
    for (const std::string engine : {"engine=frames", "engine=flow"})
    {
        for (uint32_t server = 0; server < 4; ++server)
        {
            // Half of the bytes are left, for three NICs of four at worst, or three and a half.
            // What a slower NIC had follows what other NICs have, in the parts of their rates.
            const std::string nic = "nic: server" + std::to_string(server) + "-nic1";
            const std::string at = std::to_string(whole.cct / 2) + "ps";
            const std::string entry = "failures.schedule=[{at: " + at + ", " + nic;
            EXPECT_LE(
                static_cast<double>(RunDone(kExchange, {engine, entry + ", state: down}]"}).cct),
                1.05 * (time / 2 + time / 2 * 4 / 3))
                << server;
            EXPECT_LE(
                static_cast<double>(RunDone(kExchange, {engine, entry + ", rate: 200Gbps}]"}).cct),
                1.1 * (time / 2 + time / 2 * 8 / 7))
                << server;
        }
    }
}

TEST_F(PlanningRunTest, AllThatIsForASlowerNicIsSentAnewWithAPaceOrWithout)
{
    // FAST paces a frame of a stage and sends the rest as quickly as it can.
    for (const std::string engine : {"engine=frames", "engine=flow"})
    {
        RunDone(kExchange,
                {engine,
                 "balance={type: fast}",
                 "failures.schedule=[{at: 60us, nic: server2-nic1, rate: 100Gbps}]"});
    }
}

TEST_F(PlanningRunTest, ServersOfATrainingWaitForTheCountsOfTheirGroup)
{
    const std::string training = "topology: {type: rail, domains: 8, gpus_per_domain: 8}\n"
                                 "transport: {congestion_control: none}\n"
                                 "balance: {type: rails-plus, other: rail-source}\n" +
                                 kSmallTraining + "  layers: 2\n";
    for (const std::string engine : {"engine=frames", "engine=flow"})
    {
        const TimePs shorter = RunDone(training, {engine, "balance.count_exchange=10us"}).cct;
        const TimePs longer = RunDone(training, {engine, "balance.count_exchange=60us"}).cct;
        EXPECT_GT(longer, shorter + 2 * 50'000'000);
    }
    EXPECT_NE(FindErrors(training, {"balance.count_exchange=0s"}).find("has to cross cables of"),
              std::string::npos);
}

TEST_F(PlanningRunTest, PacesWithSeveralQueuePairsForAPairOfNicsAreWarnedOf)
{
    const auto hasWarning = [](const Sets& sets) {
        const Result result = Run(kExchange, sets);
        return std::any_of(result.notes.begin(), result.notes.end(), [](const std::string& note) {
            return note.find("NICs are offered more than they take") != std::string::npos;
        });
    };
    EXPECT_TRUE(hasWarning({"transport.qp_per=message"}));
    EXPECT_FALSE(hasWarning({}));
    EXPECT_FALSE(hasWarning({"transport.qp_per=message", "balance.type=rails"}));
}

} // namespace ns3::rails
