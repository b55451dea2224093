// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"
#include "rail-loads.h"

#include "ns3/fast-balancer.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kFastShape{8, 8};
constexpr uint64_t kFastNicRate = 400'000'000'000;

TrafficMatrix
DrawForFast(const char* source, uint64_t seed)
{
    return Generate(Make<MatrixSource>(source), kFastShape, seed);
}

ServerView
MakeRatedView(const TrafficMatrix& matrix, uint32_t server)
{
    ServerView view = MakeServerView(matrix, server);
    view.getNicRate = [](uint32_t, uint32_t) { return kFastNicRate; };
    return view;
}

/// (demand, bytes, rail, pace) of each piece
std::vector<std::tuple<uint32_t, uint64_t, uint16_t, uint64_t>>
DescribePaces(const std::vector<Piece>& pieces)
{
    std::vector<std::tuple<uint32_t, uint64_t, uint16_t, uint64_t>> all;
    for (const Piece& piece : pieces)
    {
        all.emplace_back(piece.demand, piece.bytes, piece.txRail, piece.paceBps);
    }
    return all;
}

/// \return seconds in which a piece leaves by its pace
double
GetPacedSeconds(const Piece& piece, const FrameFormat& frames)
{
    const uint64_t wire = frames.GetDataWire(piece.bytes, frames.CountFrames(piece.bytes));
    return 8 * static_cast<double>(wire) / static_cast<double>(piece.paceBps);
}

TEST(FastBalancer, CoversEveryDemandExactly)
{
    Ptr<FastBalancer> balancer = CreateObject<FastBalancer>();
    for (const char* source : {"UniformMatrixSource", "SparseMatrixSource", "ZipfMatrixSource"})
    {
        const TrafficMatrix matrix = DrawForFast(source, 1);
        for (uint32_t server = 0; server < kFastShape.servers; ++server)
        {
            const ServerView view = MakeRatedView(matrix, server);
            std::vector<uint64_t> left;
            for (const LocalDemand& demand : view.demands)
            {
                left.push_back(demand.bytes);
            }
            for (const Piece& piece : balancer->Plan(view, matrix))
            {
                ASSERT_GT(piece.bytes, 0U);
                ASSERT_LE(piece.bytes, left.at(piece.demand));
                ASSERT_EQ(piece.txRail, piece.rxRail);
                left[piece.demand] -= piece.bytes;
            }
            EXPECT_EQ(std::count(left.begin(), left.end(), 0), static_cast<long>(left.size()));
        }
    }
}

TEST(FastBalancer, StagesAreOneToOneAndMoveAllThereIs)
{
    for (const char* source : {"UniformMatrixSource", "SparseMatrixSource", "ZipfMatrixSource"})
    {
        const TrafficMatrix matrix = DrawForFast(source, 2);
        const FrameFormat frames;
        std::map<std::pair<uint32_t, uint32_t>, uint64_t> left;
        for (uint32_t gpu = 0; gpu < kFastShape.GetGpus(); ++gpu)
        {
            for (const Demand& demand : matrix.GetRow(gpu))
            {
                left[{kFastShape.GetServer(gpu), kFastShape.GetServer(demand.destination)}] +=
                    frames.CountFrames(demand.bytes);
            }
        }
        for (const FastStage& stage : FastBalancer::FindStages(matrix, frames))
        {
            std::set<uint32_t> receivers;
            for (uint32_t from = 0; from < kFastShape.servers; ++from)
            {
                const uint32_t to = stage.destinations[from];
                if (stage.frames[from] > 0)
                {
                    EXPECT_NE(from, to);
                    EXPECT_TRUE(receivers.insert(to).second) << to << " receives from two";
                    left[{from, to}] -= stage.frames[from];
                }
            }
        }
        for (const auto& [pair, more] : left)
        {
            EXPECT_EQ(more, 0U) << pair.first << " to " << pair.second;
        }
    }
}

TEST(FastBalancer, LoadsTheWorstNicNoMoreThanAnyPlanMust)
{
    Ptr<FastBalancer> balancer = CreateObject<FastBalancer>();
    for (const char* source : {"UniformMatrixSource", "SparseMatrixSource", "ZipfMatrixSource"})
    {
        for (uint64_t seed = 1; seed <= 5; ++seed)
        {
            EXPECT_LE(RailLoads(DrawForFast(source, seed), *balancer).GetRatio(), 1.001)
                << source << ", seed " << seed;
        }
    }
}

TEST(FastBalancer, AQueuePairSendsAFrameAndWaitsUntilItsStageBegins)
{
    // Server 0 has 4 frames for server 1 and 2 for server 2; one NIC each. The stages: 4 frames to
    // server 1, then 2 to server 2.
    const uint64_t mtu = FrameFormat().mtu;
    const ClusterShape shape{3, 1};
    const TrafficMatrix matrix = MakeMatrix(shape, {{0, 4 * mtu, 2 * mtu}, {}, {}});
    const ServerView view = MakeRatedView(matrix, 0);
    const std::vector<Piece> pieces = CreateObject<FastBalancer>()->Plan(view, matrix);
    ASSERT_EQ(pieces.size(), 3U);
    EXPECT_EQ(pieces[0].demand, 0U);
    EXPECT_EQ(pieces[0].bytes, 4 * mtu);
    EXPECT_EQ(pieces[1].demand, 1U);
    EXPECT_EQ(pieces[1].bytes, mtu) << "goes ahead";
    EXPECT_EQ(pieces[2].bytes, mtu);
    EXPECT_EQ(pieces[0].paceBps, 0U);
    EXPECT_EQ(pieces[2].paceBps, 0U);
    const double first = 8. * 4 * (4096 + 82) / kFastNicRate;
    EXPECT_NEAR(GetPacedSeconds(pieces[1], view.frames), first, first * 1e-6);
}

