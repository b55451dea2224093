// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"
#include "exchange-fixtures.h"

#include "ns3/choosing-sender.h"
#include "ns3/eager-sender.h"
#include "ns3/failure-rebalancer.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

using Ids = std::vector<uint32_t>;

const ClusterShape kFailureRebalancerShape{3, 2};

/// The parts of an exchange, with one of the two senders.
struct Parts
{
    explicit Parts(const std::string& type)
        : balancer(Make<Balancer>(type))
    {
        balancers.SetRouter(cluster.router);
        if (balancer->GetTraits().choosesAtSending)
        {
            balancer->SetAttribute("Depth", UintegerValue(1));
            sender = std::make_unique<ChoosingSender>(kFailureRebalancerShape,
                                                      balancer,
                                                      service,
                                                      balancers.GetReachability(0, false),
                                                      messages);
        }
        else
        {
            sender = std::make_unique<EagerSender>(messages);
        }
        rebalancer = std::make_unique<FailureRebalancer>(
            kFailureRebalancerShape,
            balancers,
            messages,
            *sender,
            [this](uint32_t server, uint32_t) { return members[server]; });
    }

    /// Plans a server, and sends what it planned.
    void Plan(ServerView view, uint32_t step = 0, bool sends = true)
    {
        ServerPlan plan = balancers.GetMaker(0, false).MakePlan(std::move(view));
        const size_t first = messages.AddPlanned(plan, step);
        sender->OnPlanned(std::move(plan), first);
        for (size_t id = first; sends && id < messages.GetSize(); ++id)
        {
            sender->Send(messages.Get(id));
        }
    }

    void Cut(const std::vector<uint32_t>& nics)
    {
        cluster.SetUp(nics, false);
        rebalancer->Replan();
    }

    std::vector<uint16_t> GetRails(size_t first = 0) const
    {
        std::vector<uint16_t> rails;
        for (size_t id = first; id < messages.GetSize(); ++id)
        {
            rails.push_back(messages.GetAll()[id].txRail);
        }
        return rails;
    }

    CutCluster cluster{kFailureRebalancerShape};
    Ptr<Balancer> balancer;
    TrafficBalancers balancers{kFailureRebalancerShape, balancer};
    Ptr<StillService> service{CreateObject<StillService>(kFailureRebalancerShape)};
    ExchangeMessages messages{kFailureRebalancerShape, service};
    std::unique_ptr<PieceSender> sender;
    std::unique_ptr<FailureRebalancer> rebalancer;
    /// GPUs that take part, by server: all of them unless said otherwise.
    std::vector<std::vector<uint32_t>> members{{0, 1}, {2, 3}, {4, 5}};
};

using Rails = std::vector<uint16_t>;

TEST(FailureRebalancer, SendsStrandedBytesOverTheRailsThatAreLeft)
{
    Parts parts("RailSourceBalancer");
    // GPU 0 on rail 0 and GPU 1 on rail 1, for both other servers.
    parts.Plan({kFailureRebalancerShape, 0, {{0, 4, 200}, {0, 2, 100}, {1, 2, 300}}}, 3);
    parts.Cut({2}); // NIC 0 of server 1
    EXPECT_EQ(parts.service->abandoned, (Ids{1}));
    EXPECT_EQ(parts.service->order, (Ids{0, 1, 2, 3}));
    const Message& anew = parts.messages.Get(3);
    EXPECT_EQ(anew.source, 0U);
    EXPECT_EQ(anew.destination, 2U);
    EXPECT_EQ(anew.bytes, 100U);
    EXPECT_EQ(anew.step, 3U);
    EXPECT_EQ(anew.txRail, 1);
    EXPECT_EQ(anew.rxRail, 1);
    EXPECT_EQ(parts.messages.GetAbandoned(), 1U);
    EXPECT_EQ(parts.messages.GetUndelivered(), 3U);
    // It is not given up a second time.
    parts.rebalancer->Replan();
    EXPECT_EQ(parts.service->abandoned.size(), 1U);
}

