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

TEST(RandomPorts, AreAsLikelyAsEachOtherWhateverQueuesAndWeights)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("RandomPortSelector"));
    fixture.SetHops(1, fixture.GetUplinks(), {1, 2, 3, 10});
    fixture.TellRoutesChanged();
    fixture.Fill({800'000, 0, 4158, 100'000});
    // The 99.99 % quantile of chi-square with 3 degrees of freedom is 21.1.
    EXPECT_LT(ChiSquare(fixture.Count(8000)), 21.1);
}

TEST(RandomPorts, DoNotDependOnTheLastOne)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("RandomPortSelector"));
    std::vector<uint32_t> pairs(16);
    uint16_t last = fixture.Select();
    for (int i = 0; i < 16'000; ++i)
    {
        const uint16_t port = fixture.Select();
        ++pairs[4 * (last - SwitchFixture::kDownPorts) + port - SwitchFixture::kDownPorts];
        last = port;
    }
    // 15 degrees of freedom.
    EXPECT_LT(ChiSquare(pairs), 44.3);
}

TEST(RandomPorts, AreOnlyThoseThatLeadThere)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("RandomPortSelector"));
    fixture.SetHops(1, {3, 5});
    fixture.TellRoutesChanged();
    const std::vector<uint32_t> counts = fixture.Count(4000);
    EXPECT_EQ(counts[0] + counts[2], 0U);
    EXPECT_LT(ChiSquare({counts[1], counts[3]}), 15.2);
}

TEST(RandomPorts, DependOnTheSeedAndOnTheSwitchAlone)
{
    const auto draw = [](uint64_t seed, bool ofSwitch) {
        SwitchFixture::Options options;
        options.seed = seed;
        SwitchFixture fixture(MakeComponent<PortSelector>("RandomPortSelector"), options);
        if (ofSwitch)
        {
            fixture.selector->AssignStreams(2000);
        }
        std::vector<uint16_t> ports;
        for (int i = 0; i < 50; ++i)
        {
            ports.push_back(fixture.Select());
        }
        return ports;
    };
    EXPECT_EQ(draw(1, false), draw(1, false));
    EXPECT_NE(draw(1, false), draw(2, false));
    EXPECT_NE(draw(1, false), draw(1, true));
}

TEST(RandomPorts, OfTwoForksComeFromTwoStreams)
{
    Ptr<PortSelector> prototype = MakeComponent<PortSelector>("RandomPortSelector");
    SwitchFixture fixture(prototype);
    Ptr<PortSelector> other = prototype->Fork();
    EXPECT_EQ(other->AssignStreams(5), 1);
    const auto draw = [&] {
        std::vector<uint16_t> ports;
        for (int i = 0; i < 20; ++i)
        {
            ports.push_back(fixture.Select());
        }
        return ports;
    };
    const std::vector<uint16_t> undisturbed = draw();
    fixture.selector->AssignStreams(1000);
    Frame frame = SwitchFixture::MakeFrame(1);
    other->Select(*fixture.at, frame, fixture.at->GetNextHops(1));
    EXPECT_EQ(draw(), undisturbed);
}

} // namespace
