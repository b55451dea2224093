// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/copy-hops.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <ostream>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

// Of googletest: what it compares and prints.
bool
operator==(const CopyHop& one, const CopyHop& other)
{
    return std::tie(one.from, one.to, one.turn, one.bytes) ==
           std::tie(other.from, other.to, other.turn, other.bytes);
}

void
PrintTo(const CopyHop& hop, std::ostream* os)
{
    *os << hop.from << " to " << hop.to << " in turn " << hop.turn << ", " << hop.bytes << " B";
}

namespace test
{

namespace
{

using Hops = std::vector<CopyHop>;

constexpr CopyWay kWays[]{CopyWay::Direct, CopyWay::Chain, CopyWay::Relays};

ClusterView
MakeCluster(uint32_t gpus)
{
    return {gpus, 4};
}

/// \return transfers of an expert to some GPUs
std::vector<ExpertTransfer>
Spread(uint32_t from, const std::vector<uint32_t>& to, uint32_t expert = 0)
{
    std::vector<ExpertTransfer> transfers;
    for (const uint32_t gpu : to)
    {
        transfers.push_back({expert, from, gpu, 100});
    }
    return transfers;
}

/// \return the same transfers the other way
std::vector<ExpertTransfer>
TurnBack(std::vector<ExpertTransfer> transfers)
{
    for (ExpertTransfer& transfer : transfers)
    {
        std::swap(transfer.from, transfer.to);
    }
    return transfers;
}

void
Sort(Hops& hops)
{
    std::sort(hops.begin(), hops.end(), [](const CopyHop& one, const CopyHop& other) {
        return std::tie(one.from, one.to, one.turn) < std::tie(other.from, other.to, other.turn);
    });
}

TEST(CopyHops, DirectOnesAreTheTransfers)
{
    EXPECT_EQ(LayCopies(MakeCluster(16), Spread(2, {7, 0, 3}), CopyWay::Direct),
              (Hops{{2, 0, 0, 100}, {2, 3, 0, 100}, {2, 7, 0, 100}}));
    EXPECT_EQ(LayReturns(MakeCluster(16), TurnBack(Spread(2, {7, 0, 3})), CopyWay::Direct),
              (Hops{{0, 2, 0, 100}, {3, 2, 0, 100}, {7, 2, 0, 100}}));
    EXPECT_TRUE(LayCopies(MakeCluster(16), {}, CopyWay::Chain).empty());
}

TEST(CopyHops, AChainGoesRoundFromTheGpuBehindTheSender)
{
    EXPECT_EQ(LayCopies(MakeCluster(6), Spread(2, {4, 0, 3, 1}), CopyWay::Chain),
              (Hops{{0, 1, 3, 100}, {2, 3, 0, 100}, {3, 4, 1, 100}, {4, 0, 2, 100}}));
    EXPECT_EQ(LayCopies(MakeCluster(6), Spread(5, {1, 3}), CopyWay::Chain),
              (Hops{{1, 3, 1, 100}, {5, 1, 0, 100}}));
    EXPECT_EQ(LayCopies(MakeCluster(6), Spread(0, {1, 3}), CopyWay::Chain),
              (Hops{{0, 1, 0, 100}, {1, 3, 1, 100}}));
    // Back from the last of the chain.
    EXPECT_EQ(LayReturns(MakeCluster(6), TurnBack(Spread(2, {4, 0, 3, 1})), CopyWay::Chain),
              (Hops{{0, 4, 1, 100}, {1, 0, 0, 100}, {3, 2, 3, 100}, {4, 3, 2, 100}}));
}

TEST(CopyHops, AChainEntersEachServerOnce)
{
    for (uint32_t sender = 0; sender < 16; ++sender)
    {
        std::vector<uint32_t> others;
        for (uint32_t gpu = 0; gpu < 16; ++gpu)
        {
            if (gpu != sender)
            {
                others.push_back(gpu);
            }
        }
        std::map<uint32_t, uint32_t> entered;
        for (const CopyHop& hop :
             LayCopies(MakeCluster(16), Spread(sender, others), CopyWay::Chain))
        {
            entered[hop.to / 4] += hop.from / 4 == hop.to / 4 ? 0 : 1;
        }
        for (const auto& [server, times] : entered)
        {
            // Its own, unless it is the first there.
            EXPECT_EQ(times, server == sender / 4 && sender % 4 == 0 ? 0U : 1U) << sender;
        }
    }
}

TEST(CopyHops, RelaysAreForFourGpusOrMoreOfNine)
{
    const std::vector<uint32_t> four{1, 3, 5, 7};
    EXPECT_EQ(LayCopies(MakeCluster(9), Spread(0, four), CopyWay::Relays),
              (Hops{{0, 1, 0, 100}, {1, 3, 1, 100}, {1, 5, 1, 100}, {1, 7, 1, 100}}));
    EXPECT_EQ(LayReturns(MakeCluster(9), TurnBack(Spread(0, four)), CopyWay::Relays),
              (Hops{{1, 0, 1, 100}, {3, 1, 0, 100}, {5, 1, 0, 100}, {7, 1, 0, 100}}));
    for (const CopyHop& hop : LayCopies(MakeCluster(8), Spread(0, four), CopyWay::Relays))
    {
        EXPECT_EQ(hop.from, 0U) << "of eight";
    }
    for (const CopyHop& hop : LayCopies(MakeCluster(64), Spread(0, {1, 3, 5}), CopyWay::Relays))
    {
        EXPECT_EQ(hop.from, 0U) << "for three";
    }
}

TEST(CopyHops, RelaysAreAtMostEightOfTwoAtLeastAndShareTheRest)
{
    for (uint32_t many = 4; many < 64; ++many)
    {
        std::vector<uint32_t> to;
        for (uint32_t gpu = 1; gpu <= many; ++gpu)
        {
            to.push_back(gpu);
        }
        std::map<uint32_t, uint32_t> passedOn;
        uint32_t relays = 0;
        for (const CopyHop& hop : LayCopies(MakeCluster(64), Spread(0, to), CopyWay::Relays))
        {
            relays += hop.from == 0 ? 1 : 0;
            passedOn[hop.from] += hop.from == 0 ? 0 : 1;
        }
        EXPECT_EQ(relays, std::min(8U, many / 3)) << many;
        for (const auto& [gpu, times] : passedOn)
        {
            if (gpu != 0)
            {
                EXPECT_GE(times, 2U) << many;
                EXPECT_GE(times, (many - relays) / relays) << many;
                EXPECT_LE(times, (many - relays) / relays + 1) << many;
            }
        }
    }
}

TEST(CopyHops, ExpertsAndSendersHaveWaysOfTheirOwn)
{
    std::vector<ExpertTransfer> transfers = Spread(0, {1, 2});
    for (const ExpertTransfer& more : Spread(0, {1, 2}, 1))
    {
        transfers.push_back(more);
    }
    // Another replica of the first expert, which goes elsewhere.
    transfers.push_back({0, 5, 3, 100});
    Hops hops = LayCopies(MakeCluster(8), transfers, CopyWay::Chain);
    Sort(hops);
    EXPECT_EQ(
        hops,
        (Hops{{0, 1, 0, 100}, {0, 1, 0, 100}, {1, 2, 1, 100}, {1, 2, 1, 100}, {5, 3, 0, 100}}));
}

/// Goes through hops of one expert in the order of their turns: GPUs pass on what they have got.
void
ExpectPassedOn(const Hops& hops, uint32_t sender, const std::vector<uint32_t>& to, uint32_t turns)
{
    std::map<uint32_t, uint32_t> gotIn; // turn behind which a GPU has it
    gotIn[sender] = 0;
    std::map<uint32_t, uint32_t> times;
    for (uint32_t turn = 0; turn < turns; ++turn)
    {
        for (const CopyHop& hop : hops)
        {
            if (hop.turn == turn)
            {
                ASSERT_EQ(gotIn.count(hop.from), 1U) << hop.from << " has nothing to pass on";
                EXPECT_LE(gotIn[hop.from], turn);
                gotIn[hop.to] = turn + 1;
                ++times[hop.to];
            }
        }
    }
    EXPECT_EQ(times.size(), to.size());
    for (const uint32_t gpu : to)
    {
        EXPECT_EQ(times[gpu], 1U) << "GPU " << gpu;
    }
    EXPECT_EQ(hops.size(), to.size());
}

TEST(CopyHops, EveryGpuGetsItOnceFromOneThatHasItAndGradientsAreTheMirrorImage)
{
    std::mt19937 random(1);
    for (uint32_t i = 0; i < 300; ++i)
    {
        const auto gpus = static_cast<uint32_t>(2 + random() % 40);
        std::vector<uint32_t> to(gpus);
        std::iota(to.begin(), to.end(), 0);
        std::shuffle(to.begin(), to.end(), random);
        const uint32_t sender = to.back();
        to.resize(1 + random() % (gpus - 1));
        for (const CopyWay way : kWays)
        {
            const uint32_t turns = CountTurns(MakeCluster(gpus), way);
            Hops hops = LayCopies(MakeCluster(gpus), Spread(sender, to), way);
            EXPECT_TRUE(std::is_sorted(hops.begin(), hops.end(), [](const auto& a, const auto& b) {
                return a.from < b.from;
            }));
            ExpectPassedOn(hops, sender, to, turns);
            EXPECT_LE(turns, way == CopyWay::Chain ? gpus - 1 : 2U);
            Hops back = LayReturns(MakeCluster(gpus), TurnBack(Spread(sender, to)), way);
            EXPECT_TRUE(std::is_sorted(back.begin(), back.end(), [](const auto& a, const auto& b) {
                return a.from < b.from;
            }));
            uint32_t last = 0;
            for (const CopyHop& hop : hops)
            {
                last = std::max(last, hop.turn);
            }
            for (CopyHop& hop : hops)
            {
                std::swap(hop.from, hop.to);
                hop.turn = last - hop.turn;
            }
            Sort(hops);
            Sort(back);
            EXPECT_EQ(back, hops);
        }
    }
}

TEST(CopyHops, AWayIsNoLongerThanItCanBe)
{
    EXPECT_EQ(CountTurns(MakeCluster(1), CopyWay::Chain), 1U);
    EXPECT_EQ(CountTurns(MakeCluster(2), CopyWay::Chain), 1U);
    EXPECT_EQ(CountTurns(MakeCluster(64), CopyWay::Chain), 63U);
    EXPECT_EQ(CountTurns(MakeCluster(8), CopyWay::Relays), 1U);
    EXPECT_EQ(CountTurns(MakeCluster(9), CopyWay::Relays), 2U);
    EXPECT_EQ(CountTurns(MakeCluster(64), CopyWay::Direct), 1U);
}

TEST(CopyHops, APieceIsAStepOfTheRingOfNccl)
{
    EXPECT_EQ(CountCopyPieces(1), 1U);
    EXPECT_EQ(CountCopyPieces(524'288), 1U);
    EXPECT_EQ(CountCopyPieces(524'289), 2U);
    EXPECT_EQ(CountCopyPieces(2 * 1024 * 2048 * 4), 32U) << "an expert of Pro-Prophet's model M";
}

} // namespace

} // namespace test

} // namespace ns3::rails
