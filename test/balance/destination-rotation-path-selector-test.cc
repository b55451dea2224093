// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"

#include "ns3/component-maker.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/path-selector.h"
#include "ns3/selective-repeat-loss-recovery.h"

#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

/// A fat-tree of k = 4: two hosts on an edge switch, four in a pod, 16 in all.
class RotationBench
{
  public:
    RotationBench()
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        Ptr<FatTreeTopology> topology = CreateObject<FatTreeTopology>();
        topology->SetAttribute("K", UintegerValue(4));
        Ptr<Transport> transport = CreateObject<Transport>();
        transport->SetAttribute("CongestionControl",
                                StringValue("ns3::rails::NoneCongestionControl"));
        // Frames overtake each other: nothing is to be taken for lost by that.
        Ptr<SelectiveRepeatLossRecovery> recovery = CreateObject<SelectiveRepeatLossRecovery>();
        recovery->SetAttribute("LossThreshold", UintegerValue(1000));
        transport->SetAttribute("LossRecovery", PointerValue(recovery));
        FrameSettings settings = MakeFrameSettings();
        settings.transport = transport;
        settings.path = MakeComponent<PathSelector>("DestinationRotationPathSelector");
        cluster = BuildCluster(*topology, settings);
        cluster->AssignStreams(1000);
        random->SetStream(7);
    }

    ~RotationBench()
    {
        Simulator::Destroy();
    }

    /// \return the selector of an end of a queue pair between two edge switches
    Ptr<PathSelector> MakeEnd(uint32_t from, uint32_t to)
    {
        Ptr<PathSelector> end =
            MakeComponent<PathSelector>("DestinationRotationPathSelector")->Fork();
        end->Start(0, {0, from, to, &cluster->GetRouter(), random});
        return end;
    }

    /// \return the ports of the route chosen for the next frame
    static std::vector<uint16_t> Choose(PathSelector& end)
    {
        Frame frame;
        end.Choose(0, frame);
        return {frame.route.ports.begin(), frame.route.ports.begin() + frame.route.length};
    }

    /// \return the rank of the route chosen for the next frame among all of them
    uint32_t ChooseRank(PathSelector& end, uint32_t from, uint32_t to)
    {
        Frame frame;
        end.Choose(0, frame);
        const std::vector<Route>& routes = cluster->GetRouter().GetRoutes(from, to);
        const auto same = std::find_if(routes.begin(), routes.end(), [&](const Route& route) {
            return route.ports == frame.route.ports && route.length == frame.route.length;
        });
        EXPECT_NE(same, routes.end());
        return static_cast<uint32_t>(same - routes.begin());
    }

    void Post(uint32_t source, uint32_t destination, uint64_t bytes)
    {
        messages.emplace_back();
        Message& message = messages.back();
        message.id = static_cast<uint32_t>(messages.size() - 1);
        message.source = source;
        message.destination = destination;
        message.bytes = bytes;
        message.txRail = 0;
        message.rxRail = 0;
        cluster->Post(message);
    }

    void Run()
    {
        Simulator::Run();
        cluster->Finish();
    }

    /// \return the values that a counter has over the ports of a class, and how many have each
    std::map<uint64_t, uint32_t> Count(const std::string& portClass,
                                       uint64_t PortCounters::*counter) const
    {
        std::map<uint64_t, uint32_t> counts;
        for (const Ptr<Port>& port : cluster->GetPorts())
        {
            if (port->GetIdentity().portClass == portClass)
            {
                ++counts[port->GetCountersNow().*counter];
            }
        }
        return counts;
    }

    Ptr<FrameEngine> cluster;
    Ptr<UniformRandomVariable> random{CreateObject<UniformRandomVariable>()};
    std::deque<Message> messages;
};

using Values = std::map<uint64_t, uint32_t>;

