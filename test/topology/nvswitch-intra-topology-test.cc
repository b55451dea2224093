// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/boolean.h"
#include "ns3/nvswitch-intra-topology.h"
#include "ns3/server-interior.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// A server of four GPUs and two NICs, each near two of the GPUs.
class NvswitchIntraTopologyTest : public testing::Test
{
  protected:
    std::shared_ptr<const ServerInterior> Lay(bool poolsNics) const
    {
        const auto topology = CreateObject<NvswitchIntraTopology>();
        topology->SetAttribute("PoolsNics", BooleanValue(poolsNics));
        return topology->Lay(layout, {3'600'000'000'000, 25'000, 16384});
    }

    bool IsNear(uint32_t gpu, uint32_t rail) const
    {
        const std::vector<uint16_t>& near = layout.GetNearGpus(rail);
        return std::find(near.begin(), near.end(), gpu) != near.end();
    }

    /// Calls back with each GPU and NIC.
    template <typename Function>
    void ForEachPair(Function&& function) const
    {
        for (uint32_t gpu = 0; gpu < 4; ++gpu)
        {
            for (uint32_t rail = 0; rail < 2; ++rail)
            {
                function(gpu, rail);
            }
        }
    }

    const ServerLayout layout{4, 2};
};

TEST_F(NvswitchIntraTopologyTest, WhatIsForAFarNicCrossesNvlinkToAGpuThatIsNear)
{
    const auto interior = Lay(false);
    uint32_t far = 0;
    ForEachPair([&](uint32_t gpu, uint32_t rail) {
        const uint32_t nic = interior->GetNicEnd(rail);
        const std::vector<uint32_t> there = interior->GetWay(gpu, nic);
        const std::vector<uint32_t> back = interior->GetWay(nic, gpu);
        EXPECT_EQ(there.size(), IsNear(gpu, rail) ? 0U : 1U);
        EXPECT_EQ(back.size(), there.size());
        for (const uint32_t hop : there)
        {
            EXPECT_TRUE(IsNear(interior->GetHop(hop).to, rail));
            ++far;
        }
        for (const uint32_t hop : back)
        {
            EXPECT_EQ(interior->GetHop(hop).to, gpu);
        }
    });
    EXPECT_EQ(far, 4U);
}

TEST_F(NvswitchIntraTopologyTest, NicsThatArePooledAreReachedByNoHop)
{
    const auto interior = Lay(true);
    ForEachPair([&](uint32_t gpu, uint32_t rail) {
        const uint32_t nic = interior->GetNicEnd(rail);
        EXPECT_EQ(interior->GetFirstHop(gpu, nic), ServerInterior::kNone);
        EXPECT_EQ(interior->GetFirstHop(nic, gpu), ServerInterior::kNone);
    });
}

TEST_F(NvswitchIntraTopologyTest, GpusReachEachOtherByNvlinkAlsoWhereNicsArePooled)
{
    const auto usual = Lay(false);
    const auto pooled = Lay(true);
    EXPECT_EQ(pooled->GetHopCount(), usual->GetHopCount());
    EXPECT_EQ(pooled->GetLinks().size(), usual->GetLinks().size());
    for (uint32_t from = 0; from < 4; ++from)
    {
        for (uint32_t to = 0; to < 4; ++to)
        {
            EXPECT_EQ(pooled->GetWay(from, to), usual->GetWay(from, to));
            EXPECT_EQ(pooled->GetWay(from, to).size(), from == to ? 0U : 1U);
        }
    }
}

} // namespace

} // namespace ns3::rails::test
