// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-cluster.h"
#include "circuit-fixtures.h"

#include "ns3/circuit-planner.h"
#include "ns3/circuit-sequence.h"
#include "ns3/component-maker.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

constexpr uint32_t kServers = 4;
constexpr uint32_t kNics = 2;
constexpr TimePs kCircuitSequenceDelay = 5'000'000;
constexpr TimePs kLook = 110'000; // how late the end of a slot may be seen

/// Four servers of two NICs that send each other whole frames, in slots.
class CircuitSequenceTest : public testing::Test
{
  protected:
    CircuitSequenceTest()
        : cluster(false, MakeOptical(kServers, kNics)),
          sequence(cluster.wiring,
                   {{0, 1}, {2, 3}, {4, 5}, {6, 7}},
                   kRate,
                   {},
                   [this](uint32_t nic) { return cluster.engine->GetSentBytes(nic); })
    {
        cluster.wiring->GetCircuits().SetTimeSlotted();
    }

    /// Posts what servers have for each other, a half by each NIC. \param frames by source and
    /// destination, for each NIC
    CircuitDemand Post(const Square& frames)
    {
        CircuitDemand demand(kServers);
        for (uint32_t from = 0; from < kServers; ++from)
        {
            for (uint32_t to = 0; to < kServers; ++to)
            {
                for (uint32_t nic = 0; from != to && nic < kNics && frames[from][to] > 0; ++nic)
                {
                    const uint64_t bytes = frames[from][to] * kMtu;
                    cluster.Post(from * kNics + nic, to * kNics + nic, bytes);
                    demand.Add(from, to, bytes);
                }
            }
        }
        return demand;
    }

    static CircuitPlan Plan(const CircuitDemand& demand)
    {
        const CircuitRegion region{0, std::vector<uint32_t>(kServers, kNics), kRate};
        return MakeComponent<CircuitPlanner>("BirkhoffCircuitPlanner")->Plan(region, demand);
    }

    TimePs GetLastEnd() const
    {
        TimePs last = 0;
        for (const Message& message : cluster.messages)
        {
            last = std::max(last, message.end);
        }
        return last;
    }

    CircuitCluster cluster;
    CircuitSequence sequence;
};

} // namespace

TEST_F(CircuitSequenceTest, TakesTheTimeOfItsSlotsAndOfADelayBeforeEach)
{
    // Two pairs there and back, then a ring of all.
    const CircuitDemand demand =
        Post({{0, 300, 0, 100}, {300, 0, 0, 0}, {0, 100, 0, 0}, {0, 0, 100, 0}});
    const CircuitPlan plan = Plan(demand);
    sequence.Start(plan, demand, 1000, kCircuitSequenceDelay, 0);
    cluster.Run();
    cluster.ExpectAllDeliveredOnce();
    EXPECT_EQ(sequence.GetRecord().slots, plan.slots.size());
    EXPECT_EQ(sequence.GetRecord().dark, plan.slots.size() * kCircuitSequenceDelay);
    TimePs expected = 1000 + 2 * kHalf;
    for (const CircuitSlot& slot : plan.slots)
    {
        expected += kCircuitSequenceDelay + static_cast<TimePs>(slot.bytes / kMtu / kNics) * kFrame;
        expected += kHalf; // to the switch
    }
    expected -= kHalf; // not behind the last one
    EXPECT_GE(GetLastEnd(), expected - kRounding);
    EXPECT_LE(GetLastEnd(), expected + plan.slots.size() * kLook);
    EXPECT_FALSE(sequence.IsDark());
}

