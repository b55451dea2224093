// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/rails-units.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const std::vector<std::string> kDealing{"RailsBalancer", "RoundRobinBalancer", "RandomBalancer"};

/// What server 0 of two has for the other one, from its GPU 0 to each GPU in turn.
ServerView
MakeView(uint32_t rails, const std::vector<uint64_t>& demands)
{
    ServerView view{{2, rails}, 0, {}};
    for (uint32_t i = 0; i < demands.size(); ++i)
    {
        view.demands.push_back({i / rails, rails + i % rails, demands[i]});
    }
    return view;
}

std::vector<uint64_t>
GetSizes(const std::vector<Piece>& pieces)
{
    std::vector<uint64_t> sizes;
    for (const Piece& piece : pieces)
    {
        sizes.push_back(piece.bytes);
    }
    return sizes;
}

TEST(DealingBalancer, WithoutAChunkNoRailIsMoreThanOnePercentAboveTheMean)
{
    std::mt19937_64 random(1);
    std::lognormal_distribution<double> draw(13, 1.5);
    for (const uint32_t rails : {2U, 3U, 4U, 8U})
    {
        for (int row = 0; row < 50; ++row)
        {
            std::vector<uint64_t> demands(1 + random() % (rails * rails));
            for (uint64_t& bytes : demands)
            {
                bytes = 1'000'000 + static_cast<uint64_t>(draw(random));
            }
            const auto pieces =
                Make<RowBalancer>("RailsBalancer", "MinChunk", ByteSizeValue(ByteSize(1)))
                    ->Plan(MakeView(rails, demands));
            std::vector<double> loads(rails, 0);
            for (const Piece& piece : pieces)
            {
                loads[piece.txRail] += static_cast<double>(piece.bytes);
            }
            const double mean = std::accumulate(loads.begin(), loads.end(), 0.0) / rails;
            EXPECT_LE(*std::max_element(loads.begin(), loads.end()), 1.0101 * mean);
            EXPECT_LE(pieces.size(), rails * demands.size()) << "no more than an even split has";
        }
    }
}

TEST(DealingBalancer, WithoutAChunkOneDemandIsOnEachRailOnce)
{
    for (const std::string& type : kDealing)
    {
        const auto pieces = Make<RowBalancer>(type)->Plan(MakeView(8, {8'000'001}));
        std::vector<uint64_t> sizes = GetSizes(pieces);
        ASSERT_EQ(sizes.size(), 8U) << type;
        EXPECT_EQ(sizes.front(), 1'000'001U);
        EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), uint64_t{0}), 8'000'001U);
    }
}

TEST(DealingBalancer, WithoutAChunkPiecesOfManyDemandsAreFullFrames)
{
    // 127 demands of 1 MB: 1 % of 127 MB by 7 are 44 frames of 4096 B.
    const std::vector<uint64_t> demands(127, 1'000'000);
    const auto sizes =
        GetSizes(Make<RowBalancer>("RoundRobinBalancer")->Plan(MakeView(8, demands)));
    EXPECT_EQ(sizes.size(), 127U * 6);
    EXPECT_EQ(sizes.front(), 44U * 4096);
    EXPECT_EQ(sizes.back(), 1'000'000U - 5 * 44 * 4096);
}

TEST(DealingBalancer, WithoutAChunkEqualDemandsThatDivideAmongTheRailsStayWhole)
{
    for (const std::string& type : {kDealing[0], kDealing[1]})
    {
        const std::vector<uint64_t> demands(64, 9'000'000);
        const auto pieces = Make<RowBalancer>(type)->Plan(MakeView(8, demands));
        EXPECT_EQ(GetSizes(pieces), demands);
        std::vector<uint32_t> counts(8, 0);
        for (const Piece& piece : pieces)
        {
            ++counts[piece.txRail];
        }
        EXPECT_EQ(counts, std::vector<uint32_t>(8, 8));
    }
}

