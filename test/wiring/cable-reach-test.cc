// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/cable-reach.h"
#include "ns3/rail-topology.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>

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

} // namespace

} // namespace ns3::rails::test