TEST(FailureRebalancer, WhatIsSentAnewIsWhatItWasButForItsRail)
{
    Parts parts("RailSourceBalancer");
    parts.messages.SetTraits({5, 7, true, false});
    parts.Plan({kFailureRebalancerShape, 0, {{0, 2, 100}}}, 3);
    parts.messages.SetTraits({5, 8, false, false});
    parts.Plan({kFailureRebalancerShape, 0, {{0, 2, 200}}}, 3);
    parts.messages.SetTraits({});
    parts.Cut({2}); // NIC 0 of server 1
    ASSERT_EQ(parts.messages.GetSize(), 4U);
    for (const auto& [id, channel] : {std::pair(2, 7), std::pair(3, 8)})
    {
        const Message& anew = parts.messages.Get(id);
        EXPECT_EQ(anew.kind, 5);
        EXPECT_EQ(anew.channel, channel);
        EXPECT_EQ(anew.isAwaited, channel == 7);
        EXPECT_EQ(anew.txRail, 1);
    }
}

TEST(FailureRebalancer, WhatHasARailOfItsOwnMovesToTheNextThatWorks)
{
    Parts parts("RandomBalancer");
    parts.messages.SetTraits({0, 0, true, true});
    ServerPlan plan = parts.balancers.GetMaker(0, true).MakePlan(
        {kFailureRebalancerShape, 0, {{0, 2, 100, 0}, {1, 4, 300, 0}}});
    parts.messages.AddPlanned(plan, 0);
    parts.sender->OnPlanned(std::move(plan), 0);
    parts.sender->Send(parts.messages.Get(0));
    parts.sender->Send(parts.messages.Get(1));
    EXPECT_EQ(parts.GetRails(), (Rails{0, 0}));
    parts.Cut({2}); // NIC 0 of server 1
    EXPECT_EQ(parts.GetRails(2), (Rails{1}));
    EXPECT_TRUE(parts.messages.Get(2).isPinned);
}

TEST(FailureRebalancer, WhatHasARailOfItsOwnAndIsNotPostedMovesAlsoWhereOthersAreChosenLater)
{
    Parts parts("LeastOutstandingBalancer");
    parts.messages.SetTraits({0, 0, true, true});
    ServerPlan plan =
        parts.balancers.GetMaker(0, true).MakePlan({kFailureRebalancerShape, 0, {{0, 2, 100, 0}}});
    parts.messages.AddPlanned(plan, 0);
    parts.sender->OnPlanned(std::move(plan), 0);
    parts.Cut({2}); // NIC 0 of server 1
    EXPECT_EQ(parts.GetRails(), (Rails{1}));
    parts.sender->Send(parts.messages.Get(0));
    EXPECT_EQ(parts.service->order, (Ids{0}));
}

TEST(FailureRebalancer, AGroupPlansAnewAsTheGroupThatItIs)
{
    // Round-robin begins at another rail for each group of a server (ServerView::GetFirstRail()).
    Parts parts("RoundRobinBalancer");
    parts.members[0] = {1};
    ServerView view{kFailureRebalancerShape, 0, {{1, 4, 300}}};
    view.SetGroup({1});
    EXPECT_EQ(view.group, 1U);
    parts.Plan(view);
    const Rails first = parts.GetRails();
    parts.Cut({static_cast<uint32_t>(4 + first.at(0))}); // where it arrives
    parts.cluster.SetUp({static_cast<uint32_t>(4 + first.at(0))}, true);
    parts.Plan(view); // what it plans anew when all is well is what it had
    EXPECT_EQ(parts.GetRails(2), first);
}

TEST(FailureRebalancer, PlansAllStrandedPiecesOfAServerTogether)
{
    Parts parts("RailSourceBalancer");
    parts.Plan({kFailureRebalancerShape, 1, {{2, 0, 100}}}, 1);
    parts.Plan({kFailureRebalancerShape, 0, {{0, 2, 100}}}, 1);
    parts.Plan({kFailureRebalancerShape, 0, {{0, 2, 11}}}, 0);
    parts.Plan({kFailureRebalancerShape, 0, {{0, 2, 200}}}, 1);
    parts.Cut({0}); // NIC 0 of server 0
    EXPECT_EQ(parts.service->abandoned, (Ids{0, 1, 2, 3}));
    // By step, then by server: the pieces of a pair have become one.
    ASSERT_EQ(parts.messages.GetSize(), 7U);
    EXPECT_EQ(parts.messages.Get(4).bytes, 11U);
    EXPECT_EQ(parts.messages.Get(5).bytes, 300U);
    EXPECT_EQ(parts.messages.Get(5).source, 0U);
    EXPECT_EQ(parts.messages.Get(6).source, 2U);
}

