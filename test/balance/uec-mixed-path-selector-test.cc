// SPDX-License-Identifier: GPL-2.0-only
#include "path-selector-fixture.h"

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

TEST(UecMixedPathSelectorTest, TakesWhatCameBackFirstAndWalksOtherwise)
{
    HostPath path(MakePrototype("UecMixed"));
    HostPath walk(MakePrototype("UecOblivious"));
    const std::vector<uint32_t> sent = path.Send(4);
    EXPECT_EQ(sent, walk.Send(4));
    path.Ack(sent[3]);
    path.Ack(sent[1]);
    EXPECT_EQ(path.Send(2), (std::vector<uint32_t>{sent[3], sent[1]}));
    EXPECT_EQ(path.Send(10), walk.Send(10));
}

TEST(UecMixedPathSelectorTest, WhatCameBackMarkedIsNotUsedAgainAndPassedOver)
{
    HostPath path(MakePrototype("UecMixed"));
    const std::vector<uint32_t> first = path.Send(64);
    path.Ack(first[7], true);
    path.Ack(first[8]);
    EXPECT_EQ(path.Send(), first[8]);
    const std::vector<uint32_t> next = path.Send(63);
    EXPECT_EQ(std::set<uint32_t>(next.begin(), next.end()).size(), 63U);
    EXPECT_EQ(std::count(next.begin(), next.end(), first[7]), 0);
}

TEST(UecMixedPathSelectorTest, KnowsTheFramesThatItSentAgain)
{
    HostPath path(MakePrototype("UecMixed"));
    const std::vector<uint32_t> first = path.Send(64);
    path.Ack(first[8]);
    EXPECT_EQ(path.Send(), first[8]);
    path.Lose(64);
    const std::vector<uint32_t> next = path.Send(63);
    EXPECT_EQ(std::count(next.begin(), next.end(), first[8]), 0);
}

TEST(UecMixedPathSelectorTest, DependsOnTheStreamAlone)
{
    Ptr<PathSelector> prototype = MakePrototype("UecMixed");
    EXPECT_EQ(RunSpray(prototype).entropies, RunSpray(prototype).entropies);
    EXPECT_NE(HostPath(prototype, 1).Send(200), HostPath(prototype, 2).Send(200));
}

TEST(UecMixedPathSelectorTest, SpreadsAMessageOverAllSpines)
{
    const SprayRun run = RunSpray(MakePrototype("UecMixed"));
    EXPECT_LE(run.CountEntropies(), 8U * 64);
    for (const uint64_t frames : run.uplinks)
    {
        EXPECT_NEAR(static_cast<double>(frames), 256, 100);
    }
}

TEST(UecMixedPathSelectorTest, DeliversEverythingWhenFramesAreLost)
{
    RunSpray(MakePrototype("UecMixed"), 1e-2);
}

} // namespace
