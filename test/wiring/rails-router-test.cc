// SPDX-License-Identifier: GPL-2.0-only
#include "../support/detour-wiring.h"
#include "../support/interiors.h"
#include "../support/test-cluster.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/leaf-spine-topology.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

/// A fat-tree whose cables can be cut.
class Tree
{
  public:
    explicit Tree(uint32_t ports)
        : test(MakeTopology(ports))
    {
        test.Build();
    }

    static Ptr<Topology> MakeTopology(uint32_t ports)
    {
        Ptr<Topology> topology = CreateObject<FatTreeTopology>();
        topology->SetAttribute("K", UintegerValue(ports));
        return topology;
    }

    Router& GetRouter()
    {
        return test.cluster->GetRouter();
    }

    uint32_t GetNumber(const std::string& name)
    {
        return test.GetSwitch(name).GetNumber();
    }

    const NextHops& GetHops(const std::string& at, const std::string& edge)
    {
        return test.GetSwitch(at).GetNextHops(GetNumber(edge));
    }

    /// \return names of the neighbours that the next hops lead to
    std::vector<std::string> GetNeighbours(const std::string& at, const std::string& edge)
    {
        std::vector<std::string> names;
        for (const uint16_t port : GetHops(at, edge).ports)
        {
            const Port& peer = test.GetSwitch(at).GetPort(port).GetPeer();
            names.push_back(test.cluster->GetNodeName(peer.GetIdentity().node));
        }
        return names;
    }

    void CutAndConverge(const std::vector<std::pair<std::string, std::string>>& cables)
    {
        for (const auto& [one, other] : cables)
        {
            test.SetUp(one, other, false);
        }
        GetRouter().Converge();
    }

    TestCluster test;
};

using Weights = std::vector<uint32_t>;
using Names = std::vector<std::string>;

TEST(Router, LeadsUpByAllPortsAndDownByOne)
{
    Tree tree(6);
    EXPECT_EQ(tree.GetRouter().GetTiers(), 3U);
    EXPECT_EQ(tree.GetNeighbours("pod0-edge0", "pod3-edge1"),
              (Names{"pod0-agg0", "pod0-agg1", "pod0-agg2"}));
    EXPECT_EQ(tree.GetNeighbours("pod0-edge0", "pod0-edge1"),
              (Names{"pod0-agg0", "pod0-agg1", "pod0-agg2"}));
    EXPECT_EQ(tree.GetNeighbours("pod0-agg1", "pod3-edge1"), (Names{"core3", "core4", "core5"}));
    EXPECT_EQ(tree.GetNeighbours("pod0-agg1", "pod0-edge2"), (Names{"pod0-edge2"}));
    EXPECT_EQ(tree.GetNeighbours("core4", "pod3-edge1"), (Names{"pod3-agg1"}));
    EXPECT_EQ(tree.GetHops("pod0-edge0", "pod3-edge1").weights, (Weights{1, 1, 1}));
    EXPECT_TRUE(tree.GetHops("pod0-edge0", "pod3-edge1").isEven);
    EXPECT_EQ(tree.GetHops("pod0-edge0", "pod3-edge1").totalWeight, 3U);
}

TEST(Router, WeighsAnAggregationByTheCoresThatItSharesWithItsCounterpart)
{
    // Aggregation 3 of pod 0 loses two of its four cores.
    Tree tree(8);
    tree.CutAndConverge({{"pod0-agg3", "core12"}, {"pod0-agg3", "core14"}});
    EXPECT_EQ(tree.GetHops("pod0-edge0", "pod5-edge2").weights, (Weights{2, 2, 2, 1}));
    EXPECT_EQ(tree.GetHops("pod0-edge0", "pod5-edge2").totalWeight, 7U);
    EXPECT_FALSE(tree.GetHops("pod0-edge0", "pod5-edge2").isEven);
    EXPECT_EQ(tree.GetHops("pod5-edge2", "pod0-edge0").weights, (Weights{2, 2, 2, 1}))
        << "on the way there as well";
    EXPECT_EQ(tree.GetHops("pod0-edge0", "pod0-edge1").weights, (Weights{1, 1, 1, 1}))
        << "inside the pod nothing has changed";
    EXPECT_EQ(tree.GetHops("pod1-edge0", "pod2-edge0").weights, (Weights{1, 1, 1, 1}))
        << "nor between other pods";
    EXPECT_EQ(tree.GetNeighbours("pod0-agg3", "pod5-edge2"), (Names{"core13", "core15"}));
    EXPECT_EQ(tree.GetNeighbours("pod5-agg3", "pod0-edge2"), (Names{"core13", "core15"}));
    EXPECT_EQ(tree.GetNeighbours("core12", "pod0-edge2"), Names{}) << "nothing goes up again";
    EXPECT_EQ(tree.GetNeighbours("core12", "pod1-edge2"), (Names{"pod1-agg3"}));
}

