// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/graph-times.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

const std::vector<std::string> kKinds{"compute", "send"};

} // namespace

TEST(GraphTimes, CommunicationIsExposedWhileNothingIsComputed)
{
    GraphTimes times(2, kKinds);
    times.Begin(1, 0, true, 10);
    times.Begin(1, 1, false, 20);
    times.Begin(1, 1, false, 25); // a second one counts no time twice
    times.End(1, 0, true, 40, nullptr);
    times.End(1, 1, false, 50, nullptr);
    times.End(1, 1, false, 70, times.Extend(nullptr, 1, 70));
    const GraphRecord record = times.GetRecord();
    EXPECT_EQ(record.end, 70);
    EXPECT_EQ(record.computing, 30);
    EXPECT_EQ(record.nodes, 3U);
    EXPECT_TRUE(record.kinds[0].isCompute);
    EXPECT_EQ(record.kinds[0].busy, 30);
    EXPECT_FALSE(record.kinds[1].isCompute);
    EXPECT_EQ(record.kinds[1].busy, 50);
    EXPECT_EQ(record.kinds[1].exposed, 30);
}

TEST(GraphTimes, TimesOfGpusAreAddedUp)
{
    GraphTimes times(3, kKinds);
    for (const uint32_t gpu : {0, 2})
    {
        times.Begin(gpu, 0, true, 0);
        times.End(gpu, 0, true, 10 + gpu, nullptr);
    }
    EXPECT_EQ(times.GetRecord().computing, 22);
    EXPECT_EQ(times.GetRecord().kinds[0].busy, 22);
}

TEST(GraphTimes, APathGoesOnWithTheMessageThatIsWaitedFor)
{
    GraphTimes times(2, kKinds);
    const GraphTimes::Path computed = times.Extend(nullptr, 0, 100);
    times.Post(0, 7, 30, 100, computed);
    Message first;
    first.source = 0;
    first.step = 7;
    first.phase = 1;
    first.bytes = 10;
    first.end = 150;
    Message second = first;
    second.bytes = 20;
    second.end = 180;
    times.Deliver(first);
    const GraphTimes::Path path = times.Deliver(second);
    EXPECT_EQ(*path, (std::vector<TimePs>{100, 80}));
    times.Begin(1, 1, false, 0);
    times.End(1, 1, false, 180, path);
    EXPECT_EQ(times.GetRecord().kinds[0].critical, 100);
    EXPECT_EQ(times.GetRecord().kinds[1].critical, 80);
}

} // namespace ns3::rails
