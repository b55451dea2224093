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