TEST_F(CircuitSequenceTest, DeliversEverythingOfRandomDemandsAndNothingInTheDark)
{
    std::mt19937 bits(7);
    for (uint32_t round = 0; round < 100; ++round)
    {
        Square frames(kServers, std::vector<uint64_t>(kServers));
        uint64_t busiest = 0;
        std::vector<uint64_t> arriving(kServers);
        for (uint32_t from = 0; from < kServers; ++from)
        {
            uint64_t leaving = 0;
            for (uint32_t to = 0; to < kServers; ++to)
            {
                frames[from][to] = from == to || bits() % 3 == 0 ? 0 : 1 + bits() % 50;
                leaving += frames[from][to];
                arriving[to] += frames[from][to];
                busiest = std::max(busiest, arriving[to]);
            }
            busiest = std::max(busiest, leaving);
        }
        const TimePs begin = NowPs();
        const uint64_t slotsBefore = sequence.GetRecord().slots;
        cluster.At(begin, [&] {
            const CircuitDemand demand = Post(frames);
            sequence.Start(Plan(demand), demand, begin, kCircuitSequenceDelay, begin);
        });
        cluster.Run();
        cluster.ExpectAllDeliveredOnce();
        const auto slots = static_cast<TimePs>(sequence.GetRecord().slots - slotsBefore);
        const TimePs least = begin + slots * (kCircuitSequenceDelay + kHalf) +
                             static_cast<TimePs>(busiest) * kFrame + kHalf;
        EXPECT_GE(GetLastEnd(), least - kRounding) << "round " << round;
        EXPECT_LE(GetLastEnd(), least + slots * kLook) << "round " << round;
    }
}

TEST_F(CircuitSequenceTest, LeavesOutSlotsThatHaveNothingLeftToDo)
{
    const CircuitDemand demand = Post({{0, 20, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 40}, {0, 0, 0, 0}});
    CircuitPlan plan;
    for (uint32_t i = 0; i < 3; ++i)
    {
        CircuitSlot slot{CircuitMap(kServers), 80 * kMtu, 0};
        slot.circuits.Lead(0, 1, 2);
        slot.bytes = i == 0 ? 80 * kMtu : kMtu;
        slot.circuits.Lead(2, 3, 2);
        plan.slots.push_back(slot);
    }
    // The first has the last byte of nobody, but all have gone when it is over.
    plan.slots.front().bytes = 80 * kMtu;
    sequence.Start(plan, demand, 0, kCircuitSequenceDelay, 0);
    cluster.Run();
    cluster.ExpectAllDeliveredOnce();
    EXPECT_EQ(sequence.GetRecord().slots, 1U);
    EXPECT_EQ(sequence.GetRecord().circuits, 4U);
}

TEST_F(CircuitSequenceTest, TheLastSlotOfAPairHasAllThatIsLeft)
{
    const CircuitDemand demand = Post({{0, 30, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}});
    CircuitPlan plan;
    plan.slots.push_back({CircuitMap(kServers), kMtu, 0});
    plan.slots.front().circuits.Lead(0, 1, 1 + 1);
    sequence.Start(plan, demand, 0, kCircuitSequenceDelay, 0);
    cluster.Run();
    cluster.ExpectAllDeliveredOnce();
}

TEST_F(CircuitSequenceTest, ANewPlanTakesThePlaceOfWhatIsLeftOfTheOneBefore)
{
    const CircuitDemand demand = Post({{0, 50, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 50}, {0, 0, 0, 0}});
    CircuitPlan slow;
    slow.slots.push_back({CircuitMap(kServers), 1, 0});
    slow.slots.front().circuits.Lead(2, 3, 2);
    sequence.Start(slow, CircuitDemand(kServers), 0, kCircuitSequenceDelay, 0);
    cluster.At(1000, [&] {
        EXPECT_FALSE(sequence.IsDark()) << "nothing is left to do";
        sequence.Start(Plan(demand), demand, NowPs() + 1000, kCircuitSequenceDelay, 0);
    });
    cluster.At(3000, [&] { EXPECT_TRUE(sequence.IsDark()); });
    cluster.Run();
    cluster.ExpectAllDeliveredOnce();
}

