// SPDX-License-Identifier: GPL-2.0-only
#include "../support/optical-servers.h"

#include "ns3/circuit-log.h"
#include "ns3/cluster-topology.h"
#include "ns3/component-maker.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// Four servers of one GPU, with NICs 0 and 1 of each at an optical switch, and what is sent given.
class CircuitLogTest : public testing::Test
{
  protected:
    CircuitLogTest()
    {
        const Ptr<Topology> optical = MakeComponent<Topology>("OpticalTopology");
        optical->SetAttribute("Region", UintegerValue(4));
        wiring = MakeOpticalServers(4, 2, optical)->Lay();
        log = std::make_unique<CircuitLog>(wiring, [this](uint32_t nic) { return sent[nic]; });
    }

    ~CircuitLogTest() override
    {
        Simulator::Destroy();
    }

    /// \return the NIC of a server and a place at its switch
    uint32_t GetNic(uint32_t server, uint32_t rail) const
    {
        return wiring->GetShape().GetNic(server, rail);
    }

    static void RunUntil(TimePs at)
    {
        Simulator::Stop(PicoSeconds(at - NowPs()));
        Simulator::Run();
    }

    std::shared_ptr<Wiring> wiring;
    std::map<uint32_t, uint64_t> sent;
    std::unique_ptr<CircuitLog> log;
};

TEST_F(CircuitLogTest, ParallelCircuitsAreALineWithTheBytesOfBothWays)
{
    wiring->GetCircuits().Join(GetNic(2, 0), GetNic(0, 0));
    wiring->GetCircuits().Join(GetNic(0, 1), GetNic(2, 1));
    sent[GetNic(0, 0)] = 5;
    sent[GetNic(2, 1)] = 7;
    RunUntil(30);
    const std::vector<CircuitSpan> spans = log->Collect();
    ASSERT_EQ(spans.size(), 1U);
    EXPECT_EQ(spans[0].start, 0);
    EXPECT_EQ(spans[0].end, 30);
    EXPECT_EQ(spans[0].from, 0U);
    EXPECT_EQ(spans[0].to, 2U);
    EXPECT_EQ(spans[0].circuits, 2U);
    EXPECT_EQ(spans[0].bytes, 12U);
    EXPECT_EQ(spans[0].dark, 0);
}

TEST_F(CircuitLogTest, AMoveEndsALineAndTheNextSaysForHowLongItWasDark)
{
    wiring->GetCircuits().Join(GetNic(0, 0), GetNic(1, 0));
    sent[GetNic(0, 0)] = 100;
    RunUntil(10);
    wiring->GetCircuits().End(GetNic(1, 0), {});
    RunUntil(35);
    wiring->GetCircuits().Join(GetNic(0, 0), GetNic(3, 0));
    sent[GetNic(0, 0)] = 101;
    RunUntil(50);
    const std::vector<CircuitSpan> spans = log->Collect();
    ASSERT_EQ(spans.size(), 2U);
    EXPECT_EQ(spans[0].end, 10);
    EXPECT_EQ(spans[0].bytes, 100U);
    EXPECT_EQ(spans[1].start, 35);
    EXPECT_EQ(spans[1].to, 3U);
    EXPECT_EQ(spans[1].bytes, 1U) << "what was sent before belongs to the circuit before";
    EXPECT_EQ(spans[1].dark, 25) << "whatever light its NICs had before";
}

TEST_F(CircuitLogTest, CircuitsThatComeWithoutOthersGoingWereNotDark)
{
    wiring->GetCircuits().Join(GetNic(0, 0), GetNic(1, 0));
    RunUntil(10);
    wiring->GetCircuits().End(GetNic(1, 0), {});
    RunUntil(20);
    wiring->GetCircuits().Join(GetNic(0, 0), GetNic(1, 0));
    wiring->GetCircuits().Join(GetNic(2, 0), GetNic(3, 0));
    RunUntil(40);
    wiring->GetCircuits().Join(GetNic(2, 1), GetNic(3, 1));
    RunUntil(50);
    std::vector<TimePs> dark;
    for (const CircuitSpan& span : log->Collect())
    {
        dark.push_back(span.dark);
    }
    EXPECT_EQ(dark, (std::vector<TimePs>{0, 10, 10, 0}));
}

TEST_F(CircuitLogTest, WhatAMessageTakesBackIsNoBytesOfACircuit)
{
    sent[GetNic(0, 0)] = 100;
    wiring->GetCircuits().Join(GetNic(0, 0), GetNic(1, 0));
    RunUntil(10);
    sent[GetNic(0, 0)] = 60; // given up
    EXPECT_EQ(log->Collect().front().bytes, 0U);
}

TEST_F(CircuitLogTest, CircuitsOfOneDirectionAreLinesOfTheirOwn)
{
    wiring->GetCircuits().SetTimeSlotted();
    wiring->GetCircuits().JoinOneWay(GetNic(1, 0), GetNic(0, 0));
    wiring->GetCircuits().JoinOneWay(GetNic(1, 1), GetNic(0, 1));
    RunUntil(5);
    const std::vector<CircuitSpan> spans = log->Collect();
    ASSERT_EQ(spans.size(), 1U);
    EXPECT_EQ(spans[0].from, 1U);
    EXPECT_EQ(spans[0].to, 0U);
    EXPECT_EQ(spans[0].circuits, 2U);
}

} // namespace

} // namespace ns3::rails::test