TEST(Router, CountsOnlyCoresThatBothPodsReach)
{
    Tree tree(8);
    tree.CutAndConverge({{"pod0-agg1", "core4"}, {"pod1-agg1", "core5"}, {"pod1-agg1", "core6"}});
    EXPECT_EQ(tree.GetHops("pod0-edge3", "pod1-edge3").weights, (Weights{4, 1, 4, 4}));
    EXPECT_EQ(tree.GetHops("pod0-edge3", "pod2-edge3").weights, (Weights{4, 3, 4, 4}));
    EXPECT_EQ(tree.GetHops("pod2-edge3", "pod1-edge3").weights, (Weights{2, 1, 2, 2}));
    EXPECT_EQ(tree.GetNeighbours("pod0-agg1", "pod1-edge3"), (Names{"core7"}));
    // Without the last one that both reach, the aggregation leads there no more.
    tree.CutAndConverge({{"pod1-agg1", "core7"}});
    EXPECT_EQ(tree.GetNeighbours("pod0-edge3", "pod1-edge3"),
              (Names{"pod0-agg0", "pod0-agg2", "pod0-agg3"}));
    EXPECT_EQ(tree.GetHops("pod0-edge3", "pod1-edge3").weights, (Weights{1, 1, 1}));
}

TEST(Router, WeighsSlowerCablesByTheirRate)
{
    // Three cores at full rate and one at half: 3.5 of 4.
    Tree tree(8);
    const uint32_t slow = tree.test.FindCables("pod0-agg2", "core9").front();
    Wiring& wiring = tree.test.cluster->GetWiring();
    wiring.SetRate(slow, wiring.GetCables()[slow].rateBps / 2);
    tree.GetRouter().Converge();
    EXPECT_EQ(tree.GetHops("pod0-edge0", "pod1-edge0").weights, (Weights{8, 8, 7, 8}));
    EXPECT_EQ(tree.GetHops("pod0-agg2", "pod1-edge0").weights, (Weights{2, 1, 2, 2}));
    EXPECT_EQ(tree.GetHops("pod1-edge0", "pod0-edge0").weights, (Weights{8, 8, 7, 8}));
    EXPECT_EQ(tree.GetHops("pod1-edge0", "pod2-edge0").weights, (Weights{1, 1, 1, 1}))
        << "elsewhere all are as fast as before";
}

TEST(Router, NeverGoesUpAgain)
{
    // Cut off from agg0, edge0 could still be reached from there by way of edge1 and agg1: a
    // valley.
    Tree tree(4);
    tree.CutAndConverge({{"pod0-edge0", "pod0-agg0"}});
    EXPECT_EQ(tree.GetNeighbours("pod0-agg0", "pod0-edge0"), Names{});
    EXPECT_EQ(tree.GetNeighbours("pod0-edge1", "pod0-edge0"), (Names{"pod0-agg1"}));
    EXPECT_EQ(tree.GetNeighbours("pod0-edge0", "pod0-edge1"), (Names{"pod0-agg1"}));
    EXPECT_EQ(tree.GetNeighbours("core0", "pod0-edge0"), Names{});
    EXPECT_EQ(tree.GetNeighbours("pod2-agg0", "pod0-edge0"), Names{});
    EXPECT_EQ(tree.GetNeighbours("pod2-edge1", "pod0-edge0"), (Names{"pod2-agg1"}));
    EXPECT_EQ(tree.GetNeighbours("pod2-edge1", "pod0-edge1"), (Names{"pod2-agg0", "pod2-agg1"}))
        << "its neighbour is reached as before";
}

