// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"
#include "../support/topology-checks.h"

#include "ns3/fat-tree-topology.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

Ptr<Topology>
MakeTree(uint32_t ports, uint32_t gpusPerServer = 1, uint32_t servers = 0)
{
    Ptr<Topology> topology = CreateObject<FatTreeTopology>();
    topology->SetAttribute("K", UintegerValue(ports));
    topology->SetAttribute("GpusPerDomain", UintegerValue(gpusPerServer));
    topology->SetAttribute("Domains", UintegerValue(servers));
    topology->SetAttribute("NicRate", Rate(800 * kGbps));
    return topology;
}

// A full frame of 4096 B, 62 B of headers and 20 B on the wire, at 800 Gbps.
constexpr TimePs kFrameTime = 4178 * 10;
constexpr TimePs kDelay = 500'000;

TEST(FatTreeTopology, HasAsManyPartsAsItsSizeSays)
{
    for (const int k : {4, 6, 8})
    {
        TestCluster test(MakeTree(k));
        const FrameEngine& cluster = test.Build();
        EXPECT_EQ(cluster.GetServers().size(), std::size_t(k * k * k / 4));
        // k pods of k/2 and k/2 switches, and (k/2)^2 cores.
        EXPECT_EQ(cluster.GetSwitches().size(), std::size_t(k * k + k * k / 4));
        const int cables = k * k * k / 4; // as many in each tier as NICs
        EXPECT_EQ(CountPorts(cluster),
                  (std::map<std::string, int>{{"nic_tx", cables},
                                              {"leaf_down", cables},
                                              {"edge_up", cables},
                                              {"agg_down", cables},
                                              {"agg_up", cables},
                                              {"core_down", cables}}));
        for (const Ptr<Switch>& at : cluster.GetSwitches())
        {
            EXPECT_EQ(at->GetPorts().size(), std::size_t(k)) << at->GetName();
        }
    }
}

TEST(FatTreeTopology, NamesItsSwitchesByPodAndPlace)
{
    TestCluster test(MakeTree(4));
    EXPECT_EQ(GetSwitchNames(test.Build()),
              (std::vector<std::string>{"pod0-edge0", "pod0-edge1", "pod1-edge0", "pod1-edge1",
                                        "pod2-edge0", "pod2-edge1", "pod3-edge0", "pod3-edge1",
                                        "pod0-agg0",  "pod0-agg1",  "pod1-agg0",  "pod1-agg1",
                                        "pod2-agg0",  "pod2-agg1",  "pod3-agg0",  "pod3-agg1",
                                        "core0",      "core1",      "core2",      "core3"}));
}

TEST(FatTreeTopology, JoinsAggregationsOfOnePlaceToTheSameCores)
{
    constexpr uint32_t kPorts = 6;
    constexpr uint32_t kHalf = kPorts / 2;
    TestCluster test(MakeTree(kPorts));
    const FrameEngine& cluster = test.Build();
    for (uint32_t pod = 0; pod < kPorts; ++pod)
    {
        const std::string name = "pod" + std::to_string(pod);
        for (uint32_t place = 0; place < kHalf; ++place)
        {
            std::vector<std::string> ofEdge;
            std::vector<std::string> ofAggregation;
            for (uint32_t i = 0; i < kHalf; ++i)
            {
                const uint32_t server = (pod * kHalf + place) * kHalf + i;
                ofEdge.push_back("server" + std::to_string(server));
                ofAggregation.push_back(name + "-edge" + std::to_string(i));
            }
            for (uint32_t i = 0; i < kHalf; ++i)
            {
                ofEdge.push_back(name + "-agg" + std::to_string(i));
                ofAggregation.push_back("core" + std::to_string(place * kHalf + i));
            }
            const std::string number = std::to_string(place);
            EXPECT_EQ(GetNeighbours(cluster, test.GetSwitch(name + "-edge" + number)), ofEdge);
            EXPECT_EQ(GetNeighbours(cluster, test.GetSwitch(name + "-agg" + number)),
                      ofAggregation);
        }
    }
    for (uint32_t core = 0; core < kHalf * kHalf; ++core)
    {
        std::vector<std::string> expected;
        for (uint32_t pod = 0; pod < kPorts; ++pod)
        {
            expected.push_back("pod" + std::to_string(pod) + "-agg" + std::to_string(core / kHalf));
        }
        EXPECT_EQ(GetNeighbours(cluster, test.GetSwitch("core" + std::to_string(core))), expected);
    }
}

TEST(FatTreeTopology, TakesPodsForRegions)
{
    TestCluster test(MakeTree(4));
    const FrameEngine& cluster = test.Build();
    EXPECT_EQ(cluster.GetSwitches().back()->GetRegions(),
              (std::vector<uint32_t>{0, 0, 1, 1, 2, 2, 3, 3}));
    EXPECT_TRUE(test.GetSwitch("pod2-edge1").HasNics());
    EXPECT_FALSE(test.GetSwitch("pod2-agg1").HasNics());
}

TEST(FatTreeTopology, GivesTheNicsOfAServerConsecutivePorts)
{
    // 4 servers of 4 NICs: each fills the two edge switches of a pod.
    TestCluster test(MakeTree(4, 4));
    const FrameEngine& cluster = test.Build();
    EXPECT_EQ(cluster.GetServers().size(), 4U);
    for (uint32_t server = 0; server < 4; ++server)
    {
        for (uint32_t rail = 0; rail < 4; ++rail)
        {
            const Port& down = test.GetNicPort(server, rail).GetPeer();
            EXPECT_EQ(cluster.GetNodeName(down.GetIdentity().node),
                      "pod" + std::to_string(server) + "-edge" + std::to_string(rail / 2));
            EXPECT_EQ(down.GetIndex(), rail % 2);
        }
    }
}

