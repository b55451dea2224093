// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"
#include "rail-loads.h"

#include "ns3/demand-pieces.h"
#include "ns3/rails-units.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kBalancerShape{4, 4};

TrafficMatrix
MakeSparse(uint64_t seed, const ClusterShape& shape = kBalancerShape)
{
    return Generate(Make<MatrixSource>("SparseMatrixSource"), shape, seed);
}

using Attributes = std::vector<std::pair<uint32_t, uint64_t>>;

/// (demand, bytes) of each piece
Attributes
GetCuts(const std::vector<Piece>& pieces)
{
    Attributes cuts;
    for (const Piece& piece : pieces)
    {
        cuts.emplace_back(piece.demand, piece.bytes);
    }
    return cuts;
}

std::vector<uint16_t>
GetRails(const std::vector<Piece>& pieces)
{
    std::vector<uint16_t> rails;
    for (const Piece& piece : pieces)
    {
        rails.push_back(piece.txRail);
    }
    return rails;
}

class EveryBalancer : public testing::TestWithParam<const char*>
{
};

TEST_P(EveryBalancer, CoversEveryDemandExactlyWithoutEmptyPieces)
{
    Ptr<RowBalancer> balancer = Make<RowBalancer>(GetParam());
    balancer->AssignStreams(50);
    for (uint64_t seed = 1; seed <= 10; ++seed)
    {
        const TrafficMatrix matrix = MakeSparse(seed);
        for (uint32_t server = 0; server < kBalancerShape.servers; ++server)
        {
            const ServerView view = MakeServerView(matrix, server);
            std::vector<uint64_t> covered(view.demands.size(), 0);
            for (const Piece& piece : balancer->Plan(view))
            {
                ASSERT_LT(piece.demand, covered.size());
                ASSERT_GT(piece.bytes, 0u);
                ASSERT_LT(piece.txRail, kBalancerShape.gpusPerServer);
                ASSERT_LT(piece.rxRail, kBalancerShape.gpusPerServer);
                covered[piece.demand] += piece.bytes;
                if (!balancer->CrossesRails())
                {
                    ASSERT_EQ(piece.txRail, piece.rxRail);
                }
            }
            for (size_t demand = 0; demand < covered.size(); ++demand)
            {
                ASSERT_EQ(covered[demand], view.demands[demand].bytes);
            }
        }
    }
}

TEST_P(EveryBalancer, CoversDemandsSmallerThanTheNumberOfRails)
{
    Ptr<RowBalancer> balancer = Make<RowBalancer>(GetParam());
    const ServerView view{kBalancerShape, 1, {{4, 0, 1}, {4, 1, 3}, {5, 0, 2}}};
    std::vector<uint64_t> covered(3, 0);
    for (const Piece& piece : balancer->Plan(view))
    {
        ASSERT_GT(piece.bytes, 0u);
        covered.at(piece.demand) += piece.bytes;
    }
    EXPECT_EQ(covered, (std::vector<uint64_t>{1, 3, 2}));
}

TEST_P(EveryBalancer, PlansAServerByItsOwnRowAlone)
{
    const TrafficMatrix matrix = MakeSparse(1);
    const auto planLast = [&](uint32_t first) {
        Ptr<RowBalancer> balancer = Make<RowBalancer>(GetParam());
        balancer->AssignStreams(50);
        std::vector<Piece> last;
        for (uint32_t server = first; server < kBalancerShape.servers; ++server)
        {
            last = balancer->Plan(MakeServerView(matrix, server));
        }
        return last;
    };
    const std::vector<Piece> afterOthers = planLast(0);
    const std::vector<Piece> alone = planLast(kBalancerShape.servers - 1);
    EXPECT_EQ(GetCuts(afterOthers), GetCuts(alone));
    EXPECT_EQ(GetRails(afterOthers), GetRails(alone));
}

TEST_P(EveryBalancer, HasNothingToDoForAnEmptyRow)
{
    EXPECT_TRUE(Make<RowBalancer>(GetParam())->Plan(ServerView{kBalancerShape, 0, {}}).empty());
}

