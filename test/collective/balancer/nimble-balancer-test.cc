// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/sanitized.h"
#include "../collective-fixtures.h"
#include "rail-loads.h"

#include "ns3/double.h"
#include "ns3/matrix-balancer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kNimbleShape{8, 8};

TrafficMatrix
DrawForNimble(const char* source, uint64_t seed)
{
    return Generate(Make<MatrixSource>(source), kNimbleShape, seed);
}

/// (demand, bytes, rail) of each piece
std::vector<std::tuple<uint32_t, uint64_t, uint16_t>>
DescribeRails(const std::vector<Piece>& pieces)
{
    std::vector<std::tuple<uint32_t, uint64_t, uint16_t>> all;
    for (const Piece& piece : pieces)
    {
        all.emplace_back(piece.demand, piece.bytes, piece.txRail);
    }
    return all;
}

TEST(NimbleBalancer, CoversEveryDemandExactlyAndSplitsNothingUpToAMegabyte)
{
    Ptr<MatrixBalancer> balancer = Make<MatrixBalancer>("NimbleBalancer");
    for (uint64_t seed = 1; seed <= 3; ++seed)
    {
        TrafficMatrix matrix = DrawForNimble("SparseMatrixSource", seed);
        for (uint32_t server = 0; server < kNimbleShape.servers; ++server)
        {
            const ServerView view = MakeServerView(matrix, server);
            std::vector<uint64_t> covered(view.demands.size(), 0);
            std::vector<uint32_t> pieces(view.demands.size(), 0);
            for (const Piece& piece : balancer->Plan(view, matrix))
            {
                ASSERT_GT(piece.bytes, 0U);
                ASSERT_LE(piece.bytes, 1'000'000U);
                ASSERT_LT(piece.txRail, kNimbleShape.nicsPerServer);
                ASSERT_EQ(piece.txRail, piece.rxRail);
                covered.at(piece.demand) += piece.bytes;
                ++pieces.at(piece.demand);
            }
            for (std::size_t demand = 0; demand < covered.size(); ++demand)
            {
                ASSERT_EQ(covered[demand], view.demands[demand].bytes);
                ASSERT_EQ(pieces[demand] == 1, covered[demand] <= 1'000'000);
            }
        }
    }
}

TEST(NimbleBalancer, LeavesADemandOfTheThresholdWholeAndSplitsOneByteMore)
{
    Ptr<MatrixBalancer> balancer = Make<MatrixBalancer>("NimbleBalancer");
    balancer->SetAttribute("Whole", ByteSizeValue(ByteSize(1000)));
    balancer->SetAttribute("Chunk", ByteSizeValue(ByteSize(400)));
    const TrafficMatrix matrix = MakeMatrix(ClusterShape{2, 2}, {{0, 0, 1000, 1001}, {}, {}, {}});
    std::vector<std::pair<uint32_t, uint64_t>> cuts;
    for (const Piece& piece : balancer->Plan(MakeServerView(matrix, 0), matrix))
    {
        cuts.emplace_back(piece.demand, piece.bytes);
    }
    EXPECT_EQ(
        cuts,
        (std::vector<std::pair<uint32_t, uint64_t>>{{0, 1000}, {1, 400}, {1, 400}, {1, 201}}));
}

TEST(NimbleBalancer, LoadsTheWorstNicHardlyMoreThanAnyPlanMust)
{
    Ptr<MatrixBalancer> balancer = Make<MatrixBalancer>("NimbleBalancer");
    for (const char* source : {"UniformMatrixSource", "SparseMatrixSource", "ZipfMatrixSource"})
    {
        for (uint64_t seed = 1; seed <= (test::IsSanitized() ? 1U : 5U); ++seed)
        {
            const double ratio = RailLoads(DrawForNimble(source, seed), *balancer).GetRatio();
            EXPECT_LE(ratio, 1.01) << source << ", seed " << seed;
        }
    }
}

TEST(NimbleBalancer, TakesTheOwnRailOfASourceWhereThatCostsNothing)
{
    // Every GPU has the same for the GPU of its rail: no relay can help.
    const ClusterShape shape{2, 2};
    const TrafficMatrix matrix =
        MakeMatrix(shape, {{0, 0, 900, 0}, {0, 0, 0, 900}, {900, 0, 0, 0}, {0, 900, 0, 0}});
    const std::vector<Piece> pieces =
        Make<MatrixBalancer>("NimbleBalancer")->Plan(MakeServerView(matrix, 0), matrix);
    EXPECT_EQ(DescribeRails(pieces),
              (std::vector<std::tuple<uint32_t, uint64_t, uint16_t>>{{0, 900, 0}, {1, 900, 1}}));
}

TEST(NimbleBalancer, RelaysOverAnotherGpuWhatWouldMeetOnOneNic)
{
    // Both are for GPU 2, and from GPU 0: one of them has to leave by the other rail.
    const ClusterShape shape{2, 2};
    const TrafficMatrix matrix = MakeMatrix(shape, {{0, 0, 900, 900}, {}, {}, {}});
    const std::vector<Piece> pieces =
        Make<MatrixBalancer>("NimbleBalancer")->Plan(MakeServerView(matrix, 0), matrix);
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_NE(pieces[0].txRail, pieces[1].txRail);
}

