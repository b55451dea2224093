// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"
#include "../support/topology-checks.h"

#include "ns3/component-list.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/nic-group.h"
#include "ns3/nic-groups-topology.h"
#include "ns3/rail-topology.h"
#include "ns3/value-list.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

using Groups = std::vector<std::pair<std::vector<uint32_t>, std::string>>;

/// Two servers of two GPUs and three NICs: rails of 400 Gbps, and a leaf of 200 Gbps farther away.
Ptr<Topology>
MakeTwoFabrics(const Groups& groups = {{{0, 1}, "fast"}, {{2}, "slow"}})
{
    Ptr<Topology> slow = CreateObject<LeafSpineTopology>();
    slow->SetAttribute("NicRate", Rate(200 * kGbps));
    slow->SetAttribute("LinkDelay", Ps(2'000'000));
    slow->SetAttribute("Spines", UintegerValue(0));
    std::vector<std::pair<std::string, Ptr<Topology>>> fabrics{
        {"fast", CreateObject<RailTopology>()},
        {"slow", slow}};
    std::vector<Ptr<NicGroup>> made;
    for (const auto& [nics, fabric] : groups)
    {
        made.push_back(CreateObject<NicGroup>());
        made.back()->SetAttribute("Nics", CountListValue(CountList(nics)));
        made.back()->SetAttribute("Fabric", StringValue(fabric));
    }
    Ptr<Topology> topology = CreateObject<NicGroupsTopology>();
    topology->SetAttribute("Domains", UintegerValue(2));
    topology->SetAttribute("GpusPerDomain", UintegerValue(2));
    topology->SetAttribute("NicsPerDomain", UintegerValue(3));
    topology->SetAttribute("Fabrics", ComponentListValue(fabrics));
    topology->SetAttribute("NicGroups", ComponentListValue(made));
    return topology;
}

TEST(NicGroupsTopology, LaysEachFabricForItsNicsUnderItsOwnName)
{
    TestCluster test(MakeTwoFabrics());
    const FrameEngine& cluster = test.Build();
    EXPECT_EQ(GetSwitchNames(cluster),
              (std::vector<std::string>{"fast-rail0-leaf0", "fast-rail1-leaf0", "slow-leaf0"}));
    for (uint32_t server = 0; server < 2; ++server)
    {
        EXPECT_EQ(test.GetNicPort(server, 0).GetRateBps(), 400 * kGbps);
        EXPECT_EQ(test.GetNicPort(server, 1).GetRateBps(), 400 * kGbps);
        EXPECT_EQ(test.GetNicPort(server, 2).GetRateBps(), 200 * kGbps);
    }
    EXPECT_EQ(cluster.GetEndName(test.GetNicPort(1, 2).GetPeer()), "slow-leaf0");
}

TEST(NicGroupsTopology, EachFabricTakesTheTimeOfItsOwnRateAndDelay)
{
    TestCluster test(MakeTwoFabrics());
    test.Build();
    constexpr uint64_t kBytes = 60 * 4096;
    const Message& fast = test.Post(0, 2, 2 * kBytes, 0, 0); // NICs near both GPUs
    const Message& slow = test.Post(1, 3, kBytes, 2, 2);
    test.Run();
    constexpr TimePs kFrame = 4178 * 20; // at 400 Gbps
    EXPECT_EQ(fast.end, 121 * kFrame + 2 * 500'000);
    EXPECT_EQ(slow.end, 61 * 2 * kFrame + 2 * 2'000'000);
}

TEST(NicGroupsTopology, JoinsNoFabrics)
{
    EXPECT_FALSE(GetTraits(*MakeTwoFabrics()).connectsRails);
}

TEST(NicGroupsTopology, RefusesNicsWithoutAFabricOrWithTwo)
{
    const auto expectRefusal = [](const Groups& groups, const std::string& what) {
        try
        {
            MakeTwoFabrics(groups)->Check();
            ADD_FAILURE() << "not refused: " << what;
        }
        catch (const ConfigurationError& error)
        {
            EXPECT_EQ(error.GetKey(), "nic_groups");
            EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
        }
    };
    expectRefusal({{{0, 1}, "fast"}}, "NIC 2 is in no group");
    expectRefusal({{{0, 1}, "fast"}, {{1, 2}, "slow"}}, "NIC 1 is in two groups");
    expectRefusal({{{0, 1, 3}, "fast"}, {{2}, "slow"}}, "NIC 3 does not exist");
    expectRefusal({{{0, 1}, "fast"}, {{2}, "slaw"}}, "there is no fabric 'slaw'");
}

TEST(NicGroupsTopology, RefusesAFabricWithServersOfItsOwn)
{
    Ptr<Topology> topology = MakeTwoFabrics();
    ComponentListValue value;
    topology->GetAttribute("Fabrics", value);
    value.GetEntries().front().component->SetAttribute("NicsPerDomain", UintegerValue(4));
    try
    {
        topology->Check();
        ADD_FAILURE() << "not refused";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_EQ(error.GetKey(), "fabrics.fast");
    }
}

TEST(NicGroupsTopology, TakesAFatTreeOfAnySize)
{
    Ptr<Topology> tree = CreateObject<FatTreeTopology>();
    tree->SetAttribute("K", UintegerValue(4));
    const std::vector<std::pair<std::string, Ptr<Topology>>> fabrics{{"tree", tree}};
    Ptr<Topology> topology = CreateObject<NicGroupsTopology>();
    topology->SetAttribute("Domains", UintegerValue(4));
    topology->SetAttribute("GpusPerDomain", UintegerValue(2));
    topology->SetAttribute("Fabrics", ComponentListValue(fabrics));
    EXPECT_EQ(topology->Lay()->GetShape().GetNics(), 8U);
}

} // namespace