TEST(Router, KnowsWhatIsCutOff)
{
    Tree tree(4);
    const uint32_t from = tree.GetNumber("pod0-edge0");
    const uint32_t to = tree.GetNumber("pod3-edge1");
    EXPECT_TRUE(tree.GetRouter().IsConnected(from, to));
    tree.test.SetUp("pod3-edge1", "pod3-agg0", false);
    tree.test.SetUp("pod3-edge1", "pod3-agg1", false);
    EXPECT_TRUE(tree.GetRouter().IsConnected(from, to)) << "nobody has told it yet";
    EXPECT_EQ(tree.GetRouter().GetRoutes(from, to).size(), 4U);
    const uint32_t version = tree.GetRouter().GetVersion();
    tree.GetRouter().Converge();
    EXPECT_EQ(tree.GetRouter().GetVersion(), version + 1);
    EXPECT_FALSE(tree.GetRouter().IsConnected(from, to));
    EXPECT_FALSE(tree.GetRouter().IsConnected(to, from));
    EXPECT_TRUE(tree.GetRouter().IsConnected(to, to));
    EXPECT_TRUE(tree.GetRouter().IsConnected(from, tree.GetNumber("pod3-edge0")));
    EXPECT_TRUE(tree.GetRouter().GetRoutes(from, to).empty());
}

TEST(Router, IsAsBeforeWhenAllIsMended)
{
    const auto collect = [](Tree& tree) {
        std::vector<std::pair<std::vector<uint16_t>, Weights>> all;
        for (const Ptr<Switch>& at : tree.test.cluster->GetSwitches())
        {
            for (uint32_t edge = 0; edge < 8; ++edge)
            {
                all.emplace_back(at->GetNextHops(edge).ports, at->GetNextHops(edge).weights);
            }
        }
        return all;
    };
    Tree tree(4);
    const auto before = collect(tree);
    const Names ends{"pod1-agg0", "core1", "pod2-edge0", "pod2-agg1"};
    tree.CutAndConverge({{ends[0], ends[1]}, {ends[2], ends[3]}});
    EXPECT_NE(collect(tree), before);
    tree.test.SetUp(ends[0], ends[1], true);
    tree.test.SetUp(ends[2], ends[3], true);
    tree.GetRouter().Converge();
    EXPECT_EQ(collect(tree), before);
}

TEST(Router, FindsAllRoutes)
{
    for (const uint32_t half : {2U, 3U, 4U})
    {
        Tree tree(2 * half);
        const std::string from = "pod0-edge0";
        const std::string to = "pod3-edge1";
        const std::vector<Route>& routes =
            tree.GetRouter().GetRoutes(tree.GetNumber(from), tree.GetNumber(to));
        ASSERT_EQ(routes.size(), half * half);
        std::set<std::string> cores;
        for (std::size_t i = 0; i < routes.size(); ++i)
        {
            EXPECT_NE(routes[i].ports[0], routes[(i + 1) % routes.size()].ports[0])
                << "neighbours go by different aggregations, the last and the first as well";
            ASSERT_EQ(routes[i].length, 4) << "edge, aggregation, core, aggregation";
            std::string at = from;
            for (uint32_t hop = 0; hop < routes[i].length; ++hop)
            {
                const Port& port = tree.test.GetSwitch(at).GetPort(routes[i].ports[hop]);
                at = tree.test.cluster->GetNodeName(port.GetPeer().GetIdentity().node);
                if (hop == 1)
                {
                    cores.insert(at);
                }
            }
            EXPECT_EQ(at, to);
        }
        EXPECT_EQ(cores.size(), half * half) << "one by each core";
        EXPECT_EQ(
            tree.GetRouter().GetRoutes(tree.GetNumber(from), tree.GetNumber("pod0-edge1")).size(),
            half);
        EXPECT_TRUE(tree.GetRouter().GetRoutes(tree.GetNumber(from), tree.GetNumber(from)).empty());
    }
}

TEST(Router, FindsTheRoutesThatAreLeft)
{
    Tree tree(8);
    tree.CutAndConverge({{"pod0-agg3", "core12"}, {"pod1-agg0", "core1"}});
    const auto count = [&](const char* from, const char* to) {
        return tree.GetRouter().GetRoutes(tree.GetNumber(from), tree.GetNumber(to)).size();
    };
    EXPECT_EQ(count("pod0-edge0", "pod1-edge0"), 14U);
    EXPECT_EQ(count("pod0-edge0", "pod2-edge0"), 15U);
    EXPECT_EQ(count("pod2-edge0", "pod3-edge0"), 16U);
}

