// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"
#include "../support/topology-checks.h"

#include "ns3/leaf-spine-topology.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

Ptr<Topology>
MakeFabric(uint32_t servers, uint32_t leafPorts, uint32_t spines, uint32_t gpusPerServer = 1)
{
    Ptr<Topology> topology = CreateObject<LeafSpineTopology>();
    topology->SetAttribute("Domains", UintegerValue(servers));
    topology->SetAttribute("GpusPerDomain", UintegerValue(gpusPerServer));
    topology->SetAttribute("LeafPorts", UintegerValue(leafPorts));
    topology->SetAttribute("Spines", UintegerValue(spines));
    return topology;
}

TEST(LeafSpineTopology, JoinsEveryLeafToEverySpine)
{
    TestCluster test(MakeFabric(5, 2, 2));
    test.topology->SetAttribute("UplinksPerSpine", UintegerValue(3));
    test.topology->SetAttribute("UplinkRate", Rate(800 * kGbps));
    const FrameEngine& cluster = test.Build();
    EXPECT_EQ(GetSwitchNames(cluster),
              (std::vector<std::string>{"leaf0", "leaf1", "leaf2", "spine0", "spine1"}));
    // 3 leaves * 2 spines * 3 cables.
    EXPECT_EQ(CountPorts(cluster),
              (std::map<std::string, int>{{"nic_tx", 5},
                                          {"leaf_down", 5},
                                          {"leaf_up", 18},
                                          {"spine_down", 18}}));
    for (const char* leaf : {"leaf0", "leaf1", "leaf2"})
    {
        for (const char* spine : {"spine0", "spine1"})
        {
            const std::vector<Ptr<Port>> cables = test.GetCables(leaf, spine);
            EXPECT_EQ(cables.size(), 3U);
            for (const Ptr<Port>& port : cables)
            {
                EXPECT_EQ(port->GetRateBps(), 800 * kGbps);
                EXPECT_EQ(&port->GetPeer().GetPeer(), PeekPointer(port)) << "cables go both ways";
            }
        }
    }
    EXPECT_EQ(test.GetSwitch("leaf0").GetNextHops(2).ports.size(), 6U);
}

TEST(LeafSpineTopology, CablesHaveLatenciesOfTheDevicesAtTheirEnds)
{
    const Ptr<Topology> topology = MakeFabric(4, 2, 2);
    topology->SetAttribute("LinkDelay", TimeValue(NanoSeconds(50)));
    topology->SetAttribute("NicLatency", TimeValue(NanoSeconds(700)));
    topology->SetAttribute("SwitchLatency", TimeValue(NanoSeconds(300)));
    const std::shared_ptr<const Wiring> wiring = topology->Lay();
    for (const Cable& cable : wiring->GetCables())
    {
        EXPECT_EQ(wiring->GetKind(cable).delay, cable.isNic ? 900'000 : 350'000);
    }
}

TEST(LeafSpineTopology, GivesTheNicsOfAServerConsecutivePorts)
{
    // 3 servers of 2 NICs on leaves of 3 ports: the second server has a NIC on each leaf.
    TestCluster test(MakeFabric(3, 3, 1, 2));
    const FrameEngine& cluster = test.Build();
    EXPECT_EQ(GetNeighbours(cluster, test.GetSwitch("leaf0")),
              (std::vector<std::string>{"server0", "server0", "server1", "spine0"}));
    EXPECT_EQ(GetNeighbours(cluster, test.GetSwitch("leaf1")),
              (std::vector<std::string>{"server1", "server2", "server2", "spine0"}));
    EXPECT_EQ(test.GetSwitch("spine0").GetRegions(), (std::vector<uint32_t>{0, 1}))
        << "a leaf is a region";
}

TEST(LeafSpineTopology, CarriesAMessageInTheTimeOfItsCables)
{
    constexpr TimePs kFrameTime = 4178 * 20; // 400 Gbps
    for (const auto& [destination, links] : {std::pair{1, 2}, std::pair{7, 4}})
    {
        TestCluster test(MakeFabric(8, 2, 2));
        test.Build();
        const Message& message = test.Post(0, destination, 50 * 4096);
        test.Run();
        EXPECT_EQ(message.end, links * (kFrameTime + 500'000) + 49 * kFrameTime);
    }
}

TEST(LeafSpineTopology, KnowsItsTraits)
{
    Ptr<Topology> topology = MakeFabric(64, 8, 2);
    topology->SetAttribute("UplinkRate", Rate(800 * kGbps));
    const FabricTraits traits = GetTraits(*topology);
    EXPECT_DOUBLE_EQ(traits.oversubscription, 2); // 8 * 400 over 2 * 800
    EXPECT_EQ(traits.tiers, 2U);
    EXPECT_EQ(traits.shortestLinks, 2U);
    EXPECT_EQ(traits.longestLinks, 4U);
    EXPECT_TRUE(traits.connectsRails);
    topology->SetAttribute("UplinksPerSpine", UintegerValue(4));
    EXPECT_DOUBLE_EQ(GetTraits(*topology).oversubscription, 0.5);

    // A server that fills leaves shares none with others.
    EXPECT_EQ(GetTraits(*MakeFabric(4, 8, 8, 8)).shortestLinks, 4U);
    // All in one leaf.
    const FabricTraits one = GetTraits(*MakeFabric(4, 8, 0));
    EXPECT_EQ(one.longestLinks, 2U);
    EXPECT_EQ(one.tiers, 1U);
}

TEST(LeafSpineTopology, RefusesWhatCannotBeBuilt)
{
    ExpectRefused(MakeFabric(9, 8, 0), "spines");
    ExpectRefused(MakeFabric(1, 8, 8), "domains");
    Ptr<Topology> tooMany = MakeFabric(2, 1, 4096);
    tooMany->SetAttribute("UplinksPerSpine", UintegerValue(16));
    ExpectRefused(tooMany, "uplinks_per_spine");
}

} // namespace
