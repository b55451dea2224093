// SPDX-License-Identifier: GPL-2.0-only
#include "switch-fixture.h"

#include "ns3/conga-port-selector.h"
#include "ns3/rails-error.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr TimePs kMicrosecond = 1'000'000;

// At 100 Gbps a full estimator holds 50 us / 0.2 of bytes.
constexpr uint32_t kFull = 3'125'000;

SwitchFixture::Options
MakeConga(bool hasNics = true)
{
    SwitchFixture::Options options;
    options.hasNics = hasNics;
    options.rateBps = 100 * kGbps;
    return options;
}

/// A leaf of number 0 with uplinks 2 to 5 to the leaves 1 to 8.
class CongaBench : public SwitchFixture
{
  public:
    explicit CongaBench(const Options& options = MakeConga())
        : SwitchFixture(CreateObject<CongaPortSelector>(), options)
    {
    }

    CongaPortSelector& GetConga() const
    {
        return *DynamicCast<CongaPortSelector>(selector);
    }

    uint32_t GetLoad(uint16_t port) const
    {
        return GetConga().GetLoad(*at, port);
    }

    uint32_t GetPathLoad(uint32_t leaf, uint16_t port) const
    {
        return GetConga().GetPathLoad(*at, leaf, port);
    }

    /// A frame of this leaf leaves by an uplink.
    CongestionTag Send(uint16_t port, uint32_t leaf = 1, uint32_t wireBytes = 84)
    {
        Frame frame = MakeFrame(leaf);
        Telemetry telemetry;
        frame.telemetry = &telemetry;
        frame.bytes = wireBytes - Port::kWireOverhead;
        frame.sourceEdge = 0;
        selector->OnForward(*at, frame, port);
        return telemetry.congestion;
    }

    /// A frame of another leaf comes to a NIC of this one.
    void Arrive(uint32_t leaf, const CongestionTag& tag)
    {
        Frame frame = MakeFrame(0);
        frame.sourceEdge = leaf;
        Telemetry telemetry;
        telemetry.congestion = tag;
        frame.telemetry = &telemetry;
        selector->OnForward(*at, frame, 0);
    }

    /// Another leaf says what it saw of frames from here.
    void Hear(uint32_t leaf, uint8_t uplink, uint8_t metric)
    {
        Arrive(leaf, {0, 0, uplink, metric, true});
    }

    uint16_t SelectFor(uint32_t queuePair, uint32_t leaf = 1)
    {
        return Select(MakeFrame(leaf, 0, 100, queuePair));
    }
};

