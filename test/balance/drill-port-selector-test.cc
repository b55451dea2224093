// SPDX-License-Identifier: GPL-2.0-only
#include "switch-fixture.h"

#include "ns3/component-maker.h"
#include "ns3/port-selector.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

Ptr<PortSelector>
MakeDrill(uint32_t samples, uint32_t memory)
{
    Ptr<PortSelector> prototype = MakeComponent<PortSelector>("DrillPortSelector");
    prototype->SetAttribute("Samples", UintegerValue(samples));
    prototype->SetAttribute("Memory", UintegerValue(memory));
    return prototype;
}

TEST(Drill, RemembersTheBestPort)
{
    SwitchFixture::Options options;
    options.uplinks = 8;
    SwitchFixture fixture(MakeComponent<PortSelector>("DrillPortSelector"), options);
    fixture.Fill({8000, 7000, 6000, 5000, 4000, 3000, 2000, 1000});
    // Each choice is at least as good as the one before, and the best of all is found soon.
    uint64_t last = 8000;
    for (int i = 0; i < 40; ++i)
    {
        const uint64_t bytes = fixture.at->GetPort(fixture.Select()).GetQueueBytes();
        EXPECT_LE(bytes, last);
        last = bytes;
    }
    EXPECT_EQ(last, 1000U);
    EXPECT_EQ(fixture.Count(100)[7], 100U);
}

TEST(Drill, LooksAtTheRememberedQueueAsItIsNow)
{
    SwitchFixture fixture(MakeDrill(1, 1));
    fixture.Fill({5000, 5000, 5000, 1000});
    while (fixture.Select() != 5)
    {
    }
    fixture.Fill(5, 9000);
    // Another port takes its place as soon as it is drawn.
    uint32_t stays = 0;
    while (fixture.Select() == 5)
    {
        ++stays;
    }
    EXPECT_LT(stays, 20U);
    EXPECT_EQ(fixture.Count(100)[3], 0U);
}

TEST(Drill, WithoutMemoryTakesTheBestOfTheDrawnPorts)
{
    SwitchFixture fixture(MakeDrill(2, 0));
    fixture.Fill({1000, 2000, 3000, 4000});
    // Of 4 ports 6 pairs can be drawn; the shortest is in 3, the next is the better one in 2, ...
    const std::vector<uint32_t> counts = fixture.Count(12'000);
    const std::vector<double> expected{6000, 4000, 2000};
    double sum = 0;
    for (int i = 0; i < 3; ++i)
    {
        sum += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
    }
    EXPECT_LT(sum, 18.4);
    EXPECT_EQ(counts[3], 0U) << "the two are different ports";
}

TEST(Drill, DrawsEvenly)
{
    // Of queues that tie the one drawn first is taken.
    for (const uint32_t samples : {1, 2, 4, 9})
    {
        SwitchFixture fixture(MakeDrill(samples, 0));
        EXPECT_LT(ChiSquare(fixture.Count(8000)), 21.1) << samples;
    }
}

TEST(Drill, IsJoinShortestQueueWhenItDrawsAllPorts)
{
    SwitchFixture fixture(MakeDrill(64, 1));
    for (int i = 0; i < 400; ++i)
    {
        fixture.Enqueue(fixture.Select(), 1000);
    }
    for (const uint16_t port : fixture.GetUplinks())
    {
        EXPECT_EQ(fixture.at->GetPort(port).GetQueueBytes(), 100'000U);
    }
}

TEST(Drill, PrefersTheRememberedPortInATie)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("DrillPortSelector"));
    const uint16_t first = fixture.Select();
    EXPECT_EQ(fixture.Count(100)[first - SwitchFixture::kDownPorts], 100U);
}

TEST(Drill, RemembersAsManyAsAsked)
{
    // With all ports drawn once, the two best are known; the best then grows, the other is next.
    SwitchFixture::Options options;
    options.uplinks = 64;
    SwitchFixture fixture(MakeDrill(64, 2), options);
    std::vector<uint64_t> bytes(64, 5000);
    bytes[10] = 1000;
    bytes[20] = 2000;
    fixture.Fill(bytes);
    EXPECT_EQ(fixture.Select(), 12);

    SwitchFixture poor(MakeDrill(1, 2), options);
    poor.Fill(bytes);
    bool hasFirst = false;
    bool hasSecond = false;
    for (int i = 0; i < 5000 && !(hasFirst && hasSecond); ++i)
    {
        // The second best is seen to be chosen only while it is the best known.
        const uint16_t port = poor.Select();
        hasFirst = hasFirst || port == 12;
        hasSecond = hasSecond || port == 22 || hasFirst;
    }
    ASSERT_TRUE(hasFirst);
    poor.Count(5000); // by now both were drawn
    poor.Fill(12, 9000);
    EXPECT_EQ(poor.Select(), 22) << "at once, though only one port of 64 is drawn";
}

TEST(Drill, HasAMemoryForEachSetOfPorts)
{
    SwitchFixture fixture(MakeDrill(1, 1));
    fixture.SetHops(2, {4, 5});
    fixture.SetHops(3, {2, 3});
    fixture.SetHops(4, {2, 3}, {3, 1});
    fixture.TellRoutesChanged();
    const uint16_t toFirst = fixture.Select(1);
    for (int i = 0; i < 50; ++i)
    {
        const uint16_t toSecond = fixture.Select(2);
        EXPECT_GE(toSecond, 4);
        const uint16_t toThird = fixture.Select(3);
        EXPECT_LE(toThird, 3);
        EXPECT_EQ(fixture.Select(4), toThird) << "the same ports, whatever the weights";
        EXPECT_EQ(fixture.Select(1), toFirst);
    }
}

TEST(Drill, TellsGroupsApartThatWereOneBeforeTheRoutesChanged)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("DrillPortSelector"));
    fixture.Select(1);
    fixture.Select(2);
    fixture.SetHops(1, {2, 3});
    fixture.SetHops(2, {4, 5});
    fixture.TellRoutesChanged();
    for (int i = 0; i < 50; ++i)
    {
        EXPECT_LE(fixture.Select(1), 3);
        EXPECT_GE(fixture.Select(2), 4);
    }
}

TEST(Drill, RemembersNothingWhenTheRoutesChanged)
{
    // All queues tie, so what is remembered would be taken.
    SwitchFixture fixture(MakeDrill(1, 1));
    std::vector<uint32_t> counts(4);
    for (int i = 0; i < 2000; ++i)
    {
        ++counts[fixture.Select() - SwitchFixture::kDownPorts];
        fixture.TellRoutesChanged();
    }
    EXPECT_LT(ChiSquare(counts), 21.1);
}

TEST(Drill, ForgetsPortsThatNoLongerLeadThere)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        SwitchFixture::Options options;
        options.seed = seed;
        SwitchFixture fixture(MakeComponent<PortSelector>("DrillPortSelector"), options);
        fixture.Fill({5000, 0, 5000, 5000});
        while (fixture.Select() != 3)
        {
        }
        fixture.SetHops(1, {2, 4, 5});
        fixture.TellRoutesChanged();
        EXPECT_EQ(fixture.Count(20)[1], 0U);
        fixture.SetHops(1, fixture.GetUplinks());
        fixture.TellRoutesChanged();
        while (fixture.Select() != 3)
        {
        }
    }
}

} // namespace
