// SPDX-License-Identifier: GPL-2.0-only
#include "flow-alone.h"

#include "ns3/flow-clocks.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <utility>
#include <vector>

using namespace ns3::rails;
using ns3::rails::test::GoAlone;

namespace
{

constexpr double kRate = 50e9; // bytes/s: 20 ps each
constexpr TimePs kByte = 20;

} // namespace

TEST(FlowClocksTest, AClassIsDueWhenItsStopIsServedRoundedUp)
{
    FlowClocks clocks;
    clocks.Open(0, 1000);
    EXPECT_EQ(clocks.GetNextDue(), kNever);
    GoAlone(clocks, 0, kRate, 1000);
    clocks.SetStop(0, 100.5);
    const TimePs due = clocks.GetNextDue();
    EXPECT_GE(due, 1000 + 100 * kByte + kByte / 2);
    EXPECT_LE(due, 1000 + 100 * kByte + kByte / 2 + 1);
    EXPECT_EQ(clocks.GetNextClass(), 0U);
    EXPECT_EQ(clocks.GetServedAt(0, due), 100.5);
}

TEST(FlowClocksTest, NothingIsServedBeyondAStop)
{
    FlowClocks clocks;
    clocks.Open(0, 0);
    GoAlone(clocks, 0, kRate, 0);
    clocks.SetStop(0, 100);
    EXPECT_EQ(clocks.GetServedAt(0, 50 * kByte), 50);
    EXPECT_EQ(clocks.GetServedAt(0, 5000 * kByte), 100);
    clocks.Advance(0, 5000 * kByte);
    EXPECT_EQ(clocks.GetServed(0), 100);
}

TEST(FlowClocksTest, AnotherRateCountsFromThen)
{
    FlowClocks clocks;
    clocks.Open(0, 0);
    GoAlone(clocks, 0, kRate, 0);
    clocks.SetStop(0, 100);
    clocks.SetRate(0, kRate / 2, 40 * kByte);
    EXPECT_NEAR(clocks.GetNextDue(), 40 * kByte + 60 * 2 * kByte, 1);
    clocks.Advance(0, 60 * kByte);
    EXPECT_EQ(clocks.GetServed(0), 50);
}

TEST(FlowClocksTest, WithoutARateOrAStopAClassIsNeverDue)
{
    FlowClocks clocks;
    clocks.Open(0, 0);
    clocks.SetStop(0, 100);
    EXPECT_EQ(clocks.GetNextDue(), kNever);
    EXPECT_EQ(clocks.FindTime(0, 1), kNever);
    GoAlone(clocks, 0, kRate, 0);
    EXPECT_NE(clocks.GetNextDue(), kNever);
    clocks.SetRate(0, 0, 0);
    EXPECT_EQ(clocks.GetNextDue(), kNever);
    clocks.SetRate(0, kRate, 0);
    clocks.SetStop(0, FlowClocks::kNowhere);
    EXPECT_EQ(clocks.GetNextDue(), kNever);
    clocks.SetRate(0, 1e-12, 0); // a byte in thousands of years
    clocks.SetStop(0, 100);
    EXPECT_EQ(clocks.GetNextDue(), kNever);
}

TEST(FlowClocksTest, AClassOpenedAnewBeginsWithNothing)
{
    FlowClocks clocks;
    clocks.Open(3, 0);
    GoAlone(clocks, 3, kRate, 0);
    clocks.SetStop(3, 100);
    clocks.Advance(3, 10 * kByte);
    clocks.Open(3, 20 * kByte);
    EXPECT_EQ(clocks.GetNextDue(), kNever);
    EXPECT_EQ(clocks.GetServed(3), 0);
    EXPECT_EQ(clocks.GetRate(3), 0);
}

TEST(FlowClocksTest, ClassesComeByTimeAndThenByNumber)
{
    FlowClocks clocks;
    for (const uint32_t flowClass : {5U, 2U, 9U, 7U})
    {
        clocks.Open(flowClass, 0);
        clocks.SetStop(flowClass, flowClass == 7 ? 50 : 100);
        GoAlone(clocks, flowClass, kRate, 0);
    }
    std::vector<uint32_t> order;
    while (clocks.GetNextDue() != kNever)
    {
        order.push_back(clocks.GetNextClass());
        clocks.SetStop(order.back(), FlowClocks::kNowhere);
    }
    EXPECT_EQ(order, (std::vector<uint32_t>{7, 2, 5, 9}));
}

TEST(FlowClocksTest, TheNextOneIsTheEarliestWhateverChanges)
{
    constexpr uint32_t kClasses = 40;
    FlowClocks clocks;
    std::mt19937 random(7);
    TimePs now = 0;
    for (uint32_t flowClass = 0; flowClass < kClasses; ++flowClass)
    {
        clocks.Open(flowClass, now);
    }
    std::vector<double> stops(kClasses, FlowClocks::kNowhere);
    for (int step = 0; step < 20000; ++step)
    {
        const uint32_t flowClass = random() % kClasses;
        now += random() % 1000;
        clocks.Advance(flowClass, now);
        switch (random() % 4)
        {
        case 0:
            GoAlone(clocks, flowClass, random() % 3 * kRate, now);
            break;
        case 1:
            clocks.Open(flowClass, now);
            stops[flowClass] = FlowClocks::kNowhere;
            break;
        default:
            stops[flowClass] = clocks.GetServed(flowClass) + random() % 10000;
            clocks.SetStop(flowClass, stops[flowClass]);
        }
        std::pair<TimePs, uint32_t> first{kNever, 0};
        for (uint32_t other = 0; other < kClasses; ++other)
        {
            const TimePs due = stops[other] == FlowClocks::kNowhere
                                   ? kNever
                                   : clocks.FindTime(other, stops[other]);
            first = std::min(first, std::pair{due, due == kNever ? 0 : other});
        }
        ASSERT_EQ(clocks.GetNextDue(), first.first);
        if (first.first != kNever)
        {
            ASSERT_EQ(clocks.GetNextClass(), first.second);
        }
    }
}
