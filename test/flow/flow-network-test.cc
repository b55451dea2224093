// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"

#include "ns3/flow-network.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr double kLine = 50e9; // bytes/s of 400 Gbit/s

/// Four servers of two GPUs, two servers on a leaf, two spines.
class FlowNetworkTest : public testing::Test
{
  protected:
    FlowNetworkTest()
    {
        Ptr<RailTopology> topology = CreateObject<RailTopology>();
        topology->SetAttribute("Domains", UintegerValue(4));
        topology->SetAttribute("GpusPerDomain", UintegerValue(2));
        topology->SetAttribute("LeafPorts", UintegerValue(2));
        topology->SetAttribute("RailSpines", UintegerValue(2));
        m_wiring = topology->Lay();
        m_router = std::make_shared<Router>(*m_wiring);
        FlowSettings settings;
        settings.queuePairPer = FlowSettings::QueuePairPer::Message;
        m_network = std::make_unique<FlowNetwork>(m_wiring, m_router, settings);
    }

    /// \return a way from NIC 0 of a server to NIC 0 of another
    FlowRoute MakeRoute(uint32_t from, uint32_t to, uint32_t entropy = 0) const
    {
        FlowRoute route;
        route.from = m_wiring->GetShape().GetNic(from, 0);
        route.to = m_wiring->GetShape().GetNic(to, 0);
        route.entropy = entropy;
        return route;
    }

    double GetRate(uint32_t flowClass)
    {
        m_network->Solve();
        return m_network->GetRate(flowClass);
    }

    std::shared_ptr<Wiring> m_wiring;
    std::shared_ptr<Router> m_router;
    std::unique_ptr<FlowNetwork> m_network;
};

} // namespace

TEST_F(FlowNetworkTest, AFlowAloneHasTheRateOfItsNic)
{
    EXPECT_DOUBLE_EQ(GetRate(m_network->Join(MakeRoute(0, 1))), kLine);
}

TEST_F(FlowNetworkTest, FlowsAlikeShareAClassAndTheOthersDoNot)
{
    const uint32_t one = m_network->Join(MakeRoute(0, 1));
    EXPECT_EQ(m_network->Join(MakeRoute(0, 1)), one);
    FlowRoute other = MakeRoute(0, 1);
    other.payloadShare = 0.5;
    EXPECT_NE(m_network->Join(other), one);
    EXPECT_NE(m_network->Join(MakeRoute(1, 0)), one);
    EXPECT_DOUBLE_EQ(GetRate(one), kLine / 3);
    m_network->Leave(one, MakeRoute(0, 1), 100, 0, 0);
    EXPECT_DOUBLE_EQ(GetRate(one), kLine / 2);
}

TEST_F(FlowNetworkTest, AcksTakeFromWhatComesTheOtherWay)
{
    FlowRoute there = MakeRoute(0, 1);
    there.ackShare = 0.125;
    const uint32_t flowClass = m_network->Join(there);
    const uint32_t back = m_network->Join(MakeRoute(1, 0));
    EXPECT_NEAR(GetRate(back), kLine * 0.875, kLine * 1e-4);
    EXPECT_NEAR(GetRate(flowClass), kLine, kLine * 1e-4);
}

TEST_F(FlowNetworkTest, ACableThatIsDownLetsNothingThroughUntilItIsBack)
{
    const FlowRoute route = MakeRoute(0, 1);
    const uint32_t flowClass = m_network->Join(route);
    m_wiring->SetUp(route.from, false, {});
    m_network->OnCable(route.from);
    EXPECT_EQ(GetRate(flowClass), 0);
    m_wiring->SetUp(route.from, true, {});
    m_wiring->SetRate(route.from, 100 * kGbps);
    m_network->OnCable(route.from);
    EXPECT_DOUBLE_EQ(GetRate(flowClass), kLine / 4);
}

TEST_F(FlowNetworkTest, WithoutAWayAFlowIsInNoClass)
{
    const uint32_t leaf = m_wiring->FindSwitch("rail0-leaf0");
    for (const char* spine : {"rail0-spine0", "rail0-spine1"})
    {
        m_wiring->SetUp(m_wiring->FindCables(leaf, m_wiring->FindSwitch(spine)).front(), false, {});
    }
    EXPECT_NE(m_network->Join(MakeRoute(0, 2)), FlowNetwork::kNoWay) << "nobody knows of it yet";
    m_network->Leave(0, MakeRoute(0, 2), 0, 0, 0);
    m_router->Converge();
    m_network->Refresh();
    EXPECT_EQ(m_network->Join(MakeRoute(0, 2)), FlowNetwork::kNoWay);
    EXPECT_NE(m_network->Join(MakeRoute(0, 1)), FlowNetwork::kNoWay);
}

TEST_F(FlowNetworkTest, WhatWasCarriedIsKnownByDirectionAndKeptWhenPathsChange)
{
    const FlowRoute route = MakeRoute(0, 2);
    const auto sum = [&] {
        FlowNetwork::Carried all;
        for (const FlowNetwork::Carried& carried : m_network->GetCarried())
        {
            all.data += carried.data;
            all.acks += carried.acks;
        }
        return all;
    };
    m_network->Leave(m_network->Join(route), route, 1000, 10, 0);
    EXPECT_DOUBLE_EQ(sum().data, 4 * 1000); // four cables
    EXPECT_DOUBLE_EQ(sum().acks, 4 * 10);
    EXPECT_DOUBLE_EQ(m_network->GetCarried()[2 * route.from].data, 1000);
    EXPECT_DOUBLE_EQ(m_network->GetCarried()[2 * route.from + 1].acks, 10);
    m_router->Converge();
    m_network->Refresh();
    EXPECT_DOUBLE_EQ(sum().data, 4 * 1000);
    m_network->Leave(m_network->Join(route), route, 500, 5, 0);
    EXPECT_DOUBLE_EQ(sum().data, 4 * 1500);
    EXPECT_DOUBLE_EQ(sum().acks, 4 * 15);
}

TEST_F(FlowNetworkTest, AServerKnowsWhetherSomethingMovesInsideIt)
{
    FlowRoute inside;
    inside.kind = FlowRoute::Kind::Inside;
    inside.from = 2;
    inside.to = 3;
    EXPECT_FALSE(m_network->HasInside(1));
    const uint32_t flowClass = m_network->Join(inside);
    EXPECT_TRUE(m_network->HasInside(1));
    EXPECT_FALSE(m_network->HasInside(0));
    EXPECT_DOUBLE_EQ(GetRate(flowClass), 450e9);
    m_network->Leave(flowClass, inside, 1000, 0, 0);
    EXPECT_FALSE(m_network->HasInside(1));
}
