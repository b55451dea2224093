// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/detour-wiring.h"
#include "exchange-fixtures.h"

#include "ns3/reachability-view.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kServerKnowledgeShape{3, 2};

/// \return server 0, which has something for server 1 only
ServerView
MakeView()
{
    return {kServerKnowledgeShape, 0, {{0, 2, 100}, {1, 3, 100}}};
}

Message
MakeMessage(uint32_t source, uint32_t destination, uint16_t txRail, uint16_t rxRail)
{
    Message message;
    message.source = source;
    message.destination = destination;
    message.txRail = txRail;
    message.rxRail = rxRail;
    return message;
}

TEST(ReachabilityView, ServersKnowOfNoneWithoutARouterAndBeforeTheFirst)
{
    CutCluster cluster(kServerKnowledgeShape);
    ReachabilityView failures(kServerKnowledgeShape, false);
    ServerView view = MakeView();
    view.reach[2] = {true};
    failures.ShowTo(view);
    EXPECT_TRUE(view.reach.empty()) << "what was there is gone";
    failures.SetRouter(cluster.router);
    failures.ShowTo(view);
    EXPECT_TRUE(view.reach.empty());
    EXPECT_FALSE(failures.IsCut(MakeMessage(0, 2, 0, 0)));
    cluster.SetUp({0}, false);
    failures.ShowTo(view);
    EXPECT_FALSE(view.reach.empty());
    ReachabilityView ignorant(kServerKnowledgeShape, false);
    EXPECT_FALSE(ignorant.IsCut(MakeMessage(0, 2, 0, 0)));
}

TEST(ReachabilityView, TellsWhichWaysWork)
{
    CutCluster cluster(kServerKnowledgeShape, 1); // a spine joins the rails
    cluster.SetUp({3}, false);                    // NIC 1 of server 1
    ServerView view = MakeView();

    ReachabilityView keepsRails(kServerKnowledgeShape, false);
    keepsRails.SetRouter(cluster.router);
    keepsRails.ShowTo(view);
    EXPECT_EQ(view.reach.count(0), 0U);
    EXPECT_EQ(view.reach.count(2), 0U) << "it has nothing for server 2";
    EXPECT_EQ(view.reach[1], (std::vector<bool>{true, false, false, false}));

    ReachabilityView crossesRails(kServerKnowledgeShape, true);
    crossesRails.SetRouter(cluster.router);
    crossesRails.ShowTo(view);
    EXPECT_EQ(view.reach[1], (std::vector<bool>{true, false, true, false}));

    EXPECT_TRUE(crossesRails.IsCut(MakeMessage(0, 3, 0, 1)));
    EXPECT_FALSE(crossesRails.IsCut(MakeMessage(0, 3, 1, 0)));
    EXPECT_FALSE(crossesRails.IsCut(MakeMessage(2, 3, kNoRail, kNoRail))) << "it stays inside";
}

TEST(ReachabilityView, AServerThatNothingReachesIsNotAvoided)
{
    CutCluster cluster(kServerKnowledgeShape);
    cluster.SetUp({2, 3}, false);
    ReachabilityView failures(kServerKnowledgeShape, false);
    failures.SetRouter(cluster.router);
    ServerView view = MakeView();
    failures.ShowTo(view);
    EXPECT_TRUE(view.reach.empty());
    EXPECT_EQ(view.GetRails(1).size(), 2U);
}

/// A view of a server that has something for two others.
ServerView
MakeDetourView(uint32_t server, uint32_t one, uint32_t other)
{
    return {{4, 3}, server, {{3 * server, 3 * one, 100}, {3 * server, 3 * other, 100}}};
}

/// \return ways of three NICs from and to
std::vector<bool>
MakeWays(const std::vector<std::pair<uint32_t, uint32_t>>& pairs)
{
    std::vector<bool> ways(9);
    for (const auto& [tx, rx] : pairs)
    {
        ways[3 * tx + rx] = true;
    }
    return ways;
}

using Circuits = std::map<uint32_t, std::vector<NicWay>>;

TEST(ReachabilityView, ShowsCircuitsAndNoOtherWaysOfTheirNics)
{
    const test::DetourWiring detours;
    ReachabilityView reachability({4, 3}, false, true);
    reachability.SetRouter(detours.router);
    ServerView view = MakeDetourView(0, 1, 2);
    view.circuits[3] = {{1, 1}};
    reachability.ShowTo(view);
    EXPECT_EQ(view.circuits, (Circuits{{1, {{0, 0}}}})) << "what was there is gone";
    EXPECT_EQ(view.reach.at(1), MakeWays({{1, 1}, {2, 2}}));
    EXPECT_EQ(view.reach.at(2), MakeWays({{1, 1}, {2, 2}}));
    EXPECT_EQ(view.reach.count(3), 0U) << "it has nothing for server 3";
    detours.wiring->GetCircuits().End(0, {});
    reachability.ShowTo(view);
    EXPECT_TRUE(view.circuits.empty());
}

