// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// Servers that write down their alarms.
class AlarmTest : public testing::Test
{
  protected:
    AlarmTest()
    {
        test.Build();
        test.hooks.alarm = [this](uint32_t server) {
            alarms[server].push_back(test.cluster->GetClock(server));
        };
    }

    TestCluster test{3};
    std::vector<TimePs> alarms[3];
};

TEST_F(AlarmTest, RingsAtItsTimeToThePicosecond)
{
    // While frames come and go, so that the server runs behind the simulator's time.
    test.Post(0, 1, 1'000'000);
    test.Post(1, 2, 1'000'000);
    const std::vector<TimePs> times{1, 777, 1'234'567, 20'000'001};
    for (const TimePs at : {times[2], times[0], times[3], times[1]})
    {
        test.cluster->SetAlarm(1, at);
    }
    test.cluster->SetAlarm(2, 5);
    test.Run();
    EXPECT_EQ(alarms[1], times);
    EXPECT_EQ(alarms[2], (std::vector<TimePs>{5}));
    EXPECT_TRUE(alarms[0].empty());
}

TEST_F(AlarmTest, WhatIsPostedFromWithinStartsThen)
{
    test.Post(0, 1, 10'000'000);
    const Message* posted = nullptr;
    test.hooks.alarm = [&](uint32_t server) { posted = &test.Post(server, 2, 4096); };
    test.cluster->SetAlarm(1, 3'000'001);
    test.Run();
    ASSERT_TRUE(posted);
    EXPECT_EQ(posted->start, 3'000'001);
    EXPECT_NE(posted->end, kNever);
}

TEST_F(AlarmTest, CanBeSetFromWithinForTheSameServer)
{
    test.hooks.alarm = [&](uint32_t server) {
        alarms[server].push_back(test.cluster->GetClock(server));
        if (alarms[server].size() < 4)
        {
            test.cluster->SetAlarm(server, test.cluster->GetClock(server) + 10);
        }
    };
    test.cluster->SetAlarm(0, 100);
    test.Run();
    EXPECT_EQ(alarms[0], (std::vector<TimePs>{100, 110, 120, 130}));
}

TEST_F(AlarmTest, RefusesATimeThatHasPassed)
{
    test.RunUntil(1'000);
    EXPECT_THROW(test.cluster->SetAlarm(0, 999), std::logic_error);
    EXPECT_NO_THROW(test.cluster->SetAlarm(0, 1'000));
    test.Run();
    EXPECT_EQ(alarms[0], (std::vector<TimePs>{1'000}));
}

TEST_F(AlarmTest, ClocksAreNeverBeforeTheSimulatorAndBehindByTheLookaheadAtMost)
{
    test.Post(0, 1, 1'000'000);
    const TimePs lookahead = test.cluster->GetLookahead();
    EXPECT_EQ(lookahead, 500'000) << "the delay of the cables";
    bool wasBehind = false;
    test.hooks.alarm = [&](uint32_t server) {
        const TimePs clock = test.cluster->GetClock(server);
        EXPECT_LE(clock, NowPs());
        EXPECT_GE(clock, NowPs() - lookahead);
        wasBehind = wasBehind || clock < NowPs();
        if (clock < 20'000'000)
        {
            test.cluster->SetAlarm(server, clock + 333);
        }
    };
    test.cluster->SetAlarm(1, 7);
    test.Run();
    EXPECT_TRUE(wasBehind);
}

TEST(MessageClients, EachServerIsToldOfItsOwnMessagesAtItsClock)
{
    TestCluster test(3);
    test.Build();
    MessageHooks clients[3];
    using Told = std::vector<std::pair<std::string, uint32_t>>;
    Told told[3];
    for (uint32_t server = 0; server < 3; ++server)
    {
        clients[server].delivered = [&, server](Message& message) {
            told[server].emplace_back("delivered", message.id);
            EXPECT_EQ(message.end, test.cluster->GetClock(server));
        };
        clients[server].sent = [&, server](Message& message) {
            told[server].emplace_back("sent", message.id);
        };
        clients[server].acknowledged = [&, server](Message& message) {
            told[server].emplace_back("acknowledged", message.id);
            EXPECT_EQ(message.acknowledged, test.cluster->GetClock(server));
        };
        test.cluster->SetClient(server, &clients[server]);
    }
    test.Post(0, 1, 10'000);
    test.Post(2, 1, 1'000'000);
    test.Run();
    EXPECT_EQ(told[0], (Told{{"sent", 0}, {"acknowledged", 0}}));
    EXPECT_EQ(told[1], (Told{{"delivered", 0}, {"delivered", 1}}));
    EXPECT_EQ(told[2], (Told{{"sent", 1}, {"acknowledged", 1}}));
}

TEST(MessageClients, NobodyIsToldWhereNobodyActs)
{
    TestCluster test(2);
    test.Build();
    test.cluster->SetClient(1, nullptr);
    const Message& message = test.Post(0, 1, 10'000);
    test.cluster->SetAlarm(1, 1'000);
    test.Run();
    EXPECT_NE(message.end, kNever);
    EXPECT_TRUE(test.deliveries.empty());
    EXPECT_EQ(test.acknowledged, 1U);
}

} // namespace

} // namespace ns3::rails::test
