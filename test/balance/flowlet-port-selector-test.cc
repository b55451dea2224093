// SPDX-License-Identifier: GPL-2.0-only
#include "switch-fixture.h"

#include "ns3/component-maker.h"
#include "ns3/port-selector.h"
#include "ns3/rails-error.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr TimePs kGap = 50'000'000;

SwitchFixture::Options
SixtyFourUplinks()
{
    SwitchFixture::Options options;
    options.uplinks = 64;
    return options;
}

Frame
MakeFrame(uint32_t source, uint32_t destination, uint32_t entropy, FrameKind kind = FrameKind::Data)
{
    return SwitchFixture::MakeFrame(1, source, destination, entropy, kind);
}

TEST(Flowlet, KeepsItsPortWithinTheGap)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("FlowletPortSelector"), SixtyFourUplinks());
    const uint16_t port = fixture.Select(MakeFrame(1, 2, 3));
    for (int i = 0; i < 50; ++i)
    {
        fixture.Advance(kGap);
        EXPECT_EQ(fixture.Select(MakeFrame(1, 2, 3)), port);
    }
}

TEST(Flowlet, IsFollowedByAnotherAfterTheGap)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("FlowletPortSelector"));
    std::vector<uint32_t> counts(4);
    for (int i = 0; i < 2000; ++i)
    {
        fixture.Advance(kGap + 1);
        ++counts[fixture.Select() - SwitchFixture::kDownPorts];
    }
    // The 99.99 % quantile of chi-square with 3 degrees of freedom is 21.1.
    EXPECT_LT(ChiSquare(counts), 21.1);
}

TEST(Flowlet, IsOfOneFlow)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("FlowletPortSelector"), SixtyFourUplinks());
    // Either NIC and the entropy make another flow; size, kind and number do not.
    std::vector<uint16_t> first;
    for (uint32_t i = 0; i < 30; ++i)
    {
        first.push_back(fixture.Select(MakeFrame(i, 200, 0)));
        first.push_back(fixture.Select(MakeFrame(100, 201 + i, 0)));
        first.push_back(fixture.Select(MakeFrame(100, 200, 1 + i)));
    }
    EXPECT_GT(std::set<uint16_t>(first.begin(), first.end()).size(), 30U);
    for (uint32_t i = 0; i < 30; ++i)
    {
        EXPECT_EQ(fixture.Select(MakeFrame(i, 200, 0, FrameKind::Ack)), first[3 * i]);
        EXPECT_EQ(fixture.Select(MakeFrame(100, 201 + i, 0)), first[3 * i + 1]);
        EXPECT_EQ(fixture.Select(MakeFrame(100, 200, 1 + i)), first[3 * i + 2]);
    }
}

