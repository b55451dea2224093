// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/boolean.h"
#include "ns3/component-maker.h"
#include "ns3/row-balancer.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using NicWays = std::map<std::pair<uint16_t, uint16_t>, uint64_t>;

/// \return a server with six optical NICs and two others, and something for two servers
ServerView
MakeDelegatesView()
{
    ServerView view;
    view.shape = {3, 8, 8};
    view.demands = {{0, 8, 1000}, {1, 9, 500}, {0, 16, 300}};
    for (const uint32_t to : {1U, 2U})
    {
        std::vector<bool> reach(64);
        reach[6 * 8 + 6] = true;
        reach[7 * 8 + 7] = true;
        view.reach.emplace(to, reach);
    }
    view.circuits[1] = {{0, 3}, {4, 1}};
    return view;
}

/// \return bytes by pair of NICs, to a server
NicWays
Sum(const ServerView& view, const std::vector<Piece>& pieces, uint32_t to)
{
    NicWays ways;
    for (const Piece& piece : pieces)
    {
        if (view.shape.GetServer(view.demands[piece.demand].destination) == to)
        {
            ways[{piece.txRail, piece.rxRail}] += piece.bytes;
        }
    }
    return ways;
}

TEST(DelegatesBalancer, TakesCircuitsInEqualPartsAndNothingElseWhereThereAreAny)
{
    const ServerView view = MakeDelegatesView();
    const std::vector<Piece> pieces = MakeComponent<RowBalancer>("DelegatesBalancer")->Plan(view);
    EXPECT_EQ(Sum(view, pieces, 1), (NicWays{{{0, 3}, 750}, {{4, 1}, 750}}));
    EXPECT_EQ(Sum(view, pieces, 2), (NicWays{{{6, 6}, 150}, {{7, 7}, 150}}));
}

TEST(DelegatesBalancer, GivesASlowCircuitAPartAsItsRate)
{
    ServerView view = MakeDelegatesView();
    view.circuits[1][1].speed = 0.25;
    const std::vector<Piece> pieces = MakeComponent<RowBalancer>("DelegatesBalancer")->Plan(view);
    EXPECT_EQ(Sum(view, pieces, 1), (NicWays{{{0, 3}, 1200}, {{4, 1}, 300}}));
    EXPECT_EQ(Sum(view, pieces, 2), (NicWays{{{6, 6}, 150}, {{7, 7}, 150}}));
}

TEST(DelegatesBalancer, LeavesCircuitsAloneIfTold)
{
    const ServerView view = MakeDelegatesView();
    const auto balancer = MakeComponent<RowBalancer>("DelegatesBalancer");
    EXPECT_TRUE(balancer->UsesCircuits());
    balancer->SetAttribute("UsesCircuits", BooleanValue(false));
    EXPECT_FALSE(balancer->UsesCircuits());
    EXPECT_EQ(Sum(view, balancer->Plan(view), 1), (NicWays{{{6, 6}, 750}, {{7, 7}, 750}}));
}

TEST(DelegatesBalancer, BytesThatAreLeftOverGoRound)
{
    ServerView view = MakeDelegatesView();
    view.demands = {{0, 8, 1}, {0, 9, 1}, {0, 10, 1}, {0, 11, 1}};
    const NicWays ways = Sum(view, MakeComponent<RowBalancer>("DelegatesBalancer")->Plan(view), 1);
    EXPECT_EQ(ways, (NicWays{{{0, 3}, 2}, {{4, 1}, 2}}));
}

TEST(DelegatesBalancer, TakesWaysByOthersWhereNoRailIsLeft)
{
    const auto balancer = MakeComponent<RowBalancer>("DelegatesBalancer");
    EXPECT_TRUE(balancer->GetTraits().takesDetours);
    ServerView view = MakeDelegatesView();
    view.circuits.clear();
    // To server 2 by a circuit and then by a NIC of server 1.
    view.reach[2] = std::vector<bool>(64);
    view.reach[2][0 * 8 + 6] = true;
    view.reach[2][4 * 8 + 7] = true;
    const std::vector<Piece> pieces = balancer->Plan(view);
    EXPECT_EQ(Sum(view, pieces, 2), (NicWays{{{0, 6}, 150}, {{4, 7}, 150}}));
    EXPECT_EQ(Sum(view, pieces, 1), (NicWays{{{6, 6}, 750}, {{7, 7}, 750}}));
    // One rail that works is enough to leave the others alone.
    view.reach[2][7 * 8 + 7] = true;
    EXPECT_EQ(Sum(view, balancer->Plan(view), 2), (NicWays{{{7, 7}, 300}}));
}

TEST(DelegatesBalancer, TakesDetoursAlsoWhereItLeavesCircuitsAlone)
{
    const auto balancer = MakeComponent<RowBalancer>("DelegatesBalancer");
    balancer->SetAttribute("UsesCircuits", BooleanValue(false));
    ServerView view = MakeDelegatesView();
    view.reach[1] = std::vector<bool>(64);
    view.reach[1][3 * 8 + 3] = true; // a circuit to the server itself
    EXPECT_EQ(Sum(view, balancer->Plan(view), 1), (NicWays{{{3, 3}, 1500}}));
}

} // namespace

} // namespace ns3::rails
