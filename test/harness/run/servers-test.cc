// SPDX-License-Identifier: GPL-2.0-only

// Runs of servers with other numbers of NICs than GPUs: every planner, failures, and the bound.

#include "run-experiment-fixtures.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

const std::string kServersServers =
    "topology: {type: rail, domains: 3, gpus_per_domain: 8, spines: 4}\n"
    "workload: {type: all-to-all, matrix: {type: uniform, "
    "bytes_per_pair: 64KB, intra: true}}\n"
    "transport: {congestion_control: none}\n"
    "balance: {type: rails}\n";

class ServersTest : public RunTest
{
};

TEST_F(ServersTest, EveryBalancerMovesAllBytesOverAnyNumberOfNics)
{
    for (const char* nics : {"2", "4", "16"})
    {
        for (const char* balancer : {"ecmp",
                                     "rail-source",
                                     "rail-destination",
                                     "rails",
                                     "even-split",
                                     "affine",
                                     "round-robin",
                                     "random",
                                     "least-outstanding"})
        {
            const Result result = Run(kServersServers,
                                      {std::string("topology.nics_per_domain=") + nics,
                                       std::string("balance.type=") + balancer});
            const std::string what = std::string(nics) + " " + balancer + "\n" + result.report;
            EXPECT_EQ(result.status, RunStatus::Done) << what;
            EXPECT_EQ(result.nicTxBytes.front().size(), std::stoul(nics)) << what;
            uint64_t sent = 0;
            for (const uint64_t bytes : result.nicTxBytes.front())
            {
                sent += bytes;
            }
            EXPECT_EQ(sent, 8U * 16 * 64'000) << what;
            EXPECT_LT(result.cct, 4 * result.lowerBound) << what;
        }
    }
}

TEST_F(ServersTest, BalancersThatEvenOutReachTheBoundOfTheServersNicsTogether)
{
    for (const char* server : {"micro-moe", "h20-4nic", "pro-prophet-hpnv"})
    {
        for (const char* balancer : {"rails", "even-split", "rail-source", "affine"})
        {
            const Result result = Run(kServersServers,
                                      {std::string("topology.server=") + server,
                                       std::string("balance.type=") + balancer,
                                       "workload.matrix.bytes_per_pair=512KB",
                                       "workload.matrix.intra=false"});
            EXPECT_EQ(result.status, RunStatus::Done) << result.report;
            EXPECT_EQ(result.lowerBoundBinding, "server_send");
            EXPECT_LT(static_cast<double>(result.cct),
                      1.05 * static_cast<double>(result.lowerBound))
                << server << " " << balancer;
        }
    }
}

TEST_F(ServersTest, PcieBindsWhereItIsAllThatJoinsGpus)
{
    const Result result = Run(kServersServers,
                              {"topology.server=pro-prophet-hpwnv",
                               "topology.domains=2",
                               "workload.type=ring",
                               "workload.bytes=8MB"});
    EXPECT_EQ(result.status, RunStatus::Done) << result.report;
    EXPECT_GE(result.cct, result.lowerBound);
    EXPECT_GT(result.lowerBoundParts.at("pcie"), 0);
}

TEST_F(ServersTest, ANicThatFailsIsAvoided)
{
    for (const char* nics : {"4", "16"})
    {
        for (const char* balancer : {"rails", "even-split", "affine", "rail-source", "ecmp"})
        {
            const Result result =
                Run(kServersServers,
                    {std::string("topology.nics_per_domain=") + nics,
                     std::string("balance.type=") + balancer,
                     "failures={schedule: [{at: 0s, nic: server1-nic3, state: down}]}"});
            EXPECT_EQ(result.status, RunStatus::Done) << nics << " " << balancer << result.report;
            EXPECT_EQ(result.nicTxBytes[1][3], 0U) << nics << " " << balancer;
        }
    }
}

TEST_F(ServersTest, FabricsOfDifferentRatesAreFilledInProportion)
{
    const std::string text =
        "topology: {type: nic-groups, domains: 3, gpus_per_domain: 2, nics_per_domain: 3,\n"
        "  fabrics: {fast: {type: rail}, slow: {type: rail, nic_rate: 200Gbps}},\n"
        "  nic_groups: [{nics: [0, 1], fabric: fast}, {nics: [2], fabric: slow}]}\n"
        "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 8MB}}\n"
        "transport: {congestion_control: none}\n"
        "balance: {type: even-split}\n";
    for (const char* balance : {"{type: even-split}", "{type: rails, chunk: 64KB}"})
    {
        const Result result = Run(text, {std::string("balance=") + balance});
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        const std::vector<uint64_t>& sent = result.nicTxBytes.front();
        EXPECT_NEAR(static_cast<double>(sent[0]), 2.0 * static_cast<double>(sent[2]), 200'000);
        EXPECT_EQ(result.lowerBoundBinding, "server_send");
        EXPECT_LT(static_cast<double>(result.cct), 1.05 * static_cast<double>(result.lowerBound))
            << balance;
    }
}

TEST_F(ServersTest, ExplanationsNamePcie)
{
    const Result result = Run(kServersServers,
                              {"topology.server=pro-prophet-hpwnv",
                               "topology.domains=2",
                               "workload.matrix.bytes_per_pair=1MB",
                               "record.explain=true"});
    EXPECT_EQ(result.status, RunStatus::Done) << result.report;
    ASSERT_TRUE(result.explanation);
    EXPECT_GE(result.explanation->times[1], result.explanation->times[0]);
}

} // namespace

} // namespace ns3::rails
