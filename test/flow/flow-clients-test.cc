// SPDX-License-Identifier: GPL-2.0-only
#include "../support/message-hooks.h"

#include "ns3/flow-clients.h"

#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3::rails;
using namespace ns3::rails::test;

/// Servers 0 and 1 of one GPU each, and a queue pair from the one to the other, which has served
/// all its messages. What clients are told is noted.
class FlowClientsTest : public testing::Test
{
  protected:
    FlowClientsTest()
        : m_clients(ClusterShape(2, 1), m_traces)
    {
        m_sender.sent = [this](Message& message) { Note("sent", message); };
        m_sender.acknowledged = [this](Message& message) { Note("acknowledged", message); };
        m_receiver.delivered = [this](Message& message) { Note("delivered", message); };
        m_clients.Set(0, &m_sender);
        m_clients.Set(1, &m_receiver);
    }

    void Note(const std::string& what, const Message& message)
    {
        m_told.push_back(what + ' ' + std::to_string(message.id));
    }

    /// A message has been served.
    Message& Add(TimePs end, TimePs acknowledged, bool isAwaited)
    {
        m_messages.emplace_back();
        Message& message = m_messages.back();
        message.id = static_cast<uint32_t>(m_messages.size() - 1);
        message.destination = 1;
        message.txRail = 0;
        message.rxRail = 0;
        message.bytes = 10;
        message.isAwaited = isAwaited;
        message.end = end;
        message.acknowledged = acknowledged;
        m_queue.entries.push_back({&message, 10 * m_messages.size()});
        ++m_queue.drained;
        return message;
    }

    using Told = std::vector<std::string>;

    Told Take()
    {
        return std::exchange(m_told, {});
    }

    const std::unique_ptr<FlowTraces> m_traces;
    FlowClients m_clients;
    MessageHooks m_sender;
    MessageHooks m_receiver;
    FlowQueue m_queue;
    std::deque<Message> m_messages;
    Told m_told;
};

TEST_F(FlowClientsTest, EachEndIsToldOnceThoughALongMessageIsAheadOfAShortOne)
{
    Add(30, 40, true);
    Add(20, 50, true);
    m_clients.TellDelivered(m_queue, 20);
    EXPECT_EQ(Take(), Told{"delivered 1"});
    EXPECT_EQ(m_queue.delivered, 0U);
    m_clients.TellDelivered(m_queue, 30);
    EXPECT_EQ(Take(), Told{"delivered 0"});
    m_clients.TellDelivered(m_queue, 30);
    EXPECT_EQ(Take(), Told{});
    m_clients.TellAcknowledged(m_queue, 45);
    EXPECT_EQ(Take(), Told{"acknowledged 0"});
    EXPECT_EQ(m_queue.acknowledged, 1U);
    EXPECT_EQ(m_clients.GetDeliveredBytes(), 20U);
    EXPECT_EQ(m_clients.GetLastArrival(), 30);
}

TEST_F(FlowClientsTest, OfAMessageThatNobodyAwaitsItIsToldWithItsEndThatItWasSent)
{
    Add(20, 30, false);
    m_clients.TellDelivered(m_queue, 20);
    EXPECT_EQ(Take(), (Told{"sent 0", "delivered 0"}));
}

TEST_F(FlowClientsTest, WhatIsWrittenIsToldByItsWriter)
{
    Add(20, 30, true);
    m_queue.entries.back().fed = 5;
    FlowQueue writer;
    writer.route.kind = FlowRoute::Kind::Writing;
    writer.entries.push_back({&m_messages.back(), 10});
    writer.drained = 1;
    m_clients.TellDelivered(m_queue, 20);
    EXPECT_EQ(Take(), Told{});
    m_clients.TellDelivered(writer, 20);
    EXPECT_EQ(Take(), Told{}) << "its end is not known";
    writer.ended = 1;
    m_clients.TellDelivered(writer, 20);
    EXPECT_EQ(Take(), Told{"delivered 0"});
}

TEST_F(FlowClientsTest, AMessageIsSentWhileItIsAtTheHead)
{
    m_clients.TellSent(m_queue);
    EXPECT_EQ(Take(), Told{}) << "nothing is there";
    Add(kNever, kNever, true);
    m_queue.drained = 0;
    m_clients.TellSent(m_queue);
    EXPECT_EQ(Take(), Told{"sent 0"});
}

TEST_F(FlowClientsTest, NobodyIsToldWhereNobodyActsForAServer)
{
    Add(20, 30, false);
    m_clients.Set(0, nullptr);
    m_clients.Set(1, nullptr);
    m_clients.TellDelivered(m_queue, 20);
    m_clients.TellAcknowledged(m_queue, 30);
    m_clients.TellAlarm(0);
    EXPECT_EQ(Take(), Told{});
    EXPECT_EQ(m_clients.GetDeliveredBytes(), 10U);
}

TEST_F(FlowClientsTest, AClientMayPostToTheQueueItIsToldOf)
{
    Add(20, 30, true);
    Add(20, 30, true);
    m_receiver.delivered = [this](Message& message) {
        Note("delivered", message);
        m_queue.entries.push_back({&message, 30});
        m_queue.entries.shrink_to_fit();
    };
    m_clients.TellDelivered(m_queue, 20);
    EXPECT_EQ(Take(), (Told{"delivered 0", "delivered 1"}));
    EXPECT_EQ(m_queue.delivered, 2U);
}
