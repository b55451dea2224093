// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-nics.h"
#include "ns3/rail-topology.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

/// NICs of three servers of one GPU each.
class FlowNicsTest : public testing::Test
{
  protected:
    explicit FlowNicsTest(TimePs gap = 100)
        : m_wiring(Lay()),
          m_interior(*m_wiring),
          m_settings(MakeSettings(gap)),
          m_queues(m_wiring->GetShape(), m_settings, m_interior),
          m_nics(m_wiring->GetShape(), m_settings, m_queues)
    {
    }

    static std::shared_ptr<Wiring> Lay()
    {
        Ptr<RailTopology> topology = CreateObject<RailTopology>();
        topology->SetAttribute("Domains", UintegerValue(3));
        topology->SetAttribute("GpusPerDomain", UintegerValue(1));
        return topology->Lay();
    }

    static FlowSettings MakeSettings(TimePs gap)
    {
        FlowSettings settings;
        settings.messageGap = gap;
        return settings;
    }

    static Message Make(uint32_t source, uint32_t destination, uint64_t bytes = 1)
    {
        Message message;
        message.source = source;
        message.destination = destination;
        message.txRail = 0;
        message.rxRail = 0;
        message.bytes = bytes;
        return message;
    }

    std::shared_ptr<Wiring> m_wiring;
    FlowInterior m_interior;
    FlowSettings m_settings;
    FlowQueues m_queues;
    FlowNics m_nics;
};

class FlowNicsWithoutGapTest : public FlowNicsTest
{
  protected:
    FlowNicsWithoutGapTest()
        : FlowNicsTest(0)
    {
    }
};

TEST_F(FlowNicsTest, MessagesArePostedAGapApart)
{
    Message first = Make(0, 1, 10);
    Message second = Make(0, 2, 20);
    Message third = Make(0, 1, 30);
    EXPECT_EQ(m_nics.Post(first, 1000), 1100);
    EXPECT_EQ(m_nics.Post(second, 1050), kNever) << "another one is ahead";
    EXPECT_EQ(m_nics.GetWaitingBytes(0), 30U);
    FlowNics::Turn turn = m_nics.TakeTurn(0, 1100);
    EXPECT_EQ(turn.message, &first);
    EXPECT_EQ(turn.next, 1200);
    turn = m_nics.TakeTurn(0, 1200);
    EXPECT_EQ(turn.message, &second);
    EXPECT_EQ(turn.next, kNever);
    EXPECT_EQ(m_nics.Post(third, 1210), 1310) << "from one beginning to the next";
    EXPECT_EQ(m_nics.GetWaitingBytes(0), 30U);
    EXPECT_EQ(m_nics.GetCounters(0).messages, 3U);
}

TEST_F(FlowNicsTest, QueuePairsAreNumberedInTheOrderOfThePosts)
{
    Message first = Make(0, 1);
    Message second = Make(1, 0);
    m_nics.Post(first, 0);
    m_nics.Post(second, 0);
    EXPECT_EQ(m_queues.Find(second), 1U);
    EXPECT_EQ(m_queues.Find(first), 0U);
}

TEST_F(FlowNicsWithoutGapTest, NobodyWaits)
{
    Message first = Make(2, 1);
    EXPECT_EQ(m_nics.Post(first, 1000), 1000);
    EXPECT_EQ(m_nics.Post(first, 1000), 1000);
    EXPECT_EQ(m_nics.GetWaitingBytes(2), 0U);
    EXPECT_EQ(m_nics.GetCounters(2).messages, 2U);
    EXPECT_EQ(m_nics.GetCounters(0).messages, 0U);
}

TEST_F(FlowNicsTest, QueuePairsAreBusyAtTheNicThatSends)
{
    const uint32_t one = m_queues.Find(Make(0, 1));
    const uint32_t other = m_queues.Find(Make(0, 2));
    const uint32_t third = m_queues.Find(Make(1, 0));
    for (const uint32_t number : {one, other, third, one})
    {
        m_nics.SetBusy(number, true);
    }
    EXPECT_EQ(m_nics.GetBusy(0), (std::vector<uint32_t>{one, other}));
    EXPECT_EQ(m_nics.GetBusy(1), std::vector<uint32_t>{third});
    m_nics.SetBusy(one, false);
    m_nics.SetBusy(one, false);
    EXPECT_EQ(m_nics.GetBusy(0), std::vector<uint32_t>{other});
    m_nics.SetBusy(other, false);
    EXPECT_TRUE(m_nics.GetBusy(0).empty());
}

TEST_F(FlowNicsTest, WhatIsSentCountsAtBothEnds)
{
    const uint32_t pair = m_queues.Find(Make(0, 2));
    m_nics.CountSent(m_queues[pair].route, 70);
    EXPECT_EQ(m_nics.GetCounters(0).txBytes, 70U);
    EXPECT_EQ(m_nics.GetCounters(2).rxBytes, 70U);
    EXPECT_EQ(m_nics.GetCounters(2).txBytes, 0U);
}