TEST(FailureRebalancer, LeavesWhatHasArrivedOrHasNoWay)
{
    Parts parts("RailSourceBalancer");
    parts.Plan({kFailureRebalancerShape, 0, {{0, 4, 300}, {0, 2, 100}, {0, 2, 200}}});
    for (const uint32_t id : {1, 2})
    {
        parts.messages.Get(id).end = 10;
        parts.messages.OnDelivered(parts.messages.Get(id));
    }
    parts.messages.Get(1).acknowledged = 20;
    parts.messages.OnAcknowledged(parts.messages.Get(1));
    parts.messages.AddInside(2, {3, 50}, 0);
    parts.messages.Post(parts.messages.Get(3));
    parts.Cut({2, 4, 5}); // NIC 0 of server 1, all of server 2
    EXPECT_EQ(parts.service->abandoned, (Ids{2})) << "its sender does not know that it arrived";
    EXPECT_EQ(parts.messages.GetSize(), 4U) << "and the service did";
}

TEST(FailureRebalancer, LeavesWhatStaysInsideAServerWhereSomebodyPaces)
{
    Parts parts("RailsPlusRowBalancer");
    parts.rebalancer->NoteRates();
    parts.messages.AddInside(2, {3, 50}, 0);
    parts.messages.Post(parts.messages.Get(0));
    parts.Cut({2}); // NIC 0 of its server
    EXPECT_TRUE(parts.service->abandoned.empty());
    EXPECT_EQ(parts.messages.GetSize(), 1U);
}

TEST(FailureRebalancer, MovesWhatIsPlannedAndNotPosted)
{
    Parts parts("RailSourceBalancer");
    parts.Plan({kFailureRebalancerShape, 0, {{0, 2, 100}, {0, 4, 200}}}, 0, false);
    parts.Cut({2});
    EXPECT_TRUE(parts.service->abandoned.empty());
    EXPECT_EQ(parts.GetRails(), (Rails{1, 0}));
    EXPECT_EQ(parts.messages.Get(0).rxRail, 1);
    EXPECT_EQ(parts.messages.GetSize(), 2U);
}

TEST(FailureRebalancer, LeavesTheRailsOfWaitingPiecesToTheSender)
{
    Parts parts("LeastOutstandingBalancer");
    parts.Plan({kFailureRebalancerShape, 0, {{0, 2, 100}, {0, 2, 200}, {0, 2, 300}}});
    EXPECT_EQ(parts.service->order, (Ids{0, 1})) << "a piece on each rail";
    parts.Cut({2}); // rail 0
    EXPECT_EQ(parts.service->abandoned, (Ids{0}));
    EXPECT_EQ(parts.service->order, (Ids{0, 1})) << "rail 1 is full, and rail 0 is dead";
    ASSERT_EQ(parts.messages.GetSize(), 4U);
    EXPECT_EQ(parts.messages.Get(2).txRail, 0) << "as planned, and not chosen yet";
    parts.sender->OnSent(parts.messages.Get(1));
    parts.sender->OnSent(parts.messages.Get(2));
    EXPECT_EQ(parts.service->order, (Ids{0, 1, 2, 3}));
    EXPECT_EQ(parts.GetRails(2), (Rails{1, 1}));
}

TEST(FailureRebalancer, ARailWhoseMessageWasGivenUpHasRoomWhenItComesBack)
{
    Parts parts("LeastOutstandingBalancer");
    parts.Plan({kFailureRebalancerShape, 0, {{0, 2, 100}, {0, 2, 200}, {0, 2, 300}}});
    parts.Cut({2}); // rail 0
    EXPECT_EQ(parts.service->order, (Ids{0, 1}));
    parts.cluster.SetUp({2}, true);
    parts.rebalancer->Replan();
    EXPECT_EQ(parts.service->order, (Ids{0, 1, 2}));
    EXPECT_EQ(parts.messages.Get(2).txRail, 0);
}

TEST(FailureRebalancer, SendsWhatWaitedForARailThatHasComeBack)
{
    Parts parts("LeastOutstandingBalancer");
    parts.cluster.SetUp({2}, false);
    parts.Plan({kFailureRebalancerShape, 0, {{0, 2, 100}, {0, 2, 200}}});
    EXPECT_EQ(parts.GetRails().front(), 1);
    EXPECT_EQ(parts.service->order, (Ids{0}));
    parts.cluster.SetUp({2}, true);
    parts.rebalancer->Replan();
    EXPECT_EQ(parts.service->order, (Ids{0, 1}));
    EXPECT_EQ(parts.GetRails(), (Rails{1, 0}));
}

} // namespace
