// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ahead-times.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::rails
{

namespace
{

/// A GPU that computes 60 of every 100, for three of ten units, and behind them no more.
GpuSpans
MakeSpans(const std::vector<TimeSpan>& ahead)
{
    return {{{0, 60}, {100, 160}, {200, 260}}, ahead};
}

const std::vector<LeftOut> kSevenOfTen{{200, 100, 1, 7}};

TEST(AheadTimesTest, WhatRunsAheadIsOverWhileTheFirstUnitsAreComputed)
{
    const GpuSpans quick = MakeSpans({{0, 10}, {10, 20}, {20, 30}});
    const AheadTimes times(quick, kSevenOfTen, 3);
    EXPECT_DOUBLE_EQ(times.FindExposedInPart(), 0);
    EXPECT_DOUBLE_EQ(times.FindExposed(), 40) << "0 to 100";
    const GpuSpans slow = MakeSpans({{0, 30}, {30, 60}, {60, 90}});
    EXPECT_DOUBLE_EQ(AheadTimes(slow, kSevenOfTen, 3).FindExposedInPart(), 30);
    EXPECT_DOUBLE_EQ(AheadTimes(slow, kSevenOfTen, 3).FindExposed(), 120) << "0 to 300";
}

TEST(AheadTimesTest, WhatKeepsStepIsAsInEachUnit)
{
    const GpuSpans spans = MakeSpans({{55, 65}, {155, 165}, {255, 265}});
    EXPECT_DOUBLE_EQ(AheadTimes(spans, kSevenOfTen, 3).FindExposed(), 10 * 5);
}

TEST(AheadTimesTest, AnIterationMayBeginWhereTheOneBeforeIsAhead)
{
    // Two iterations of two units, each of four; the GPU rests from 200 to 240.
    const GpuSpans spans{{{0, 60}, {100, 160}, {240, 300}, {340, 400}},
                         {{0, 20}, {20, 40}, {40, 60}, {60, 80}}};
    const std::vector<LeftOut> both{{100, 100, 1, 2}, {340, 100, 1, 2}};
    EXPECT_DOUBLE_EQ(AheadTimes(spans, both, 2).FindExposed(), 40) << "0 to 160";
    GpuSpans waits = spans;
    waits.ahead = {{0, 20}, {20, 40}, {240, 260}, {260, 280}};
    EXPECT_DOUBLE_EQ(AheadTimes(waits, both, 2).FindExposed(), 20 + 20)
        << "0 to 80, and 440 to 520: behind what is left out of the first";
}

} // namespace

} // namespace ns3::rails
