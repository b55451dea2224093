// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"

#include "ns3/flow-interior.h"
#include "ns3/pcie-intra-topology.h"

#include <gtest/gtest.h>
#include <memory>
#include <set>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

Ptr<RailTopology>
MakeInteriorRails(uint32_t gpus, uint32_t nics, uint64_t nvlinkBps = 3600 * kGbps)
{
    Ptr<RailTopology> topology = CreateObject<RailTopology>();
    topology->SetAttribute("Domains", UintegerValue(2));
    topology->SetAttribute("GpusPerDomain", UintegerValue(gpus));
    topology->SetAttribute("NicsPerDomain", UintegerValue(nics));
    topology->SetAttribute("NvlinkRate", Rate(nvlinkBps));
    return topology;
}

} // namespace

TEST(FlowInteriorTest, BetweenAGpuAndItsOwnNicThereIsNothingToCross)
{
    const auto wiring = MakeInteriorRails(4, 4)->Lay();
    const FlowInterior interior(*wiring);
    EXPECT_TRUE(interior.GetLinks(2, interior.GetNicEnd(2)).empty());
    EXPECT_TRUE(interior.GetLinks(interior.GetNicEnd(2), 2).empty());
    EXPECT_EQ(interior.GetCrossing(2, interior.GetNicEnd(2)).latency, 0);
    EXPECT_EQ(interior.GetCrossing(2, interior.GetNicEnd(2)).storing, 0);
    EXPECT_EQ(interior.GetCrossing(2, interior.GetNicEnd(2)).slowest, 0);
}

TEST(FlowInteriorTest, AHopOfTwoNvlinkPortsIsCrossedBitByBit)
{
    const auto wiring = MakeInteriorRails(4, 4, 800 * kGbps)->Lay();
    const FlowInterior interior(*wiring);
    for (const uint32_t end : {3U, interior.GetNicEnd(3)})
    {
        EXPECT_EQ(interior.GetLinks(0, end).size(), 2U); // out of a GPU, into another
        EXPECT_DOUBLE_EQ(interior.GetCrossing(0, end).storing, 10);
        EXPECT_DOUBLE_EQ(interior.GetCrossing(0, end).slowest, 10);
        EXPECT_EQ(interior.GetCrossing(0, end).latency, 25'000);
    }
    const std::set<uint32_t> there{interior.GetLinks(0, 3).begin(), interior.GetLinks(0, 3).end()};
    for (const uint32_t link : interior.GetLinks(3, 0))
    {
        EXPECT_EQ(there.count(link), 0U) << "each direction is a link of its own";
    }
}

TEST(FlowInteriorTest, NvlinkHoldsNicsBackOnlyWhereAllOfThemHaveMore)
{
    const auto holds = [](uint64_t nvlinkBps) {
        const auto wiring = MakeInteriorRails(4, 4, nvlinkBps)->Lay();
        const FlowInterior interior(*wiring);
        return interior.HoldsBack(0, interior.GetNicEnd(1));
    };
    // A GPU's port serves the three NICs that are not its own, of 400 Gbit/s each.
    EXPECT_TRUE(holds(1199 * kGbps));
    EXPECT_FALSE(holds(1600 * kGbps));
}

TEST(FlowInteriorTest, OverPcieAMessageIsStoredOnceAHop)
{
    Ptr<RailTopology> topology = MakeInteriorRails(4, 4);
    topology->SetAttribute("Intra", PointerValue(CreateObject<PcieIntraTopology>()));
    const auto wiring = topology->Lay();
    const FlowInterior interior(*wiring);
    for (uint32_t gpu = 0; gpu < 4; ++gpu)
    {
        const uint32_t nic = interior.GetNicEnd(gpu);
        const FlowInterior::Crossing& crossing = interior.GetCrossing(gpu, nic);
        const auto hops = static_cast<double>(interior.GetInterior().GetWay(gpu, nic).size());
        ASSERT_GT(hops, 0);
        EXPECT_GT(crossing.slowest, 0);
        EXPECT_LE(crossing.storing, hops * crossing.slowest * (1 + 1e-12));
        EXPECT_FALSE(interior.GetLinks(gpu, nic).empty());
    }
}
