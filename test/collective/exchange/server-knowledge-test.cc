// SPDX-License-Identifier: GPL-2.0-only
#include "exchange-fixtures.h"

#include "ns3/server-knowledge.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kShape{3, 2};

/// \return server 0, which has something for server 1 only
ServerView
MakeView()
{
    return {kShape, 0, {{0, 2, 100}, {1, 3, 100}}};
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

TEST(ServerKnowledge, ServersKnowOfNoneWithoutARouterAndBeforeTheFirst)
{
    CutCluster cluster(kShape);
    ServerKnowledge failures(kShape, false);
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
    ServerKnowledge ignorant(kShape, false);
    EXPECT_FALSE(ignorant.IsCut(MakeMessage(0, 2, 0, 0)));
}

TEST(ServerKnowledge, TellsWhichWaysWork)
{
    CutCluster cluster(kShape, 1); // a spine joins the rails
    cluster.SetUp({3}, false);     // NIC 1 of server 1
    ServerView view = MakeView();

    ServerKnowledge keepsRails(kShape, false);
    keepsRails.SetRouter(cluster.router);
    keepsRails.ShowTo(view);
    EXPECT_EQ(view.reach.count(0), 0U);
    EXPECT_EQ(view.reach.count(2), 0U) << "it has nothing for server 2";
    EXPECT_EQ(view.reach[1], (std::vector<bool>{true, false, false, false}));

    ServerKnowledge crossesRails(kShape, true);
    crossesRails.SetRouter(cluster.router);
    crossesRails.ShowTo(view);
    EXPECT_EQ(view.reach[1], (std::vector<bool>{true, false, true, false}));

    EXPECT_TRUE(crossesRails.IsCut(MakeMessage(0, 3, 0, 1)));
    EXPECT_FALSE(crossesRails.IsCut(MakeMessage(0, 3, 1, 0)));
    EXPECT_FALSE(crossesRails.IsCut(MakeMessage(2, 3, kNoRail, kNoRail))) << "it stays inside";
}

TEST(ServerKnowledge, AServerThatNothingReachesIsNotAvoided)
{
    CutCluster cluster(kShape);
    cluster.SetUp({2, 3}, false);
    ServerKnowledge failures(kShape, false);
    failures.SetRouter(cluster.router);
    ServerView view = MakeView();
    failures.ShowTo(view);
    EXPECT_TRUE(view.reach.empty());
    EXPECT_EQ(view.GetRails(1).size(), 2U);
}

} // namespace
