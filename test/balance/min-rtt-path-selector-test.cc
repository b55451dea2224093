// SPDX-License-Identifier: GPL-2.0-only
#include "path-selector-fixture.h"

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr uint32_t kMinRttPaths = 4;

/// Four paths, without probes unless it is said how often.
Ptr<PathSelector>
MakeMinRtt(const std::string& probeEvery = "0")
{
    return MakePrototype("MinRtt", Key{"Paths", "4"}, Key{"ProbeEvery", probeEvery});
}

/// \return the four entropies of a queue pair that has measured 8, 6, 5 and 7 us
std::vector<uint32_t>
Measure(HostPath& path)
{
    const std::vector<uint32_t> tried = path.Send(kMinRttPaths);
    path.now = 8 * kMicrosecond;
    const TimePs roundTrips[] = {8, 6, 5, 7};
    for (uint32_t i = 0; i < kMinRttPaths; ++i)
    {
        path.Ack(tried[i], false, roundTrips[i] * kMicrosecond);
    }
    return tried;
}

TEST(MinRttPathSelectorTest, TriesEveryPathFirst)
{
    HostPath path(MakeMinRtt());
    const std::vector<uint32_t> tried = path.Send(kMinRttPaths);
    EXPECT_EQ(std::set<uint32_t>(tried.begin(), tried.end()).size(), kMinRttPaths);
    // As long as nothing is known they take turns.
    const std::vector<uint32_t> more = path.Send(2 * kMinRttPaths);
    EXPECT_EQ(std::set<uint32_t>(more.begin(), more.end()),
              std::set<uint32_t>(tried.begin(), tried.end()));
    for (uint32_t i = 0; i < kMinRttPaths; ++i)
    {
        EXPECT_EQ(std::count(more.begin(), more.end(), tried[i]), 2);
    }
}

TEST(MinRttPathSelectorTest, TakesTheFastest)
{
    HostPath path(MakeMinRtt());
    const std::vector<uint32_t> tried = Measure(path);
    EXPECT_EQ(path.Send(), tried[2]);
    // 5 us and an eighth of the difference to 21 us are 7 us: now the second one is faster.
    path.Ack(tried[2], false, 21 * kMicrosecond);
    EXPECT_EQ(path.Send(), tried[1]);
    path.Ack(tried[1], false, 6 * kMicrosecond);
    EXPECT_EQ(path.Send(), tried[1]);
}

TEST(MinRttPathSelectorTest, LeavesAPathThatFallsSilent)
{
    HostPath path(MakeMinRtt());
    const std::vector<uint32_t> tried = Measure(path);
    EXPECT_EQ(path.Send(), tried[2]);
    path.now += 6 * kMicrosecond - 1;
    EXPECT_EQ(path.Send(), tried[2]);
    path.now += 2;
    EXPECT_EQ(path.Send(), tried[1]);
    // For good, unless it answers.
    path.Ack(tried[1], false, 6 * kMicrosecond);
    path.now += 1000 * kMicrosecond;
    EXPECT_EQ(path.Send(), tried[1]);
    path.Ack(tried[2], false, 5 * kMicrosecond);
    EXPECT_EQ(path.Send(), tried[2]);
}

TEST(MinRttPathSelectorTest, ProbesThePathsInTurn)
{
    HostPath path(MakeMinRtt("10"));
    const std::vector<uint32_t> tried = Measure(path);
    for (uint32_t probe = 0; probe < 8; ++probe)
    {
        EXPECT_EQ(path.Send(9), std::vector<uint32_t>(9, tried[2]));
        EXPECT_EQ(path.Send(), tried[probe % kMinRttPaths]);
        path.Ack(tried[2], false, 5 * kMicrosecond);
    }
}

TEST(MinRttPathSelectorTest, DependsOnTheStreamAlone)
{
    EXPECT_EQ(HostPath(MakeMinRtt(), 1).Send(20), HostPath(MakeMinRtt(), 1).Send(20));
    EXPECT_NE(HostPath(MakeMinRtt(), 1).Send(20), HostPath(MakeMinRtt(), 2).Send(20));
}

TEST(MinRttPathSelectorTest, AvoidsCollisions)
{
    const SprayRun flow = RunSpray(CreateObject<FlowPathSelector>());
    const SprayRun run = RunSpray(MakePrototype("MinRtt"));
    EXPECT_GT(run.CountEntropies(), 16U);
    EXPECT_LE(run.CountEntropies(), 64U);
    EXPECT_LT(run.end, flow.end);
}

} // namespace
