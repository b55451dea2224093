// SPDX-License-Identifier: GPL-2.0-only
#include "../support/interiors.h"

#include "ns3/cable-reach.h"
#include "ns3/rail-topology.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace ns3::rails::test
{

namespace
{

TEST(CableReach, GoesUpAndDownOverCablesThatWork)
{
    // A rail of two leaves and two spines: servers 0 and 1, 2 and 3.
    Ptr<Topology> topology = CreateObject<RailTopology>();
    topology->SetAttribute("Domains", UintegerValue(4));
    topology->SetAttribute("GpusPerDomain", UintegerValue(1));
    topology->SetAttribute("LeafPorts", UintegerValue(2));
    topology->SetAttribute("RailSpines", UintegerValue(2));
    const std::shared_ptr<Wiring> wiring = topology->Lay();
    const auto cable = [&](const char* leaf, const char* spine) {
        return wiring->FindCables(wiring->FindSwitch(leaf), wiring->FindSwitch(spine)).at(0);
    };
    CableReach reach(*wiring);
    EXPECT_TRUE(reach.HasPath(0, 3));
    reach.SetUp(cable("rail0-leaf0", "rail0-spine0"), false);
    EXPECT_TRUE(reach.HasPath(0, 3)) << "by the other spine";
    reach.SetUp(cable("rail0-leaf1", "rail0-spine1"), false);
    EXPECT_FALSE(reach.HasPath(0, 3)) << "each spine has lost one of them";
    EXPECT_FALSE(reach.HasPath(3, 0));
    EXPECT_TRUE(reach.HasPath(0, 1)) << "at the same leaf";
    EXPECT_TRUE(reach.IsUp(0));
    reach.SetUp(1, false);
    EXPECT_FALSE(reach.IsUp(1));
    EXPECT_FALSE(reach.HasPath(0, 1));
    reach.SetUp(cable("rail0-leaf0", "rail0-spine0"), true);
    EXPECT_TRUE(reach.HasPath(0, 3)) << "mended";
    EXPECT_TRUE(wiring->GetCables()[1].isUp) << "the wiring stays as it is";
}

TEST(CableReach, GoesFromRelayToRelayWhicheverEndIsTheLower)
{
    // A line of four servers; numbers of the lower ends go up, down and up.
    Wiring wiring({4, 1}, MakeNvswitch(1));
    for (uint32_t server = 0; server < 4; ++server)
    {
        wiring.MakeRelay(wiring.AddSwitch("relay" + std::to_string(server)));
        wiring.Attach(server, server, 0, {"nic_tx", "relay_down", 100});
    }
    wiring.Join(0, 2, {"circuit", "circuit", 100});
    wiring.Join(1, 2, {"circuit", "circuit", 100});
    wiring.Join(1, 3, {"circuit", "circuit", 100});
    CableReach reach(wiring);
    EXPECT_TRUE(reach.HasPath(0, 3));
    EXPECT_TRUE(reach.HasPath(3, 0));
    reach.SetUp(wiring.FindCables(1, 2).at(0), false);
    EXPECT_FALSE(reach.HasPath(0, 3));
    EXPECT_FALSE(reach.HasPath(1, 0));
    EXPECT_TRUE(reach.HasPath(2, 0));
}

} // namespace

} // namespace ns3::rails::test
