// SPDX-License-Identifier: GPL-2.0-only
#include "switch-fixture.h"

#include "ns3/ofan-port-selector.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

using Ports = std::vector<uint16_t>;
using Counts = std::vector<uint32_t>;

// Regions of the fixture are pairs of edge switches: 0 (the switch itself) and 1, 2 and 3, ...
SwitchFixture::Options
MakeOfan(bool hasNics, uint64_t seed = 1)
{
    SwitchFixture::Options options;
    options.hasNics = hasNics;
    options.seed = seed;
    return options;
}

class OfanBench : public SwitchFixture
{
  public:
    explicit OfanBench(const Options& options = MakeOfan(true), uint32_t skipAfter = 0)
        : SwitchFixture(MakePrototype(skipAfter), options)
    {
    }

    /// \return the ports chosen for frames to an edge switch
    Ports Draw(uint32_t frames, uint32_t edge, FrameKind kind = FrameKind::Data)
    {
        Ports ports;
        for (uint32_t i = 0; i < frames; ++i)
        {
            ports.push_back(Select(MakeFrame(edge, i, 100 + i, i, kind)));
        }
        return ports;
    }

    const OfanPortSelector& GetOfan() const
    {
        return *DynamicCast<OfanPortSelector>(selector);
    }

  private:
    static Ptr<PortSelector> MakePrototype(uint32_t skipAfter)
    {
        Ptr<PortSelector> prototype = CreateObject<OfanPortSelector>();
        prototype->SetAttribute("SkipAfter", UintegerValue(skipAfter));
        return prototype;
    }
};

std::size_t
CountDistinct(const Ports& ports)
{
    return std::set<uint16_t>(ports.begin(), ports.end()).size();
}

/// \return the cycle turned so that it begins with its smallest port
Ports
Normalise(Ports cycle)
{
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
}

TEST(OfanPortSelectorTest, TakesEveryPortOnceInACycle)
{
    for (const bool hasNics : {true, false})
    {
        OfanBench bench(MakeOfan(hasNics));
        const Ports ports = bench.Draw(32, 2);
        EXPECT_EQ(CountDistinct({ports.begin(), ports.begin() + 4}), 4U);
        for (std::size_t i = 4; i < ports.size(); ++i)
        {
            EXPECT_EQ(ports[i], ports[i - 4]);
        }
        EXPECT_EQ(bench.Count(400, 2), (Counts{100, 100, 100, 100}));
    }
}

TEST(OfanPortSelectorTest, AnEdgeSwitchHasAPointerForEachEdgeSwitch)
{
    OfanBench bench(MakeOfan(true));
    Ports to2;
    Ports to3;
    for (int i = 0; i < 4; ++i)
    {
        to2.push_back(bench.Select(2));
        to3.push_back(bench.Select(3));
    }
    EXPECT_EQ(CountDistinct(to2), 4U);
    EXPECT_EQ(CountDistinct(to3), 4U);
    EXPECT_EQ(bench.GetOfan().CountPointers(), 2U);
    // They share the order of the ports.
    EXPECT_EQ(Normalise(to2), Normalise(to3));
    EXPECT_EQ(bench.GetOfan().CountSchedules(), 1U);
}

TEST(OfanPortSelectorTest, FurtherUpAPodHasOnePointer)
{
    OfanBench bench(MakeOfan(false));
    Ports to2;
    Ports both;
    for (int i = 0; i < 4; ++i)
    {
        to2.push_back(bench.Select(2));
        both.push_back(to2.back());
        both.push_back(bench.Select(3));
    }
    EXPECT_EQ(CountDistinct({both.begin(), both.begin() + 4}), 4U);
    EXPECT_EQ(CountDistinct(to2), 2U);
    EXPECT_EQ(bench.GetOfan().CountPointers(), 1U);
    bench.Select(4); // of the next pod
    EXPECT_EQ(bench.GetOfan().CountPointers(), 2U);
    EXPECT_EQ(bench.GetOfan().CountSchedules(), 2U);
}

TEST(OfanPortSelectorTest, DataAndAnswersAreHalfACycleApart)
{
    for (const FrameKind first : {FrameKind::Data, FrameKind::Ack})
    {
        const FrameKind second = first == FrameKind::Data ? FrameKind::Ack : FrameKind::Data;
        OfanBench bench;
        const Ports firsts = bench.Draw(4, 2, first);
        const Ports seconds = bench.Draw(4, 2, second);
        EXPECT_EQ(seconds[0], firsts[2]);
        EXPECT_EQ(seconds[1], firsts[3]);
        EXPECT_EQ(seconds[2], firsts[0]);
    }
}

TEST(OfanPortSelectorTest, StartsAndOrdersDiffer)
{
    std::set<uint16_t> starts;
    std::set<Ports> orders;
    std::set<std::ptrdiff_t> offsets;
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        OfanBench bench(MakeOfan(true, seed));
        const Ports ports = bench.Draw(4, 2);
        starts.insert(ports[0]);
        orders.insert(Normalise(ports));
        // Of the same schedule, but begun elsewhere.
        const uint16_t other = bench.Select(3);
        offsets.insert(std::find(ports.begin(), ports.end(), other) - ports.begin());
    }
    EXPECT_EQ(starts.size(), 4U);
    EXPECT_EQ(offsets.size(), 4U);
    EXPECT_EQ(orders.size(), 6U); // all circular orders of 4
}

TEST(OfanPortSelectorTest, KeepsProportionsAfterAFailure)
{
    OfanBench bench;
    for (const uint32_t edge : {2, 3})
    {
        bench.SetHops(edge, {2, 3, 4, 5}, {2, 2, 2, 1});
    }
    bench.TellRoutesChanged();
    for (int cycle = 0; cycle < 10; ++cycle)
    {
        EXPECT_EQ(bench.Count(7, 2), (Counts{2, 2, 2, 1}));
    }
    EXPECT_EQ(bench.Count(700, 3), (Counts{200, 200, 200, 100}));
}

