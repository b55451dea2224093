// SPDX-License-Identifier: GPL-2.0-only
#include "path-selector-fixture.h"

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr uint32_t kPaths = 64;

/// \return rounds of the walk in which an entropy is passed over, at most 20
uint32_t
CountRoundsWithout(HostPath& path, uint32_t entropy)
{
    for (uint32_t round = 0; round < 20; ++round)
    {
        const std::vector<uint32_t> sent = path.Send(kPaths - 1);
        if (std::count(sent.begin(), sent.end(), entropy) > 0)
        {
            return round;
        }
        EXPECT_EQ(std::set<uint32_t>(sent.begin(), sent.end()).size(), kPaths - 1);
    }
    return 20;
}

TEST(UecBitmapPathSelectorTest, WalksAsTheObliviousOneDoesWhileAllIsWell)
{
    HostPath path(MakePrototype("UecBitmap"));
    HostPath oblivious(MakePrototype("UecOblivious"));
    for (int i = 0; i < 200; ++i)
    {
        const uint32_t entropy = path.Send();
        EXPECT_EQ(entropy, oblivious.Send());
        path.Ack(entropy);
    }
}

TEST(UecBitmapPathSelectorTest, PassesOverAnEntropyAsOftenAsItsPenaltySays)
{
    // 15 rounds at most, as it must not be the one that the last frame of a count has.
    const auto count = [](auto punish) {
        HostPath path(MakePrototype("UecBitmap"));
        const std::vector<uint32_t> first = path.Send(kPaths);
        punish(path, first);
        return CountRoundsWithout(path, first[5]);
    };
    EXPECT_EQ(count([](HostPath& path, const auto& sent) { path.Ack(sent[5], true); }), 1U);
    EXPECT_EQ(count([](HostPath& path, const auto&) { path.Lose(5); }), 4U);
    EXPECT_EQ(count([](HostPath& path, const auto& sent) {
                  path.Ack(sent[5], true);
                  path.Lose(5);
                  path.Ack(sent[5]);
              }),
              5U);
    EXPECT_EQ(count([](HostPath& path, const auto&) { path.TimeOut(5); }), 15U);
    EXPECT_EQ(count([](HostPath& path, const auto&) {
                  path.Lose(5);
                  path.TimeOut(5);
              }),
              15U);
}

TEST(UecBitmapPathSelectorTest, ForgetsWhatFramesOfLongAgoWereSentWith)
{
    HostPath path(MakePrototype("UecBitmap"));
    path.Send(300);
    path.Send(20); // to the end of a round
    path.Lose(5);
    const std::vector<uint32_t> next = path.Send(kPaths);
    EXPECT_EQ(std::set<uint32_t>(next.begin(), next.end()).size(), kPaths);
}

TEST(UecBitmapPathSelectorTest, LowersOnePenaltyAFrame)
{
    // Two penalties next to each other: a frame passes over both and lowers the first.
    HostPath path(MakePrototype("UecBitmap"));
    const std::vector<uint32_t> first = path.Send(kPaths);
    HostPath oracle(MakePrototype("UecBitmap"));
    oracle.Send(kPaths);
    const std::vector<uint32_t> next = oracle.Send(kPaths);
    path.Ack(next[10], true);
    path.Ack(next[11], true);
    const std::vector<uint32_t> sent = path.Send(kPaths - 2);
    EXPECT_EQ(std::count(sent.begin(), sent.end(), next[10]), 0);
    EXPECT_EQ(std::count(sent.begin(), sent.end(), next[11]), 0);
    const std::vector<uint32_t> after = path.Send(kPaths - 1);
    EXPECT_EQ(std::count(after.begin(), after.end(), next[10]), 1);
    EXPECT_EQ(std::count(after.begin(), after.end(), next[11]), 0);
}

TEST(UecBitmapPathSelectorTest, SendsEvenWhenEveryEntropyHasAPenalty)
{
    HostPath path(MakePrototype("UecBitmap"));
    const std::vector<uint32_t> first = path.Send(kPaths);
    const std::set<uint32_t> all(first.begin(), first.end());
    for (uint64_t psn = 0; psn < kPaths; ++psn)
    {
        path.TimeOut(psn);
    }
    for (const uint32_t entropy : path.Send(100))
    {
        EXPECT_EQ(all.count(entropy), 1U);
    }
}

TEST(UecBitmapPathSelectorTest, DependsOnTheStreamAlone)
{
    Ptr<PathSelector> prototype = MakePrototype("UecBitmap");
    EXPECT_EQ(HostPath(prototype, 1).Send(200), HostPath(prototype, 1).Send(200));
    EXPECT_NE(HostPath(prototype, 1).Send(200), HostPath(prototype, 2).Send(200));
}

TEST(UecBitmapPathSelectorTest, SpreadsAMessageOverAllSpines)
{
    const SprayRun run = RunSpray(MakePrototype("UecBitmap"));
    EXPECT_LE(run.CountEntropies(), 8U * 64);
    for (const uint64_t frames : run.uplinks)
    {
        EXPECT_NEAR(static_cast<double>(frames), 256, 100);
    }
}

TEST(UecBitmapPathSelectorTest, DeliversEverythingWhenFramesAreLost)
{
    RunSpray(MakePrototype("UecBitmap"), 1e-2);
}

} // namespace
