// SPDX-License-Identifier: GPL-2.0-only
#include "flow-parts.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

/// Two servers of one GPU, and a queue pair for each message.
class FlowClassesTest : public testing::Test
{
  protected:
    static constexpr uint64_t kBytes = 1'000'000;
    static constexpr double kRate = 1e9; // a byte in each nanosecond
    static constexpr TimePs kByte = 1000;

    FlowClassesTest()
        : m_parts(LayRails(2, 1), MakeSettings())
    {
    }

    static FlowSettings MakeSettings()
    {
        FlowSettings settings;
        settings.queuePairPer = FlowSettings::QueuePairPer::Message;
        return settings;
    }

    FlowParts m_parts;
    const TimePs m_time{static_cast<TimePs>(m_parts.settings.frames.GetMessageWire(kBytes)) *
                        kByte}; // of a message at the rate
};

TEST_F(FlowClassesTest, QueuePairsOnOneWayAreFlowsOfOneClass)
{
    const uint32_t one = m_parts.Add(0, 1, kBytes, 0);
    const uint32_t other = m_parts.Add(0, 1, kBytes, 0);
    EXPECT_TRUE(m_parts.classes.IsEmpty(0));
    EXPECT_EQ(m_parts.classes.CountRunning(), 0u);
    EXPECT_TRUE(m_parts.classes.Begin(one));
    EXPECT_TRUE(m_parts.classes.Begin(other));
    EXPECT_TRUE(m_parts.classes.Begin(other)) << "it is served already";
    const uint32_t flowClass = m_parts.queues[one].flowClass;
    EXPECT_EQ(m_parts.queues[other].flowClass, flowClass);
    EXPECT_EQ(m_parts.network.GetFlows(flowClass), 2U);
    EXPECT_EQ(m_parts.classes.GetFirst(flowClass), other);
    EXPECT_EQ(m_parts.queues[other].nextInClass, one);
    EXPECT_EQ(m_parts.classes.TakeParted(), (std::vector<uint32_t>{flowClass, flowClass}));
    m_parts.classes.End(other);
    EXPECT_EQ(m_parts.classes.GetFirst(flowClass), one);
    EXPECT_GT(m_parts.classes.CountRunning(), 0u);
    std::vector<uint32_t> left;
    m_parts.classes.EndAll(flowClass, left);
    EXPECT_EQ(left, std::vector<uint32_t>{one});
    EXPECT_TRUE(m_parts.classes.IsEmpty(flowClass));
    EXPECT_EQ(m_parts.classes.CountRunning(), 0u);
}

TEST_F(FlowClassesTest, WhatHasBeenServedIsDrained)
{
    const uint32_t number = m_parts.Add(0, 1, kBytes, 0);
    const FlowQueue& queue = m_parts.queues[number];
    m_parts.classes.Begin(number);
    GoAlone(m_parts.clocks, queue.flowClass, kRate, NowPs());
    m_parts.classes.ChooseStop(queue.flowClass);
    Simulator::Schedule(TimeStep(m_time / 2), [&] {
        m_parts.classes.BringUpAll();
        EXPECT_TRUE(queue.HasWork());
        EXPECT_NEAR(m_parts.classes.CountServed(queue), kBytes / 2, 1);
    });
    m_parts.calendar.Arrange();
    Simulator::Run();
    ASSERT_EQ(m_parts.stopped.size(), 1U);
    EXPECT_NEAR(m_parts.stopped[0].first, m_time, 1);
    EXPECT_FALSE(queue.HasWork());
    EXPECT_EQ(queue.unsentPayload, 0U);
    EXPECT_EQ(m_parts.nics.GetCounters(1).rxBytes, kBytes);
    EXPECT_LT(m_parts.messages[0].end, kNever);
    EXPECT_FALSE(m_parts.nics.GetBusy(0).empty());
    m_parts.classes.End(number);
    EXPECT_TRUE(m_parts.nics.GetBusy(0).empty());
    EXPECT_TRUE(m_parts.calendar.IsAnyFlying()) << "its end is to be told";
}

TEST_F(FlowClassesTest, ARunThatEndedGoesOnWhereItWas)
{
    const uint32_t number = m_parts.Add(0, 1, kBytes, 0);
    FlowQueue& queue = m_parts.queues[number];
    m_parts.classes.Begin(number);
    GoAlone(m_parts.clocks, queue.flowClass, kRate, NowPs());
    m_parts.classes.ChooseStop(queue.flowClass);
    Simulator::Schedule(TimeStep(m_time / 4), [&] {
        m_parts.classes.BringUp(queue.flowClass);
        m_parts.classes.End(number);
        EXPECT_NEAR(m_parts.classes.CountServed(queue), kBytes / 4, 1);
        m_parts.calendar.Arrange();
    });
    Simulator::Schedule(TimeStep(m_time), [&] {
        EXPECT_NEAR(m_parts.classes.CountServed(queue), kBytes / 4, 1);
        m_parts.classes.Begin(number);
        GoAlone(m_parts.clocks, queue.flowClass, kRate, NowPs());
        m_parts.classes.ChooseStop(queue.flowClass);
        m_parts.calendar.Arrange();
    });
    Simulator::Run();
    ASSERT_EQ(m_parts.stopped.size(), 1U);
    EXPECT_NEAR(m_parts.stopped[0].first, m_time + m_time / 4 * 3, 2);
    EXPECT_FALSE(queue.HasWork());
}

TEST_F(FlowClassesTest, AClassStopsWhereTheLastFrameIsSentThatSomebodyAwaits)
{
    Message& message = m_parts.Make(0, 1, kBytes, 0);
    message.isAwaited = true;
    const uint32_t number = m_parts.Add(message);
    const FlowQueue& queue = m_parts.queues[number];
    m_parts.classes.Begin(number);
    GoAlone(m_parts.clocks, queue.flowClass, kRate, NowPs());
    m_parts.classes.ChooseStop(queue.flowClass);
    m_parts.calendar.Arrange();
    Simulator::Run();
    ASSERT_EQ(m_parts.stopped.size(), 1U);
    const auto last = static_cast<TimePs>(m_parts.settings.frames.GetLastFrameWire(kBytes)) * kByte;
    EXPECT_NEAR(m_parts.stopped[0].first, m_time - last, 1);
    EXPECT_TRUE(queue.HasWork());
}
