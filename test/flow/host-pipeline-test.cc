// SPDX-License-Identifier: GPL-2.0-only
#include "flow-parts.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

/// Two servers of four GPUs, whose NVLinks are as fast as one NIC: all four may have more for one.
class HostPipelineTest : public testing::Test
{
  protected:
    static constexpr uint64_t kBytes = 1'000'000;
    static constexpr uint32_t kNone = FlowQueue::kNone;

    HostPipelineTest()
        : m_parts(LayRails(2, 4, 400 * kGbps))
    {
    }

    /// A message has been served by a queue.
    void Serve(uint32_t queue, TimePs at)
    {
        ++m_parts.queues[queue].drained;
        m_parts.pipeline.PassOn(queue, at);
    }

    FlowParts m_parts;
};

TEST_F(HostPipelineTest, AMessageIsReadSentAndWritten)
{
    Message& message = m_parts.Make(0, 7, kBytes, 1);
    const uint32_t pair = m_parts.Add(message);
    const uint32_t reader = m_parts.pipeline.Add(pair, message).reader;
    ASSERT_NE(reader, kNone);
    const FlowQueue::Entry& sent = m_parts.queues[pair].entries[0];
    EXPECT_EQ(m_parts.queues[reader].route.kind, FlowRoute::Kind::Reading);
    EXPECT_EQ(m_parts.queues[reader].entries[0].fed, pair);
    EXPECT_EQ(sent.feeder, reader);
    EXPECT_EQ(sent.feederEnd, kBytes);
    EXPECT_EQ(sent.feederBytes, kBytes);
    ASSERT_NE(sent.fed, kNone);
    const FlowQueue& writer = m_parts.queues[sent.fed];
    EXPECT_EQ(writer.route.kind, FlowRoute::Kind::Writing);
    EXPECT_EQ(writer.entries[0].feeder, pair);
    EXPECT_EQ(writer.entries[0].feederBytes, m_parts.settings.frames.GetMessageWire(kBytes));
    EXPECT_EQ(writer.entries[0].feederEnd, m_parts.queues[pair].posted);
}

TEST_F(HostPipelineTest, WhatHasAPaceIsSentByItsNicBeforeItIsMovedOn)
{
    Message& message = m_parts.Make(0, 7, kBytes, 1);
    message.paceBps = kGbps;
    const uint32_t pair = m_parts.Add(message);
    const HostPipeline::Ahead ahead = m_parts.pipeline.Add(pair, message);
    ASSERT_NE(ahead.sender, kNone);
    const FlowQueue& sender = m_parts.queues[ahead.sender];
    const FlowQueue::Entry& moved = m_parts.queues[pair].entries[0];
    EXPECT_EQ(sender.route.kind, FlowRoute::Kind::Sending);
    EXPECT_TRUE(sender.entries[0].isPaced);
    EXPECT_EQ(sender.entries[0].fed, pair);
    EXPECT_FALSE(moved.isPaced);
    EXPECT_EQ(moved.feeder, ahead.sender);
    EXPECT_EQ(moved.feederBytes, m_parts.settings.frames.GetMessageWire(kBytes));
    EXPECT_EQ(m_parts.queues[ahead.reader].entries[0].fed, ahead.sender) << "what is read is sent";
    EXPECT_NE(moved.fed, kNone);
}

TEST_F(HostPipelineTest, BetweenGpusAndTheirOwnNicsNothingIsInTheWay)
{
    Message& message = m_parts.Make(1, 5, kBytes, 1);
    const uint32_t pair = m_parts.Add(message);
    const HostPipeline::Ahead ahead = m_parts.pipeline.Add(pair, message);
    EXPECT_EQ(ahead.reader, kNone);
    EXPECT_EQ(ahead.sender, kNone);
    EXPECT_EQ(m_parts.queues[pair].entries[0].feeder, kNone);
    EXPECT_EQ(m_parts.queues[pair].entries[0].fed, kNone);
    EXPECT_EQ(m_parts.queues.GetAll().size(), 1U);
}

TEST_F(HostPipelineTest, AMessageIsAtItsEndWhenItWasBothReceivedAndWritten)
{
    Message& message = m_parts.Make(1, 7, kBytes, 1);
    const uint32_t pair = m_parts.Add(message);
    m_parts.pipeline.Add(pair, message);
    const uint32_t number = m_parts.queues[pair].entries[0].fed;
    FlowQueue& writer = m_parts.queues[number];
    writer.entries[0].behind = 70;
    Serve(pair, 1000);
    EXPECT_EQ(writer.received, 1U);
    EXPECT_EQ(message.end, kNever);
    Serve(number, 2000);
    EXPECT_EQ(message.end, 2070);
    EXPECT_EQ(writer.lastEnd, 2070);
    EXPECT_EQ(m_parts.queues[pair].lastEnd, 2070);
    Simulator::Run();
    ASSERT_EQ(m_parts.kept.size(), 1U);
    EXPECT_EQ(m_parts.kept[0].at, 2070);
    EXPECT_EQ(m_parts.kept[0].index, number);
}

TEST_F(HostPipelineTest, AWriterIsArmedWhenItsNextMessageIsSent)
{
    const uint32_t pair = m_parts.Add(1, 5, kBytes, 1);
    Message& message = m_parts.Make(1, 7, kBytes, 1);
    m_parts.Add(message);
    m_parts.pipeline.Add(pair, message);
    FlowQueue& queue = m_parts.queues[pair];
    ASSERT_EQ(queue.entries.size(), 2U);
    m_parts.pipeline.BeginHead(pair);
    EXPECT_TRUE(m_parts.calendar.TakeArmed().empty()) << "another message is ahead";
    queue.drained = 1;
    m_parts.pipeline.BeginHead(pair);
    const uint32_t number = queue.entries[1].fed;
    EXPECT_EQ(m_parts.calendar.TakeArmed(), std::vector<uint32_t>{number});
    m_parts.queues[number].isArmed = false;
    m_parts.queues[number].flowClass = 0;
    m_parts.pipeline.BeginHead(pair);
    EXPECT_TRUE(m_parts.calendar.TakeArmed().empty()) << "it is served already";
}

TEST_F(HostPipelineTest, NobodyIsToldWhatWasRead)
{
    Message& message = m_parts.Make(0, 5, kBytes, 1);
    const uint32_t pair = m_parts.Add(message);
    const uint32_t reader = m_parts.pipeline.Add(pair, message).reader;
    Serve(reader, 1000);
    EXPECT_EQ(m_parts.queues[reader].delivered, 1U);
    EXPECT_EQ(m_parts.queues[reader].acknowledged, 1U);
    Simulator::Run();
    EXPECT_TRUE(m_parts.kept.empty());
}

TEST_F(HostPipelineTest, WhatHasNotBeenReceivedWholeIsNotWritten)
{
    std::vector<uint32_t> pairs;
    for (int i = 0; i < 2; ++i)
    {
        Message& message = m_parts.Make(1, 7, kBytes, 1);
        const uint32_t pair = m_parts.Add(message);
        m_parts.pipeline.Add(pair, message);
        pairs.push_back(pair);
    }
    ASSERT_EQ(pairs[0], pairs[1]);
    Serve(pairs[0], 1000);
    const uint32_t number = m_parts.queues[pairs[0]].entries[0].fed;
    m_parts.pipeline.GiveUpUnreceived(number);
    EXPECT_EQ(m_parts.queues[number].entries.size(), 1U);
}