/// A GPU has fewer for a server than there are rails, and the next one has its own for the same.
TEST(DealingBalancer, WithoutAChunkEachServerGetsAsMuchByEachRailWhateverItsGpus)
{
    constexpr uint32_t servers = 5;
    for (const std::string& type : {kDealing[0], kDealing[1]})
    {
        for (const auto& [gpus, nics] : {std::pair{4U, 16U}, std::pair{4U, 8U}, std::pair{6U, 4U}})
        {
            ServerView view{{servers, gpus, nics}, 0, {}};
            for (uint32_t source = 0; source < gpus; ++source)
            {
                for (uint32_t to = gpus; to < servers * gpus; ++to)
                {
                    view.demands.push_back({source, to, 1'000'000});
                }
            }
            std::vector<std::vector<double>> gets(servers, std::vector<double>(nics, 0));
            for (const Piece& piece : Make<RowBalancer>(type)->Plan(view))
            {
                gets[view.demands[piece.demand].destination / gpus][piece.rxRail] +=
                    static_cast<double>(piece.bytes);
            }
            for (uint32_t server = 1; server < servers; ++server)
            {
                const double mean = 1e6 * gpus * gpus / nics;
                EXPECT_LE(*std::max_element(gets[server].begin(), gets[server].end()), 1.01 * mean)
                    << type << ' ' << gpus << ' ' << nics;
            }
        }
    }
}

TEST(DealingBalancer, WithoutAChunkWhatIsDrawnIsCutThoughDemandsAreEqual)
{
    const std::vector<uint64_t> demands(64, 9'000'000);
    EXPECT_EQ(GetSizes(Make<RowBalancer>("RandomBalancer")->Plan(MakeView(8, demands))),
              std::vector<uint64_t>(std::size_t{64} * 8, 1'125'000));
}

TEST(DealingBalancer, WithoutAChunkNoPieceIsSmallerThanTheSmallestButTheRest)
{
    for (const uint64_t least : {uint64_t{1024}, uint64_t{10'000}})
    {
        const auto sizes =
            GetSizes(Make<RowBalancer>("RailsBalancer", "MinChunk", ByteSizeValue(ByteSize(least)))
                         ->Plan(MakeView(8, {5'000})));
        EXPECT_EQ(sizes.size(), (5'000 + least - 1) / least);
        EXPECT_EQ(sizes.front(), std::min<uint64_t>(least, 5'000));
    }
}

TEST(DealingBalancer, WithOneRailNothingIsCut)
{
    EXPECT_EQ(GetSizes(Make<RowBalancer>("RailsBalancer")->Plan(MakeView(1, {9'000'000}))),
              std::vector<uint64_t>{9'000'000});
}

TEST(DealingBalancer, AChunkThatIsSetHoldsForAll)
{
    const auto plan = [](ByteSize chunk) {
        return GetSizes(Make<RowBalancer>("RailsBalancer", "Chunk", ByteSizeValue(chunk))
                            ->Plan(MakeView(8, {9'000'000})));
    };
    EXPECT_EQ(plan(4'000'000), (std::vector<uint64_t>{4'000'000, 4'000'000, 1'000'000}));
    EXPECT_EQ(plan(ByteSize::Special()), std::vector<uint64_t>{9'000'000});
}

TEST(DealingBalancer, EstimatesThePiecesThatItMakes)
{
    const ClusterShape shape{2, 8};
    for (const uint64_t bytes : {1'000U, 100'000U, 1'000'000U})
    {
        const auto balancer = Make<RowBalancer>("RailsBalancer");
        for (const uint32_t demands : {64U, 63U})
        {
            const auto pieces = balancer->Plan(MakeView(8, std::vector<uint64_t>(demands, bytes)));
            const double estimated =
                demands *
                balancer->EstimatePieces(static_cast<double>(bytes), shape, demands == 64);
            EXPECT_NEAR(estimated, static_cast<double>(pieces.size()), 0.5 * estimated) << bytes;
        }
    }
}

} // namespace