TEST(Router, CountsParallelCables)
{
    // Two cables to each of two spines; one of the four is cut.
    Ptr<Topology> topology = CreateObject<LeafSpineTopology>();
    topology->SetAttribute("Domains", UintegerValue(4));
    topology->SetAttribute("LeafPorts", UintegerValue(2));
    topology->SetAttribute("Spines", UintegerValue(2));
    topology->SetAttribute("UplinksPerSpine", UintegerValue(2));
    TestCluster test(topology);
    test.Build();
    EXPECT_EQ(test.cluster->GetRouter().GetRoutes(0, 1).size(), 8U);
    test.cluster->GetWiring().SetUp(test.FindCables("spine1", "leaf1").front(), false, {});
    test.cluster->GetRouter().Converge();
    EXPECT_EQ(test.GetSwitch("leaf0").GetNextHops(1).weights, (Weights{2, 2, 1, 1}));
    EXPECT_EQ(test.GetSwitch("leaf1").GetNextHops(0).weights, (Weights{1, 1, 1}));
    EXPECT_EQ(test.cluster->GetRouter().GetRoutes(0, 1).size(), 6U);
}

/// Seven servers of two NICs, each a relay.
std::unique_ptr<Wiring>
MakeRelays()
{
    auto wiring = std::make_unique<Wiring>(ClusterShape{7, 2}, MakeNvswitch(2));
    for (uint32_t server = 0; server < 7; ++server)
    {
        wiring->MakeRelay(wiring->AddSwitch("relay" + std::to_string(server)));
        for (const uint32_t nic : {2 * server, 2 * server + 1})
        {
            wiring->Attach(nic, server, 0, {"nic_tx", "relay_down", 400 * kGbps});
        }
    }
    return wiring;
}

TEST(Router, GoesByAllShortestPathsFromRelayToRelay)
{
    // A ring of six, joined in an order in which no numbers of its ends go the same way; server 6
    // is joined to none.
    const std::unique_ptr<Wiring> wiring = MakeRelays();
    const CableKind circuit{"circuit", "circuit", 400 * kGbps};
    for (const auto& [one, other] : {std::pair{0, 3},
                                     std::pair{3, 1},
                                     std::pair{1, 4},
                                     std::pair{4, 2},
                                     std::pair{2, 5},
                                     std::pair{5, 0}})
    {
        wiring->Join(one, other, circuit);
    }
    Router router(*wiring);
    EXPECT_EQ(router.GetTiers(), 1U);
    const auto getNeighbours = [&](uint32_t at, uint32_t to) {
        std::set<uint32_t> neighbours;
        for (const uint16_t port : router.GetNextHops(at, to).ports)
        {
            neighbours.insert(router.GetNeighbour(at, port));
        }
        return neighbours;
    };
    using Set = std::set<uint32_t>;
    EXPECT_EQ(getNeighbours(0, 3), Set{3});
    EXPECT_EQ(getNeighbours(0, 1), Set{3});
    EXPECT_EQ(getNeighbours(0, 4), (Set{3, 5})) << "both ways round";
    EXPECT_EQ(getNeighbours(4, 0), (Set{1, 2}));
    EXPECT_EQ(getNeighbours(0, 2), Set{5});
    EXPECT_EQ(router.GetRoutes(0, 4).size(), 2U);
    EXPECT_EQ(router.GetRoutes(0, 4).front().length, 3U);
    EXPECT_FALSE(router.IsConnected(0, 6));
    EXPECT_TRUE(router.Reaches(0, 9));
    wiring->SetUp(wiring->FindCables(0, 5).at(0), false, {});
    EXPECT_EQ(getNeighbours(0, 4), (Set{3, 5})) << "not yet";
    router.Converge();
    EXPECT_EQ(getNeighbours(0, 4), Set{3});
    EXPECT_EQ(getNeighbours(0, 5), Set{3}) << "all the way round";
    EXPECT_EQ(getNeighbours(5, 0), Set{2});
    wiring->SetUp(wiring->FindCables(1, 4).at(0), false, {});
    router.Converge();
    EXPECT_FALSE(router.IsConnected(0, 5));
    EXPECT_TRUE(router.IsConnected(1, 0));
}