TEST(DestinationRotationTest, TakesAllRoutesInTurn)
{
    RotationBench bench;
    Ptr<PathSelector> end = bench.MakeEnd(0, 2);
    std::vector<std::vector<uint16_t>> routes;
    for (int i = 0; i < 12; ++i)
    {
        routes.push_back(RotationBench::Choose(*end));
    }
    EXPECT_EQ(std::set<std::vector<uint16_t>>(routes.begin(), routes.begin() + 4).size(), 4U);
    for (std::size_t i = 0; i < routes.size(); ++i)
    {
        EXPECT_EQ(routes[i].size(), 4U); // edge, aggregation, core, aggregation
        EXPECT_EQ(routes[i], routes[i % 4]);
        if (i > 0)
        {
            EXPECT_NE(routes[i][0], routes[i - 1][0]); // over the aggregations first
        }
    }
}

TEST(DestinationRotationTest, TakesTheAggregationsInsideAPod)
{
    RotationBench bench;
    Ptr<PathSelector> end = bench.MakeEnd(0, 1);
    const std::vector<uint16_t> first = RotationBench::Choose(*end);
    const std::vector<uint16_t> second = RotationBench::Choose(*end);
    EXPECT_EQ(first.size(), 2U);
    EXPECT_NE(first[0], second[0]);
    EXPECT_EQ(RotationBench::Choose(*end), first);
}

TEST(DestinationRotationTest, LeavesTheRouteEmptyAtTheSameEdgeSwitch)
{
    RotationBench bench;
    Ptr<PathSelector> end = bench.MakeEnd(3, 3);
    EXPECT_TRUE(RotationBench::Choose(*end).empty());
}

TEST(DestinationRotationTest, EndsBeginAnywhere)
{
    RotationBench bench;
    std::vector<uint32_t> offsets(4);
    for (int i = 0; i < 400; ++i)
    {
        Ptr<PathSelector> sender = bench.MakeEnd(0, 2);
        Ptr<PathSelector> receiver = bench.MakeEnd(2, 0);
        EXPECT_TRUE(sender->GetTraits().routesReplies);
        const uint32_t data = bench.ChooseRank(*sender, 0, 2);
        const uint32_t answer = bench.ChooseRank(*receiver, 2, 0);
        ++offsets[(data + 4 - answer) % 4];
    }
    for (const uint32_t count : offsets)
    {
        EXPECT_NEAR(count, 100, 40);
    }
}

TEST(DestinationRotationTest, FollowsTheRouter)
{
    RotationBench bench;
    Ptr<PathSelector> end = bench.MakeEnd(0, 2);
    const uint16_t agg = RotationBench::Choose(*end)[0];
    Wiring& wiring = bench.cluster->GetWiring();
    wiring.SetUp(wiring.GetSwitches()[0].cables[agg], false, {});
    bool used = false;
    for (int i = 0; i < 4; ++i)
    {
        used = used || RotationBench::Choose(*end)[0] == agg; // nobody told it yet
    }
    EXPECT_TRUE(used);
    bench.cluster->GetRouter().Converge();
    std::set<std::vector<uint16_t>> routes;
    for (int i = 0; i < 8; ++i)
    {
        routes.insert(RotationBench::Choose(*end));
        EXPECT_NE(RotationBench::Choose(*end)[0], agg);
    }
    for (const std::vector<uint16_t>& route : routes)
    {
        EXPECT_NE(route[0], agg);
    }
}

TEST(DestinationRotationTest, APermutationLoadsAllCoresTheSame)
{
    RotationBench bench;
    for (uint32_t host = 0; host < 16; ++host)
    {
        bench.Post(host, (host + 6) % 16, 32 * 4096);
    }
    bench.Run();
    for (const Message& message : bench.messages)
    {
        EXPECT_NE(message.acknowledged, kNever);
    }
    // 32 frames and their answers over 4 cores from each of 16 hosts, over 4 cables of each of 4
    // cores.
    EXPECT_EQ(bench.Count("agg_up", &PortCounters::frames), (Values{{64, 16}}));
    EXPECT_EQ(bench.Count("core_down", &PortCounters::frames), (Values{{64, 16}}));
}

TEST(DestinationRotationTest, AnswersRotateToo)
{
    RotationBench bench;
    bench.Post(0, 4, 64 * 4096);
    bench.Run();
    // 16 data frames over each core one way, 16 answers the other.
    EXPECT_EQ(bench.Count("core_down", &PortCounters::wireBytes),
              (Values{{0, 8}, {16 * 4178, 4}, {16 * 84, 4}}));
}

} // namespace
