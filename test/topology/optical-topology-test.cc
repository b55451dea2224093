// SPDX-License-Identifier: GPL-2.0-only
#include "../support/optical-servers.h"

#include "ns3/cluster-topology.h"
#include "ns3/component-maker.h"
#include "ns3/rails-error.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// Servers of one GPU and three NICs, two of them at optical switches of regions of two servers.
Ptr<NicGroupsTopology>
MakeServers(uint32_t servers, uint32_t spares)
{
    const Ptr<Topology> optical = MakeComponent<Topology>("OpticalTopology");
    optical->SetAttribute("Region", UintegerValue(2));
    optical->SetAttribute("Spares", UintegerValue(spares));
    optical->SetAttribute("LinkDelay", Ps(1'000));
    return MakeOpticalServers(servers, 2, optical);
}

/// \return the key of the error that servers are refused with
std::string
FindError(uint32_t servers, uint32_t spares)
{
    try
    {
        MakeServers(servers, spares)->Check();
    }
    catch (const ConfigurationError& error)
    {
        return error.GetKey();
    }
    return "none";
}

TEST(OpticalTopology, ServersThatFollowEachOtherShareASwitch)
{
    const std::shared_ptr<Wiring> wiring = MakeServers(4, 0)->Lay();
    for (uint32_t server = 0; server < 4; ++server)
    {
        for (const uint32_t rail : {0, 1})
        {
            const uint32_t nic = 3 * server + rail;
            EXPECT_TRUE(wiring->IsOptical(nic));
            EXPECT_EQ(wiring->GetEdge(nic), wiring->GetEdge(server / 2 * 6));
            EXPECT_EQ(wiring->GetNicKind(nic).delay, 500) << "a circuit is two of them";
        }
        EXPECT_FALSE(wiring->IsOptical(3 * server + 2));
    }
    EXPECT_NE(wiring->GetEdge(0), wiring->GetEdge(6));
}

TEST(OpticalTopology, TheLastServersAreSparesWithoutAnyToJoin)
{
    const std::shared_ptr<Wiring> wiring = MakeServers(6, 2)->Lay();
    EXPECT_EQ(wiring->GetEdge(0), wiring->GetEdge(4));
    EXPECT_EQ(wiring->GetEdge(6), wiring->GetEdge(10));
    const uint32_t one = wiring->GetEdge(12);
    const uint32_t other = wiring->GetEdge(15);
    EXPECT_NE(one, other) << "not even with each other";
    EXPECT_NE(one, wiring->GetEdge(9));
    for (const uint32_t spare : {one, other})
    {
        EXPECT_TRUE(wiring->GetSwitches()[spare].isOptical);
        EXPECT_EQ(wiring->GetSwitches()[spare].cables.size(), 2U) << "of one server";
    }
    EXPECT_EQ(wiring->GetEdge(2), wiring->GetEdge(17)) << "they are in the packet fabric";
    EXPECT_EQ(wiring->GetSwitches()[one].name, "ocs-spare0");
    EXPECT_EQ(wiring->GetSwitches()[other].name, "ocs-spare1");
}

TEST(OpticalTopology, RegionsAreOfTheServersThatAreNotSpare)
{
    EXPECT_EQ(FindError(6, 0), "none");
    EXPECT_EQ(FindError(6, 2), "none");
    EXPECT_EQ(FindError(7, 1), "none");
    EXPECT_EQ(FindError(7, 0), "fabrics.ocs.region");
    EXPECT_EQ(FindError(6, 1), "fabrics.ocs.region");
    EXPECT_EQ(FindError(6, 6), "fabrics.ocs.spares") << "none is left";
    EXPECT_EQ(FindError(6, 7), "fabrics.ocs.spares");
}

} // namespace

} // namespace ns3::rails::test
