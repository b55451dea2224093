// SPDX-License-Identifier: GPL-2.0-only
#include "../optical/circuit-cluster.h"
#include "flow-parts.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

class StrandedFlowsTest : public testing::Test
{
  protected:
    static constexpr uint64_t kBytes = 1'000'000;
    using Numbers = std::vector<uint32_t>;
};

TEST_F(StrandedFlowsTest, WhenTheRoutingConvergesAllBeginAnewInOrder)
{
    FlowParts parts(LayRails(3, 1));
    const uint32_t served = parts.Add(0, 1, kBytes, 0);
    const uint32_t stranded = parts.Add(0, 2, kBytes, 0);
    const uint32_t also = parts.Add(1, 2, kBytes, 0);
    parts.classes.Begin(served);
    for (const uint32_t number : {also, stranded, stranded})
    {
        parts.stranded.Strand(number);
    }
    parts.stranded.OnConverged();
    EXPECT_EQ(parts.calendar.TakeArmed(), (Numbers{served, stranded, also}));
    EXPECT_EQ(parts.classes.CountRunning(), 0u);
    EXPECT_TRUE(parts.classes.TakeParted().empty()) << "classes have other numbers now";
    parts.stranded.OnConverged();
    EXPECT_TRUE(parts.calendar.TakeArmed().empty()) << "nobody waits";
}

TEST_F(StrandedFlowsTest, WhatIsTornDownWaitsForNothing)
{
    FlowParts parts(LayRails(2, 1));
    const uint32_t number = parts.Add(0, 1, kBytes, 0);
    FlowQueue& queue = parts.queues[number];
    parts.stranded.Strand(number);
    parts.stranded.TearDown(number);
    EXPECT_FALSE(queue.HasWork());
    EXPECT_EQ(queue.unsentPayload, 0U);
    EXPECT_TRUE(parts.nics.GetBusy(0).empty());
    parts.stranded.OnConverged();
    EXPECT_TRUE(parts.calendar.TakeArmed().empty());
}

TEST_F(StrandedFlowsTest, WhatIsTornDownOfARunLeavesItsClass)
{
    FlowParts parts(LayRails(2, 1));
    const uint32_t number = parts.Add(0, 1, kBytes, 0);
    parts.classes.Begin(number);
    parts.stranded.TearDown(number);
    EXPECT_EQ(parts.classes.CountRunning(), 0u);
    EXPECT_EQ(parts.messages[0].end, kNever);
}

TEST_F(StrandedFlowsTest, AQueueWaitsForItsOwnCircuit)
{
    const CutRules rules;
    FlowParts parts(MakeOptical(3, 1));
    parts.wiring->GetCircuits().JoinOneWay(0, 1);
    const uint32_t led = parts.Add(0, 1, kBytes, 0);
    const uint32_t dark = parts.Add(0, 2, kBytes, 0);
    EXPECT_TRUE(parts.classes.Begin(led));
    EXPECT_FALSE(parts.classes.Begin(dark));
    parts.stranded.Strand(dark);
    parts.wiring->GetCircuits().End(0, rules);
    parts.wiring->GetCircuits().JoinOneWay(0, 2);
    parts.stranded.OnCircuit(0);
    EXPECT_EQ(parts.queues[led].flowClass, FlowQueue::kNone);
    EXPECT_EQ(parts.calendar.TakeArmed(), Numbers{dark});
    EXPECT_TRUE(parts.classes.Begin(dark));
    parts.wiring->GetCircuits().End(0, rules);
    parts.wiring->GetCircuits().JoinOneWay(0, 1);
    parts.stranded.OnCircuit(0);
    EXPECT_EQ(parts.calendar.TakeArmed(), Numbers{led});
}