TEST(FastBalancer, StagesLeaveTheNicToTheAcksOfWhatArrives)
{
    // All servers are busy both ways in a first stage of 8 frames, and server 0 has 2 more to send.
    const uint64_t mtu = FrameFormat().mtu;
    const TrafficMatrix matrix =
        MakeMatrix(ClusterShape{3, 1}, {{0, 8 * mtu, 2 * mtu}, {0, 0, 8 * mtu}, {8 * mtu, 0, 0}});
    const ServerView view = MakeRatedView(matrix, 0);
    const std::vector<Piece> pieces = CreateObject<FastBalancer>()->Plan(view, matrix);
    ASSERT_EQ(pieces.size(), 3U);
    const double first = 8. * 8 * (4096 + 82 + 84) / kFastNicRate;
    EXPECT_NEAR(GetPacedSeconds(pieces[1], view.frames), first, first * 1e-6);
}

TEST(FastBalancer, ARailBeginsWithWhatTheGpuNearItHas)
{
    const uint64_t mtu = FrameFormat().mtu;
    // GPU 0 has 3 frames for each GPU of the other server, GPU 1 has one for each.
    const TrafficMatrix matrix =
        MakeMatrix(ClusterShape{2, 2}, {{0, 0, 3 * mtu, 3 * mtu}, {0, 0, mtu, mtu}, {}, {}});
    const ServerView view = MakeRatedView(matrix, 0);
    std::map<uint16_t, std::vector<std::pair<uint32_t, uint64_t>>> rails; // demand, bytes
    for (const Piece& piece : CreateObject<FastBalancer>()->Plan(view, matrix))
    {
        rails[piece.txRail].emplace_back(piece.demand, piece.bytes);
    }
    using Cuts = std::vector<std::pair<uint32_t, uint64_t>>;
    EXPECT_EQ(rails[0], (Cuts{{0, 3 * mtu}, {1, mtu}}));
    EXPECT_EQ(rails[1], (Cuts{{3, mtu}, {2, mtu}, {1, 2 * mtu}})) << "then NVLink brings the rest";
}

TEST(FastBalancer, PostsInTheOrderOfTheStages)
{
    const uint64_t mtu = FrameFormat().mtu;
    const TrafficMatrix matrix = MakeMatrix(ClusterShape{3, 1}, {{0, 2 * mtu, 6 * mtu}, {}, {}});
    std::vector<uint32_t> demands;
    for (const Piece& piece : CreateObject<FastBalancer>()->Plan(MakeRatedView(matrix, 0), matrix))
    {
        demands.push_back(piece.demand);
    }
    EXPECT_EQ(demands, (std::vector<uint32_t>{1, 0, 0})) << "the longest stage is the first";
}

TEST(FastBalancer, MakesTheSamePlanWhoeverAskedBefore)
{
    const TrafficMatrix matrix = DrawForFast("ZipfMatrixSource", 1);
    const TrafficMatrix other = DrawForFast("ZipfMatrixSource", 2);
    Ptr<FastBalancer> balancer = CreateObject<FastBalancer>();
    for (uint32_t server = 0; server < kFastShape.servers; ++server)
    {
        const ServerView view = MakeRatedView(matrix, server);
        balancer->Plan(MakeRatedView(other, server), other);
        const auto alone = DescribePaces(CreateObject<FastBalancer>()->Plan(view, matrix));
        EXPECT_EQ(DescribePaces(balancer->Plan(view, matrix)), alone);
    }
}

TEST(FastBalancer, AvoidsARailThatIsDead)
{
    const ClusterShape shape{2, 1, 3};
    const TrafficMatrix matrix = MakeMatrix(shape, {{0, 6 * 4096}, {}});
    ServerView view = MakeRatedView(matrix, 0);
    view.reach[1] = std::vector<bool>(9, true);
    view.reach[1][4] = false;
    std::map<uint16_t, uint64_t> bytes;
    for (const Piece& piece : CreateObject<FastBalancer>()->Plan(view, matrix))
    {
        bytes[piece.txRail] += piece.bytes;
    }
    EXPECT_EQ(bytes, (std::map<uint16_t, uint64_t>{{0, 3 * 4096}, {2, 3 * 4096}}));
}

TEST(FastBalancer, PlansWhatIsLeftOfItsOwnAfterAFailure)
{
    const TrafficMatrix matrix = DrawForFast("SparseMatrixSource", 1);
    ServerView view = MakeRatedView(matrix, 0);
    view.demands.erase(view.demands.begin() + 1, view.demands.end());
    view.demands.push_back(view.demands.front());
    view.demands.front().bytes = 10'000;
    view.demands.back().bytes = 3;
    std::vector<uint64_t> covered(2);
    for (const Piece& piece : CreateObject<FastBalancer>()->Plan(view, matrix))
    {
        covered.at(piece.demand) += piece.bytes;
    }
    EXPECT_EQ(covered, (std::vector<uint64_t>{10'000, 3}));
}

} // namespace
