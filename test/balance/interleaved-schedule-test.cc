// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/interleaved-schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3::rails;

namespace
{

using Ports = std::vector<uint16_t>;

TEST(InterleavedScheduleTest, FollowsTheWorkedExample)
{
    // arXiv 2507.21372, appendix F: 1600, 1600, 1600 and 800 Gbps for P1 to P4.
    EXPECT_EQ(MakeInterleavedSchedule({{3, 1600}, {2, 1600}, {4, 800}, {1, 1600}}),
              (Ports{3, 2, 4, 1, 3, 2, 1}));
}

TEST(InterleavedScheduleTest, IsOnePassWhenAllWeightsAreEqual)
{
    EXPECT_EQ(MakeInterleavedSchedule({{7, 16}, {5, 16}, {6, 16}}), (Ports{7, 5, 6}));
}

TEST(InterleavedScheduleTest, LeavesOutPortsWithoutWeight)
{
    EXPECT_EQ(MakeInterleavedSchedule({{7, 0}, {5, 2}, {6, 1}}), (Ports{5, 6, 5}));
    EXPECT_TRUE(MakeInterleavedSchedule({{7, 0}}).empty());
    EXPECT_TRUE(MakeInterleavedSchedule({}).empty());
}

TEST(InterleavedScheduleTest, GivesEachPortItsShare)
{
    const Ports schedule = MakeInterleavedSchedule({{0, 6}, {1, 9}, {2, 15}, {3, 3}});
    EXPECT_EQ(schedule.size(), 11U);
    const auto count = [&](uint16_t port) {
        return std::count(schedule.begin(), schedule.end(), port);
    };
    EXPECT_EQ(count(0), 2);
    EXPECT_EQ(count(1), 3);
    EXPECT_EQ(count(2), 5);
    EXPECT_EQ(count(3), 1);
}

} // namespace
