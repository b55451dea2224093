// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/rails-plus-balancer.h"
#include "ns3/row-balancer.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

const ClusterShape kPlusShape{6, 4};
constexpr uint64_t kPlusNicBps = 400'000'000'000;

TrafficMatrix
DrawPlusMatrix(uint64_t seed)
{
    return Generate(Make<MatrixSource>(seed % 2 == 0 ? "SparseMatrixSource" : "ZipfMatrixSource"),
                    kPlusShape,
                    seed);
}

ServerView
SeeRates(const TrafficMatrix& matrix, uint32_t server)
{
    ServerView view = MakeServerView(matrix, server);
    view.getNicRate = [](uint32_t, uint32_t) { return kPlusNicBps; };
    return view;
}

/// Wire bytes per second by NIC, of data or of the ACKs that answer it, sent and received.
struct NicOffers
{
    std::vector<double> sent = std::vector<double>(kPlusShape.GetNics());
    std::vector<double> received = std::vector<double>(kPlusShape.GetNics());

    double GetMost() const
    {
        return std::max(*std::max_element(sent.begin(), sent.end()),
                        *std::max_element(received.begin(), received.end()));
    }
};

/// What queue pairs offer NICs when each of them sends with its pace, in bit/s, ACKs included.
NicOffers
AddUpPaces(const TrafficMatrix& matrix, Balancer& balancer)
{
    const FrameFormat frames;
    const ExchangeCounts counts(matrix, frames);
    NicOffers offers;
    for (uint32_t server = 0; server < kPlusShape.servers; ++server)
    {
        const ServerView view = SeeRates(matrix, server);

        struct Offer
        {
            uint64_t pace{0};
            uint64_t wire{0};
            uint64_t frames{0};
        };

        std::map<std::pair<uint32_t, uint32_t>, Offer> queues; // by server and rail
        for (const Piece& piece : balancer.MakePieces(view, &counts))
        {
            const uint32_t to = kPlusShape.GetServer(view.demands[piece.demand].destination);
            Offer& offer = queues[{to, piece.txRail}];
            EXPECT_TRUE(offer.pace == 0 || offer.pace == piece.paceBps);
            offer.pace = piece.paceBps;
            const uint64_t count = frames.CountFrames(piece.bytes);
            offer.wire += frames.GetDataWire(piece.bytes, count);
            offer.frames += count;
        }
        for (const auto& [way, offer] : queues)
        {
            const uint32_t own = kPlusShape.GetNic(server, way.second);
            const uint32_t other = kPlusShape.GetNic(way.first, way.second);
            const auto pace = static_cast<double>(offer.pace);
            const double acks = pace * static_cast<double>(frames.GetAckWire(offer.frames)) /
                                static_cast<double>(offer.wire);
            offers.sent[own] += pace;
            offers.received[other] += pace;
            offers.sent[other] += acks;
            offers.received[own] += acks;
        }
    }
    return offers;
}

} // namespace

TEST(RailsPlusBalancer, CutsNoFrameAndGivesEachRailItsShareToAFrame)
{
    const FrameFormat frames;
    for (const char* name : {"RailsPlusBalancer", "RailsPlusRowBalancer"})
    {
        const auto balancer = Make<Balancer>(name);
        for (uint64_t seed = 1; seed <= 10; ++seed)
        {
            const TrafficMatrix matrix = DrawPlusMatrix(seed);
            const ExchangeCounts counts(matrix, frames);
            const ServerView view = SeeRates(matrix, 2);
            std::vector<uint64_t> left;
            std::map<uint32_t, uint64_t> unsplit; // frames by server
            for (const LocalDemand& demand : view.demands)
            {
                left.push_back(demand.bytes);
                unsplit[kPlusShape.GetServer(demand.destination)] +=
                    frames.CountFrames(demand.bytes);
            }
            std::map<uint32_t, std::vector<uint64_t>> split; // by server and rail
            for (const Piece& piece : balancer->MakePieces(view, &counts))
            {
                left[piece.demand] -= piece.bytes;
                auto& rails = split[kPlusShape.GetServer(view.demands[piece.demand].destination)];
                rails.resize(kPlusShape.nicsPerServer);
                rails[piece.txRail] += frames.CountFrames(piece.bytes);
                EXPECT_LE(piece.bytes, 1'000'000U);
            }
            EXPECT_EQ(std::count(left.begin(), left.end(), 0U), std::ptrdiff_t(left.size()));
            for (const auto& [server, rails] : split)
            {
                const uint64_t share = unsplit[server] / kPlusShape.nicsPerServer;
                uint64_t all = 0;
                for (const uint64_t count : rails)
                {
                    EXPECT_GE(count, share);
                    EXPECT_LE(count, share + 1);
                    all += count;
                }
                EXPECT_EQ(all, unsplit[server]);
            }
        }
    }
}

TEST(RailsPlusBalancer, RailsBeginWithWhatTheGpusNearThemHave)
{
    // GPU 1 has nearly all: were rails 0 to 3 to begin with that, they would wait for its NVLink.
    const ClusterShape shape(2, 4);
    const ServerView view{shape, 0, {{0, 4, 8192}, {1, 4, 400'000}, {2, 5, 8192}, {3, 6, 8192}}};
    std::map<uint16_t, uint32_t> first; // source by rail
    for (const Piece& piece : Make<RowBalancer>("RailsPlusRowBalancer")->Plan(view))
    {
        first.try_emplace(piece.txRail, view.demands[piece.demand].source);
    }
    EXPECT_EQ(first, (std::map<uint16_t, uint32_t>{{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
}

TEST(RailsPlusBalancer, PacesAndTheirAcksFillTheBusiestNicAndNoneBeyondItsRate)
{
    const auto balancer = CreateObject<RailsPlusBalancer>();
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        // A rail has a frame of a pair more than another: 1 part in some hundred here.
        const double most = AddUpPaces(DrawPlusMatrix(seed), *balancer).GetMost();
        EXPECT_LE(most, 1.01 * kPlusNicBps) << seed;
        EXPECT_GE(most, 0.99 * kPlusNicBps) << seed;
    }
}

TEST(RailsPlusBalancer, ServersThatKnowTheirRowAloneOfferAHotOneMoreThanItTakes)
{
    const auto balancer = Make<RowBalancer>("RailsPlusRowBalancer");
    const NicOffers offers = AddUpPaces(DrawPlusMatrix(1), *balancer);
    EXPECT_GT(offers.GetMost(), 1.2 * kPlusNicBps);
    EXPECT_LE(*std::min_element(offers.sent.begin(), offers.sent.end()), 1.05 * kPlusNicBps);
}

TEST(RailsPlusBalancer, WithoutRatesItSplitsAndDoesNotPace)
{
    const TrafficMatrix matrix = DrawPlusMatrix(1);
    const ExchangeCounts counts(matrix, FrameFormat());
    for (const Piece& piece :
         CreateObject<RailsPlusBalancer>()->MakePieces(MakeServerView(matrix, 0), &counts))
    {
        EXPECT_EQ(piece.paceBps, 0U);
    }
}

} // namespace ns3::rails::test
