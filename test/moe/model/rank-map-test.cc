// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rank-map.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace ns3::rails
{

using Groups = std::vector<std::vector<uint32_t>>;

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

TEST(RankMapTest, GroupsDifferAlongTheirAxesAlone)
{
    const RankMap map({{"tp", 2}, {"cp", 2}, {"dp", 2}});
    EXPECT_EQ(map.ListGroups({"tp"}), (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
    EXPECT_EQ(map.ListGroups({"cp"}), (Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
    EXPECT_EQ(map.ListGroups({"cp", "dp"}), (Groups{{0, 2, 4, 6}, {1, 3, 5, 7}}));
    EXPECT_EQ(map.ListGroups({"dp", "cp"}), (Groups{{0, 4, 2, 6}, {1, 5, 3, 7}}));
    EXPECT_EQ(map.ListGroups({"tp", "cp", "dp"}), (Groups{{0, 1, 2, 3, 4, 5, 6, 7}}));
    EXPECT_EQ(RankMap({{"tp", 2}, {"dp", 3}}).ListGroups({"dp"}), (Groups{{0, 2, 4}, {1, 3, 5}}));
    EXPECT_THROW(map.ListGroups({"ep"}), std::out_of_range);
}

} // namespace ns3::rails
