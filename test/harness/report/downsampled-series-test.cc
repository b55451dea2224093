// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/downsampled-series.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3::rails;

namespace
{

struct Change
{
    TimePs at;
    uint64_t value;
};

/// \return by interval, the maximum of what begins at 0 and changes as given
std::vector<uint64_t>
FindMaxima(const std::vector<Change>& changes, TimePs step, TimePs end)
{
    std::vector<uint64_t> maxima(static_cast<std::size_t>(end / step) + 1, 0);
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        const TimePs until = i + 1 < changes.size() ? changes[i + 1].at : end + step;
        // A value that lasts until the very start of an interval is not in it.
        const TimePs last = std::max(changes[i].at, until - 1);
        for (TimePs interval = changes[i].at / step; interval <= last / step; ++interval)
        {
            if (interval < static_cast<TimePs>(maxima.size()))
            {
                uint64_t& maximum = maxima[static_cast<std::size_t>(interval)];
                maximum = std::max(maximum, changes[i].value);
            }
        }
    }
    return maxima;
}

/// \return the same as points say
std::vector<uint64_t>
Expand(const std::vector<DownsampledSeries::Point>& points, TimePs step, TimePs end)
{
    std::vector<uint64_t> values(static_cast<std::size_t>(end / step) + 1, 0);
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        EXPECT_EQ(points[i].at % step, 0);
        const auto next =
            i + 1 < points.size() ? values.begin() + points[i + 1].at / step : values.end();
        std::fill(values.begin() + points[i].at / step, next, points[i].value);
    }
    return values;
}

/// \return busy times with several changes in an instant, and long quiet ones
std::vector<Change>
DrawChanges(uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<Change> changes;
    TimePs at = 0;
    for (int i = 0; i < 2'000; ++i)
    {
        at += random() % 50 == 0 ? random() % 20'000 : random() % 4 * (random() % 30);
        changes.push_back({at, random() % 3 == 0 ? 0 : random() % 100});
    }
    return changes;
}

TEST(StepEnvelopeTest, KeepsTheMaximumOfEveryInterval)
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        const std::vector<Change> changes = DrawChanges(seed);
        const TimePs end = changes.back().at + 77;
        for (const TimePs step : {1, 2, 10, 64, 1'000, 1'000'000'000})
        {
            DownsampledSeries envelope(step);
            for (const Change& change : changes)
            {
                envelope.Change(change.at, change.value);
            }
            EXPECT_EQ(Expand(envelope.GetPoints(end), step, end), FindMaxima(changes, step, end))
                << "seed " << seed << ", step " << step;
        }
    }
}

TEST(StepEnvelopeTest, LongerIntervalsKeepTheMaximumToo)
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        const std::vector<Change> changes = DrawChanges(seed);
        const TimePs end = changes.back().at + 77;
        for (const std::size_t most : {4, 16, 100})
        {
            DownsampledSeries envelope(1, most);
            for (const Change& change : changes)
            {
                envelope.Change(change.at, change.value);
            }
            const std::vector<DownsampledSeries::Point> points = envelope.GetPoints(end);
            EXPECT_LE(points.size(), most + 2);
            const TimePs step = envelope.GetStep();
            EXPECT_EQ(Expand(points, step, end), FindMaxima(changes, step, end))
                << "seed " << seed << ", at most " << most;
        }
    }
}

TEST(StepEnvelopeTest, WhatIsAlwaysZeroHasNoPoints)
{
    DownsampledSeries envelope(10);
    EXPECT_TRUE(envelope.GetPoints(1'000).empty());
    envelope.Change(35, 0);
    EXPECT_TRUE(envelope.GetPoints(1'000).empty());
}

TEST(StepEnvelopeTest, PointsBeginWithTheZeroAtTheStartAndEndWithTheRun)
{
    DownsampledSeries envelope(10);
    envelope.Change(35, 7);
    envelope.Change(36, 3);
    envelope.Change(37, 0);
    const std::vector<DownsampledSeries::Point> points = envelope.GetPoints(40);
    ASSERT_EQ(points.size(), 3U);
    EXPECT_EQ(points[0].at, 0);
    EXPECT_EQ(points[0].value, 0U);
    EXPECT_EQ(points[1].at, 30);
    EXPECT_EQ(points[1].value, 7U);
    EXPECT_EQ(points[2].at, 40);
    EXPECT_EQ(points[2].value, 0U);
    EXPECT_EQ(envelope.GetPoints(39).size(), 2U);
}

} // namespace