INSTANTIATE_TEST_SUITE_P(,
                         EveryBalancer,
                         testing::Values("EcmpBalancer",
                                         "RailSourceBalancer",
                                         "RailDestinationBalancer",
                                         "RoundRobinBalancer",
                                         "RandomBalancer",
                                         "LeastOutstandingBalancer",
                                         "RailsBalancer",
                                         "EvenSplitBalancer",
                                         "DelegatesBalancer"));

class ChunkingBalancer : public testing::TestWithParam<const char*>
{
};

TEST_P(ChunkingBalancer, CutsFullPiecesAndARemainder)
{
    Ptr<RowBalancer> balancer =
        Make<RowBalancer>(GetParam(), "Chunk", ByteSizeValue(ByteSize(100)));
    Attributes cuts =
        GetCuts(balancer->Plan(ServerView{kBalancerShape, 0, {{0, 4, 250}, {0, 5, 100}}}));
    std::sort(cuts.begin(), cuts.end());
    EXPECT_EQ(cuts, (Attributes{{0, 50}, {0, 100}, {0, 100}, {1, 100}}));

    balancer->SetAttribute("Chunk", ByteSizeValue(ByteSize::Special()));
    cuts = GetCuts(balancer->Plan(ServerView{kBalancerShape, 0, {{0, 4, 250}, {0, 5, 100}}}));
    EXPECT_EQ(cuts, (Attributes{{0, 250}, {1, 100}}));
}

INSTANTIATE_TEST_SUITE_P(,
                         ChunkingBalancer,
                         testing::Values("EcmpBalancer",
                                         "RailSourceBalancer",
                                         "RailDestinationBalancer",
                                         "RoundRobinBalancer",
                                         "RandomBalancer",
                                         "LeastOutstandingBalancer",
                                         "RailsBalancer"));

TEST(PinnedBalancers, UseTheRailsOfTheirName)
{
    // GPU 1 of server 0 to GPU 2 of server 3.
    const ServerView view{kBalancerShape, 0, {{1, 14, 9'000'000}}};
    const auto plan = [&](const char* name) {
        const std::vector<Piece> pieces = Make<RowBalancer>(name)->Plan(view);
        EXPECT_EQ(pieces.size(), 1u) << "whole unless told otherwise";
        return std::pair<int, int>(pieces.at(0).txRail, pieces.at(0).rxRail);
    };
    EXPECT_EQ(plan("EcmpBalancer"), std::make_pair(1, 2));
    EXPECT_EQ(plan("RailSourceBalancer"), std::make_pair(1, 1));
    EXPECT_EQ(plan("RailDestinationBalancer"), std::make_pair(2, 2));
    EXPECT_TRUE(Make<RowBalancer>("EcmpBalancer")->CrossesRails());
    EXPECT_FALSE(Make<RowBalancer>("RailSourceBalancer")->CrossesRails());
}

TEST(RoundRobinBalancer, TakesRailsInTurnFromItsOwnNumberOn)
{
    Ptr<RowBalancer> balancer =
        Make<RowBalancer>("RoundRobinBalancer", "Chunk", ByteSizeValue(ByteSize(10)));
    const ServerView view{kBalancerShape, 3, {{12, 0, 35}, {13, 1, 20}}};
    EXPECT_EQ(GetRails(balancer->Plan(view)), (std::vector<uint16_t>{3, 0, 1, 2, 3, 0}));
}

