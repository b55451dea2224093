// SPDX-License-Identifier: GPL-2.0-only
#include "path-selector-fixture.h"

#include "ns3/rails-error.h"

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr TimePs kGap = 40'000;

/// One that waits for ten gaps between frames, and not for eleven.
Ptr<PathSelector>
MakeSteady()
{
    return MakePrototype("Plb", Key{"MinimumWait", "10"}, Key{"MaximumWait", "11"});
}

/// \return the label of a path that has sent two frames, a gap apart, and heard of the first
uint32_t
Begin(HostPath& path)
{
    const uint32_t label = path.Send();
    path.now += kGap;
    path.Send();
    path.Ack(label);
    return label;
}

TEST(PlbPathSelectorTest, KeepsItsPathWhileThreeOfTenAcksAreMarked)
{
    HostPath path(MakeSteady());
    const uint32_t label = path.Send();
    for (uint32_t ack = 0; ack < 200; ++ack)
    {
        path.Ack(label, ack % 10 < 3);
        EXPECT_EQ(path.Send(), label);
    }
}

TEST(PlbPathSelectorTest, LeavesItsPathWhenFourOfTenAcksAreMarked)
{
    HostPath path(MakeSteady());
    const uint32_t label = Begin(path);
    for (uint32_t ack = 0; ack < 200; ++ack)
    {
        path.now += kGap;
        path.Ack(label, ack % 10 < 4);
        path.Send();
    }
    // Bad from the fourth ACK on, and eleven gaps lie between two changes at the most.
    EXPECT_GE(path.Send(), label + 196 / 11);
}

TEST(PlbPathSelectorTest, ChangesPathAfterTheFourthMarkedOfTenAndTheWait)
{
    HostPath path(MakeSteady());
    const uint32_t label = Begin(path);
    for (int ack = 0; ack < 3; ++ack)
    {
        path.Ack(label, true);
    }
    // The third leaves it good, so the wait begins here.
    path.now += 20 * kGap;
    path.Ack(label);
    path.Ack(label, true);
    path.Send();
    for (uint32_t gap = 1; gap <= 33; ++gap)
    {
        path.now += kGap;
        path.Ack(label, true);
        EXPECT_EQ(path.Send(), label + gap / 11) << gap;
    }
}

// As one whose frames all wait in full queues, when most of the marks come.
TEST(PlbPathSelectorTest, ChangesPathThoughItHasNothingLeftToSend)
{
    HostPath path(MakeSteady());
    const uint32_t label = Begin(path);
    for (int ack = 0; ack < 4 + 11; ++ack)
    {
        path.Ack(label, true);
        path.now += kGap;
    }
    EXPECT_EQ(path.Send(), label + 1);
}

TEST(PlbPathSelectorTest, GoodAcksBeginTheWaitAgain)
{
    HostPath path(MakeSteady());
    const uint32_t label = Begin(path);
    for (int round = 0; round < 5; ++round)
    {
        for (int ack = 0; ack < 4; ++ack)
        {
            path.Ack(label, true);
        }
        for (int gap = 0; gap < 10; ++gap)
        {
            path.now += kGap;
            EXPECT_EQ(path.Send(), label);
            path.Ack(label, true);
        }
        for (int ack = 0; ack < 10; ++ack)
        {
            path.Ack(label);
        }
    }
}

TEST(PlbPathSelectorTest, DrawsTheWait)
{
    std::map<uint32_t, uint32_t> waits;
    for (int64_t stream = 1; stream <= 40; ++stream)
    {
        HostPath path(MakePrototype("Plb"), stream);
        const uint32_t label = Begin(path);
        for (int ack = 0; ack < 4; ++ack)
        {
            path.Ack(label, true);
        }
        uint32_t gaps = 0;
        do
        {
            ++gaps;
            path.now += kGap;
            path.Ack(label, true);
        } while (path.Send() == label);
        ++waits[gaps];
    }
    ASSERT_EQ(waits.size(), 2U);
    EXPECT_NEAR(waits[11], 20, 10);
    EXPECT_NEAR(waits[12], 20, 10);
}

TEST(PlbPathSelectorTest, ChangesPathWhenNoAckComesForATimeOut)
{
    HostPath path(MakeSteady());
    const uint32_t label = path.Send();
    path.now = 1000 * kMicrosecond;
    EXPECT_EQ(path.Send(), label);
    ++path.now;
    EXPECT_EQ(path.Send(), label + 1);
    // The first round trip of 5 us makes it 5 us and four times 2.5 us.
    path.Ack(label + 1);
    path.now += 100 * kMicrosecond;
    EXPECT_EQ(path.Send(), label + 1);
    path.now += 15 * kMicrosecond;
    EXPECT_EQ(path.Send(), label + 1);
    ++path.now;
    EXPECT_EQ(path.Send(), label + 2);
    // And again after as long.
    path.now += 15 * kMicrosecond;
    EXPECT_EQ(path.Send(), label + 2);
    ++path.now;
    EXPECT_EQ(path.Send(), label + 3);
}

TEST(PlbPathSelectorTest, AcksStopTheTimeOut)
{
    HostPath path(MakeSteady());
    const uint32_t label = path.Send();
    for (int i = 0; i < 50; ++i)
    {
        path.now += 4 * kMicrosecond;
        path.Ack(label);
        EXPECT_EQ(path.Send(), label);
    }
}

TEST(PlbPathSelectorTest, RefusesWhatCannotWork)
{
    EXPECT_THROW(MakePrototype("Plb", Key{"MarkedAcks", "11"}), ConfigurationError);
    EXPECT_THROW(MakePrototype("Plb", Key{"MinimumWait", "12"}), ConfigurationError);
}

TEST(PlbPathSelectorTest, MovesQueuePairsThatCollide)
{
    const SprayRun flow = RunSpray(CreateObject<FlowPathSelector>());
    EXPECT_EQ(flow.CountEntropies(), 8U);
    const SprayRun plb = RunSpray(MakePrototype("Plb"));
    EXPECT_GT(plb.marks, 0U);
    EXPECT_GT(plb.CountEntropies(), 8U);
    EXPECT_LT(plb.CountEntropies(), 200U);
    EXPECT_LT(plb.end, flow.end);
}

TEST(PlbPathSelectorTest, DependsOnTheSeedAlone)
{
    Ptr<PathSelector> prototype = MakePrototype("Plb");
    EXPECT_EQ(RunSpray(prototype).entropies, RunSpray(prototype).entropies);
    EXPECT_NE(RunSpray(prototype).entropies, RunSpray(prototype, 0, 2).entropies);
}

} // namespace
