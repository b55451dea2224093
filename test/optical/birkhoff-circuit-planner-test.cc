// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-fixtures.h"

#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::rails::test
{

namespace
{

constexpr TimePs kMillisecond = 1'000'000'000;

TEST(BirkhoffCircuitPlanner, ServesEverythingAndPaysForEachReconfiguration)
{
    const CircuitDemand demand =
        MakeDemand({{0, 3'000'000, 0}, {0, 0, 1'000'000}, {1'000'000, 0, 0}});
    CircuitRegion region = MakeRegion(3, 2); // 200 Gbps together: 1 MB takes 40 us
    const CircuitPlan plan = MakePlanner("birkhoff")->Plan(region, demand);
    ASSERT_EQ(plan.slots.size(), 2U);
    EXPECT_EQ(CountServedBytes(plan, demand), demand.GetTotalBytes());
    EXPECT_EQ(FindLength(plan, 25 * kMillisecond), 50 * kMillisecond + 3 * kMillisecond / 25);
    EXPECT_EQ(FindLength(plan, 0), 3 * kMillisecond / 25);
    // Of the two matchings one has all three servers, and one server 0 alone.
    EXPECT_EQ(plan.slots[0].circuits.Count(0, 1) + plan.slots[1].circuits.Count(0, 1), 4U);
    EXPECT_EQ(plan.slots[0].circuits.Count(1, 2) + plan.slots[1].circuits.Count(1, 2), 2U);
    EXPECT_EQ(plan.slots[0].circuits.Count(1, 0) + plan.slots[1].circuits.Count(1, 0), 0U);
}

TEST(BirkhoffCircuitPlanner, TakesAsLongAsTheBusiestServerBesidesDelays)
{
    const CircuitDemand demand = MakeDemand(kPublicTokens);
    const CircuitPlan plan = MakePlanner("birkhoff")->Plan(MakeRegion(8, 6), demand);
    EXPECT_EQ(CountServedBytes(plan, demand), demand.GetTotalBytes());
    uint64_t received = 0; // by the server of the hottest expert
    for (uint32_t from = 1; from < 8; ++from)
    {
        received += demand.GetBytes(from, 0);
    }
    const TimePs shortest = LongSerialisationTime(received, 600'000'000'000);
    EXPECT_GE(FindLength(plan, 0), shortest);
    // A picosecond for each slot is rounded up.
    EXPECT_LE(FindLength(plan, 0), shortest + static_cast<TimePs>(plan.slots.size()));
}

TEST(BirkhoffCircuitPlanner, LeavesWhatIsBeyondTheSlotsThatItMayTake)
{
    const CircuitDemand demand = MakeDemand(kPublicTokens);
    const Ptr<CircuitPlanner> planner = MakePlanner("birkhoff");
    uint64_t before = 0;
    for (const uint32_t slots : {1U, 4U, 8U, 100U})
    {
        planner->SetAttribute("Slots", UintegerValue(slots));
        const CircuitPlan plan = planner->Plan(MakeRegion(8, 6), demand);
        EXPECT_LE(plan.slots.size(), slots);
        const uint64_t served = CountServedBytes(plan, demand);
        EXPECT_GT(served, before);
        before = served;
    }
    EXPECT_EQ(before, demand.GetTotalBytes());
}

TEST(BirkhoffCircuitPlanner, GoesWithThePortsThatWork)
{
    CircuitRegion region = MakeRegion(8, 6);
    region.ports[2] = 0;
    region.ports[5] = 3;
    const CircuitDemand demand = MakeDemand(kPublicTokens);
    const CircuitPlan plan = MakePlanner("birkhoff")->Plan(region, demand);
    uint64_t served = demand.GetTotalBytes();
    for (uint32_t other = 0; other < 8; ++other)
    {
        served -= demand.GetPairBytes(2, other);
    }
    EXPECT_EQ(CountServedBytes(plan, demand), served);
    for (const CircuitSlot& slot : plan.slots)
    {
        EXPECT_EQ(slot.circuits.CountLeaving(2) + slot.circuits.CountArriving(2), 0U);
        EXPECT_LE(slot.circuits.CountLeaving(5), 3U);
        EXPECT_LE(slot.circuits.CountArriving(5), 3U);
    }
}

} // namespace

} // namespace ns3::rails::test
