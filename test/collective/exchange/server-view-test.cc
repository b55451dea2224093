// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/object-factory.h"
#include "ns3/row-balancer.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// \return server 0 of three with four NICs, that has something for all others
ServerView
MakeServerView()
{
    ServerView view{{3, 4}, 0, {}};
    for (uint32_t source = 0; source < 4; ++source)
    {
        for (uint32_t destination = 4; destination < 12; ++destination)
        {
            view.demands.push_back({source, destination, 1000 + source});
        }
    }
    return view;
}

/// Cuts the ways over some rails from server 0 to another.
void
Cut(ServerView& view, uint32_t to, const std::vector<uint32_t>& rails)
{
    view.reach[to].assign(16, true);
    for (const uint32_t rail : rails)
    {
        for (uint32_t other = 0; other < 4; ++other)
        {
            view.reach[to][rail * 4 + other] = false;
            view.reach[to][other * 4 + rail] = false;
        }
    }
}

} // namespace

TEST(ServerViewTest, NothingIsAvoidedWhereNothingIsKnown)
{
    const ServerView view = MakeServerView();
    EXPECT_TRUE(view.Reaches(1, 0, 3));
    EXPECT_EQ(view.GetRails(1), (std::vector<uint16_t>{0, 1, 2, 3}));
    EXPECT_EQ(view.MoveRail(1, 2), 2);
    EXPECT_EQ(view.MoveRails(1, 2, 3), std::make_pair(uint16_t{2}, uint16_t{3}));
}

TEST(ServerViewTest, DeadRailsGiveWayToTheNextThatWorkInTurn)
{
    ServerView view = MakeServerView();
    Cut(view, 1, {2, 3});
    EXPECT_EQ(view.GetRails(1), (std::vector<uint16_t>{0, 1}));
    EXPECT_EQ(view.GetRails(2).size(), 4U);
    EXPECT_EQ(view.MoveRail(1, 2), 0);
    EXPECT_EQ(view.MoveRail(1, 3), 1) << "0 has taken over from 2";
    EXPECT_EQ(view.MoveRail(1, 1), 1);
    EXPECT_EQ(view.MoveRail(2, 2), 2);
    // Only the end that is dead moves.
    EXPECT_EQ(view.MoveRails(1, 2, 1), std::make_pair(uint16_t{0}, uint16_t{1}));
    EXPECT_EQ(view.MoveRails(1, 1, 3), std::make_pair(uint16_t{1}, uint16_t{1}));
}

TEST(ServerViewTest, EverySchemeAvoidsDeadRailsAndStillSendsAll)
{
    for (const std::string type :
         {"Rails", "RailSource", "RailDestination", "RoundRobin", "Random", "EvenSplit", "Ecmp"})
    {
        SCOPED_TRACE(type);
        const auto balancer =
            ObjectFactory("ns3::rails::" + type + "Balancer").Create<RowBalancer>();
        balancer->AssignStreams(1);
        ServerView view = MakeServerView();
        Cut(view, 1, {0, 2});
        std::map<uint32_t, uint64_t> bytes; // by demand
        bool usesTheOthers = false;
        for (const Piece& piece : balancer->Plan(view))
        {
            const uint32_t to = view.shape.GetServer(view.demands[piece.demand].destination);
            EXPECT_TRUE(view.Reaches(to, piece.txRail, piece.rxRail));
            usesTheOthers = usesTheOthers || (to == 2 && piece.txRail == 2);
            bytes[piece.demand] += piece.bytes;
        }
        EXPECT_TRUE(usesTheOthers);
        ASSERT_EQ(bytes.size(), view.demands.size());
        for (const auto& [demand, sum] : bytes)
        {
            EXPECT_EQ(sum, view.demands[demand].bytes);
        }
    }
}

} // namespace ns3::rails
