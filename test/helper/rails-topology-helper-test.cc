// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-error.h"
#include "ns3/rails-topology-helper.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::rails
{

namespace
{

TEST(RailsTopologyHelper, LaysRailsWithTheirLeavesAndSpines)
{
    RailTopologyHelper helper;
    helper.SetAttribute("Domains", UintegerValue(4));
    helper.SetAttribute("GpusPerDomain", UintegerValue(8));
    helper.SetAttribute("NicsPerDomain", UintegerValue(4));
    helper.SetAttribute("Spines", UintegerValue(3));
    const auto wiring = helper.Lay();
    EXPECT_EQ(wiring->GetShape().GetGpus(), 32U);
    EXPECT_EQ(wiring->GetShape().GetNics(), 16U);
    EXPECT_EQ(wiring->GetSwitches().size(), 4U + 3U);
    EXPECT_EQ(wiring->GetSwitches().front().name, "rail0-leaf0");
    EXPECT_NE(helper.Lay(), wiring) << "a run changes its wiring";
}

TEST(RailsTopologyHelper, LaysFabricsThatJoinAllNics)
{
    FatTreeTopologyHelper tree;
    tree.SetAttribute("K", UintegerValue(4));
    EXPECT_EQ(tree.Lay()->GetSwitches().size(), 20U); // 5 k^2 / 4
    LeafSpineTopologyHelper leaves;
    leaves.SetAttribute("Domains", UintegerValue(4));
    leaves.SetAttribute("GpusPerDomain", UintegerValue(2));
    leaves.SetAttribute("LeafPorts", UintegerValue(4));
    leaves.SetAttribute("Spines", UintegerValue(2));
    EXPECT_EQ(leaves.Lay()->GetSwitches().size(), 2U + 2U);
}

TEST(RailsTopologyHelper, RefusesWhatCannotBeLaid)
{
    LeafSpineTopologyHelper leaves;
    leaves.SetAttribute("Domains", UintegerValue(4));
    leaves.SetAttribute("GpusPerDomain", UintegerValue(2));
    leaves.SetAttribute("LeafPorts", UintegerValue(4));
    leaves.SetAttribute("Spines", UintegerValue(0));
    EXPECT_THROW(leaves.Lay(), ConfigurationError);
}

} // namespace

} // namespace ns3::rails
