// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/bit-rates.h"
#include "../../support/interiors.h"
#include "../collective-fixtures.h"

#include "ns3/data-rate.h"
#include "ns3/intra-topology.h"
#include "ns3/lower-bound.h"
#include "ns3/rails-units.h"

#include <algorithm>
#include <memory>

using namespace ns3;
using namespace ns3::rails;

namespace
{

using ns3::rails::test::kGbps;
constexpr TimePs kNs = 1'000;
constexpr TimePs kUs = 1'000'000;

/// NICs of 400 Gbps one leaf away from each other, NVLink of 3600 Gbps, in servers of up to four
/// GPUs with a NIC each.
struct Speeds
{
    uint64_t nicGbps{400};
    uint64_t nvlinkGbps{3600};
    FrameFormat frames{};
    std::vector<PathLink> path{};
    std::vector<uint64_t> bestRatesBps{};

    ClusterSpeeds Get(uint32_t gpus) const
    {
        const PathLink link{nicGbps * kGbps, 500 * kNs};
        return {std::vector<uint64_t>(gpus, nicGbps * kGbps),
                bestRatesBps,
                test::MakeNvswitch(gpus, nvlinkGbps * kGbps),
                path.empty() ? std::vector<PathLink>{link, link} : path,
                frames};
    }
};

Speeds
MakeSpeeds(uint64_t nicGbps = 400, uint64_t nvlinkGbps = 3600)
{
    return {nicGbps, nvlinkGbps};
}

ScheduledPhase
MakeTraffic(const TrafficMatrix& matrix)
{
    return {{PhaseKind::Dispatch, 0}, 0, std::make_shared<const TrafficMatrix>(matrix)};
}

ScheduledPhase
MakeCompute(TimePs duration)
{
    return {{PhaseKind::Compute, duration}, 0, nullptr};
}

LowerBound
Bound(const TrafficMatrix& matrix, const Speeds& speeds)
{
    return {WorkloadSchedule{matrix.GetShape(), nullptr, 1, {MakeTraffic(matrix)}},
            speeds.Get(matrix.GetShape().gpusPerServer)};
}

TEST(LowerBound, OfOneFrameIsItsSendingThePathAndAByte)
{
    const TrafficMatrix matrix = MakeMatrix({2, 1}, {{0, 4096}});
    const LowerBound bound = Bound(matrix, MakeSpeeds());
    // 4096 + 62 + 20 bytes at 20 ps, two links, and a frame of 1 + 62 + 20 bytes on the second.
    EXPECT_EQ(bound.GetTime(), 4178 * 20 + 2 * 500 * kNs + 83 * 20);
    EXPECT_EQ(bound.GetBinding(), "server_send");
    // An ACK of 64 + 20 bytes comes back over both links.
    EXPECT_EQ(bound.GetSenderTime(), bound.GetTime() + 2 * (500 * kNs + 84 * 20));
}

TEST(LowerBound, CountsTheWireBytesOfWholeMessagesOverAllNicsOfAServer)
{
    // 10000 bytes are 3 frames, 20000 are 5: 30000 + 8 * 82 = 30656 bytes over 2 NICs of 100 Gbps.
    const TrafficMatrix matrix = MakeMatrix({2, 2}, {{0, 0, 10'000, 0}, {0, 0, 0, 20'000}});
    const LowerBound bound = Bound(matrix, MakeSpeeds(100));
    EXPECT_EQ(bound.GetTime(), 30'656 * 40 + 2 * 500 * kNs + 83 * 80);
    const PhaseBound& phase = bound.GetPhases().at(0);
    EXPECT_EQ(phase.terms.at("server_send").time, bound.GetTime());
    EXPECT_EQ(phase.terms.at("server_send").where, 0u);
    EXPECT_EQ(phase.terms.at("server_receive").time, bound.GetTime());
    EXPECT_EQ(phase.terms.at("server_receive").where, 1u);
}

TEST(LowerBound, NamesTheServerThatReceivesMost)
{
    // Servers of one GPU: 1 and 2 send to 0, which receives twice what each sends.
    const TrafficMatrix matrix = MakeMatrix({3, 1}, {{}, {4096}, {4096}});
    const LowerBound bound = Bound(matrix, MakeSpeeds());
    EXPECT_EQ(bound.GetBinding(), "server_receive");
    EXPECT_EQ(bound.GetPhases().at(0).terms.at("server_receive").where, 0u);
    EXPECT_EQ(bound.GetTime(), 2 * 4178 * 20 + 2 * 500 * kNs + 83 * 20);
    // Every byte passes the receiving NIC before its ACK is sent.
    EXPECT_EQ(bound.GetSenderTime(), bound.GetTime() + 2 * (500 * kNs + 84 * 20));
}

TEST(LowerBound, CountsPathsOfSeveralLinksStoreAndForward)
{
    Speeds speeds = MakeSpeeds();
    speeds.path = {{400 * kGbps, 500 * kNs},
                   {200 * kGbps, 100 * kNs},
                   {200 * kGbps, 100 * kNs},
                   {400 * kGbps, 500 * kNs}};
    const LowerBound bound = Bound(MakeMatrix({2, 1}, {{0, 4096}}), speeds);
    EXPECT_EQ(bound.GetTime(), 4178 * 20 + 1'200 * kNs + 2 * 83 * 40 + 83 * 20);
}

TEST(LowerBound, TrafficInsideAServerIsBoundByNvlink)
{
    // A million bytes at 800 Gbps and one crossing; nothing for the NICs to do.
    const TrafficMatrix matrix = MakeMatrix({2, 2}, {{0, 1'000'000}});
    const LowerBound bound = Bound(matrix, MakeSpeeds(400, 800));
    EXPECT_EQ(bound.GetTime(), 10 * kUs + 25 * kNs);
    EXPECT_EQ(bound.GetBinding(), "nvlink_send");
    EXPECT_EQ(bound.GetSenderTime(), bound.GetTime()) << "nothing is acknowledged over the network";
    EXPECT_EQ(bound.GetPhases().at(0).terms.at("server_send").time, 0);
}

TEST(LowerBound, AGpuMovesEverythingByNvlinkAndItsOwnNic)
{
    // Frames of 1000 + 230 + 20 bytes carry 80 %: 100 Gbps of NVLink and 80 of the NIC.
    Speeds speeds = MakeSpeeds(100, 100);
    speeds.frames = {1000, 230, 64, 20};
    TrafficMatrix matrix(ClusterShape{2, 8});
    matrix.Add(3, 9, 9'000'000);
    const LowerBound send = Bound(matrix, speeds);
    EXPECT_EQ(send.GetTime(), 400 * kUs + 2 * 500 * kNs + 251 * 80);
    EXPECT_EQ(send.GetBinding(), "gpu_send");
    EXPECT_EQ(send.GetPhases().at(0).terms.at("gpu_send").where, 3u);
    EXPECT_EQ(send.GetSenderTime(), send.GetTime() + 2 * (500 * kNs + 84 * 80));

    // Into GPU 9 from two GPUs, 4.5 MB each: the destination binds alone, and its NVLink may still
    // be at work when the NICs have acknowledged everything.
    TrafficMatrix incast(ClusterShape{2, 8});
    incast.Add(3, 9, 4'500'000);
    incast.Add(4, 9, 4'500'000);
    const LowerBound receive = Bound(incast, speeds);
    EXPECT_EQ(receive.GetTime(), 400 * kUs + 2 * 500 * kNs + 251 * 80);
    EXPECT_EQ(receive.GetBinding(), "gpu_receive");
    EXPECT_LT(receive.GetSenderTime(), receive.GetTime());
    EXPECT_EQ(receive.GetPhases().at(0).senderBinding, "gpu_send");
}

TEST(LowerBound, KnowsPcieBetweenGpusAndNics)
{
    // Each of two GPUs has 12.5 MB for each of two in the other server, by a port of 100 Gbps.
    ClusterSpeeds speeds = MakeSpeeds().Get(2);
    speeds.interior =
        Make<IntraTopology>("NvswitchIntraTopology", "PcieRate", DataRateValue(DataRate("100Gbps")))
            ->Lay({2, 2}, {3600 * kGbps, 25 * kNs, 16384});
    TrafficMatrix matrix(ClusterShape{2, 2});
    for (const uint32_t gpu : {0, 1, 2, 3})
    {
        matrix.Add(gpu, (gpu / 2 * 2 + 2) % 4, 12'500'000);
        matrix.Add(gpu, (gpu / 2 * 2 + 3) % 4, 12'500'000);
    }
    const LowerBound bound(MakeOneExchange(matrix), speeds);
    const TimePs smallest = speeds.frames.GetDataWire(1, 1) * 20; // on the second link
    EXPECT_EQ(bound.GetTime(), 2 * 1000 * kUs + 2 * 500 * kNs + smallest);
    EXPECT_EQ(bound.GetBinding(), "pcie");
    EXPECT_EQ(bound.GetParts().at("pcie"), bound.GetTime());
    EXPECT_GT(bound.GetSenderTime(), bound.GetTime()) << "the last byte is acknowledged";
}

TEST(LowerBound, TheLastByteOfAGpuMayStayInsideItsServer)
{
    Speeds speeds = MakeSpeeds(100, 100);
    speeds.frames = {1000, 230, 64, 20};
    TrafficMatrix matrix(ClusterShape{2, 8});
    matrix.Add(3, 4, 900'000);
    matrix.Add(3, 9, 8'100'000);
    const LowerBound bound = Bound(matrix, speeds);
    EXPECT_EQ(bound.GetTime(), 400 * kUs + 25 * kNs);
    EXPECT_EQ(bound.GetSenderTime(), bound.GetTime());
}

TEST(LowerBound, PhasesAddUpBetweenFirstPostAndLastDelivery)
{
    const TrafficMatrix matrix = MakeMatrix({2, 1}, {{0, 4096}});
    const TimePs one = Bound(matrix, MakeSpeeds()).GetTime();
    const TimePs ack = Bound(matrix, MakeSpeeds()).GetSenderTime() - one;
    WorkloadSchedule schedule{matrix.GetShape(), nullptr, 1, {}};
    schedule.phases = {MakeCompute(7 * kUs),
                       MakeTraffic(matrix),
                       MakeCompute(5 * kUs),
                       MakeTraffic(matrix.Transpose()),
                       MakeCompute(11 * kUs),
                       MakeTraffic(TrafficMatrix(matrix.GetShape()))};
    const LowerBound bound(schedule, MakeSpeeds().Get(schedule.shape.gpusPerServer));
    EXPECT_EQ(bound.GetTime(), 2 * one + 5 * kUs);
    EXPECT_EQ(bound.GetSenderTime(), 2 * one + 5 * kUs + ack);
    EXPECT_EQ(bound.GetParts().at("wait"), 5 * kUs);
    EXPECT_EQ(bound.GetParts().at("server_send"), 2 * one);
    ASSERT_EQ(bound.GetPhases().size(), 6u);
    EXPECT_EQ(bound.GetPhases()[0].time, 7 * kUs);
    EXPECT_EQ(bound.GetPhases()[0].binding, "compute");
    EXPECT_EQ(bound.GetPhases()[3].binding, "server_send");
}

TEST(LowerBound, IsZeroWhenNothingMoves)
{
    const LowerBound bound = Bound(TrafficMatrix(ClusterShape{2, 2}), MakeSpeeds());
    EXPECT_EQ(bound.GetTime(), 0);
    EXPECT_EQ(bound.GetSenderTime(), 0);
    EXPECT_EQ(bound.GetBinding(), "");
}

TEST(LowerBound, IsExactBeyondSixtyFourBits)
{
    // 10^12 bytes in 244140625 full frames; its bits times 10^12 need 83 bits.
    const TrafficMatrix matrix = MakeMatrix({2, 1}, {{0, 1'000'000'000'000}});
    const TimePs wire = (1'000'000'000'000 + 244'140'625 * 82LL) * 20;
    EXPECT_EQ(Bound(matrix, MakeSpeeds()).GetTime(), wire + 2 * 500 * kNs + 83 * 20);
}

TEST(LowerBound, RoundsDown)
{
    // 4178 * 8 bits at 3 Gbps are 11141333.3 ps, the frame of a byte 221333.3 ps.
    const TrafficMatrix matrix = MakeMatrix({2, 1}, {{0, 4096}});
    EXPECT_EQ(Bound(matrix, MakeSpeeds(3)).GetTime(), 11'141'333 + 221'333 + 2 * 500 * kNs);
}

TEST(LowerBound, NoPlanLetsItsBusiestNicFinishEarlier)
{
    // An optimistic end for each plan: the busiest NIC sends or receives without a break, its last
    // frame is one byte of payload, and NVLink takes no time.
    const ClusterShape shape{4, 4};
    const Speeds speeds = MakeSpeeds(400, 1'000'000);
    for (const char* name : {"EcmpBalancer",
                             "RailSourceBalancer",
                             "RailDestinationBalancer",
                             "RoundRobinBalancer",
                             "RandomBalancer",
                             "RailsBalancer",
                             "EvenSplitBalancer"})
    {
        Ptr<RowBalancer> balancer = Make<RowBalancer>(name);
        for (uint64_t seed = 1; seed <= 20; ++seed)
        {
            const TrafficMatrix matrix = Generate(
                Make<MatrixSource>("SparseMatrixSource", "Mean", ByteSizeValue(ByteSize(20'000))),
                shape,
                seed);
            std::vector<uint64_t> loads(2 * shape.GetGpus(), 0);
            for (uint32_t server = 0; server < shape.servers; ++server)
            {
                const ServerView view = MakeServerView(matrix, server);
                for (const Piece& piece : balancer->Plan(view))
                {
                    const uint64_t wire = piece.bytes + (piece.bytes + 4095) / 4096 * 82;
                    const uint32_t to = shape.GetServer(view.demands[piece.demand].destination);
                    loads[server * 4 + piece.txRail] += wire;
                    loads[shape.GetGpus() + to * 4 + piece.rxRail] += wire;
                }
            }
            const uint64_t busiest = *std::max_element(loads.begin(), loads.end());
            const TimePs end = busiest * 20 + 2 * 500 * kNs + 83 * 20;
            ASSERT_LE(Bound(matrix, speeds).GetTime(), end) << name << " seed " << seed;
        }
    }
}

TEST(LowerBound, AChainTakesItsMessagesOneAfterTheOther)
{
    // GPU 0 to 1, then 1 to 2 with as much, while 2 sends to 0 in both steps.
    const ClusterShape shape{3, 1};
    const TrafficMatrix first = MakeMatrix(shape, {{0, 8192}, {}, {1}});
    const TrafficMatrix second = MakeMatrix(shape, {{}, {0, 0, 8192}, {1}});
    ScheduledPhase phase = MakeTraffic(MakeMatrix(shape, {{0, 8192}, {0, 0, 8192}, {2}}));
    phase.isChained = true;
    phase.steps = {{std::make_shared<const TrafficMatrix>(first), 0},
                   {std::make_shared<const TrafficMatrix>(second), 0}};
    const LowerBound bound({shape, nullptr, 1, {phase}}, MakeSpeeds().Get(1));
    const TimePs path = 2 * 500 * kNs + 83 * 20;
    EXPECT_EQ(bound.GetTime(), 4 * 4178 * 20 + 2 * path);
    EXPECT_EQ(bound.GetBinding(), "chain");
    EXPECT_EQ(bound.GetPhases().at(0).terms.at("chain").where, 2u);
    EXPECT_EQ(bound.GetSenderTime(), bound.GetTime() + 2 * (500 * kNs + 84 * 20));
    EXPECT_EQ(bound.GetParts().at("chain"), bound.GetTime());

    // Every message counts with the NICs that it has: that of GPU 2 has half of the rate.
    Speeds slow = MakeSpeeds();
    slow.bestRatesBps = {400 * kGbps, 400 * kGbps, 200 * kGbps};
    EXPECT_EQ(LowerBound({shape, nullptr, 1, {phase}}, slow.Get(1)).GetTime(),
              2 * 4178 * 20 + 2 * 4178 * 40 + 2 * path);
}

} // namespace
