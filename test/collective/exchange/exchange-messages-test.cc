// SPDX-License-Identifier: GPL-2.0-only
#include "exchange-fixtures.h"

#include "ns3/exchange-messages.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kExchangeMessagesShape{2, 2};

TEST(ExchangeMessages, NumbersThemAndSaysWhereTheyBelong)
{
    ExchangeMessages messages(kExchangeMessagesShape,
                              CreateObject<StillService>(kExchangeMessagesShape));
    messages.SetTraits({3, 0, false, false});
    messages.AddInside(0, {1, 50}, 4);
    const ServerPlan plan{{kExchangeMessagesShape, 1, {{2, 0, 300}, {3, 1, 200}}},
                          {{1, 200, 0, 1}, {0, 299, 1, 0, 7}, {0, 1, 0, 0}}};
    EXPECT_EQ(messages.AddPlanned(plan, 5), 1U);
    ASSERT_EQ(messages.GetSize(), 4U);
    for (uint32_t id = 0; id < 4; ++id)
    {
        const Message& message = messages.Get(id);
        EXPECT_EQ(message.id, id);
        EXPECT_EQ(message.pair, message.source * 4 + message.destination);
        EXPECT_EQ(message.phase, 3);
        EXPECT_EQ(message.step, id == 0 ? 4U : 5U);
        EXPECT_EQ(message.start, kNever);
    }
    EXPECT_EQ(messages.Get(0).destination, 1U);
    EXPECT_EQ(messages.Get(0).bytes, 50U);
    EXPECT_EQ(messages.Get(0).txRail, kNoRail);
    EXPECT_EQ(messages.Get(1).source, 3U);
    EXPECT_EQ(messages.Get(1).bytes, 200U);
    EXPECT_EQ(messages.Get(1).txRail, 0);
    EXPECT_EQ(messages.Get(1).rxRail, 1);
    EXPECT_EQ(messages.Get(2).source, 2U);
    EXPECT_EQ(messages.Get(2).destination, 0U);
    EXPECT_EQ(messages.Get(2).bytes, 299U);
    EXPECT_EQ(messages.Get(2).txRail, 1);
    EXPECT_EQ(messages.Get(2).subflow, 7);
}

TEST(ExchangeMessages, CountsWhatBecomesOfThem)
{
    const Ptr<StillService> service = CreateObject<StillService>(kExchangeMessagesShape);
    ExchangeMessages messages(kExchangeMessagesShape, service);
    messages.AddPlanned(
        MakePlan({kExchangeMessagesShape, 0, {{0, 2, 300}, {0, 3, 200}, {1, 2, 100}}}, 0),
        0);
    EXPECT_EQ(messages.GetFirstPost(), kNever);
    EXPECT_EQ(messages.GetLastPost(), kNever);
    EXPECT_EQ(messages.GetUndelivered(), 3U);
    EXPECT_EQ(messages.GetUnacknowledged(), 3U);
    EXPECT_EQ(messages.GetTravelling(), 0U);

    Simulator::Schedule(TimeStep(10), [&] { messages.Post(messages.Get(0)); });
    Simulator::Schedule(TimeStep(20), [&] {
        messages.Post(messages.Get(1));
        messages.Post(messages.Get(2));
    });
    Simulator::Run();
    Simulator::Destroy();
    EXPECT_EQ(messages.GetFirstPost(), 10);
    EXPECT_EQ(messages.GetLastPost(), 20);
    EXPECT_EQ(messages.GetTravelling(), 3U);

    // Servers have clocks of their own: the later delivery may be told first.
    messages.Get(0).end = 500;
    messages.OnDelivered(messages.Get(0));
    messages.Get(1).end = 400;
    messages.OnDelivered(messages.Get(1));
    EXPECT_EQ(messages.GetLastDelivery(), 500);
    EXPECT_EQ(messages.GetDeliveredBytes(), 500U);
    EXPECT_EQ(messages.GetDelivered(), 2U);
    EXPECT_EQ(messages.GetTravelling(), 1U);
    EXPECT_EQ(messages.GetUndelivered(), 1U);
    EXPECT_EQ(messages.GetUnacknowledged(), 3U);

    messages.Get(1).acknowledged = 700;
    messages.OnAcknowledged(messages.Get(1));
    EXPECT_EQ(messages.GetLastAcknowledgement(), 700);
    EXPECT_EQ(messages.GetUnacknowledged(), 2U);

    EXPECT_FALSE(messages.Abandon(messages.Get(0))) << "all of it has arrived";
    EXPECT_EQ(messages.GetAbandoned(), 0U);
    EXPECT_EQ(messages.GetUnacknowledged(), 2U);
    EXPECT_TRUE(messages.Abandon(messages.Get(2)));
    EXPECT_EQ(service->abandoned, (std::vector<uint32_t>{0, 2}));
    EXPECT_EQ(messages.GetAbandoned(), 1U);
    EXPECT_EQ(messages.GetDelivered(), 2U);
    EXPECT_EQ(messages.GetUndelivered(), 0U);
    EXPECT_EQ(messages.GetTravelling(), 0U);
    EXPECT_EQ(messages.GetUnacknowledged(), 1U);
}

} // namespace
