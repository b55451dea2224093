// SPDX-License-Identifier: GPL-2.0-only
#include "path-selector-fixture.h"

#include "ns3/rails-error.h"

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

TEST(UecObliviousPathSelectorTest, TakesEveryEntropyOnceARoundInPermutedOrder)
{
    HostPath path(MakePrototype("UecOblivious"));
    std::set<uint32_t> permutations;
    std::set<uint32_t> upperBits;
    for (int round = 0; round < 10; ++round)
    {
        const std::vector<uint32_t> entropies = path.Send(64);
        EXPECT_EQ(std::set<uint32_t>(entropies.begin(), entropies.end()).size(), 64U);
        for (uint32_t step = 0; step < 64; ++step)
        {
            EXPECT_EQ(entropies[step] ^ entropies[0], step);
            upperBits.insert(entropies[step] >> 6);
        }
        permutations.insert(entropies[0]);
    }
    EXPECT_EQ(upperBits.size(), 1U);
    EXPECT_GT(permutations.size(), 5U);
}

TEST(UecObliviousPathSelectorTest, HasAsManyEntropiesAsItIsTold)
{
    HostPath path(MakePrototype("UecOblivious", Key{"Paths", "8"}));
    const std::vector<uint32_t> entropies = path.Send(80);
    EXPECT_EQ(std::set<uint32_t>(entropies.begin(), entropies.end()).size(), 8U);
    EXPECT_THROW(MakePrototype("UecOblivious", Key{"Paths", "48"}), ConfigurationError);
}

TEST(UecObliviousPathSelectorTest, DependsOnTheStreamAlone)
{
    Ptr<PathSelector> prototype = MakePrototype("UecOblivious");
    EXPECT_EQ(HostPath(prototype, 1).Send(200), HostPath(prototype, 1).Send(200));
    EXPECT_NE(HostPath(prototype, 1).Send(200), HostPath(prototype, 2).Send(200));
}

TEST(UecObliviousPathSelectorTest, SpreadsAMessageOverAllSpines)
{
    const SprayRun run = RunSpray(MakePrototype("UecOblivious"));
    EXPECT_EQ(run.CountEntropies(), 8U * 64);
    for (const uint64_t frames : run.uplinks)
    {
        EXPECT_NEAR(static_cast<double>(frames), 256, 100);
    }
}

} // namespace
