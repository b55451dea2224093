// SPDX-License-Identifier: GPL-2.0-only
#include "flow-alone.h"

#include "ns3/rail-topology.h"
#include "ns3/tandem-rates.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <memory>

using namespace ns3;
using namespace ns3::rails;
using ns3::rails::test::GoAlone;

namespace
{

constexpr uint32_t kReader = 0;
constexpr uint32_t kPair = 1;

} // namespace

/// A message of 1,000 bytes that a NIC reads, and that is 2,000 bytes on the wire. The network is
/// far faster than the rates that are given to it here.
class TandemRatesTest : public testing::Test
{
  protected:
    TandemRatesTest()
        : m_wiring(Lay()),
          m_router(std::make_shared<Router>(*m_wiring)),
          m_network(m_wiring, m_router, {}),
          m_tandemRates(m_queues, m_clocks, m_network)
    {
        FlowRoute reading;
        reading.kind = FlowRoute::Kind::Reading;
        reading.fromGpu = 1;
        FlowRoute pair;
        pair.to = 2;
        pair.isFed = true;
        for (const FlowRoute& route : {reading, pair})
        {
            m_queues.emplace_back();
            FlowQueue& queue = m_queues.back();
            queue.route = route;
            queue.flowClass = m_network.Join(route);
            queue.runEnd = 1;
            m_clocks.Open(queue.flowClass, 0);
        }
        m_queues[kReader].entries.push_back({&m_message, 1000, FlowQueue::kNone, kPair});
        m_queues[kPair].entries.push_back(
            {&m_message, 2000, kReader, FlowQueue::kNone, 1000, 1000});
    }

    static std::shared_ptr<Wiring> Lay()
    {
        Ptr<RailTopology> topology = CreateObject<RailTopology>();
        topology->SetAttribute("Domains", UintegerValue(2));
        topology->SetAttribute("GpusPerDomain", UintegerValue(2));
        return topology->Lay();
    }

    void SetRates(double reader, double pair)
    {
        GoAlone(m_clocks, m_queues[kReader].flowClass, reader, 0);
        GoAlone(m_clocks, m_queues[kPair].flowClass, pair, 0);
    }

    bool Examine(TimePs now)
    {
        m_tandemRates.MarkForCheck(kPair);
        return m_tandemRates.Examine(now);
    }

    /// \return the rate of the queue pair by the network
    double Solve()
    {
        m_network.Solve();
        return m_network.GetRate(m_queues[kPair].flowClass);
    }

    std::shared_ptr<Wiring> m_wiring;
    std::shared_ptr<Router> m_router;
    FlowNetwork m_network;
    FlowClocks m_clocks;
    std::deque<FlowQueue> m_queues;
    TandemRates m_tandemRates;
    Message m_message;
};

TEST_F(TandemRatesTest, AQueueThatHasCaughtUpIsAsFastAsItsBytesCome)
{
    SetRates(10, 0);
    EXPECT_TRUE(Examine(0));
    EXPECT_DOUBLE_EQ(Solve(), 20) << "a byte that was read is two on the wire";
    EXPECT_FALSE(Examine(0)) << "nothing has changed";
    EXPECT_EQ(m_tandemRates.GetCatchUp(kPair), FlowClocks::kNowhere);
}

TEST_F(TandemRatesTest, AQueueThatIsAheadHasItsOwnRateUntilItCatchesUp)
{
    SetRates(10, 30);
    m_clocks.SetStop(m_queues[kPair].flowClass, 0); // it stands still, and 100 bytes are read
    EXPECT_TRUE(Examine(10 * kSecond));
    EXPECT_GT(Solve(), 1e9);
    // 200 bytes ahead, of which 30 - 20 go in each second.
    EXPECT_DOUBLE_EQ(m_tandemRates.GetCatchUp(kPair), 600);
    m_tandemRates.Forget(kPair);
    EXPECT_EQ(m_tandemRates.GetCatchUp(kPair), FlowClocks::kNowhere);
}

TEST_F(TandemRatesTest, WhatHasComeWholeIsNotHeldBack)
{
    SetRates(10, 30);
    m_clocks.SetStop(m_queues[kPair].flowClass, 0);
    EXPECT_TRUE(Examine(100 * kSecond));
    EXPECT_GT(Solve(), 1e9);
    EXPECT_EQ(m_tandemRates.GetCatchUp(kPair), FlowClocks::kNowhere);
}

TEST_F(TandemRatesTest, BeforeTheFeederComesToAMessageNothingComes)
{
    Message other;
    m_queues[kReader].entries.insert(m_queues[kReader].entries.begin(), {&other, 500});
    m_queues[kReader].entries[1].end = 1500;
    m_queues[kPair].entries[0].feederEnd = 1500;
    SetRates(10, 0);
    Examine(0);
    EXPECT_EQ(Solve(), 0);
    EXPECT_FALSE(m_tandemRates.IsBegun(m_queues[kPair], 0));
    m_queues[kReader].drained = 1;
    m_queues[kReader].runEnd = 2;
    EXPECT_TRUE(m_tandemRates.IsBegun(m_queues[kPair], 0));
}
