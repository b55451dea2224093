// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"

#include "ns3/rails-error.h"

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

/// \return how many ports of each class a cluster has
std::map<std::string, int>
CountPorts(const GpuCluster& cluster)
{
    std::map<std::string, int> counts;
    for (const Ptr<Port>& port : cluster.GetPorts())
    {
        ++counts[port->GetIdentity().portClass];
    }
    return counts;
}

std::vector<std::string>
GetSwitchNames(const GpuCluster& cluster)
{
    std::vector<std::string> names;
    for (const Ptr<Switch>& at : cluster.GetSwitches())
    {
        names.push_back(at->GetName());
    }
    return names;
}

template <typename Configure>
void
ExpectRefusal(const std::string& key, Configure&& configure)
{
    TestCluster test(4, 2);
    configure(*test.topology);
    try
    {
        test.Build();
        ADD_FAILURE() << "accepted";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_EQ(error.GetKey(), key) << error.what();
    }
}

TEST(RailTopology, HasALeafPerRail)
{
    TestCluster test(5, 3);
    const GpuCluster& cluster = test.Build();
    EXPECT_EQ(GetSwitchNames(cluster),
              (std::vector<std::string>{"rail0-leaf0", "rail1-leaf0", "rail2-leaf0"}));
    EXPECT_EQ(CountPorts(cluster), (std::map<std::string, int>{{"nic_tx", 15}, {"leaf_down", 15}}));
    for (uint32_t domain = 0; domain < 5; ++domain)
    {
        for (uint32_t rail = 0; rail < 3; ++rail)
        {
            const Port& down = test.GetNicPort(domain, rail).GetPeer();
            EXPECT_EQ(cluster.GetNodeName(down.GetIdentity().node),
                      "rail" + std::to_string(rail) + "-leaf0");
            EXPECT_EQ(&down.GetPeer(), &test.GetNicPort(domain, rail)) << "cables go both ways";
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
    const GpuCluster& cluster = test.Build();
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
    const GpuCluster& cluster = test.Build();
    EXPECT_EQ(CountPorts(cluster),
              (std::map<std::string, int>{{"nic_tx", 6},
                                          {"leaf_down", 6},
                                          {"leaf_up", 12},
                                          {"spine_down", 12}}));
    EXPECT_TRUE(test.topology->GetTraits().connectsRails);
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

TEST(RailTopology, KnowsItsTraits)
{
    TestCluster test(16, 4);
    test.topology->SetAttribute("LeafPorts", UintegerValue(8));
    test.topology->SetAttribute("RailSpines", UintegerValue(2));
    test.topology->SetAttribute("UplinkRate", Rate(800 * kGbps));
    const TopologyTraits traits = test.topology->GetTraits();
    EXPECT_EQ(traits.nicRateBps, 400 * kGbps);
    EXPECT_EQ(traits.nvlinkRateBps, 3600 * kGbps);
    EXPECT_EQ(traits.nvlinkLatency, 25'000);
    EXPECT_EQ(traits.linkDelay, 500'000);
    EXPECT_EQ(traits.shortestLinks, 2U);
    EXPECT_FALSE(traits.connectsRails);
    EXPECT_DOUBLE_EQ(traits.oversubscription, 2); // 8 * 400 over 2 * 800
    EXPECT_EQ(test.topology->GetShape().domains, 16U);
    EXPECT_EQ(test.topology->GetShape().gpusPerDomain, 4U);
}

TEST(RailTopology, RefusesWhatCannotWork)
{
    ExpectRefusal("nic_rate",
                  [](RailTopology& topology) { topology.SetAttribute("NicRate", Rate(0)); });
    ExpectRefusal("nvlink_rate",
                  [](RailTopology& topology) { topology.SetAttribute("NvlinkRate", Rate(0)); });
    ExpectRefusal("rail_spines", [](RailTopology& topology) {
        topology.SetAttribute("LeafPorts", UintegerValue(2));
        topology.SetAttribute("Spines", UintegerValue(2));
    });
    ExpectRefusal("domains", [](RailTopology& topology) {
        topology.SetAttribute("Domains", UintegerValue(1));
        topology.SetAttribute("GpusPerDomain", UintegerValue(1));
    });
    for (const char* routes : {"rail0-leaf0 > rail1-leaf0 via spine9",
                               "rail0-leaf9 > rail1-leaf0 via spine0",
                               "rail0-leaf0 > leaf via spine0",
                               "rail0-leaf0 > rail1-leaf0 via rail1-leaf0",
                               "rail0-leaf0 > rail1-leaf0",
                               "rail0-leaf0 via spine0 > rail1-leaf0",
                               "rail0-leaf0 > rail1-leaf0 via ",
                               "nonsense"})
    {
        ExpectRefusal("topology.routes", [routes](RailTopology& topology) {
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