TEST(Router, RefusesCablesThatLeadUpInACircle)
{
    Wiring wiring({3, 1, 1}, MakeNvswitch(1));
    const CableKind kind{"up", "down", 1, 1};
    for (uint32_t at = 0; at < 3; ++at)
    {
        wiring.AddSwitch("at" + std::to_string(at));
        wiring.Attach(at, at, at, kind);
    }
    wiring.Join(0, 1, kind);
    wiring.Join(1, 2, kind);
    EXPECT_EQ(Router(wiring).GetTiers(), 3U);
    wiring.Join(2, 0, kind);
    EXPECT_THROW(Router{wiring}, std::logic_error);
}

TEST(Router, WeighsThePortsOfARelayByTheirOwnRates)
{
    // From 0 to 3 by 1 or by 2; two cables lead to 1, one of them slower, and a slow one from 2.
    const std::unique_ptr<Wiring> wiring = MakeRelays();
    wiring->Join(0, 1, {"circuit", "circuit", 400 * kGbps});
    wiring->Join(0, 1, {"circuit", "circuit", 100 * kGbps});
    wiring->Join(0, 2, {"circuit", "circuit", 200 * kGbps});
    wiring->Join(1, 3, {"circuit", "circuit", 400 * kGbps}, 3);
    wiring->Join(2, 3, {"circuit", "circuit", 100 * kGbps});
    const Router router(*wiring);
    EXPECT_EQ(router.GetNextHops(0, 3).weights, (Weights{4, 1, 2}));
    EXPECT_EQ(router.GetNextHops(0, 1).weights, (Weights{4, 1}));
    EXPECT_EQ(router.GetNextHops(3, 0).weights, (Weights{4, 4, 4, 1}));
}

TEST(Router, CountsTheCostOfCablesFromRelayToRelay)
{
    // From 0 to 2 at once, or by 1 at the same cost; from 0 to 3 by 1 at less.
    const std::unique_ptr<Wiring> wiring = MakeRelays();
    const auto join = [&](uint32_t one, uint32_t other, uint32_t cost) {
        wiring->Join(one, other, {"circuit", "circuit", 400 * kGbps, 0, cost});
    };
    join(0, 2, 3);
    join(0, 1, 1);
    join(1, 2, 2);
    join(1, 3, 1);
    join(0, 3, 3);
    const Router router(*wiring);
    EXPECT_EQ(router.GetNextHops(0, 2).ports, (std::vector<uint16_t>{2, 3}));
    EXPECT_EQ(router.GetNextHops(0, 3).ports, (std::vector<uint16_t>{3}));
}

TEST(Router, HasMorePathsAmongRelaysThanCanBeCounted)
{
    // A line of 100 servers, from each two circuits to the next: 2^99 paths.
    Wiring wiring({100, 1}, MakeNvswitch(1));
    for (uint32_t server = 0; server < 100; ++server)
    {
        wiring.MakeRelay(wiring.AddSwitch("relay" + std::to_string(server)));
        wiring.Attach(server, server, 0, {"nic_tx", "relay_down", 400 * kGbps});
    }
    for (uint32_t server = 0; server < 99; ++server)
    {
        wiring.Join(server, server + 1, {"circuit", "circuit", 400 * kGbps}, 2);
    }
    const Router router(wiring);
    EXPECT_EQ(router.GetNextHops(0, 99).weights, (Weights{1, 1}));
    EXPECT_EQ(router.GetNextHops(50, 0).weights, (Weights{1, 1}));
}

TEST(Router, KeepsWhatSomebodySays)
{
    Tree tree(4);
    const uint32_t edge = tree.GetNumber("pod1-edge0");
    tree.test.cluster->GetWiring().Override({tree.GetNumber("pod0-edge0"), edge, {3}});
    EXPECT_EQ(tree.GetHops("pod0-edge0", "pod1-edge0").ports.size(), 2U) << "not yet";
    tree.GetRouter().Converge();
    EXPECT_EQ(tree.GetNeighbours("pod0-edge0", "pod1-edge0"), (Names{"pod0-agg1"}));
    EXPECT_EQ(tree.GetNeighbours("pod0-edge0", "pod1-edge1"), (Names{"pod0-agg0", "pod0-agg1"}));
}