TEST(ReachabilityView, ShowsACircuitWithASlowEndAtTheRateOfThatEnd)
{
    const test::DetourWiring detours;
    ReachabilityView reachability({4, 3}, false, true);
    reachability.SetRouter(detours.router);
    ServerView view = MakeDetourView(0, 1, 2);
    detours.wiring->SetRate(3, detours.wiring->GetNicKind(3).rateBps / 4); // of server 1
    reachability.ShowTo(view);
    EXPECT_EQ(view.circuits, (Circuits{{1, {{0, 0, 0.25}}}}));
}

TEST(ReachabilityView, ShowsAllServersOfARegionWhoseCircuitsTakeTurns)
{
    const test::DetourWiring detours;
    detours.wiring->GetCircuits().SetTimeSlotted();
    detours.wiring->GetCircuits().End(0, {});
    ReachabilityView reachability({4, 3}, false, true);
    reachability.SetRouter(detours.router);
    ServerView view = MakeDetourView(0, 1, 2);
    reachability.ShowTo(view);
    EXPECT_EQ(view.circuits, (Circuits{{1, {{0, 0}}}, {2, {{0, 0}}}, {3, {{0, 0}}}}));
    EXPECT_EQ(view.reach.at(1), MakeWays({{1, 1}, {2, 2}})) << "of the packet fabric";
}

TEST(ReachabilityView, ShowsNoCircuitWithAnEndThatIsCut)
{
    const test::DetourWiring detours;
    ReachabilityView reachability({4, 3}, false);
    reachability.SetRouter(detours.router);
    ServerView one = MakeDetourView(0, 1, 2);
    ServerView other = MakeDetourView(1, 0, 2);
    detours.SetUp({0}, false); // of server 0
    reachability.ShowTo(one);
    EXPECT_TRUE(one.circuits.empty()) << "its own NIC";
    EXPECT_TRUE(reachability.IsCut(MakeMessage(0, 3, 0, 0)));
    reachability.ShowTo(other);
    EXPECT_EQ(other.circuits, (Circuits{{0, {{0, 0}}}})) << "it does not know yet";
    EXPECT_FALSE(reachability.IsCut(MakeMessage(3, 0, 0, 0)));
    detours.router->Converge();
    reachability.ShowTo(other);
    EXPECT_TRUE(other.circuits.empty());
    EXPECT_TRUE(reachability.IsCut(MakeMessage(3, 0, 0, 0)));
}

TEST(ReachabilityView, ShowsDetoursWhereNoOtherWayIsLeft)
{
    const test::DetourWiring detours;
    ReachabilityView reachability({4, 3}, false, true);
    reachability.SetRouter(detours.router);
    ServerView view = MakeDetourView(0, 1, 2);
    detours.SetUp({1}, false);
    reachability.ShowTo(view);
    EXPECT_EQ(view.reach.at(2), MakeWays({{2, 2}})) << "a NIC is left";
    detours.SetUp({2}, false);
    reachability.ShowTo(view);
    EXPECT_EQ(view.reach.at(1), MakeWays({{0, 0}})) << "the circuit itself";
    EXPECT_EQ(view.reach.at(2), MakeWays({{0, 1}, {0, 2}})) << "by server 1";

    ReachabilityView refusing({4, 3}, false, false);
    refusing.SetRouter(detours.router);
    refusing.ShowTo(view);
    EXPECT_TRUE(view.reach.empty()) << "for a planner that does not take them";

    const auto strict = std::make_shared<Router>(*detours.wiring);
    reachability.SetRouter(strict);
    reachability.ShowTo(view);
    EXPECT_TRUE(view.reach.empty()) << "where the routing does not have them";
}

TEST(ReachabilityView, ShowsDetoursToAServerThatOnlyCircuitsLeadTo)
{
    const test::DetourWiring detours;
    ReachabilityView reachability({4, 3}, false, true);
    reachability.SetRouter(detours.router);
    detours.SetUp({7, 8}, false); // NICs 1 and 2 of server 2
    ServerView view = MakeDetourView(0, 2, 3);
    reachability.ShowTo(view);
    EXPECT_EQ(view.reach.at(2), MakeWays({{1, 1}, {2, 2}})) << "it does not know yet";
    detours.router->Converge();
    reachability.ShowTo(view);
    EXPECT_EQ(view.reach.at(2), MakeWays({{1, 0}, {2, 0}})) << "by server 3";
    EXPECT_EQ(view.reach.at(3), MakeWays({{1, 1}, {2, 2}}));
    // Two servers without NICs of the packet fabric have no way to each other.
    detours.SetUp({1, 2}, false);
    detours.router->Converge();
    reachability.ShowTo(view);
    EXPECT_EQ(view.reach.count(2), 0U);
    EXPECT_EQ(view.reach.at(3), MakeWays({{0, 1}, {0, 2}}));
}

} // namespace