TEST(OfanPortSelectorTest, PassesOverPortsThatDoNotLeadThere)
{
    for (const bool hasNics : {true, false})
    {
        OfanBench bench(MakeOfan(hasNics));
        bench.SetHops(2, {2, 4});
        bench.TellRoutesChanged();
        for (int i = 0; i < 100; ++i)
        {
            const uint16_t port = bench.Select(2);
            EXPECT_TRUE(port == 2 || port == 4) << port;
            bench.Select(3);
        }
        EXPECT_EQ(bench.GetOfan().CountSchedules(), 1U);
    }
    // Alone it uses both, and the other destination of the region still all four.
    OfanBench bench;
    bench.SetHops(2, {2, 4});
    bench.TellRoutesChanged();
    EXPECT_EQ(bench.Count(100, 2), (Counts{50, 0, 50, 0}));
    EXPECT_EQ(bench.Count(100, 3), (Counts{25, 25, 25, 25}));
}

TEST(OfanPortSelectorTest, MergesWeightsThatLackDifferentDivisors)
{
    // Four cores behind each port but the last, which has three; edge switch 2 does not see it, so
    // its weights come as 1.
    for (const uint32_t blind : {2, 3})
    {
        OfanBench bench;
        bench.SetHops(blind, {2, 3, 4}, {1, 1, 1});
        bench.SetHops(5 - blind, {2, 3, 4, 5}, {4, 4, 4, 3});
        bench.TellRoutesChanged();
        EXPECT_EQ(bench.Count(150, 5 - blind), (Counts{40, 40, 40, 30}));
    }
    // One alone: no port is known to both.
    OfanBench bench;
    bench.SetHops(2, {2, 3}, {3, 1});
    bench.SetHops(3, {4, 5}, {1, 2});
    bench.TellRoutesChanged();
    EXPECT_EQ(bench.Count(40, 2)[2], 0U);
    EXPECT_EQ(bench.Count(40, 3)[0], 0U);
}

TEST(OfanPortSelectorTest, KeepsSchedulesShortWhateverTheWeights)
{
    OfanBench bench;
    for (const uint32_t edge : {2, 3})
    {
        bench.SetHops(edge, {2, 3, 4, 5}, {4'000'000'000, 3'999'999'999, 2'000'000'011, 1});
    }
    bench.TellRoutesChanged();
    const Counts counts = bench.Count(641 * 10, 2); // 256 + 256 + 128 + 1
    EXPECT_EQ(counts, (Counts{2560, 2560, 1280, 10}));
}

TEST(OfanPortSelectorTest, StartsAnewWhenRoutesChange)
{
    OfanBench bench;
    bench.Draw(9, 2);
    bench.Draw(9, 4);
    EXPECT_EQ(bench.GetOfan().CountPointers(), 2U);
    EXPECT_EQ(bench.GetOfan().CountSchedules(), 2U);
    for (const uint32_t edge : {2, 3})
    {
        bench.SetHops(edge, {3, 5});
    }
    bench.TellRoutesChanged();
    EXPECT_EQ(bench.GetOfan().CountPointers(), 0U);
    EXPECT_EQ(bench.GetOfan().CountSchedules(), 0U);
    EXPECT_EQ(bench.Count(10, 2), (Counts{0, 5, 0, 5}));
    EXPECT_EQ(bench.GetOfan().CountPointers(), 1U);
}

TEST(OfanPortSelectorTest, SkipsAPositionNowAndThenWhenAskedTo)
{
    OfanBench bench(MakeOfan(true), 10);
    const Ports ports = bench.Draw(200, 2);
    std::vector<std::size_t> breaks;
    for (std::size_t i = 1; i < ports.size(); ++i)
    {
        // Within a run of cycles the port after this one is always the same.
        const std::size_t first = breaks.empty() ? 0 : breaks.back();
        if (i >= first + 4 && ports[i] != ports[i - 4])
        {
            breaks.push_back(i);
        }
    }
    ASSERT_GE(breaks.size(), 3U);
    EXPECT_GE(breaks[0], 37U);
    EXPECT_LE(breaks[0], 40U);
    // Ten cycles begin at the position behind the one skipped.
    EXPECT_EQ(breaks[1] - breaks[0], 39U);
    EXPECT_EQ(breaks[2] - breaks[1], 39U);
}

TEST(OfanPortSelectorTest, NeedsAsMuchStateAsThePaperSays)
{
    // k = 64: 32 edge switches in each of 64 pods; the fixture's switch is edge switch 0.
    SwitchFixture::Options options;
    options.uplinks = 32;
    options.edges = 2047;
    for (uint32_t edge = 0; edge <= options.edges; ++edge)
    {
        options.regions.push_back(edge / 32);
    }
    OfanBench edgeSwitch(options);
    for (uint32_t edge = 1; edge <= options.edges; ++edge)
    {
        edgeSwitch.Draw(2, edge, edge % 2 ? FrameKind::Data : FrameKind::Ack);
    }
    EXPECT_EQ(edgeSwitch.GetOfan().CountPointers(), 2047U);
    EXPECT_EQ(edgeSwitch.GetOfan().CountSchedules(), 64U);

    options.hasNics = false;
    OfanBench aggregation(options);
    for (uint32_t edge = 32; edge <= options.edges; ++edge)
    {
        aggregation.Draw(2, edge);
    }
    EXPECT_EQ(aggregation.GetOfan().CountPointers(), 63U);
    EXPECT_EQ(aggregation.GetOfan().CountSchedules(), 63U);
}

} // namespace