TEST(Router, SortsThePortsThatSomebodySaysAndWeighsThoseSaidTwice)
{
    Tree tree(8);
    const uint32_t edge = tree.GetNumber("pod1-edge0");
    const std::vector<uint16_t> ports = tree.GetHops("pod0-edge0", "pod1-edge0").ports;
    ASSERT_EQ(ports.size(), 4U);
    tree.test.cluster->GetWiring().Override(
        {tree.GetNumber("pod0-edge0"), edge, {ports[3], ports[0], ports[2], ports[3]}});
    tree.GetRouter().Converge();
    const NextHops& hops = tree.GetHops("pod0-edge0", "pod1-edge0");
    EXPECT_EQ(hops.ports, (std::vector<uint16_t>{ports[0], ports[2], ports[3]}));
    EXPECT_EQ(hops.weights, (Weights{1, 1, 2}));
    EXPECT_EQ(hops.totalWeight, 4U);
    EXPECT_FALSE(hops.isEven);
}

TEST(Router, ReachesByAServerThatPassesOnWhereThatIsAllowed)
{
    const DetourWiring detours;
    const auto nic = DetourWiring::GetNic;
    const Router strict(*detours.wiring);
    EXPECT_FALSE(strict.AllowsDetours());
    EXPECT_TRUE(detours.router->AllowsDetours());
    for (const uint32_t rail : {1, 2})
    {
        EXPECT_FALSE(strict.Reaches(nic(0, 0), nic(2, rail)));
        EXPECT_TRUE(detours.router->Reaches(nic(0, 0), nic(2, rail)));
        EXPECT_TRUE(detours.router->Reaches(nic(2, rail), nic(0, 0)));
        EXPECT_FALSE(detours.router->Reaches(nic(0, 0), nic(1, rail))) << "nobody is between";
    }
    EXPECT_TRUE(detours.router->Reaches(nic(0, 0), nic(1, 0)));
    EXPECT_FALSE(detours.router->Reaches(nic(0, 0), nic(2, 0))) << "two circuits behind each other";
    detours.wiring->GetCircuits().End(nic(0, 0), {});
    EXPECT_FALSE(detours.router->Reaches(nic(0, 0), nic(2, 1)));
    EXPECT_FALSE(detours.router->Reaches(nic(2, 1), nic(0, 0)));
}

TEST(Router, ReachesByNoServerWhoseNicIsKnownToBeDown)
{
    for (const uint32_t rail : {0, 1})
    {
        // Of server 1, which stands between server 0 and the packet fabric.
        const DetourWiring detours;
        const auto nic = DetourWiring::GetNic;
        detours.SetUp({nic(1, rail)}, false);
        detours.router->Converge();
        EXPECT_FALSE(detours.router->Reaches(nic(0, 0), nic(2, 1)));
        EXPECT_FALSE(detours.router->Reaches(nic(2, 1), nic(0, 0)));
        EXPECT_EQ(detours.router->Reaches(nic(0, 0), nic(2, 2)), rail == 1) << "the other rail";
        EXPECT_EQ(detours.router->Reaches(nic(2, 2), nic(0, 0)), rail == 1);
        EXPECT_TRUE(detours.router->Reaches(nic(2, 0), nic(0, 1))) << "by server 3";
        detours.SetUp({nic(1, rail)}, true);
        detours.router->Converge();
        EXPECT_TRUE(detours.router->Reaches(nic(0, 0), nic(2, 1)));
    }
}

TEST(Router, ReachesByAServerThatPassesOnAsFarAsTheFabricLeads)
{
    const DetourWiring detours;
    const auto nic = DetourWiring::GetNic;
    detours.SetUp({static_cast<uint32_t>(detours.wiring->GetCables().size() - 1)}, false);
    EXPECT_TRUE(detours.router->Reaches(nic(0, 0), nic(2, 1))) << "nobody knows yet";
    detours.router->Converge();
    EXPECT_FALSE(detours.router->Reaches(nic(0, 0), nic(2, 1)));
    EXPECT_TRUE(detours.router->Reaches(nic(0, 0), nic(2, 2)));
    detours.SetUp({nic(0, 0)}, false);
    EXPECT_FALSE(detours.router->Reaches(nic(0, 0), nic(2, 2))) << "its own NIC, at once";
}

} // namespace
