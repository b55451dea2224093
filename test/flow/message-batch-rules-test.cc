// SPDX-License-Identifier: GPL-2.0-only
#include "flow-parts.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

/// Two servers of two GPUs.
class MessageBatchRulesTest : public testing::Test
{
  protected:
    static constexpr uint64_t kLong = 1'000'000;
    FlowParts m_parts{LayRails(2, 2)};
};

TEST_F(MessageBatchRulesTest, ARunHasTheMessagesThatFlowAlike)
{
    const uint32_t number = m_parts.Add(0, 2, kLong, 0);
    m_parts.Add(0, 2, 2 * kLong, 0);
    Message& awaited = m_parts.Make(0, 2, kLong, 0);
    awaited.isAwaited = true;
    m_parts.Add(awaited);
    Message& paced = m_parts.Make(0, 2, kLong, 0);
    paced.paceBps = 1'000'000'000;
    m_parts.Add(paced);
    FlowQueue& queue = m_parts.queues[number];
    queue.entries.back().isPaced = true;
    m_parts.rules.Choose(queue);
    EXPECT_EQ(queue.runEnd, 2U);
    EXPECT_EQ(queue.volume.payload, 3 * kLong);
    EXPECT_FALSE(queue.route.isFed);
    for (const uint32_t drained : {2, 3})
    {
        queue.drained = drained;
        m_parts.rules.Choose(queue);
        EXPECT_EQ(queue.runEnd, drained + 1);
        EXPECT_EQ(queue.volume.payload, kLong);
    }
    EXPECT_TRUE(queue.route.isFed) << "by its pace";
}

TEST_F(MessageBatchRulesTest, WhatWasDrainedIsNotOfTheRunAnyMoreAndHasItsAcks)
{
    FlowQueue& queue = m_parts.queues[m_parts.Add(0, 2, kLong, 0)];
    m_parts.Add(0, 2, 2 * kLong, 0);
    m_parts.rules.Choose(queue);
    const FrameFormat& frames = m_parts.settings.frames;
    EXPECT_EQ(queue.volume.frames, frames.CountFrames(kLong) + frames.CountFrames(2 * kLong));
    m_parts.rules.CountDrained(queue, kLong);
    EXPECT_EQ(queue.volume.payload, 2 * kLong);
    EXPECT_EQ(queue.volume.wire, frames.GetMessageWire(2 * kLong));
    EXPECT_EQ(queue.acks, static_cast<double>(frames.GetAckWire(frames.CountFrames(kLong))));
}

TEST_F(MessageBatchRulesTest, AMessageThatComesJoinsTheRunWhereItWeighsAsTheOthers)
{
    FlowQueue& queue = m_parts.queues[m_parts.Add(0, 2, kLong, 0)];
    m_parts.rules.Choose(queue);
    EXPECT_FALSE(m_parts.rules.MayExtend(queue)) << "nothing has come";
    m_parts.Add(0, 2, kLong, 0);
    ASSERT_TRUE(m_parts.rules.MayExtend(queue));
    EXPECT_TRUE(m_parts.rules.Extend(queue));
    EXPECT_EQ(queue.runEnd, 2U);
    m_parts.Add(0, 2, kLong, 0);
    queue.drained = 2;
    EXPECT_FALSE(m_parts.rules.MayExtend(queue)) << "the run is over";
}

TEST_F(MessageBatchRulesTest, ARunOfShortMessagesWeighsOtherwiseWithALongOne)
{
    FlowQueue& queue = m_parts.queues[m_parts.Add(0, 2, 1, 0)];
    m_parts.rules.Choose(queue);
    const double acks = queue.route.ackShare;
    EXPECT_GT(acks, 0.1);
    m_parts.Add(0, 2, kLong, 0);
    ASSERT_TRUE(m_parts.rules.MayExtend(queue));
    EXPECT_FALSE(m_parts.rules.Extend(queue));
    EXPECT_EQ(queue.route.ackShare, acks) << "until the run begins anew";
}

TEST_F(MessageBatchRulesTest, TheLastFrameOfAMessageThatSomebodyAwaitsIsSentBeforeItsEnd)
{
    Message& message = m_parts.Make(0, 2, kLong, 0);
    FlowQueue& queue = m_parts.queues[m_parts.Add(message)];
    EXPECT_EQ(m_parts.rules.GetSentAt(queue), FlowClocks::kNowhere);
    message.isAwaited = true;
    const FrameFormat& frames = m_parts.settings.frames;
    EXPECT_EQ(m_parts.rules.GetSentAt(queue),
              static_cast<double>(frames.GetMessageWire(kLong) - frames.GetLastFrameWire(kLong)));
    queue.isHeadSent = true;
    EXPECT_EQ(m_parts.rules.GetSentAt(queue), FlowClocks::kNowhere) << "it has been told";
}

TEST_F(MessageBatchRulesTest, BetweenWhichGpusAPairGoesMattersWhileSomethingStaysInTheServer)
{
    FlowQueue& queue = m_parts.queues[m_parts.Add(0, 2, kLong, 1)]; // over NVLink to the other NIC
    m_parts.rules.Choose(queue);
    EXPECT_EQ(queue.route.fromGpu, FlowRoute::kAnyGpu);
    EXPECT_TRUE(m_parts.rules.HasRightGpus(queue));
    m_parts.network.Join(m_parts.queues[m_parts.Add(1, 0, kLong)].route);
    EXPECT_FALSE(m_parts.rules.HasRightGpus(queue));
    m_parts.rules.Choose(queue);
    EXPECT_EQ(queue.route.fromGpu, 0U);
    EXPECT_EQ(queue.route.toGpu, FlowRoute::kAnyGpu) << "nothing stays in the other server";
    EXPECT_TRUE(m_parts.rules.HasRightGpus(queue));
}
