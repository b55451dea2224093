// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-fixtures.h"

#include "ns3/circuit-filling.h"
#include "ns3/enum.h"
#include "ns3/string.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ns3::rails::test
{

namespace
{

/// \return percent of a demand that circuits do not carry
double
FindLeft(const CircuitPlan& plan, const CircuitDemand& demand)
{
    return 100 - 100 * static_cast<double>(CountServedBytes(plan, demand)) /
                     static_cast<double>(demand.GetTotalBytes());
}

TEST(GreedyCircuitPlanner, LeavesAnEighthOfThePublicMatrixWithoutCircuits)
{
    // MixNet facts, section 2.3: worked out by hand from the matrix.
    const CircuitDemand demand = MakeDemand(kPublicTokens);
    const CircuitPlan plan = MakePlanner("greedy")->Plan(MakeRegion(8, 6), demand);
    ASSERT_EQ(plan.slots.size(), 1U);
    EXPECT_EQ(plan.slots[0].duration, kNever);
    EXPECT_EQ(plan.planningTime, 0);
    const Joined joined = CountJoined(plan.slots[0].circuits);
    EXPECT_EQ(joined.circuits, 24U);
    EXPECT_EQ(joined.pairs, 23U);
    EXPECT_EQ(joined.most, 2U);
    EXPECT_NEAR(FindLeft(plan, demand), 13.02, 0.005);
    // The pair that is doubled is the lightest, which alone has ports left.
    EXPECT_EQ(plan.slots[0].circuits.Count(2, 6), 2U);
    EXPECT_EQ(demand.GetPairBytes(2, 6), 675U + 1117U);
    // The server of the hottest expert has a peer more than ports.
    uint32_t alone = 0;
    for (uint32_t other = 1; other < 8; ++other)
    {
        alone += plan.slots[0].circuits.Count(0, other) == 0 ? 1 : 0;
    }
    EXPECT_EQ(alone, 1U);
}

TEST(GreedyCircuitPlanner, EndsEarlierAsPrinted)
{
    const CircuitDemand demand = MakeDemand(kPublicTokens);
    const Ptr<CircuitPlanner> planner = MakePlanner("greedy");
    planner->SetAttribute("WhenFull", StringValue("break"));
    const CircuitPlan plan = planner->Plan(MakeRegion(8, 6), demand);
    const Joined joined = CountJoined(plan.slots[0].circuits);
    // The seventh heaviest pair is the seventh of the hottest server, which has six ports.
    EXPECT_EQ(joined.circuits, 6U);
    EXPECT_EQ(joined.pairs, 6U);
    EXPECT_GT(FindLeft(plan, demand), 50);
}

TEST(GreedyCircuitPlanner, SharesPortsEvenlyWhereAllPairsHaveTheSame)
{
    const Square all(8, std::vector<uint64_t>(8, 1000));
    const CircuitMap four =
        PlanCircuits("greedy",
                     MakeRegion(4, 6),
                     MakeDemand({{0, 5, 5, 5}, {5, 0, 5, 5}, {5, 5, 0, 5}, {5, 5, 5, 0}}));
    EXPECT_EQ(CountJoined(four).circuits, 12U);
    EXPECT_EQ(CountJoined(four).pairs, 6U);
    EXPECT_EQ(CountJoined(four).most, 2U);
    const CircuitMap eight = PlanCircuits("greedy", MakeRegion(8, 6), MakeDemand(all));
    EXPECT_EQ(CountJoined(eight).most, 1U);
    EXPECT_EQ(CountJoined(eight).circuits, 24U); // of 28 pairs, as the paper has it
}

TEST(GreedyCircuitPlanner, DoublesThePairThatTakesLongest)
{
    // One way 100 and 50, the other 20 and 10: circuits are of both.
    const Square bytes{{0, 100, 20}, {50, 0, 0}, {10, 0, 0}};
    const auto plan = [&](uint32_t ports) {
        return PlanCircuits("greedy", MakeRegion(3, ports), MakeDemand(bytes));
    };
    EXPECT_EQ(plan(1).Count(0, 1), 1U);
    EXPECT_EQ(plan(1).Count(0, 2), 0U);
    EXPECT_EQ(plan(2).Count(0, 2), 1U);
    EXPECT_EQ(plan(5).Count(0, 1), 4U); // 150 / 4 is above 30
    EXPECT_EQ(plan(6).Count(0, 1), 5U);
    EXPECT_EQ(plan(7).Count(0, 1), 5U); // 150 / 5 is not, and server 2 has more free ports than 1
    EXPECT_EQ(plan(7).Count(0, 2), 2U);
    EXPECT_EQ(plan(7).Count(1, 2), 0U) << "a pair without anything to send";
}

TEST(GreedyCircuitPlanner, ComparesTimesExactly)
{
    // Two fractions that are one number as double.
    const uint64_t large = (uint64_t{1} << 60) - 1;
    CircuitDemand demand(4);
    demand.Add(0, 1, large);     // 3 circuits
    demand.Add(2, 3, large + 1); // 3 circuits
    CircuitRegion region = MakeRegion(4, 4);
    CircuitSlot slot{CircuitMap(4)};
    slot.circuits.Join(0, 1, 3);
    slot.circuits.Join(2, 3, 3);
    CircuitSlot other = slot;
    AddSlowestFirst(demand, region, true, slot);
    EXPECT_EQ(slot.circuits.Count(2, 3), 4U);
    EXPECT_EQ(slot.circuits.Count(0, 1), 4U);
    region.ports = {3, 3, 4, 4};
    AddSlowestFirst(demand, region, true, other);
    EXPECT_EQ(other.circuits.Count(2, 3), 4U) << "the slower one was first; the other one ends it";
    EXPECT_EQ(other.circuits.Count(0, 1), 3U);
}

TEST(GreedyCircuitPlanner, GivesAnotherCircuitToAPairOnASlowPort)
{
    // Servers 0 and 1 have a port at a tenth of the rate and one at the full one; 2 and 3 have two
    // at the full one. The pairs have as much each, that of 0 and 1 a little less.
    CircuitRegion region = MakeRegion(4, 2);
    const CircuitDemand demand =
        MakeDemand({{0, 90, 0, 100}, {0, 0, 100, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}});
    const CircuitMap alike = MakePlanner("greedy")->Plan(region, demand).slots.at(0).circuits;
    EXPECT_EQ(alike.Count(0, 1), 1U);
    region.portRates = {{100, 10}, {100, 10}, {100, 100}, {100, 100}};
    const CircuitSlot slot = MakePlanner("greedy")->Plan(region, demand).slots.at(0);
    // The heaviest pairs come first and take the fast ports, so the lighter one has the slow ones.
    const std::vector<std::pair<uint32_t, uint32_t>> order{{0, 3}, {1, 2}, {0, 1}};
    EXPECT_EQ(slot.order, order);
    // With a port more it is 0 and 1 that take longest then: 90 over a tenth.
    region.ports = {3, 3, 2, 2};
    region.portRates = {{100, 10, 10}, {100, 10, 10}, {100, 100}, {100, 100}};
    const CircuitMap more = MakePlanner("greedy")->Plan(region, demand).slots.at(0).circuits;
    EXPECT_EQ(more.Count(0, 1), 2U);
}

TEST(GreedyCircuitPlanner, PassesOverServersAndPortsThatAreDown)
{
    CircuitRegion region = MakeRegion(8, 6);
    region.ports[0] = 0;
    region.ports[3] = 2;
    const CircuitMap circuits = PlanCircuits("greedy", region, MakeDemand(kPublicTokens));
    EXPECT_EQ(circuits.CountLeaving(0), 0U);
    EXPECT_EQ(circuits.CountLeaving(3), 2U);
    EXPECT_EQ(circuits.CountLeaving(1), 6U);
}

} // namespace

} // namespace ns3::rails::test
