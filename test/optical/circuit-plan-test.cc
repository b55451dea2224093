// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-fixtures.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace ns3::rails::test
{

namespace
{

TEST(CircuitPlan, ServesNothingTwice)
{
    const CircuitDemand demand = MakeDemand({{0, 100, 9}, {50, 0, 0}, {0, 0, 0}});
    CircuitMap there(3);
    there.Lead(0, 1);
    CircuitMap both(3);
    both.Join(0, 1, 2);
    CircuitPlan plan;
    EXPECT_EQ(CountServedBytes(plan, demand), 0U);
    plan.slots.push_back({there, 30, 1});
    EXPECT_EQ(CountServedBytes(plan, demand), 30U);
    plan.slots.push_back({both, 40, 1});
    EXPECT_EQ(CountServedBytes(plan, demand), 30U + 40U + 40U);
    plan.slots.push_back({both});
    EXPECT_EQ(CountServedBytes(plan, demand), 150U);
    EXPECT_EQ(FindLength(plan, 7), kNever);
    plan.slots.pop_back();
    EXPECT_EQ(FindLength(plan, 7), 16);
}

TEST(CircuitPlan, BoundIsHalfOfWhatServersCanHaveByTheirPorts)
{
    const CircuitDemand demand = MakeDemand({{0, 8, 4}, {0, 0, 6}, {0, 0, 0}});
    EXPECT_EQ(FindServedBound(demand, {1, 1, 1}), (8U + 8U + 6U) / 2);
    EXPECT_EQ(FindServedBound(demand, {0, 1, 1}), (8U + 6U) / 2);
    EXPECT_EQ(FindServedBound(demand, {2, 2, 2}), 18U);
    EXPECT_EQ(FindServedBound(demand, {9, 9, 9}), 18U);
}

TEST(CircuitMap, CountsBothWaysOfACircuitAndOneOfLight)
{
    CircuitMap circuits(3);
    circuits.Join(0, 1, 2);
    circuits.Lead(1, 2);
    EXPECT_EQ(circuits.Count(1, 0), 2U);
    EXPECT_EQ(circuits.Count(2, 1), 0U);
    EXPECT_EQ(circuits.CountLeaving(1), 3U);
    EXPECT_EQ(circuits.CountArriving(1), 2U);
    EXPECT_EQ(circuits.GetTotal(), 5U);
    EXPECT_THROW(circuits.Join(1, 1), std::logic_error);
    EXPECT_THROW(circuits.Lead(0, 3), std::logic_error);
}

} // namespace

} // namespace ns3::rails::test
