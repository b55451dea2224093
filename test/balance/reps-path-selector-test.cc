// SPDX-License-Identifier: GPL-2.0-only
#include "path-selector-fixture.h"

#include "ns3/reps-path-selector.h"

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

bool
IsFrozen(const HostPath& path)
{
    return DynamicCast<RepsPathSelector>(path.selector)->IsFrozen();
}

/// Takes what is in the ring from the newest acknowledgements, and a time-out on the last one.
void
FreezeWith(HostPath& path, const std::vector<uint32_t>& ring)
{
    for (const uint32_t entropy : ring)
    {
        path.Ack(entropy);
    }
    // The last one came back twice. Used once more, it stays out.
    path.Ack(ring.back());
    EXPECT_EQ(path.Send(static_cast<uint32_t>(ring.size())), ring);
    path.now += 1000 * kMicrosecond;
    EXPECT_FALSE(IsFrozen(path));
}

TEST(RepsPathSelectorTest, FirstFramesAreRandom)
{
    HostPath path(MakePrototype("Reps"));
    const std::vector<uint32_t> entropies = path.Send(4000);
    std::vector<uint32_t> quarters(4);
    for (const uint32_t entropy : entropies)
    {
        ASSERT_LT(entropy, 16000U);
        ++quarters[entropy / 4000];
    }
    for (const uint32_t count : quarters)
    {
        EXPECT_NEAR(count, 1000, 150);
    }
}

TEST(RepsPathSelectorTest, UsesAgainWhatCameBackInThatOrder)
{
    HostPath path(MakePrototype("Reps"));
    const std::vector<uint32_t> sent = path.Send(4);
    path.Ack(sent[2]);
    path.Ack(sent[0]);
    EXPECT_EQ(path.Send(2), (std::vector<uint32_t>{sent[2], sent[0]}));
    path.Ack(sent[3]);
    EXPECT_EQ(path.Send(), sent[3]);
    // Once each: the next ones are random.
    const std::vector<uint32_t> next = path.Send(20);
    EXPECT_GT(std::set<uint32_t>(next.begin(), next.end()).size(), 15U);
}

TEST(RepsPathSelectorTest, NeverUsesAgainWhatCameBackMarked)
{
    HostPath path(MakePrototype("Reps"));
    const std::vector<uint32_t> sent = path.Send(100);
    for (const uint32_t entropy : sent)
    {
        path.Ack(entropy, true);
    }
    EXPECT_EQ(path.Send(100), [] {
        // As if nothing had come back.
        HostPath other(MakePrototype("Reps"));
        other.Send(100);
        return other.Send(100);
    }());
}

TEST(RepsPathSelectorTest, KeepsTheNewestEight)
{
    HostPath path(MakePrototype("Reps"));
    for (uint32_t entropy = 1; entropy <= 20; ++entropy)
    {
        path.Ack(entropy);
    }
    EXPECT_EQ(path.Send(8), (std::vector<uint32_t>{13, 14, 15, 16, 17, 18, 19, 20}));
}

TEST(RepsPathSelectorTest, FreezesWhenWhatItIsAboutToUseHasBeenOutForTheTimeOut)
{
    HostPath path(MakePrototype("Reps"));
    FreezeWith(path, {11, 12, 13});
    // Its ring in turn, stale as it is, and nothing random; 11 and 12 are out as long, and so are
    // passed over once.
    EXPECT_EQ(path.Send(7), (std::vector<uint32_t>{13, 13, 11, 12, 13, 13, 11}));
    EXPECT_TRUE(IsFrozen(path));
    // What comes back still finds its place in the ring.
    path.Ack(77);
    const std::vector<uint32_t> next = path.Send(5);
    EXPECT_EQ(std::count(next.begin(), next.end(), 77U), 1);
}

TEST(RepsPathSelectorTest, ThawsIntoSixteenRandomFrames)
{
    HostPath path(MakePrototype("Reps"));
    FreezeWith(path, {11, 12, 13});
    path.Send();
    path.now += 10'000 * kMicrosecond - 1;
    path.Ack(14);
    EXPECT_TRUE(IsFrozen(path));
    path.now += 1;
    path.Ack(15);
    EXPECT_FALSE(IsFrozen(path));
    for (const uint32_t entropy : path.Send(16))
    {
        EXPECT_TRUE(entropy < 11 || entropy > 15);
    }
    // The ring was emptied: it has what came back since, and that is fresh.
    EXPECT_EQ(path.Send(), 15U);
    const uint32_t next = path.Send();
    EXPECT_TRUE(next < 11 || next > 15);
}

TEST(RepsPathSelectorTest, DoesNotFreezeWhileItExplores)
{
    // One entropy only, so that every frame asks for one that is out.
    HostPath path(MakePrototype("Reps", Key{"Pool", "1"}));
    path.Send();
    path.now += 1001 * kMicrosecond;
    path.Send();
    EXPECT_TRUE(IsFrozen(path));
    path.now += 10'000 * kMicrosecond;
    // The two draws of a frame that meets a time-out are two explorations.
    for (int frame = 0; frame < 8; ++frame)
    {
        path.Send();
        EXPECT_FALSE(IsFrozen(path)) << frame;
        path.now += 1001 * kMicrosecond;
    }
    path.Send();
    EXPECT_TRUE(IsFrozen(path));
}

TEST(RepsPathSelectorTest, DoesNotFreezeForWhatIsOutForLess)
{
    HostPath path(MakePrototype("Reps"));
    path.Ack(11, false, 5 * kMicrosecond); // the time-out is 5 us and four times 2.5 us
    path.Ack(11, false, 5 * kMicrosecond); // and now 5 us and four times 1.875 us
    EXPECT_EQ(path.Send(), 11U);
    path.now += 12'500'000;
    EXPECT_EQ(path.Send(), 11U);
    EXPECT_FALSE(IsFrozen(path));
    path.Ack(11, false, 5 * kMicrosecond);
    path.Ack(11, false, 5 * kMicrosecond);
    path.Send();
    path.now += 12'500'000;
    path.Send();
    EXPECT_TRUE(IsFrozen(path));
}

TEST(RepsPathSelectorTest, NeverFreezesWhenItMustNot)
{
    HostPath path(MakePrototype("Reps", Key{"Pool", "1"}, Key{"Freezing", "false"}));
    for (int frame = 0; frame < 20; ++frame)
    {
        path.Send();
        path.now += 1001 * kMicrosecond;
    }
    EXPECT_FALSE(IsFrozen(path));
}

TEST(RepsPathSelectorTest, DependsOnTheStreamAlone)
{
    Ptr<PathSelector> prototype = MakePrototype("Reps");
    EXPECT_EQ(HostPath(prototype, 1).Send(20), HostPath(prototype, 1).Send(20));
    EXPECT_NE(HostPath(prototype, 1).Send(20), HostPath(prototype, 2).Send(20));
    EXPECT_EQ(RunSpray(prototype).entropies, RunSpray(prototype).entropies);
}

TEST(RepsPathSelectorTest, SpreadsAMessageOverAllSpines)
{
    const SprayRun run = RunSpray(MakePrototype("Reps"));
    for (const uint64_t frames : run.uplinks)
    {
        EXPECT_NEAR(static_cast<double>(frames), 256, 64);
    }
    // Fewer entropies than frames: they are used again.
    EXPECT_LT(run.CountEntropies(), 1800U);
    EXPECT_GT(run.CountEntropies(), 8U * 8);
}

TEST(RepsPathSelectorTest, DeliversEverythingWhenFramesAreLost)
{
    RunSpray(MakePrototype("Reps"), 1e-2);
}

} // namespace
