// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-frame.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace ns3::rails;

namespace
{

TEST(FramePool, HandsOutEachFrameToOneUserOnly)
{
    FramePool pool;
    std::set<Frame*> frames;
    for (int i = 0; i < 5000; ++i)
    {
        frames.insert(pool.Allocate());
    }
    EXPECT_EQ(frames.size(), 5000U);
    EXPECT_EQ(pool.GetInUse(), 5000U);
    for (Frame* frame : frames)
    {
        pool.Release(frame);
    }
    EXPECT_EQ(pool.GetInUse(), 0U);
}

TEST(FramePool, UsesReturnedFramesAgainFreshlyReset)
{
    FramePool pool;
    Frame* frame = pool.Allocate();
    frame->psn = 5;
    frame->kind = FrameKind::Pause;
    frame->marked = true;
    pool.Release(frame);
    Frame* again = pool.Allocate();
    EXPECT_EQ(again, frame);
    EXPECT_EQ(again->psn, 0U);
    EXPECT_EQ(again->kind, FrameKind::Data);
    EXPECT_FALSE(again->marked);
    EXPECT_EQ(again->next, nullptr);
}

TEST(FramePool, FramesHaveTelemetryOfTheirOwnWhereSomebodyUsesIt)
{
    FramePool pool;
    pool.EnableTelemetry();
    std::set<Telemetry*> blocks;
    std::vector<Frame*> frames;
    for (int i = 0; i < 3000; ++i)
    {
        frames.push_back(pool.Allocate());
        ASSERT_NE(frames.back()->telemetry, nullptr);
        blocks.insert(frames.back()->telemetry);
    }
    EXPECT_EQ(blocks.size(), 3000U);
    Telemetry& telemetry = *frames.back()->telemetry;
    telemetry.congestion.metric = 3;
    for (uint32_t port = 0; port < 2 * Telemetry::kMostPorts; ++port)
    {
        telemetry.Add({7, port, 0, 0, 0, 0});
    }
    ASSERT_EQ(telemetry.ports, Telemetry::kMostPorts);
    EXPECT_EQ(telemetry.reports.back().port, Telemetry::kMostPorts - 1U);
    // It is empty when its frame is used again.
    pool.Release(frames.back());
    EXPECT_EQ(pool.Allocate(), frames.back());
    EXPECT_EQ(frames.back()->telemetry, &telemetry);
    EXPECT_EQ(telemetry.ports, 0);
    EXPECT_EQ(telemetry.congestion.metric, 0);
    FramePool other;
    EXPECT_EQ(other.Allocate()->telemetry, nullptr);
}

TEST(FrameQueue, IsFirstInFirstOutAndCountsBytes)
{
    FramePool pool;
    FrameQueue queue;
    EXPECT_TRUE(queue.IsEmpty());
    uint64_t pushed = 0;
    uint64_t popped = 0;
    uint64_t bytes = 0;
    // Two in, one out, until it has grown; then it is emptied and used again.
    for (int round = 0; round < 2; ++round)
    {
        for (int i = 0; i < 100; ++i)
        {
            for (int twice = 0; twice < 2; ++twice)
            {
                Frame* frame = pool.Allocate();
                frame->psn = pushed++;
                frame->bytes = 100 + static_cast<uint32_t>(frame->psn);
                bytes += frame->bytes;
                queue.Push(frame);
            }
            EXPECT_EQ(queue.GetBytes(), bytes);
            EXPECT_EQ(queue.Peek()->psn, popped);
            Frame* frame = queue.Pop();
            EXPECT_EQ(frame->psn, popped++);
            bytes -= frame->bytes;
            pool.Release(frame);
        }
        while (!queue.IsEmpty())
        {
            Frame* frame = queue.Pop();
            EXPECT_EQ(frame->psn, popped++);
            bytes -= frame->bytes;
            pool.Release(frame);
        }
        EXPECT_EQ(queue.GetBytes(), 0U);
        EXPECT_EQ(popped, pushed);
    }
}

} // namespace
