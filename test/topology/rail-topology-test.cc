// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"
#include "../support/topology-checks.h"

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

template <typename Configure>
void
ExpectRefusal(const std::string& key, Configure&& configure)
{
    TestCluster test(4, 2);
    configure(*test.topology);
    ExpectRefused(test.topology, key);
}

TEST(RailTopology, HasALeafPerRail)
{
    TestCluster test(5, 3);
    const FrameEngine& cluster = test.Build();
    EXPECT_EQ(GetSwitchNames(cluster),
              (std::vector<std::string>{"rail0-leaf0", "rail1-leaf0", "rail2-leaf0"}));
    EXPECT_EQ(CountPorts(cluster), (std::map<std::string, int>{{"nic_tx", 15}, {"leaf_down", 15}}));
    for (uint32_t server = 0; server < 5; ++server)
    {
        for (uint32_t rail = 0; rail < 3; ++rail)
        {
            const Port& down = test.GetNicPort(server, rail).GetPeer();
            EXPECT_EQ(cluster.GetNodeName(down.GetIdentity().node),
                      "rail" + std::to_string(rail) + "-leaf0");
            EXPECT_EQ(&down.GetPeer(), &test.GetNicPort(server, rail)) << "cables go both ways";
        }
    }
    EXPECT_EQ(cluster.GetNodeName(test.GetNicPort(4).GetIdentity().node), "server4");
}

TEST(RailTopology, JoinsTheLeavesOfARailByItsOwnSpines)
{
    TestCluster test(5, 2);
    test.topology->SetAttribute("LeafPorts", UintegerValue(2));
    test.topology->SetAttribute("RailSpines", UintegerValue(2));
    test.topology->SetAttribute("UplinksPerSpine", UintegerValue(3));
    test.topology->SetAttribute("UplinkRate", Rate(800 * kGbps));
    const FrameEngine& cluster = test.Build();
    EXPECT_EQ(GetSwitchNames(cluster),
              (std::vector<std::string>{"rail0-leaf0",
                                        "rail0-leaf1",
                                        "rail0-leaf2",
                                        "rail1-leaf0",
                                        "rail1-leaf1",
                                        "rail1-leaf2",
                                        "rail0-spine0",
                                        "rail0-spine1",
                                        "rail1-spine0",
                                        "rail1-spine1"}));
    // 3 leaves * 2 spines * 3 cables * 2 rails.
    EXPECT_EQ(CountPorts(cluster),
              (std::map<std::string, int>{{"nic_tx", 10},
                                          {"leaf_down", 10},
                                          {"leaf_up", 36},
                                          {"rail_spine_down", 36}}));
    for (const Ptr<Port>& port : cluster.GetPorts())
    {
        const std::string& portClass = port->GetIdentity().portClass;
        const bool isUplink = portClass == "leaf_up" || portClass == "rail_spine_down";
        EXPECT_EQ(port->GetRateBps(), isUplink ? 800 * kGbps : 400 * kGbps);
        const std::string here = cluster.GetNodeName(port->GetIdentity().node);
        const std::string there = cluster.GetNodeName(port->GetPeer().GetIdentity().node);
        if (isUplink)
        {
            EXPECT_EQ(here.substr(0, 5), there.substr(0, 5)) << "rails stay apart";
        }
    }
}

TEST(RailTopology, JoinsAllLeavesByItsSpines)
{
    TestCluster test(2, 3);
    test.topology->SetAttribute("Spines", UintegerValue(4));
    const FrameEngine& cluster = test.Build();
    EXPECT_EQ(CountPorts(cluster),
              (std::map<std::string, int>{{"nic_tx", 6},
                                          {"leaf_down", 6},
                                          {"leaf_up", 12},
                                          {"spine_down", 12}}));
    EXPECT_TRUE(GetTraits(*test.topology).connectsRails);
}

