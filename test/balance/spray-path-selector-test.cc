// SPDX-License-Identifier: GPL-2.0-only
#include "path-selector-fixture.h"

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

TEST(SprayPathSelectorTest, WalkTakesTheNextEntropyForEveryFrame)
{
    HostPath path(MakePrototype("Spray"));
    const std::vector<uint32_t> entropies = path.Send(100);
    for (uint32_t i = 0; i < 100; ++i)
    {
        EXPECT_EQ(entropies[i], entropies[0] + i);
    }
}

TEST(SprayPathSelectorTest, QueuePairsStartTheirWalksApart)
{
    Ptr<PathSelector> prototype = MakePrototype("Spray");
    const uint32_t first = HostPath(prototype, 1).Send();
    const uint32_t second = HostPath(prototype, 2).Send();
    EXPECT_GT(std::max(first, second) - std::min(first, second), 1000U);
}

TEST(SprayPathSelectorTest, RandomEntropiesFillTheirRange)
{
    HostPath path(MakePrototype("Spray", Key{"Entropy", "random"}));
    std::vector<uint32_t> quarters(4);
    for (const uint32_t entropy : path.Send(4000))
    {
        ++quarters[entropy >> 30];
    }
    for (const uint32_t count : quarters)
    {
        EXPECT_NEAR(count, 1000, 150);
    }
}

TEST(SprayPathSelectorTest, DependsOnTheStreamAlone)
{
    for (const char* entropy : {"walk", "random"})
    {
        Ptr<PathSelector> prototype = MakePrototype("Spray", Key{"Entropy", entropy});
        EXPECT_EQ(HostPath(prototype, 1).Send(20), HostPath(prototype, 1).Send(20));
        EXPECT_NE(HostPath(prototype, 1).Send(20), HostPath(prototype, 2).Send(20));
    }
}

TEST(SprayPathSelectorTest, SpreadsAMessageOverAllSpines)
{
    for (const char* entropy : {"walk", "random"})
    {
        const SprayRun run = RunSpray(MakePrototype("Spray", Key{"Entropy", entropy}));
        EXPECT_GE(run.CountEntropies(), 2040U) << entropy;
        ASSERT_EQ(run.uplinks.size(), 8U);
        for (const uint64_t frames : run.uplinks)
        {
            EXPECT_NEAR(static_cast<double>(frames), 256, 64) << entropy;
        }
    }
}

} // namespace
