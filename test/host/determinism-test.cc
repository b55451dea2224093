// SPDX-License-Identifier: GPL-2.0-only

// The same seed gives the same run to the picosecond, whatever the event scheduler and whatever ran
// before in the same process; and what goes in comes out.

#include "../support/test-cluster.h"

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

/// Everything at once: several stages, relays, DCQCN, PFC, loss.
void
Configure(TestCluster& test)
{
    test.topology->SetAttribute("LeafPorts", UintegerValue(3));
    test.topology->SetAttribute("RailSpines", UintegerValue(2));
    test.topology->SetAttribute("Spines", UintegerValue(2));
    test.topology->SetAttribute("LinkLoss", DoubleValue(1e-4));
    test.transport->SetAttribute("CongestionControl",
                                 StringValue("ns3::rails::DcqcnCongestionControl"));
    test.transport->SetAttribute("LossRecovery",
                                 StringValue("ns3::rails::SelectiveRepeatLossRecovery"));
    test.profile->SetAttribute("Buffer", Bytes(1'200'000));
    test.nic->SetAttribute("MessageGap", Ps(10'000));
}

void
PostAll(TestCluster& test)
{
    for (uint32_t source = 0; source < 12; ++source)
    {
        for (uint32_t destination = 0; destination < 12; ++destination)
        {
            if (source != destination)
            {
                const uint64_t bytes = 1 + 20'000 * (source + 1) + (destination < 2 ? 400'000 : 0);
                test.Post(source,
                          destination,
                          bytes,
                          static_cast<int>((source + destination) % 2),
                          static_cast<int>(destination / 2 % 2));
            }
        }
    }
}

struct DeterminismOutcome
{
    std::vector<TimePs> times;
    std::vector<uint64_t> counters;

    bool operator==(const DeterminismOutcome& other) const
    {
        return times == other.times && counters == other.counters;
    }
};

DeterminismOutcome
RunAll(uint64_t seed, const std::string& scheduler, bool late = true)
{
    TestCluster test(6, 2);
    Configure(test);
    test.Build(seed, scheduler);
    for (const Ptr<Port>& port : test.cluster->GetPorts())
    {
        port->GetAgenda().LimitSlack(late ? kNever : 0);
    }
    PostAll(test);
    test.Run();
    EXPECT_EQ(test.deliveries.size(), 132U);
    EXPECT_GT(test.Sum(&PortCounters::pauses), 0U);
    EXPECT_GT(test.Sum(&PortCounters::marks), 0U);
    EXPECT_GT(test.GetLosses(), 0U);
    DeterminismOutcome outcome;
    for (const Message& message : test.messages)
    {
        outcome.times.insert(outcome.times.end(),
                             {message.start, message.end, message.acknowledged});
    }
    for (const Ptr<Port>& port : test.cluster->GetPorts())
    {
        const PortCounters counters = port->GetCountersNow();
        outcome.counters.insert(outcome.counters.end(),
                                {counters.wireBytes,
                                 counters.frames,
                                 counters.pauseFrames,
                                 counters.queueMaxBytes,
                                 counters.marks,
                                 counters.pauses,
                                 static_cast<uint64_t>(counters.paused),
                                 counters.drops,
                                 port->GetLink().GetLosses()});
    }
    return outcome;
}

TEST(Determinism, TheEventSchedulerDoesNotMatter)
{
    const DeterminismOutcome outcome = RunAll(1, "ns3::MapScheduler");
    for (const char* scheduler : {"ns3::MapScheduler", // a second run in this process
                                  "ns3::HeapScheduler",
                                  "ns3::CalendarScheduler",
                                  "ns3::PriorityQueueScheduler"})
    {
        EXPECT_TRUE(RunAll(1, scheduler) == outcome) << scheduler;
    }
}

TEST(Determinism, ThatNodesRunBehindTheirTimeDoesNotMatter)
{
    EXPECT_TRUE(RunAll(1, "ns3::MapScheduler", true) == RunAll(1, "ns3::MapScheduler", false));
}

TEST(Determinism, AnAnswerStartsWhenTheQuestionIsDelivered)
{
    // While much else is under way for the server that answers.
    TestCluster test(4);
    test.Build();
    const Message* answer = nullptr;
    test.hooks.delivered = [&](Message& message) {
        if (message.id == 0)
        {
            answer = &test.Post(1, 0, 10'000);
        }
    };
    const Message& question = test.Post(0, 1, 10'000);
    test.Post(3, 1, 10'000'000);
    test.Post(1, 2, 10'000'000);
    test.Run();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->start, question.end);
}

/// Source, destination and rail of the messages, which are posted at the same time.
class LastDelivery : public testing::TestWithParam<std::vector<std::array<int, 3>>>
{
};

TEST_P(LastDelivery, IsKnownInItsInstant)
{
    TestCluster test(3, 2);
    test.Build();
    TimePs told = 0;
    test.hooks.delivered = [&](Message&) { told = NowPs(); };
    for (const auto& [source, destination, rail] : GetParam())
    {
        test.Post(static_cast<uint32_t>(source),
                  static_cast<uint32_t>(destination),
                  3'000'000,
                  rail,
                  rail);
    }
    test.Run();
    EXPECT_EQ(told, test.GetLastEnd());
}

INSTANTIATE_TEST_SUITE_P(
    Of,
    LastDelivery,
    testing::Values(
        std::vector<std::array<int, 3>>{{0, 1, 0}},
        std::vector<std::array<int, 3>>{{0, 2, 0}},
        std::vector<std::array<int, 3>>{{0, 2, 1}},
        std::vector<std::array<int, 3>>{{0, 2, 0}, {2, 0, 0}},
        std::vector<std::array<int, 3>>{{0, 3, 1}, {5, 3, 1}},
        std::vector<std::array<int, 3>>{{0, 2, 0}, {2, 4, 0}, {4, 0, 0}, {1, 3, 0}, {3, 2, 0}}));

TEST(Determinism, AnotherSeedGivesAnotherRun)
{
    EXPECT_FALSE(RunAll(1, "ns3::MapScheduler") == RunAll(2, "ns3::MapScheduler"));
}

TEST(Determinism, TheOrderOfPostingAtOneInstantMattersOnlyWithinAQueuePair)
{
    // Simultaneous posts of different servers and NICs, forwards and backwards.
    std::vector<std::vector<TimePs>> ends;
    for (const bool backwards : {false, true})
    {
        TestCluster test(6, 2);
        test.Build();
        std::vector<TimePs> byPair(144);
        std::vector<const Message*> messages(144);
        for (uint32_t i = 0; i < 144; ++i)
        {
            const uint32_t pair = backwards ? 143 - i : i;
            const uint32_t source = pair / 12;
            const uint32_t destination = pair % 12;
            if (source % 2 == destination % 2 && source / 2 != destination / 2)
            {
                messages[pair] = &test.Post(source, destination, 1000 * (pair + 1));
            }
        }
        test.Run();
        for (uint32_t pair = 0; pair < 144; ++pair)
        {
            byPair[pair] = messages[pair] ? messages[pair]->end : 0;
        }
        ends.push_back(byPair);
    }
    EXPECT_EQ(ends[0], ends[1]);
}

TEST(Conservation, WhatGoesInComesOut)
{
    for (uint64_t seed = 1; seed <= 3; ++seed)
    {
        TestCluster test(6, 2);
        Configure(test);
        test.Build(seed);
        PostAll(test);
        EXPECT_EQ(test.cluster->GetFramesInUse(), 0U);
        test.RunUntil(20'000'000);
        EXPECT_GT(test.cluster->GetFramesInUse(), 0U);
        EXPECT_GT(test.GetBuffered(), 0U);
        test.Run();

        EXPECT_EQ(test.cluster->GetFramesInUse(), 0U);
        EXPECT_EQ(test.GetBuffered(), 0U);
        EXPECT_TRUE(test.AreBuffersConsistent());
        EXPECT_EQ(test.Sum(&PortCounters::drops), 0U);
        EXPECT_EQ(test.Sum(&NicCounters::unsentBytes), 0U);
        EXPECT_EQ(test.Sum(&NicCounters::txBytes), test.Sum(&NicCounters::rxBytes));
        for (const Ptr<Port>& port : test.cluster->GetPorts())
        {
            EXPECT_EQ(port->GetQueueBytes(), 0U);
            EXPECT_FALSE(port->IsPaused(kDataClass));
            EXPECT_EQ(port->GetCountersNow().frames,
                      port->GetLink().GetFrames() + port->GetLink().GetLosses());
        }
        // A switch sends on what it receives.
        for (const Ptr<Switch>& at : test.cluster->GetSwitches())
        {
            uint64_t received = 0;
            uint64_t sent = 0;
            for (const Ptr<Port>& port : at->GetPorts())
            {
                received += port->GetPeer().GetLink().GetFrames();
                sent += port->GetCountersNow().frames;
                for (uint8_t trafficClass = 0; trafficClass < kTrafficClasses; ++trafficClass)
                {
                    EXPECT_FALSE(at->GetBuffer().IsPausing(port->GetIndex(), trafficClass));
                    EXPECT_EQ(at->GetBuffer().GetCharged(port->GetIndex(), trafficClass), 0U);
                }
            }
            EXPECT_EQ(received, sent) << at->GetName();
        }
        EXPECT_TRUE(test.IsEverythingDeliveredOnce());
    }
}

} // namespace