TEST(CongaPortSelectorTest, EstimatesTheRateOfAPort)
{
    CongaBench bench;
    for (int interval = 0; interval < 60; ++interval)
    {
        bench.Send(2, 1, 625'000); // 100 Gbps
        bench.Send(3, 1, 312'500); // half of it
        bench.Advance(50 * kMicrosecond);
    }
    // Just after a part was taken off, 0.8 of the whole is left.
    EXPECT_EQ(bench.GetLoad(2), 6U);
    EXPECT_EQ(bench.GetLoad(3), 3U);
    EXPECT_EQ(bench.GetLoad(4), 0U);
    bench.Send(2, 1, 625'000);
    EXPECT_EQ(bench.GetLoad(2), 7U);
    bench.Send(2, 1, 10 * kFull);
    EXPECT_EQ(bench.GetLoad(2), 7U);
}

TEST(CongaPortSelectorTest, EstimatesDecay)
{
    CongaBench bench;
    bench.Send(2, 1, kFull / 2 + 10);
    std::vector<uint32_t> loads;
    for (int interval = 0; interval < 8; ++interval)
    {
        loads.push_back(bench.GetLoad(2));
        bench.Advance(50 * kMicrosecond);
    }
    // 4, 3.2, 2.56, 2.05, 1.64, 1.31, 1.05, 0.84
    EXPECT_EQ(loads, (std::vector<uint32_t>{4, 3, 2, 2, 1, 1, 1, 0}));
    // Nobody looking meanwhile makes no difference.
    CongaBench unseen;
    unseen.Send(2, 1, kFull / 2 + 10);
    unseen.Advance(150 * kMicrosecond);
    EXPECT_EQ(unseen.GetLoad(2), 2U);
    unseen.Advance(1'000'000 * kMicrosecond);
    unseen.Send(2, 1, kFull / 2 + 10);
    EXPECT_EQ(unseen.GetLoad(2), 4U);
    unseen.Advance(50 * kMicrosecond);
    EXPECT_EQ(unseen.GetLoad(2), 3U);
}

TEST(CongaPortSelectorTest, TakesTheLeastLoadedUplink)
{
    CongaBench bench;
    bench.Send(2, 1, kFull / 2);
    bench.Send(3, 1, kFull / 4);
    bench.Send(5, 1, kFull / 2);
    EXPECT_EQ(bench.SelectFor(1), 4);
    // What the frames meet behind the uplink counts as much: on the way to this leaf.
    bench.Hear(1, 2, 6); // the third uplink is port 4
    EXPECT_EQ(bench.GetPathLoad(1, 4), 6U);
    EXPECT_EQ(bench.SelectFor(2), 3);
    EXPECT_EQ(bench.SelectFor(3, 2), 4);
    bench.Hear(1, 1, 3);
    EXPECT_EQ(bench.SelectFor(4), 3);
    bench.Hear(1, 1, 7);
    EXPECT_NE(bench.SelectFor(5), 3);
}

TEST(CongaPortSelectorTest, DrawsAmongEqualUplinks)
{
    CongaBench bench;
    std::vector<uint32_t> counts(4);
    for (uint32_t queuePair = 0; queuePair < 4000; ++queuePair)
    {
        ++counts[bench.SelectFor(queuePair) - SwitchFixture::kDownPorts];
    }
    EXPECT_LT(ChiSquare(counts), 21.1); // 3 degrees of freedom, 99.99 % quantile
}

TEST(CongaPortSelectorTest, AFlowletKeepsItsUplink)
{
    CongaBench bench;
    const uint16_t first = bench.SelectFor(1);
    bench.Send(first, 1, kFull);
    for (int i = 0; i < 20; ++i)
    {
        bench.Advance(99 * kMicrosecond);
        bench.Send(first, 1, kFull);
        EXPECT_EQ(bench.SelectFor(1), first);
    }
    bench.Advance(101 * kMicrosecond);
    EXPECT_NE(bench.SelectFor(1), first);
}

TEST(CongaPortSelectorTest, AQueuePairMovesOnlyToSomethingBetter)
{
    CongaBench bench;
    const uint16_t first = bench.SelectFor(1);
    for (int i = 0; i < 20; ++i)
    {
        bench.Advance(200 * kMicrosecond);
        EXPECT_EQ(bench.SelectFor(1), first);
    }
}

TEST(CongaPortSelectorTest, LeavesAnUplinkThatLeadsNowhere)
{
    CongaBench bench;
    const uint16_t first = bench.SelectFor(1);
    std::vector<uint16_t> others = bench.GetUplinks();
    others.erase(std::find(others.begin(), others.end(), first));
    bench.SetHops(1, others);
    bench.TellRoutesChanged();
    EXPECT_NE(bench.SelectFor(1), first);
}

TEST(CongaPortSelectorTest, FramesCollectTheLargestLoad)
{
    CongaBench spine(MakeConga(false));
    Frame frame = SwitchFixture::MakeFrame(1);
    Telemetry telemetry;
    CongestionTag& tag = telemetry.congestion;
    frame.telemetry = &telemetry;
    frame.sourceEdge = 7;
    tag.uplink = 3;
    spine.selector->OnForward(*spine.at, frame, 2);
    EXPECT_EQ(tag.metric, 0);
    frame.bytes = kFull / 2;
    spine.selector->OnForward(*spine.at, frame, 2);
    EXPECT_EQ(tag.metric, 4);
    EXPECT_EQ(tag.uplink, 3);
    frame.bytes = 64;
    tag.metric = 5;
    spine.selector->OnForward(*spine.at, frame, 2);
    EXPECT_EQ(tag.metric, 5);
}

TEST(CongaPortSelectorTest, TellsTheOtherLeafWhatItsFramesMet)
{
    CongaBench bench;
    EXPECT_FALSE(bench.Send(3).hasFeedback);
    bench.Arrive(3, {1, 5, 0, 0, false});
    EXPECT_FALSE(bench.Send(3, 4).hasFeedback); // that is another leaf
    const CongestionTag tag = bench.Send(3, 3);
    EXPECT_TRUE(tag.hasFeedback);
    EXPECT_EQ(tag.feedbackUplink, 1);
    EXPECT_EQ(tag.feedbackMetric, 5);
    EXPECT_EQ(tag.uplink, 1); // port 3 is the second uplink
    EXPECT_EQ(tag.metric, 0);
}

TEST(CongaPortSelectorTest, TellsOfAllUplinksInTurnAndOfNewsFirst)
{
    CongaBench bench;
    for (const uint8_t uplink : {0, 2, 3})
    {
        bench.Arrive(3, {uplink, static_cast<uint8_t>(uplink + 1), 0, 0, false});
    }
    std::vector<uint32_t> told;
    for (int i = 0; i < 6; ++i)
    {
        const CongestionTag tag = bench.Send(2, 3);
        EXPECT_TRUE(tag.hasFeedback);
        EXPECT_EQ(tag.feedbackMetric, tag.feedbackUplink + 1);
        told.push_back(tag.feedbackUplink);
    }
    EXPECT_EQ(told, (std::vector<uint32_t>{0, 2, 3, 0, 2, 3}));
    bench.Arrive(3, {0, 1, 0, 0, false}); // nothing new
    bench.Arrive(3, {3, 6, 0, 0, false});
    CongestionTag tag = bench.Send(2, 3);
    EXPECT_EQ(tag.feedbackUplink, 3);
    EXPECT_EQ(tag.feedbackMetric, 6);
    tag = bench.Send(2, 3);
    EXPECT_EQ(tag.feedbackUplink, 0);
}

TEST(CongaPortSelectorTest, ForgetsLoadsOfLongAgo)
{
    CongaBench bench;
    bench.Hear(1, 0, 7);
    bench.Arrive(1, {0, 5, 0, 0, false});
    bench.Advance(499 * kMicrosecond);
    EXPECT_EQ(bench.GetPathLoad(1, 2), 7U);
    EXPECT_TRUE(bench.Send(2, 1).hasFeedback);
    bench.Advance(2 * kMicrosecond);
    EXPECT_EQ(bench.GetPathLoad(1, 2), 0U);
    EXPECT_FALSE(bench.Send(2, 1).hasFeedback);
    // As little later, when there is news again.
    bench.Arrive(1, {0, 5, 0, 0, false});
    EXPECT_TRUE(bench.Send(2, 1).hasFeedback);
}

TEST(CongaPortSelectorTest, ASpineHashes)
{
    CongaBench bench(MakeConga(false));
    std::set<uint16_t> ports;
    for (uint32_t queuePair = 0; queuePair < 100; ++queuePair)
    {
        const uint16_t port = bench.SelectFor(queuePair);
        Frame frame = SwitchFixture::MakeFrame(1);
        Telemetry telemetry;
        frame.telemetry = &telemetry;
        frame.sourceEdge = 7;
        frame.bytes = kFull;
        bench.selector->OnForward(*bench.at, frame, port);
        bench.Advance(200 * kMicrosecond);
        EXPECT_EQ(bench.SelectFor(queuePair), port);
        ports.insert(port);
    }
    EXPECT_EQ(ports.size(), 4U);
}

TEST(CongaPortSelectorTest, RefusesMoreThanTwoTiers)
{
    Ptr<PortSelector> selector = CreateObject<CongaPortSelector>();
    EXPECT_NO_THROW(selector->Check({1}));
    EXPECT_NO_THROW(selector->Check({2}));
    try
    {
        selector->Check({3});
        FAIL() << "accepted";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_NE(std::string(error.what()).find("leaf-spine"), std::string::npos);
    }
}

// Two leaves of four hosts, four spines: whoever starts later avoids the uplinks in use, here and
// behind the spines.
TEST(CongaPortSelectorTest, SpreadsWhatStartsOneAfterTheOther)
{
    for (uint64_t seed = 1; seed <= 3; ++seed)
    {
        TestCluster test(8);
        test.topology->SetAttribute("LeafPorts", UintegerValue(4));
        test.topology->SetAttribute("RailSpines", UintegerValue(4));
        test.selector = CreateObject<CongaPortSelector>();
        test.Build(seed);
        for (uint32_t host = 0; host < 4; ++host)
        {
            test.Post(host, 4 + host, 16'000'000, -1, -1, 70 * kMicrosecond * host);
        }
        test.Run();
        EXPECT_EQ(test.deliveries.size(), 4U);
        EXPECT_EQ(test.GetLosslessDrops(), 0U);
        std::vector<uint64_t> frames;
        for (const Ptr<Port>& port : test.GetSwitch("rail0-leaf0").GetPorts())
        {
            if (port->GetIdentity().portClass == "leaf_up")
            {
                frames.push_back(port->GetCountersNow().frames);
            }
        }
        EXPECT_EQ(frames, (std::vector<uint64_t>(4, 3907))) << "seed " << seed;
    }
}

} // namespace
