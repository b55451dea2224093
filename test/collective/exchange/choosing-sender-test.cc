// SPDX-License-Identifier: GPL-2.0-only
#include "exchange-fixtures.h"

#include "ns3/choosing-sender.h"
#include "ns3/row-balancer.h"

#include <stdexcept>
#include <string>

using namespace ns3;
using namespace ns3::rails;

namespace
{

using Ids = std::vector<uint32_t>;

const ClusterShape kChoosingSenderShape{2, 2};

/// Chooses the rail with the fewest unsent bytes, the lowest of several, or what it is told.
class LowestBalancer : public RowBalancer
{
  public:
    std::vector<Piece> Plan(const ServerView&) override
    {
        return {};
    }

    uint32_t GetDepth() const override
    {
        return 2;
    }

    uint16_t ChooseRail(const ServerView&,
                        const Piece& piece,
                        const std::vector<uint64_t>& unsentBytes) override
    {
        asked.push_back(piece.bytes);
        const auto least = std::min_element(unsentBytes.begin(), unsentBytes.end());
        return told < 0 ? static_cast<uint16_t>(least - unsentBytes.begin())
                        : static_cast<uint16_t>(told);
    }

    int told{-1};                //!< the rail to choose
    std::vector<uint64_t> asked; //!< sizes of the pieces
};

/// Server 0 of two, which has six pieces of 1 to 6 bytes for the other.
class ChoosingSenderTest : public testing::Test
{
  protected:
    ChoosingSenderTest()
    {
        failures.SetRouter(cluster.router);
    }

    void Plan()
    {
        ServerPlan plan{{kChoosingSenderShape, 0, {{0, 2, 21}}}, {}};
        for (uint64_t bytes = 1; bytes <= 6; ++bytes)
        {
            plan.pieces.push_back({0, bytes, 0, 0});
        }
        const size_t first = messages.AddPlanned(plan, 0);
        sender.OnPlanned(std::move(plan), first);
    }

    void SendAll()
    {
        for (size_t id = 0; id < messages.GetSize(); ++id)
        {
            sender.Send(messages.Get(id));
        }
    }

    /// The last byte of a message has begun to leave.
    void TellSent(uint32_t id)
    {
        Message& message = messages.Get(id);
        service->unsent[{0, message.txRail}] -= message.bytes;
        sender.OnSent(message);
    }

    std::vector<uint16_t> GetRails()
    {
        std::vector<uint16_t> rails;
        for (const uint32_t id : service->order)
        {
            EXPECT_EQ(messages.Get(id).txRail, messages.Get(id).rxRail);
            rails.push_back(messages.Get(id).txRail);
        }
        return rails;
    }

    CutCluster cluster{kChoosingSenderShape};
    ReachabilityView failures{kChoosingSenderShape, false};
    Ptr<StillService> service{CreateObject<StillService>(kChoosingSenderShape)};
    Ptr<LowestBalancer> balancer{CreateObject<LowestBalancer>()};
    ExchangeMessages messages{kChoosingSenderShape, service};
    ChoosingSender sender{kChoosingSenderShape, balancer, service, failures, messages};
};

TEST_F(ChoosingSenderTest, KeepsSoManyPiecesPostedAndUnsentOnEachRail)
{
    Plan();
    SendAll();
    // 1 on rail 0, 2 on rail 1, 3 on rail 0, 4 on rail 1: both have two.
    EXPECT_EQ(service->order, (Ids{0, 1, 2, 3}));
    EXPECT_EQ(GetRails(), (std::vector<uint16_t>{0, 1, 0, 1}));
    EXPECT_EQ(balancer->asked, (std::vector<uint64_t>{1, 2, 3, 4}));
    EXPECT_TRUE(sender.HasRails(messages.Get(3)));
    EXPECT_FALSE(sender.HasRails(messages.Get(4)));
    TellSent(1);
    EXPECT_EQ(service->order, (Ids{0, 1, 2, 3, 4}));
    EXPECT_EQ(messages.Get(4).txRail, 1);
    EXPECT_TRUE(messages.Get(1).isSent);
    sender.SendWaiting();
    EXPECT_EQ(service->order.size(), 5U) << "there is no more room than before";
}

TEST_F(ChoosingSenderTest, FindsThePieceOfAMessageAmongThePlansOfAPhase)
{
    Plan();
    sender.OnPlanned({{kChoosingSenderShape, 1, {}}, {}},
                     messages.GetSize()); // a server without traffic
    messages.AddInside(0, {1, 50}, 0);
    Plan();
    sender.Send(messages.Get(5));
    sender.Send(messages.Get(7));
    sender.Send(messages.Get(8));
    EXPECT_EQ(balancer->asked, (std::vector<uint64_t>{6, 1, 2}));
}

TEST_F(ChoosingSenderTest, AServiceThatSendsAtOnceDoesNotMakePostsNest)
{
    Plan();
    SendAll();
    int depth = 0;
    service->posted = [&](Message& message) {
        EXPECT_EQ(++depth, 1) << "message " << message.id << " within another's post";
        TellSent(message.id);
        --depth;
    };
    TellSent(0);
    EXPECT_EQ(service->order, (Ids{0, 1, 2, 3, 4, 5}));
}

TEST_F(ChoosingSenderTest, ARailIsFreeAgainWhenItsMessageIsGivenUp)
{
    Plan();
    SendAll();
    sender.OnAbandoning(messages.Get(0));
    sender.SendWaiting();
    EXPECT_EQ(service->order, (Ids{0, 1, 2, 3, 4}));
    EXPECT_EQ(messages.Get(4).txRail, 0);
    TellSent(2);
    EXPECT_EQ(service->order.size(), 6U);
    sender.OnAbandoning(messages.Get(2));
    EXPECT_NO_FATAL_FAILURE(sender.SendWaiting()) << "what was sent is counted once";
    TellSent(4);
    Plan();
    sender.Send(messages.Get(6));
    sender.Send(messages.Get(7));
    sender.Send(messages.Get(8));
    EXPECT_EQ(GetRails(), (std::vector<uint16_t>{0, 1, 0, 1, 0, 0, 0}));
}

TEST_F(ChoosingSenderTest, AvoidsDeadRailsOnceTheRoutingHasConverged)
{
    Plan();
    cluster.SetUp({2}, false); // rail 0 at server 1
    sender.OnConverged();
    SendAll();
    EXPECT_EQ(GetRails(), (std::vector<uint16_t>{1, 1}));
    cluster.SetUp({2}, true);
    sender.OnConverged();
    EXPECT_EQ(service->order.size(), 2U);
    sender.SendWaiting();
    EXPECT_EQ(GetRails(), (std::vector<uint16_t>{1, 1, 0, 0}));
}

TEST_F(ChoosingSenderTest, StartsEachPhaseWithEmptyRails)
{
    Plan();
    SendAll();
    sender.StartPhase();
    Plan();
    for (uint32_t id = 6; id < 12; ++id)
    {
        sender.Send(messages.Get(id));
    }
    EXPECT_EQ(service->order, (Ids{0, 1, 2, 3, 6, 7, 8, 9}));
}

TEST_F(ChoosingSenderTest, RefusesARailThatDoesNotExist)
{
    Plan();
    balancer->told = 2;
    try
    {
        SendAll();
        ADD_FAILURE() << "nothing was thrown";
    }
    catch (const std::logic_error& error)
    {
        EXPECT_NE(std::string(error.what()).find("chose a rail that does not exist"),
                  std::string::npos);
    }
}

} // namespace
