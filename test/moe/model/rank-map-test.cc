// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/gpu-group-table.h"
#include "ns3/rank-map.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace ns3::rails
{

using Gpus = std::vector<uint32_t>;

TEST(RankMapTest, TheFirstAxisVariesFastest)
{
    const RankMap map({{"tp", 2}, {"cp", 1}, {"dp", 3}, {"pp", 2}});
    EXPECT_EQ(map.GetSize(), 12U);
    EXPECT_EQ(map.GetCoordinate(7, "tp"), 1U);
    EXPECT_EQ(map.GetCoordinate(7, "dp"), 0U);
    EXPECT_EQ(map.GetCoordinate(7, "pp"), 1U);
    EXPECT_EQ(map.GetStride("pp"), 6U);
    EXPECT_THROW(map.GetStride("ep"), std::out_of_range);
}

TEST(RankMapTest, AGroupDiffersAlongItsAxesAlone)
{
    const RankMap map({{"tp", 2}, {"cp", 2}, {"dp", 2}, {"pp", 2}});
    EXPECT_EQ(map.GetGroup(11, {"tp"}), (Gpus{10, 11}));
    EXPECT_EQ(map.GetGroup(11, {"cp"}), (Gpus{9, 11}));
    EXPECT_EQ(map.GetGroup(11, {"cp", "dp"}), (Gpus{9, 11, 13, 15}));
    EXPECT_EQ(map.GetGroup(11, {"pp"}), (Gpus{3, 11}));
}

TEST(RankMapTest, ATableKnowsEveryGpusGroup)
{
    const RankMap map({{"tp", 2}, {"dp", 3}});
    const GpuGroupTable table(map, {"dp"});
    EXPECT_EQ(table.GetSize(), 3U);
    EXPECT_EQ(table.GetMembers(3), (Gpus{1, 3, 5}));
    EXPECT_EQ(table.GetPlace(5), 2U);
    EXPECT_EQ(table.GetNeighbour(5, 1), 1U);
    EXPECT_EQ(table.GetNumber(4), table.GetNumber(0));
    EXPECT_NE(table.GetNumber(4), table.GetNumber(1));
}

} // namespace ns3::rails
