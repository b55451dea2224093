// SPDX-License-Identifier: GPL-2.0-only
#include "flow-parts.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

/// Two servers of two GPUs.
class CompletionTimesTest : public testing::Test
{
  protected:
    using Task = FlowCalendar::Task;
    static constexpr TimePs kAt = 10'000'000;
    static constexpr uint64_t kLong = 1'000'000;

    /// The message at the head of a queue has been served.
    void Serve(uint32_t number, TimePs at)
    {
        m_parts.completionTimes.Note(number, at);
        ++m_parts.queues[number].drained;
    }

    FlowParts m_parts{LayRails(2, 2)};
};

TEST_F(CompletionTimesTest, AMessageEndsBehindItsLastByteByTheLatencyOfItsWay)
{
    Message& message = m_parts.Make(0, 2, kLong, 0);
    const uint32_t number = m_parts.Add(message);
    FlowQueue& queue = m_parts.queues[number];
    queue.flowClass = m_parts.network.Join(queue.route);
    const FlowNetwork::Times& times = m_parts.network.GetTimes(queue.flowClass);
    Serve(number, kAt);
    const auto frame = static_cast<double>(m_parts.settings.frames.GetMessageWire(4096));
    EXPECT_EQ(message.end, kAt + times.delay + static_cast<TimePs>(times.storing * frame));
    EXPECT_EQ(message.acknowledged, message.end + times.reply);
    EXPECT_EQ(queue.lastEnd, message.end);
    EXPECT_EQ(queue.lastAcknowledgement, message.acknowledged);
    EXPECT_EQ(queue.bytes, kLong);
    EXPECT_FALSE(m_parts.calendar.IsAnyFlying()) << "nobody awaits it";
}

TEST_F(CompletionTimesTest, AShortMessageDoesNotOvertakeTheLongOneAheadOfIt)
{
    Message& first = m_parts.Make(0, 2, kLong, 0);
    Message& second = m_parts.Make(0, 2, 1, 0);
    const uint32_t number = m_parts.Add(first);
    m_parts.Add(second);
    FlowQueue& queue = m_parts.queues[number];
    queue.flowClass = m_parts.network.Join(queue.route);
    Serve(number, kAt);
    Serve(number, kAt);
    const auto frame = static_cast<double>(m_parts.settings.frames.GetMessageWire(1));
    const double slowest = m_parts.network.GetTimes(queue.flowClass).slowest;
    EXPECT_EQ(second.end, first.end + static_cast<TimePs>(slowest * frame));
}

TEST_F(CompletionTimesTest, InsideAServerAMessageIsAcknowledgedAtItsEnd)
{
    Message& message = m_parts.Make(0, 1, kLong);
    const uint32_t number = m_parts.Add(message);
    Serve(number, kAt);
    EXPECT_GT(message.end, kAt);
    EXPECT_EQ(message.acknowledged, message.end);
}

TEST_F(CompletionTimesTest, WhoeverAwaitsAMessageIsToldOfBothItsEnds)
{
    Message& message = m_parts.Make(0, 2, kLong, 0);
    message.isAwaited = true;
    m_parts.completionTimes.Expect(message, 5);
    EXPECT_EQ(m_parts.completionTimes.GetLastPost(), 5);
    EXPECT_TRUE(m_parts.completionTimes.IsAnyAwaited());
    const uint32_t number = m_parts.Add(message);
    FlowQueue& queue = m_parts.queues[number];
    queue.flowClass = m_parts.network.Join(queue.route);
    Serve(number, kAt);
    EXPECT_FALSE(m_parts.completionTimes.IsAnyAwaited());
    Simulator::Run();
    ASSERT_EQ(m_parts.kept.size(), 2U);
    EXPECT_EQ(m_parts.kept[0].task, Task::Delivered);
    EXPECT_EQ(m_parts.kept[0].at, message.end);
    EXPECT_EQ(m_parts.kept[1].task, Task::Acknowledged);
    EXPECT_EQ(m_parts.kept[1].at, message.acknowledged);
    EXPECT_EQ(m_parts.kept[1].index, number);
}

TEST_F(CompletionTimesTest, OthersAreToldOfAllThatWasDrainedAtOnce)
{
    const uint32_t number = m_parts.Add(0, 2, kLong, 0);
    Message& last = m_parts.Make(0, 2, kLong, 0);
    m_parts.Add(last);
    m_parts.Add(0, 2, kLong, 0);
    FlowQueue& queue = m_parts.queues[number];
    queue.flowClass = m_parts.network.Join(queue.route);
    m_parts.completionTimes.TellOfDrained(number);
    EXPECT_FALSE(m_parts.calendar.IsAnyFlying()) << "nothing is drained";
    Serve(number, kAt);
    Serve(number, 2 * kAt);
    m_parts.completionTimes.TellOfDrained(number);
    Simulator::Run();
    ASSERT_EQ(m_parts.kept.size(), 2U);
    EXPECT_EQ(m_parts.kept[0].at, last.end);
    EXPECT_EQ(m_parts.kept[1].at, last.acknowledged);
    queue.delivered = queue.acknowledged = 2;
    m_parts.completionTimes.TellOfDrained(number);
    EXPECT_FALSE(m_parts.calendar.IsAnyFlying()) << "all has been told";
}

TEST_F(CompletionTimesTest, WhatIsGivenUpIsNotAwaited)
{
    Message& message = m_parts.Make(0, 2, kLong, 0);
    EXPECT_EQ(m_parts.completionTimes.GetLastPost(), kNever);
    message.isAwaited = true;
    m_parts.completionTimes.Expect(message, 0);
    m_parts.completionTimes.GiveUp(message);
    EXPECT_FALSE(m_parts.completionTimes.IsAnyAwaited());
}
