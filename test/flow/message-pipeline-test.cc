// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/message-pipeline.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace ns3::rails;

namespace
{

constexpr uint64_t kSegment = 16384;
constexpr double kPsOfByte = 20; // ps on a cable of 400 Gbit/s

/// \return the way between two NICs over two cables of 400 Gbit/s
FlowNetwork::Times
MakeTimes()
{
    FlowNetwork::Times times;
    times.storing = kPsOfByte;
    times.slowest = kPsOfByte;
    return times;
}

/// \return a hop of NVLink, in ps per byte, with a latency
FlowInterior::Crossing
MakeCrossing(double bytePs, TimePs latency)
{
    FlowInterior::Crossing crossing;
    crossing.latency = latency;
    crossing.storing = bytePs;
    crossing.slowest = bytePs;
    return crossing;
}

} // namespace

TEST(MessagePipelineTest, WithoutHopsInsideServersAFrameIsStoredOnce)
{
    const FlowSettings settings;
    for (const uint64_t bytes : {1, 4096, 1'000'000})
    {
        const MessagePipeline pipeline =
            MakeMessagePipeline(bytes, settings, kSegment, {}, MakeTimes(), {});
        const uint64_t largest = bytes < 4096 ? bytes : 4096;
        EXPECT_DOUBLE_EQ(pipeline.behind, kPsOfByte * settings.frames.GetMessageWire(largest))
            << bytes;
        EXPECT_EQ(pipeline.sending, 0);
        EXPECT_EQ(pipeline.before, 0);
        EXPECT_EQ(pipeline.last, 0);
    }
}

TEST(MessagePipelineTest, AFastHopBeforeAndBehindStoresASegment)
{
    const MessagePipeline pipeline = MakeMessagePipeline(1 << 20,
                                                         {},
                                                         kSegment,
                                                         MakeCrossing(2, 100),
                                                         MakeTimes(),
                                                         MakeCrossing(2, 300));
    EXPECT_DOUBLE_EQ(pipeline.sending, 100 + 2.0 * kSegment);
    EXPECT_DOUBLE_EQ(pipeline.before, pipeline.sending);
    EXPECT_EQ(pipeline.handing, 0);
    EXPECT_DOUBLE_EQ(pipeline.last, 300 + 2.0 * kSegment);
}

TEST(MessagePipelineTest, ASlowHopBehindStoresNothingItselfButWaitsForTheFirstSegment)
{
    const FlowSettings settings;
    const MessagePipeline pipeline =
        MakeMessagePipeline(1 << 20, settings, kSegment, {}, MakeTimes(), MakeCrossing(80, 300));
    EXPECT_DOUBLE_EQ(pipeline.handing, kPsOfByte * settings.frames.GetMessageWire(kSegment));
    EXPECT_DOUBLE_EQ(pipeline.last, 300);
}

TEST(MessagePipelineTest, ASlowHopBeforeIsNotCountedTwice)
{
    const MessagePipeline pipeline =
        MakeMessagePipeline(1 << 20, {}, kSegment, MakeCrossing(80, 100), MakeTimes(), {});
    EXPECT_DOUBLE_EQ(pipeline.sending, 100 + 80.0 * kSegment);
    EXPECT_DOUBLE_EQ(pipeline.before, 100) << "its segments are in the time at its rate";
}