TEST(RandomBalancer, DrawsEachRailEquallyOftenAndDiffersBySeedServerAndPhase)
{
    Ptr<RowBalancer> balancer =
        Make<RowBalancer>("RandomBalancer", "Chunk", ByteSizeValue(ByteSize(1)));
    const auto draw = [&](uint64_t seed, uint32_t server, int phase) {
        RngSeedManager::SetRun(seed);
        balancer->AssignStreams(50);
        const ServerView view{kBalancerShape,
                              server,
                              {{server * 4, (server * 4 + 4) % 16, 40'000}}};
        std::vector<uint16_t> rails;
        for (int i = 0; i <= phase; ++i)
        {
            rails = GetRails(balancer->Plan(view));
        }
        return rails;
    };
    const std::vector<uint16_t> rails = draw(1, 0, 0);
    for (int rail = 0; rail < 4; ++rail)
    {
        // Four standard errors: 4 * sqrt(40000 * 1/4 * 3/4)
        EXPECT_NEAR(std::count(rails.begin(), rails.end(), rail), 10'000, 346);
    }
    EXPECT_EQ(draw(1, 0, 0), rails);
    EXPECT_NE(draw(2, 0, 0), rails);
    EXPECT_NE(draw(1, 1, 0), rails);
    EXPECT_NE(draw(1, 0, 1), rails);
}

TEST(LeastOutstandingBalancer, ChoosesTheRailWithFewestUnsentBytes)
{
    Ptr<RowBalancer> balancer =
        Make<RowBalancer>("LeastOutstandingBalancer", "Depth", UintegerValue(3));
    EXPECT_TRUE(balancer->GetTraits().choosesAtSending);
    EXPECT_EQ(balancer->GetDepth(), 3u);
    const ServerView view{kBalancerShape, 2, {}};
    const auto choose = [&](const std::vector<uint64_t>& unsent) {
        return balancer->ChooseRail(view, Piece{}, unsent);
    };
    EXPECT_EQ(choose({5, 1, 7, 9}), 1);
    EXPECT_EQ(choose({kRailFull, kRailFull, kRailFull, 100}), 3);
    EXPECT_EQ(choose({0, 0, 0, 0}), 2) << "ties go on from the server's own number";
    EXPECT_EQ(choose({0, 0, 1, 1}), 0);
}

TEST(EvenSplitBalancer, GivesEachRailTheSameOfEveryPair)
{
    Ptr<RowBalancer> balancer = Make<RowBalancer>("EvenSplitBalancer");
    // To server 1 first: turns of server 0 start at rail 1 there.
    const ServerView view{kBalancerShape, 0, {{0, 4, 402}, {1, 5, 3}, {2, 6, 400}}};
    std::vector<std::vector<uint64_t>> bytes(3, std::vector<uint64_t>(4, 0));
    for (const Piece& piece : balancer->Plan(view))
    {
        bytes[piece.demand][piece.txRail] += piece.bytes;
    }
    EXPECT_EQ(bytes[0], (std::vector<uint64_t>{100, 101, 101, 100}));
    EXPECT_EQ(bytes[1], (std::vector<uint64_t>{1, 1, 0, 1})) << "the turn goes on at rail 3";
    EXPECT_EQ(bytes[2], (std::vector<uint64_t>{100, 100, 100, 100}));
}

TEST(EvenSplitBalancer, ReachesTheLowerBoundUpToRounding)
{
    const ClusterShape shape{8, 8};
    Ptr<RowBalancer> balancer = Make<RowBalancer>("EvenSplitBalancer");
    for (const char* source : {"SparseMatrixSource", "ZipfMatrixSource", "MoeMatrixSource"})
    {
        for (uint64_t seed = 1; seed <= 10; ++seed)
        {
            const RailLoads loads(Generate(Make<MatrixSource>(source), shape, seed), *balancer);
            // A byte at most from each server to each NIC.
            EXPECT_LE(loads.GetWorst(), loads.GetBound() + 8) << source << " seed " << seed;
            EXPECT_GE(loads.GetWorst(), loads.GetBound()) << source << " seed " << seed;
        }
    }
}

TEST(BalancerTest, WhatIsLeftOfSharesGoesRoundAmongThoseThatHaveOne)
{
    using Parts = std::vector<uint64_t>;
    uint32_t turn = 1;
    EXPECT_EQ(DivideByShares(11, {1, 0, 3}, turn), (Parts{2, 0, 9}));
    EXPECT_EQ(turn % 3, 0U);
    EXPECT_EQ(DivideByShares(10, {1, 1, 1}, turn), (Parts{4, 3, 3}));
    EXPECT_EQ(turn, 1U);
    EXPECT_EQ(DivideByShares(8, {0, 0, 0}, turn), (Parts{2, 3, 3}));
}

} // namespace
