// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/circuit-demand.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace ns3::rails::test
{

namespace
{

TEST(CircuitDemand, IsThatOfServersAndBothWaysOfAPair)
{
    CircuitDemand demand(ClusterShape(6, 4), 2, 3); // GPUs 8 to 19
    demand.Add(8, 12, 100);
    demand.Add(11, 15, 20);
    demand.Add(14, 9, 3);
    demand.Add(13, 19, 7);
    demand.Add(16, 17, 1000); // inside a server
    EXPECT_EQ(demand.GetServers(), 3U);
    EXPECT_EQ(demand.GetBytes(0, 1), 120U);
    EXPECT_EQ(demand.GetBytes(1, 0), 3U);
    EXPECT_EQ(demand.GetPairBytes(0, 1), 123U);
    EXPECT_EQ(demand.GetPairBytes(1, 0), 123U);
    EXPECT_EQ(demand.GetBytes(1, 2), 7U);
    EXPECT_EQ(demand.GetPairBytes(2, 2), 0U);
    EXPECT_EQ(demand.GetTotalBytes(), 130U);
}

TEST(CircuitDemand, KnowsNoGpuOutsideOfItsRegion)
{
    CircuitDemand demand(ClusterShape(6, 4), 2, 3);
    EXPECT_THROW(demand.Add(7, 8, 1), std::logic_error);
    EXPECT_THROW(demand.Add(8, 20, 1), std::logic_error);
}

} // namespace

} // namespace ns3::rails::test