TEST(Flowlet, GoesByLotWhateverTheQueues)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("FlowletPortSelector"));
    fixture.Fill({800'000, 0, 10'000, 400'000});
    std::vector<uint32_t> counts(4);
    for (uint32_t i = 0; i < 4000; ++i)
    {
        ++counts[fixture.Select(MakeFrame(1, 2, i)) - SwitchFixture::kDownPorts];
    }
    // Flows that share an entry count more than once; few do.
    EXPECT_LT(ChiSquare(counts), 21.1);
}

TEST(Flowlet, GoesToTheShortestQueueWhenAsked)
{
    Ptr<PortSelector> prototype = MakeComponent<PortSelector>("FlowletPortSelector");
    prototype->SetAttribute("Choice", StringValue("least-loaded"));
    SwitchFixture fixture(prototype);
    fixture.Fill({5000, 1000, 5000, 3000});
    EXPECT_EQ(fixture.Select(MakeFrame(1, 2, 3)), 3);
    fixture.Fill({0, 8000, 0, 0});
    EXPECT_EQ(fixture.Select(MakeFrame(1, 2, 3)), 3) << "still the same flowlet";
    EXPECT_EQ(fixture.Select(MakeFrame(1, 2, 4)), 5);
    fixture.Advance(kGap + 1);
    EXPECT_EQ(fixture.Select(MakeFrame(1, 2, 3)), 5);
    fixture.Fill({0, 0, 0, 5000});
    std::set<uint16_t> ties;
    for (uint32_t i = 0; i < 50; ++i)
    {
        ties.insert(fixture.Select(MakeFrame(7, 8, i)));
    }
    EXPECT_EQ(ties, (std::set<uint16_t>{2, 4, 5}));
}

TEST(Flowlet, HasTheGapThatIsSet)
{
    Ptr<PortSelector> prototype = MakeComponent<PortSelector>("FlowletPortSelector");
    prototype->SetAttribute("Gap", Ps(0));
    SwitchFixture fixture(prototype, SixtyFourUplinks());
    const uint16_t port = fixture.Select();
    EXPECT_EQ(fixture.Count(10)[port - 2], 10U) << "the same instant";
    std::set<uint16_t> ports;
    for (int i = 0; i < 50; ++i)
    {
        fixture.Advance(1);
        ports.insert(fixture.Select());
    }
    EXPECT_GT(ports.size(), 20U);
}

TEST(Flowlet, SharesAnEntryWithOthersInASmallTable)
{
    Ptr<PortSelector> prototype = MakeComponent<PortSelector>("FlowletPortSelector");
    const auto countPorts = [&](uint32_t entries) {
        prototype->SetAttribute("Entries", UintegerValue(entries));
        SwitchFixture fixture(prototype, SixtyFourUplinks());
        std::set<uint16_t> ports;
        for (uint32_t i = 0; i < 1000; ++i)
        {
            ports.insert(fixture.Select(MakeFrame(i, 2000 - i, 0)));
        }
        return ports.size();
    };
    EXPECT_EQ(countPorts(1), 1U);
    EXPECT_LE(countPorts(4), 4U);
    EXPECT_EQ(countPorts(16384), 64U);
}

/// \return how many of 1024 flows find their entry empty, in a table of 1024
uint32_t
CountEntries(uint32_t sourceStride, uint32_t destinationStride, uint32_t entropyStride)
{
    Ptr<PortSelector> prototype = MakeComponent<PortSelector>("FlowletPortSelector");
    prototype->SetAttribute("Entries", UintegerValue(1024));
    prototype->SetAttribute("Choice", StringValue("least-loaded"));
    SwitchFixture fixture(prototype, SixtyFourUplinks());
    // At flow i port i modulo 64 alone has the shortest queue, and a flow that finds its entry
    // empty takes it; one that does not takes an old port, rarely the same.
    for (uint16_t i = 0; i < 64; ++i)
    {
        fixture.Fill(SwitchFixture::kDownPorts + i, 1 + i);
    }
    uint32_t taken = 0;
    for (uint32_t i = 0; i < 1024; ++i)
    {
        const auto shortest = static_cast<uint16_t>(SwitchFixture::kDownPorts + i % 64);
        const Frame frame =
            MakeFrame(i / 32 * sourceStride, 100 + i % 32 * destinationStride, i * entropyStride);
        taken += fixture.Select(frame) == shortest ? 1 : 0;
        fixture.Enqueue(shortest, 64);
    }
    return taken;
}

TEST(Flowlet, SpreadsFlowsOverTheTable)
{
    // By lot 1024 flows take 1 - 1/e of 1024 entries: 647, with a standard deviation of 10.
    EXPECT_GT(CountEntries(1, 1, 0), 600U);
    EXPECT_GT(CountEntries(1024, 1, 0), 600U);
    EXPECT_GT(CountEntries(1, 1024, 0), 600U);
    EXPECT_GT(CountEntries(0, 0, 1), 600U);
    EXPECT_GT(CountEntries(0, 0, 1024), 600U);
    EXPECT_GT(CountEntries(1, 1, 1), 600U);
}

TEST(Flowlet, LeavesAPortThatNoLongerLeadsThere)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("FlowletPortSelector"));
    std::vector<uint16_t> before;
    for (uint32_t i = 0; i < 100; ++i)
    {
        before.push_back(fixture.Select(MakeFrame(1, 2, i)));
    }
    fixture.SetHops(1, {2, 3, 5});
    fixture.TellRoutesChanged();
    for (uint32_t i = 0; i < 100; ++i)
    {
        const uint16_t port = fixture.Select(MakeFrame(1, 2, i));
        EXPECT_NE(port, 4);
        if (before[i] != 4)
        {
            EXPECT_EQ(port, before[i]) << "others stay";
        }
    }
}

TEST(Flowlet, RefusesATableThatIsNoPowerOfTwo)
{
    Ptr<PortSelector> prototype = MakeComponent<PortSelector>("FlowletPortSelector");
    EXPECT_NO_THROW(prototype->Check({}));
    prototype->SetAttribute("Entries", UintegerValue(1));
    EXPECT_NO_THROW(prototype->Check({}));
    prototype->SetAttribute("Entries", UintegerValue(1000));
    try
    {
        prototype->Check({});
        FAIL();
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_EQ(error.GetKey(), "entries");
        EXPECT_NE(std::string(error.what()).find("512 or 1024"), std::string::npos);
    }
}

} // namespace
