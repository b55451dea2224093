// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/published-bound.h"
#include "ns3/rails-units.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

constexpr uint64_t kMiB = 1'048'576;

/// The fat-tree of the paper: k = 8, 800 Gbps, 0.5 us, frames of 4158 + 20 and ACKs of 64 + 20 B.
PublishedBoundFabric
MakeFabric(double rho = 1)
{
    return {6, 6 * 500'000, 800'000'000'000, {4096, 62, 64, 20}, rho};
}

/// GPU i sends to i + 1, and the last to the first.
WorkloadSchedule
MakePermutation(uint64_t bytes, ClusterShape shape = {128, 1})
{
    TrafficMatrix matrix(shape);
    for (uint32_t gpu = 0; gpu < shape.GetGpus(); ++gpu)
    {
        matrix.Add(gpu, (gpu + 1) % shape.GetGpus(), bytes);
    }
    return MakeOneExchange(matrix);
}

WorkloadSchedule
MakeAllToAll(uint64_t bytes, uint32_t hosts = 128)
{
    TrafficMatrix matrix({hosts, 1});
    for (uint32_t source = 0; source < hosts; ++source)
    {
        for (uint32_t destination = 0; destination < hosts; ++destination)
        {
            matrix.Add(source, destination, bytes);
        }
    }
    return MakeOneExchange(matrix);
}

TEST(PublishedBound, IsThePapersForAPermutation)
{
    EXPECT_EQ(GetFirstAnswered(MakeFabric()), 78u);
    EXPECT_EQ(ComputePublishedBound(MakePermutation(kMiB), MakeFabric()), 17'056'940);
}

TEST(PublishedBound, FramesCrossFasterLinksBetweenSwitchesFaster)
{
    PublishedBoundFabric fabric = MakeFabric();
    fabric.betweenBps = 2 * fabric.rateBps;
    // Over four of six links a frame of 4158 B takes 20.79 ns for 41.58, an ACK 0.32 for 0.64.
    const TimePs saved = 4 * (20'790 + 320);
    EXPECT_EQ(ComputePublishedBound(MakeAllToAll(kMiB), fabric),
              *ComputePublishedBound(MakeAllToAll(kMiB), MakeFabric()) - saved);
    // The first frame is there sooner: during frame 76, ceil((3 us + 124.74 ns) / 41.78 ns) + 1.
    EXPECT_EQ(GetFirstAnswered(fabric), 76u);
}

TEST(PublishedBound, IsNoneOnAFabricThatThePaperDoesNotKnow)
{
    PublishedBoundFabric fabric = MakeFabric();
    fabric.hops = 0;
    EXPECT_FALSE(ComputePublishedBound(MakePermutation(kMiB), fabric).has_value());
    EXPECT_FALSE(ComputePublishedBound(MakeAllToAll(kMiB), fabric).has_value());
}

TEST(PublishedBound, HasNoAcksInAMessageThatIsSentBeforeTheFirstOfThem)
{
    // 78 frames of 41.78 ns, and a round trip of 6.25332 us; one more frame meets one ACK.
    const TimePs roundTrip = 6'000'000 + 6 * (41'580 + 640);
    EXPECT_EQ(ComputePublishedBound(MakePermutation(4096), MakeFabric()), roundTrip);
    EXPECT_EQ(ComputePublishedBound(MakePermutation(78 * 4096), MakeFabric()),
              77 * 41'780 + roundTrip);
    EXPECT_EQ(ComputePublishedBound(MakePermutation(79 * 4096), MakeFabric()),
              78 * 41'780 + 840 + 200 + roundTrip);
}

TEST(PublishedBound, IsThePapersForAllToAll)
{
    // 127 messages of 256 frames of 41.78 ns: 1364.6 us.
    EXPECT_EQ(ComputePublishedBound(MakeAllToAll(kMiB), MakeFabric()),
              127LL * 256 * 41'780 + 6'253'320);
}

TEST(PublishedBound, LeavesRoomForAcksWhenHostsSendSlower)
{
    // At 3/4 of the line rate frames start every 55.7067 ns: ACKs of 0.84 ns fit between them.
    EXPECT_EQ(ComputePublishedBound(MakePermutation(kMiB), MakeFabric(0.75)),
              std::llround(255 * 41'780 / 0.75) + 6'253'320);
    EXPECT_EQ(ComputePublishedBound(MakeAllToAll(kMiB), MakeFabric(0.5)),
              127LL * 256 * 2 * 41'780 + 6'253'320);
    // At 99 % they do not fit: 77 gaps of 42.202 ns, then data and ACK every 42.62 ns.
    EXPECT_EQ(GetFirstAnswered(MakeFabric(0.99)), 78u);
    EXPECT_EQ(ComputePublishedBound(MakePermutation(kMiB), MakeFabric(0.99)),
              std::llround(77 * 41'780 / 0.99) + 178 * 42'620 + 200 + 6'253'320);
}

TEST(PublishedBound, CountsAShorterLastFrameWithItsOwnLength)
{
    const TimePs whole = *ComputePublishedBound(MakePermutation(kMiB), MakeFabric());
    EXPECT_EQ(ComputePublishedBound(MakePermutation(kMiB - 96), MakeFabric()), whole - 960);
    const TimePs all = *ComputePublishedBound(MakeAllToAll(8192), MakeFabric());
    EXPECT_EQ(ComputePublishedBound(MakeAllToAll(8192 - 96), MakeFabric()), all - 127 * 960);
}

TEST(PublishedBound, SaysNothingOfOtherTraffic)
{
    const PublishedBoundFabric fabric = MakeFabric();
    EXPECT_FALSE(ComputePublishedBound(MakePermutation(kMiB, {16, 8}), fabric)) << "several NICs";
    const auto of = [&](const std::vector<std::vector<uint64_t>>& rows) {
        return ComputePublishedBound(MakeOneExchange(MakeMatrix({3, 1}, rows)), fabric);
    };
    EXPECT_TRUE(of({{0, 5, 0}, {0, 0, 5}, {5, 0, 0}}));
    EXPECT_FALSE(of({{0, 5, 0}, {0, 0, 5}, {0, 5, 0}})) << "two send to one";
    EXPECT_FALSE(of({{0, 5, 0}, {0, 0, 6}, {5, 0, 0}})) << "different sizes";
    EXPECT_FALSE(of({{0, 5, 0}, {0, 0, 5}, {}})) << "one does not send";
    EXPECT_TRUE(of({{0, 5, 5}, {5, 0, 5}, {5, 5, 0}}));
    EXPECT_FALSE(of({{0, 5, 5}, {5, 0, 5}, {5, 6, 0}})) << "different sizes";
    EXPECT_FALSE(of({}));

    WorkloadSchedule twice = MakePermutation(kMiB);
    twice.phases.push_back(twice.phases[0]);
    EXPECT_FALSE(ComputePublishedBound(twice, fabric));
    WorkloadSchedule chain = MakePermutation(kMiB);
    chain.phases[0].steps = {{chain.matrix, 0}, {chain.matrix, 0}};
    EXPECT_FALSE(ComputePublishedBound(chain, fabric));
}

} // namespace