TEST(RailTopology, LeadsFromEveryNicToEveryOther)
{
    // Several leaves per rail and both kinds of spines: whatever the sending and receiving rail.
    TestCluster test(5, 2);
    test.topology->SetAttribute("LeafPorts", UintegerValue(2));
    test.topology->SetAttribute("RailSpines", UintegerValue(2));
    test.topology->SetAttribute("Spines", UintegerValue(2));
    test.Build();
    uint32_t messages = 0;
    for (uint32_t source = 0; source < 10; ++source)
    {
        for (uint32_t destination = 0; destination < 10; ++destination)
        {
            for (int rails = 0; rails < 4 && source / 2 != destination / 2; ++rails)
            {
                test.Post(source, destination, 10'000, rails / 2, rails % 2);
                ++messages;
            }
        }
    }
    test.Run();
    EXPECT_EQ(test.deliveries.size(), messages);
    EXPECT_EQ(test.Sum(&NicCounters::retransmitted), 0U);
}

TEST(RailTopology, StaysInTheRailWhereItCan)
{
    // Between leaves of one rail the rail's own spines lead, not those that join the rails.
    TestCluster test(4, 2);
    test.topology->SetAttribute("LeafPorts", UintegerValue(2));
    test.topology->SetAttribute("RailSpines", UintegerValue(1));
    test.topology->SetAttribute("Spines", UintegerValue(1));
    test.Build();
    test.Post(0, 6, 100'000);
    test.Run();
    for (const Ptr<Port>& port : test.GetSwitch("spine0").GetPorts())
    {
        EXPECT_EQ(port->GetCountersNow().frames, 0U);
    }
}

TEST(RailTopology, MayHaveRailsThatAreFatTrees)
{
    TestCluster test(16, 2);
    test.topology->SetAttribute("RailFabric", StringValue("fat-tree"));
    test.topology->SetAttribute("RailK", UintegerValue(4));
    test.topology->SetAttribute("UplinkRate", Rate(200 * kGbps));
    const FrameEngine& cluster = test.Build();
    const std::vector<std::string> names = GetSwitchNames(cluster);
    EXPECT_EQ(names.size(), 2U * 20);
    EXPECT_EQ(names.front(), "rail0-pod0-edge0");
    EXPECT_EQ(names.back(), "rail1-core3");
    EXPECT_EQ(CountPorts(cluster),
              (std::map<std::string, int>{{"nic_tx", 32},
                                          {"leaf_down", 32},
                                          {"edge_up", 32},
                                          {"agg_down", 32},
                                          {"agg_up", 32},
                                          {"core_down", 32}}));
    for (const Ptr<Switch>& at : cluster.GetSwitches())
    {
        for (const Ptr<Port>& port : at->GetPorts())
        {
            const std::string there = cluster.GetNodeName(port->GetPeer().GetIdentity().node);
            if (port->GetIdentity().portClass != "leaf_down")
            {
                EXPECT_EQ(at->GetName().substr(0, 5), there.substr(0, 5)) << "rails stay apart";
                EXPECT_EQ(port->GetRateBps(), 200 * kGbps);
            }
        }
    }
    // NIC 1 of server 5 is the 6th of rail 1: the second of its edge switch in pod 1.
    const Port& down = test.GetNicPort(5, 1).GetPeer();
    EXPECT_EQ(cluster.GetNodeName(down.GetIdentity().node), "rail1-pod1-edge0");
    EXPECT_EQ(down.GetIndex(), 1U);
    // The pods of different rails are different regions.
    const std::vector<uint32_t>& regions = test.GetSwitch("rail0-core0").GetRegions();
    const auto regionOf = [&](const char* name) {
        return regions[test.GetSwitch(name).GetNumber()];
    };
    EXPECT_EQ(regionOf("rail0-pod1-edge0"), regionOf("rail0-pod1-edge1"));
    EXPECT_NE(regionOf("rail0-pod1-edge0"), regionOf("rail1-pod1-edge0"));

    const FabricTraits traits = GetTraits(*test.topology);
    EXPECT_EQ(traits.tiers, 3U);
    EXPECT_EQ(traits.longestLinks, 6U);
    EXPECT_FALSE(traits.connectsRails);
    EXPECT_DOUBLE_EQ(traits.oversubscription, 2);
}

TEST(RailTopology, JoinsRailsThatAreFatTreesBySpinesAtTheirEdges)
{
    TestCluster test(8, 2);
    test.topology->SetAttribute("RailFabric", StringValue("fat-tree"));
    test.topology->SetAttribute("RailK", UintegerValue(4));
    test.topology->SetAttribute("Spines", UintegerValue(1));
    test.Build();
    EXPECT_TRUE(GetTraits(*test.topology).connectsRails);
    // From pod 0 to pod 1 in a rail; then from rail to rail.
    const Message& inside = test.Post(0, 14, 4096);
    test.Run();
    EXPECT_EQ(inside.end, 6 * (4178 * 20 + 500'000)) << "it stays in the rail, and that is longer";
    for (const Ptr<Port>& port : test.GetSwitch("spine0").GetPorts())
    {
        EXPECT_EQ(port->GetCountersNow().frames, 0U);
    }
    const TimePs start = NowPs();
    const Message& across = test.Post(0, 14, 4096, 0, 1);
    test.Run();
    EXPECT_EQ(test.deliveries.size(), 2U);
    // To the NIC of the other rail it is 4 cables; then NVLink, in one segment.
    EXPECT_EQ(across.end - start,
              4 * (4178 * 20 + 500'000) + 25'000 + (4096 * 8'000 + 3599) / 3600);
}

TEST(RailTopology, KnowsItsTraits)
{
    TestCluster test(16, 4);
    test.topology->SetAttribute("LeafPorts", UintegerValue(8));
    test.topology->SetAttribute("RailSpines", UintegerValue(2));
    test.topology->SetAttribute("UplinkRate", Rate(800 * kGbps));
    const FabricTraits traits = GetTraits(*test.topology);
    EXPECT_EQ(traits.shortestLinks, 2U);
    EXPECT_FALSE(traits.connectsRails);
    EXPECT_DOUBLE_EQ(traits.oversubscription, 2); // 8 * 400 over 2 * 800
    EXPECT_EQ(test.topology->GetShape().servers, 16U);
    EXPECT_EQ(test.topology->GetShape().gpusPerServer, 4U);
}

TEST(RailTopology, RefusesWhatCannotWork)
{
    ExpectRefusal("nic_rate",
                  [](Topology& topology) { topology.SetAttribute("NicRate", Rate(0)); });
    ExpectRefusal("nvlink_rate",
                  [](Topology& topology) { topology.SetAttribute("NvlinkRate", Rate(0)); });
    ExpectRefusal("rail_spines", [](Topology& topology) {
        topology.SetAttribute("LeafPorts", UintegerValue(2));
        topology.SetAttribute("Spines", UintegerValue(2));
    });
    ExpectRefusal("domains", [](Topology& topology) {
        topology.SetAttribute("Domains", UintegerValue(1));
        topology.SetAttribute("GpusPerDomain", UintegerValue(1));
    });
    for (const uint32_t ports : {0U, 2U, 5U})
    {
        ExpectRefusal("rail_k", [ports](Topology& topology) {
            topology.SetAttribute("RailFabric", StringValue("fat-tree"));
            topology.SetAttribute("RailK", UintegerValue(ports));
        });
    }
    ExpectRefusal("rail_k", [](Topology& topology) {
        topology.SetAttribute("Domains", UintegerValue(17));
        topology.SetAttribute("RailFabric", StringValue("fat-tree"));
        topology.SetAttribute("RailK", UintegerValue(4));
    });
    ExpectRefusal("rail_k",
                  [](Topology& topology) { topology.SetAttribute("RailK", UintegerValue(4)); });
    ExpectRefusal("rail_spines", [](Topology& topology) {
        topology.SetAttribute("RailFabric", StringValue("fat-tree"));
        topology.SetAttribute("RailK", UintegerValue(4));
        topology.SetAttribute("RailSpines", UintegerValue(2));
    });
    for (const char* routes : {"rail0-leaf0 > rail1-leaf0 via spine9",
                               "rail0-leaf9 > rail1-leaf0 via spine0",
                               "rail0-leaf0 > leaf via spine0",
                               "rail0-leaf0 > rail1-leaf0 via rail1-leaf0",
                               "rail0-leaf0 > rail1-leaf0",
                               "rail0-leaf0 via spine0 > rail1-leaf0",
                               "rail0-leaf0 > rail1-leaf0 via ",
                               "rail0-leaf0 > spine0 via spine0",
                               "nonsense"})
    {
        ExpectRefusal("topology.routes", [routes](Topology& topology) {
            topology.SetAttribute("Spines", UintegerValue(1));
            topology.SetAttribute("Routes", StringValue(routes));
        });
    }
}

TEST(RailTopology, ARouteMayLeadAstray)
{
    // A detour over a third leaf, as a test for deadlocks needs it.
    TestCluster test(3, 2);
    test.topology->SetAttribute("LeafPorts", UintegerValue(1));
    test.topology->SetAttribute("RailSpines", UintegerValue(2));
    test.topology->SetAttribute(
        "Routes",
        StringValue("rail0-leaf0 > rail0-leaf1 via rail0-spine0; "
                    "rail0-spine0 > rail0-leaf1 via rail0-leaf2; "
                    "rail0-leaf2 > rail0-leaf1 via rail0-spine1, rail0-spine1"));
    test.Build();
    const Message& message = test.Post(0, 2, 4096);
    test.Run();
    // Up, down, up, down: 6 cables instead of 4.
    EXPECT_EQ(message.end, 6 * (4178 * 20 + 500'000));
}

TEST(RailTopology, MarksOnlyForACongestionControlThatUsesMarks)
{
    for (const bool usesEcn : {false, true})
    {
        TestCluster test(5);
        test.transport->SetAttribute("CongestionControl",
                                     StringValue(usesEcn ? "ns3::rails::DcqcnCongestionControl"
                                                         : "ns3::rails::NoneCongestionControl"));
        test.Build();
        for (uint32_t sender = 0; sender < 4; ++sender)
        {
            test.Post(sender, 4, 1'000'000);
        }
        test.Run();
        EXPECT_EQ(test.Sum(&PortCounters::marks) > 0, usesEcn);
        EXPECT_EQ(test.Sum(&NicCounters::cnps) > 0, usesEcn);
        EXPECT_EQ(test.deliveries.size(), 4U);
    }
}

} // namespace