TEST(FatTreeTopology, TakesFewerServersThanItHasPortsFor)
{
    // 5 NICs: two edge switches and half of the third; all the others are there without any.
    TestCluster test(MakeTree(4, 1, 5));
    const FrameEngine& cluster = test.Build();
    EXPECT_EQ(cluster.GetSwitches().size(), 20U);
    EXPECT_EQ(CountPorts(cluster)["leaf_down"], 5);
    EXPECT_EQ(CountPorts(cluster)["edge_up"], 16);
    EXPECT_FALSE(test.GetSwitch("pod1-edge1").HasNics());
    for (uint32_t source = 0; source < 5; ++source)
    {
        for (uint32_t destination = 0; destination < 5; ++destination)
        {
            if (source != destination)
            {
                test.Post(source, destination, 10'000);
            }
        }
    }
    test.Run();
    EXPECT_EQ(test.deliveries.size(), 20U);
}

TEST(FatTreeTopology, CarriesAMessageInTheTimeOfItsCables)
{
    // Servers 0 and 1 share an edge switch, 0 and 2 a pod; 0 and 15 are as far as can be.
    for (const auto& [destination, links] : {std::pair{1, 2}, std::pair{2, 4}, std::pair{15, 6}})
    {
        TestCluster test(MakeTree(4));
        test.Build();
        const Message& message = test.Post(0, destination, 100 * 4096);
        test.Run();
        // The first frame is stored and forwarded on every cable, 99 follow without a gap.
        EXPECT_EQ(message.end, links * (kFrameTime + kDelay) + 99 * kFrameTime);
    }
}

TEST(FatTreeTopology, DividesTheRateOfATierByItsOversubscription)
{
    TestCluster test(MakeTree(4));
    test.topology->SetAttribute("EdgeOversubscription", DoubleValue(2));
    test.topology->SetAttribute("CoreOversubscription", DoubleValue(4));
    const FrameEngine& cluster = test.Build();
    const std::map<std::string, uint64_t> expected{{"nic_tx", 800 * kGbps},
                                                   {"leaf_down", 800 * kGbps},
                                                   {"edge_up", 400 * kGbps},
                                                   {"agg_down", 400 * kGbps},
                                                   {"agg_up", 100 * kGbps},
                                                   {"core_down", 100 * kGbps}};
    for (const Ptr<Port>& port : cluster.GetPorts())
    {
        EXPECT_EQ(port->GetRateBps(), expected.at(port->GetIdentity().portClass));
    }
    EXPECT_DOUBLE_EQ(GetTraits(*test.topology).oversubscription, 4);
    const Message& message = test.Post(0, 15, 10 * 4096);
    test.Run();
    // Cables of 1, 2, 8, 8, 2 and 1 frame times; 9 more frames at the pace of the slowest.
    EXPECT_EQ(message.end, (1 + 2 + 8 + 8 + 2 + 1) * kFrameTime + 6 * kDelay + 9 * 8 * kFrameTime);
}

TEST(FatTreeTopology, MayBeFasterBetweenSwitchesThanAtHosts)
{
    TestCluster test(MakeTree(4));
    test.topology->SetAttribute("EdgeOversubscription", DoubleValue(0.25));
    test.Build();
    EXPECT_DOUBLE_EQ(GetTraits(*test.topology).oversubscription, 1);
    const Message& message = test.Post(0, 15, 10 * 4096);
    test.Run();
    // Cables of 4, 1, 1, 1, 1 and 4 quarters of a frame time; 9 more frames at the pace of NICs.
    EXPECT_EQ(message.end, 3 * kFrameTime + 6 * kDelay + 9 * kFrameTime);
}

TEST(FatTreeTopology, KnowsItsTraits)
{
    const FabricTraits traits = GetTraits(*MakeTree(8));
    EXPECT_EQ(traits.tiers, 3U);
    EXPECT_EQ(traits.shortestLinks, 2U);
    EXPECT_EQ(traits.longestLinks, 6U);
    EXPECT_TRUE(traits.connectsRails);
    EXPECT_DOUBLE_EQ(traits.oversubscription, 1);
    EXPECT_EQ(MakeTree(8)->GetShape().servers, 128U);

    // Servers that fill edge switches or pods share none with others.
    EXPECT_EQ(GetTraits(*MakeTree(8, 2)).shortestLinks, 2U);
    EXPECT_EQ(GetTraits(*MakeTree(8, 4)).shortestLinks, 4U);
    EXPECT_EQ(GetTraits(*MakeTree(8, 8)).shortestLinks, 4U);
    EXPECT_EQ(GetTraits(*MakeTree(8, 16)).shortestLinks, 6U);
    // What fits an edge switch or a pod has no longer way.
    EXPECT_EQ(GetTraits(*MakeTree(8, 1, 4)).longestLinks, 2U);
    EXPECT_EQ(GetTraits(*MakeTree(8, 1, 16)).longestLinks, 4U);
    EXPECT_EQ(GetTraits(*MakeTree(8, 1, 17)).longestLinks, 6U);
}

TEST(FatTreeTopology, RefusesWhatCannotBeBuilt)
{
    ExpectRefused(MakeTree(5), "k");
    ExpectRefused(MakeTree(4, 3), "gpus_per_domain");
    ExpectRefused(MakeTree(4, 32), "gpus_per_domain");
    ExpectRefused(MakeTree(4, 1, 17), "domains");
    ExpectRefused(MakeTree(4, 4, 5), "domains");
}

} // namespace