TEST(NimbleBalancer, SlowNvlinksKeepTrafficOnTheOwnRail)
{
    const ClusterShape shape{2, 2};
    const TrafficMatrix matrix = MakeMatrix(shape, {{0, 0, 900, 0}, {}, {}, {}});
    const auto countRails = [&](double nvlink) {
        Ptr<MatrixBalancer> balancer = Make<MatrixBalancer>("NimbleBalancer");
        balancer->SetAttribute("Whole", ByteSizeValue(ByteSize(1)));
        balancer->SetAttribute("Chunk", ByteSizeValue(ByteSize(100)));
        balancer->SetAttribute("Nvlink", DoubleValue(nvlink));
        std::map<uint16_t, uint64_t> bytes;
        for (const Piece& piece : balancer->Plan(MakeServerView(matrix, 0), matrix))
        {
            bytes[piece.txRail] += piece.bytes;
        }
        return bytes;
    };
    EXPECT_EQ(countRails(9), (std::map<uint16_t, uint64_t>{{0, 500}, {1, 400}}));
    EXPECT_EQ(countRails(0.25), (std::map<uint16_t, uint64_t>{{0, 800}, {1, 100}}));
}

TEST(NimbleBalancer, MakesTheSamePlanWhoeverAskedBefore)
{
    RAILS_LONG_CASE();
    const TrafficMatrix matrix = DrawForNimble("ZipfMatrixSource", 1);
    const TrafficMatrix other = DrawForNimble("ZipfMatrixSource", 2);
    const auto makeBlind = [&matrix](uint32_t server) {
        ServerView view = MakeServerView(matrix, server);
        view.reach[0] = std::vector<bool>(64, false);
        view.reach[0][9] = true; // rail 1 alone
        return view;
    };
    Ptr<MatrixBalancer> balancer = Make<MatrixBalancer>("NimbleBalancer");
    for (const uint32_t server : {1, 4, 5})
    {
        balancer->Plan(MakeServerView(other, server), other);
        for (const ServerView& view : {MakeServerView(matrix, server), makeBlind(server)})
        {
            const auto alone =
                DescribeRails(Make<MatrixBalancer>("NimbleBalancer")->Plan(view, matrix));
            EXPECT_EQ(DescribeRails(balancer->Plan(view, matrix)), alone);
        }
    }
    // The last one was server 5, which knows the same of another way.
    EXPECT_EQ(DescribeRails(balancer->Plan(makeBlind(4), matrix)),
              DescribeRails(Make<MatrixBalancer>("NimbleBalancer")->Plan(makeBlind(4), matrix)));
}

TEST(NimbleBalancer, AvoidsARailThatIsDeadAndLoadsASlowOneLess)
{
    const ClusterShape shape{2, 1, 3};
    const TrafficMatrix matrix = MakeMatrix(shape, {{0, 9'000'000}, {}});
    ServerView view = MakeServerView(matrix, 0);
    view.reach[1] = std::vector<bool>(9, true);
    view.reach[1][4] = false;
    view.getNicRate = [](uint32_t, uint32_t rail) { return rail == 2 ? 200 : 100; };
    std::map<uint16_t, uint64_t> bytes;
    for (const Piece& piece : Make<MatrixBalancer>("NimbleBalancer")->Plan(view, matrix))
    {
        bytes[piece.txRail] += piece.bytes;
    }
    EXPECT_EQ(bytes, (std::map<uint16_t, uint64_t>{{0, 3'000'000}, {2, 6'000'000}}));
}

TEST(NimbleBalancer, LeavesWhatNoWayLeadsToAtTheNicOfItsGpu)
{
    const ClusterShape shape{2, 2};
    const TrafficMatrix matrix = MakeMatrix(shape, {{0, 0, 0, 5000}, {0, 0, 5000, 0}, {}, {}});
    ServerView view = MakeServerView(matrix, 0); // knows of no way at all, so has none to avoid
    view.getNicRate = [](uint32_t server, uint32_t) { return server == 0 ? 0 : 100; };
    std::vector<uint16_t> rails;
    for (const Piece& piece : Make<MatrixBalancer>("NimbleBalancer")->Plan(view, matrix))
    {
        rails.push_back(piece.txRail);
    }
    EXPECT_EQ(rails, (std::vector<uint16_t>{0, 1}));
}

TEST(NimbleBalancer, PlansWhatIsLeftOfItsOwnAfterAFailure)
{
    const TrafficMatrix matrix = DrawForNimble("SparseMatrixSource", 1);
    ServerView view = MakeServerView(matrix, 0);
    LocalDemand& first = view.demands.front();
    first.bytes = 3;
    view.demands.insert(view.demands.begin() + 1, first);
    uint64_t left = 0;
    for (const LocalDemand& demand : view.demands)
    {
        left += demand.bytes;
    }
    for (const Piece& piece : Make<MatrixBalancer>("NimbleBalancer")->Plan(view, matrix))
    {
        left -= piece.bytes;
        view.demands.at(piece.demand).bytes -= piece.bytes;
    }
    EXPECT_EQ(left, 0U);
    for (const LocalDemand& demand : view.demands)
    {
        EXPECT_EQ(demand.bytes, 0U);
    }
}

} // namespace
