// SPDX-License-Identifier: GPL-2.0-only
#include "exchange-fixtures.h"

#include "ns3/exchange-messages.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

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
        EXPECT_EQ(message.kind, 3);
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

TEST(ExchangeMessages, EntropySaysWhichMessageOfANicAndAStepItIsWhicheverPlanWasFirst)
{
    using Entropies = std::vector<uint32_t>;
    const auto plan = [](uint32_t server) {
        const uint32_t gpu = 2 * server;
        const uint32_t other = 2 - gpu;
        return ServerPlan{
            {kExchangeMessagesShape, server, {{gpu, other, 600}, {gpu, other + 1, 1}}},
            {{0, 200, 0, 0}, {0, 299, 1, 1}, {0, 101, 0, 0}, {1, 1, kNoRail, kNoRail}}};
    };
    const auto add = [&](std::vector<std::pair<uint32_t, uint32_t>> order) {
        ExchangeMessages messages(kExchangeMessagesShape,
                                  CreateObject<StillService>(kExchangeMessagesShape));
        std::map<std::pair<uint32_t, uint32_t>, Entropies> all; // by server and step
        for (const auto& [server, step] : order)
        {
            messages.AddInside(2 * server, {2 * server + 1, 50}, step); // counts nowhere
            const std::size_t first = messages.AddPlanned(plan(server), step);
            for (std::size_t id = first; id < messages.GetSize(); ++id)
            {
                all[{server, step}].push_back(messages.Get(id).entropy);
            }
        }
        return all;
    };
    auto all = add({{0, 0}, {1, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}});
    EXPECT_EQ(all, add({{0, 2}, {0, 0}, {1, 2}, {0, 1}, {1, 1}, {1, 0}}));
    EXPECT_EQ((all[{0, 0}]), (Entropies{0, 0, 1, 0})) << "NICs count their own";
    EXPECT_EQ((all[{1, 0}]), (all[{0, 0}])) << "NICs are hashed besides";
    std::set<uint32_t> ofNic;
    for (const uint32_t step : {0, 1, 2})
    {
        ofNic.insert(all[{0, step}].front());
        ofNic.insert(all[{0, step}][2]);
    }
    EXPECT_EQ(ofNic.size(), 6U);
}

TEST(ExchangeMessages, WhatIsPlannedAnewHasAnotherEntropy)
{
    ExchangeMessages messages(kExchangeMessagesShape,
                              CreateObject<StillService>(kExchangeMessagesShape));
    const ServerPlan plan =
        MakePlan({kExchangeMessagesShape, 0, {{0, 2, 300}, {0, 3, 200}, {0, 2, 100}}}, 0);
    messages.AddPlanned(plan, 7);
    messages.AddPlanned(plan, 7, 3);
    std::set<uint32_t> entropies;
    for (const Message& message : messages.GetAll())
    {
        entropies.insert(message.entropy);
    }
    EXPECT_EQ(entropies.size(), 6U);
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