TEST_F(CircuitSequenceTest, LooksFewTimesForWhatIsPostedLate)
{
    CircuitDemand demand(kServers);
    demand.Add(0, 1, 200 * kMtu);
    constexpr TimePs kLate = 200'000'000'000; // 200 ms
    sequence.Start(Plan(demand), demand, 0, kCircuitSequenceDelay, kLate);
    cluster.At(kLate, [&] { Post({{0, 100, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}); });
    cluster.Run();
    cluster.ExpectAllDeliveredOnce();
    EXPECT_NEAR(GetLastEnd(), kLate + 100 * kFrame + 2 * kHalf, kRounding);
    EXPECT_LT(Simulator::GetEventCount(), 200U);
}

TEST_F(CircuitSequenceTest, NothingGoesBackOverACircuitOfOneDirection)
{
    cluster.wiring->GetCircuits().JoinOneWay(0, 2);
    const Message& there = cluster.Post(0, 2, 10 * kMtu);
    const Message& back = cluster.Post(2, 0, 10 * kMtu);
    cluster.At(50 * kFrame, [&] {
        EXPECT_LT(there.acknowledged, kNever) << "ACKs take another way";
        EXPECT_EQ(cluster.GetReceived(0), 0U);
        EXPECT_EQ(cluster.engine->GetSentBytes(2), 0U);
        cluster.wiring->GetCircuits().JoinOneWay(2, 0);
    });
    cluster.Run();
    cluster.ExpectAllDeliveredOnce();
    EXPECT_NEAR(there.end, GetSending(10 * kMtu) + 2 * kHalf, kRounding);
    EXPECT_NEAR(back.end, 50 * kFrame + GetSending(10 * kMtu) + 2 * kHalf, kRounding);
}

TEST_F(CircuitSequenceTest, WhatWasSentIsCountedInPartAlsoWhileItWaits)
{
    cluster.wiring->GetCircuits().JoinOneWay(0, 2);
    cluster.Post(0, 2, 10 * kMtu);
    cluster.At(4 * kFrame, [&] {
        EXPECT_NEAR(static_cast<double>(cluster.engine->GetSentBytes(0)), 4 * kMtu, 2);
        cluster.wiring->GetCircuits().End(0, {});
        EXPECT_NEAR(static_cast<double>(cluster.engine->GetSentBytes(0)), 4 * kMtu, 2);
        EXPECT_NEAR(static_cast<double>(cluster.engine->GetUnsentBytes(0, 0)), 6 * kMtu, 2);
    });
    cluster.At(9 * kFrame, [&] {
        EXPECT_NEAR(static_cast<double>(cluster.engine->GetSentBytes(0)), 4 * kMtu, 2);
        EXPECT_NEAR(cluster.GetCarried(0), 4 * 4178, 2) << "by the circuit that is gone";
        cluster.wiring->GetCircuits().JoinOneWay(0, 2);
    });
    cluster.Run();
    cluster.ExpectAllDeliveredOnce();
    EXPECT_EQ(cluster.engine->GetSentBytes(0), 10 * kMtu);
}

TEST(CircuitsOfOneDirection, WhatHasNotComeIsNotWrittenIntoAGpuInTheDark)
{
    constexpr uint64_t kPcie = kRate / 8;
    constexpr TimePs kLight = 1'000'000'000; // by then all has been read from the GPU
    constexpr uint64_t kFrames = 100;
    // \return when the message ends, behind the light that it came to its end by
    const auto run = [](uint64_t before) {
        CircuitCluster cluster(false, MakeOptical(2, 1, 1, kPcie));
        const Message& message = cluster.Post(0, 1, kFrames * kMtu);
        cluster.At(kLight, [&] { cluster.wiring->GetCircuits().JoinOneWay(0, 1); });
        if (before > 0)
        {
            const TimePs dark = kLight + static_cast<TimePs>(before) * kFrame;
            cluster.At(dark, [&] { cluster.wiring->GetCircuits().End(0, {}); });
            cluster.At(2 * kLight, [&] { cluster.wiring->GetCircuits().JoinOneWay(0, 1); });
        }
        cluster.Run();
        cluster.ExpectAllDeliveredOnce();
        return message.end - (before > 0 ? 2 : 1) * kLight;
    };
    const TimePs whole = run(0);
    EXPECT_GT(whole, LongSerialisationTime(kFrames * kMtu, kPcie));
    for (const uint64_t before : {1, 25, 50, 99})
    {
        EXPECT_NEAR(run(before), whole - LongSerialisationTime(before * kMtu, kPcie), kRounding)
            << "what came before the dark was written in it, and nothing else";
    }
}

} // namespace ns3::rails::test
