// SPDX-License-Identifier: GPL-2.0-only
#include "switch-fixture.h"

#include "ns3/component-maker.h"
#include "ns3/port-selector.h"
#include "ns3/rails-error.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr TimePs kRefresh = 100'000;

/// \return how often each uplink is chosen when they hold so much
std::vector<uint32_t>
Count(const std::vector<uint64_t>& bytes, uint32_t choices = 100)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("AdaptivePortSelector"));
    fixture.Fill(bytes);
    return fixture.Count(choices);
}

TEST(AdaptiveRouting, KeepsToTheLowestBucket)
{
    // The limits are 40, 80 and 160 kB.
    EXPECT_EQ(Count({40'000, 39'999, 160'000, 80'000}), (std::vector<uint32_t>{0, 100, 0, 0}));
    EXPECT_EQ(Count({80'000, 160'000, 79'999, 80'000}), (std::vector<uint32_t>{0, 0, 100, 0}));
    EXPECT_EQ(Count({160'000, 160'000, 160'000, 159'999}), (std::vector<uint32_t>{0, 0, 0, 100}));
}

TEST(AdaptiveRouting, TakesAllPortsOfABucketEvenly)
{
    // The 99.99 % quantile of chi-square is 15.1, 18.4, 21.1 for 1, 2, 3 degrees of freedom.
    EXPECT_LT(ChiSquare(Count({0, 10'000, 20'000, 39'999}, 8000)), 21.1);
    EXPECT_LT(ChiSquare(Count({160'000, 300'000, 700'000, 800'000}, 8000)), 21.1);
    std::vector<uint32_t> counts = Count({41'000, 80'000, 60'000, 79'000}, 6000);
    EXPECT_EQ(counts[1], 0U);
    EXPECT_LT(ChiSquare({counts[0], counts[2], counts[3]}), 18.4);
    counts = Count({200'000, 90'000, 100'000, 300'000}, 4000);
    EXPECT_EQ(counts[0] + counts[3], 0U);
    EXPECT_LT(ChiSquare({counts[1], counts[2]}), 15.1);
}

TEST(AdaptiveRouting, LooksAtAQueueAgainOnlyAfterTheRefreshTime)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("AdaptivePortSelector"));
    fixture.Advance(1000);
    fixture.Fill({100'000, 100'000, 0, 100'000});
    EXPECT_EQ(fixture.Count(10)[2], 10U); // grades of 1 ns
    fixture.Fill({0, 0, 200'000, 0});
    EXPECT_EQ(fixture.Count(10)[2], 10U);
    fixture.Advance(kRefresh - 1);
    EXPECT_EQ(fixture.Count(10)[2], 10U) << "the grade is 1 ps too young";
    fixture.Advance(1);
    EXPECT_EQ(fixture.Count(10)[2], 0U);
}

TEST(AdaptiveRouting, GradesEachPortOnItsOwn)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("AdaptivePortSelector"));
    fixture.SetHops(1, {2, 3});
    fixture.SetHops(2, {4, 5});
    fixture.SetHops(3, {3, 4});
    fixture.TellRoutesChanged();
    fixture.Fill({0, 100'000, 0, 100'000});
    EXPECT_EQ(fixture.Count(10, 1)[0], 10U); // ports 2, 3 at 0 ns
    fixture.Advance(kRefresh / 2);
    EXPECT_EQ(fixture.Count(10, 2)[2], 10U); // ports 4, 5 at 50 ns
    fixture.Fill({200'000, 0, 200'000, 0});
    fixture.Advance(kRefresh / 2);
    EXPECT_EQ(fixture.Count(10, 1)[1], 10U) << "0.1 us old";
    EXPECT_EQ(fixture.Count(10, 2)[2], 10U) << "0.05 us old";
    EXPECT_EQ(fixture.Count(10, 3)[2], 10U) << "whatever the destination";
    fixture.Advance(kRefresh / 2);
    EXPECT_EQ(fixture.Count(10, 2)[3], 10U);
    EXPECT_EQ(fixture.Count(10, 3)[1], 10U);
}

TEST(AdaptiveRouting, DoesNotPutARefreshOffByLooking)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("AdaptivePortSelector"));
    fixture.Fill({0, 100'000, 100'000, 100'000});
    EXPECT_EQ(fixture.Count(10)[0], 10U);
    fixture.Fill(2, 200'000);
    for (int i = 0; i < 9; ++i)
    {
        fixture.Advance(kRefresh / 10);
        EXPECT_EQ(fixture.Count(10)[0], 10U);
    }
    fixture.Advance(kRefresh / 10);
    EXPECT_EQ(fixture.Count(10)[0], 0U);
}

TEST(AdaptiveRouting, LooksAtEveryFrameWithoutARefreshTime)
{
    Ptr<PortSelector> prototype = MakeComponent<PortSelector>("AdaptivePortSelector");
    prototype->SetAttribute("Refresh", Ps(0));
    SwitchFixture fixture(prototype);
    fixture.Fill({0, 50'000, 50'000, 50'000});
    EXPECT_EQ(fixture.Count(10)[0], 10U);
    fixture.Fill({200'000, 0, 0, 0});
    EXPECT_EQ(fixture.Count(10)[0], 0U);
}

TEST(AdaptiveRouting, HasThresholdsAndABufferOfItsOwn)
{
    Ptr<PortSelector> prototype = MakeComponent<PortSelector>("AdaptivePortSelector");
    prototype->SetAttribute("LowThreshold", DoubleValue(0.25));
    prototype->SetAttribute("MiddleThreshold", DoubleValue(0.5));
    prototype->SetAttribute("HighThreshold", DoubleValue(0.5));
    prototype->SetAttribute("Buffer", Bytes(10'000));
    EXPECT_NO_THROW(prototype->Check({}));
    SwitchFixture fixture(prototype);
    fixture.Fill({2500, 5000, 4999, 6000});
    const std::vector<uint32_t> counts = fixture.Count(1000);
    EXPECT_EQ(counts[1] + counts[3], 0U);
    EXPECT_GT(counts[0], 400U);
    EXPECT_GT(counts[2], 400U);
}

TEST(AdaptiveRouting, RefusesThresholdsThatFall)
{
    const auto getKey = [](double low, double middle, double high) -> std::string {
        Ptr<PortSelector> prototype = MakeComponent<PortSelector>("AdaptivePortSelector");
        prototype->SetAttribute("LowThreshold", DoubleValue(low));
        prototype->SetAttribute("MiddleThreshold", DoubleValue(middle));
        prototype->SetAttribute("HighThreshold", DoubleValue(high));
        try
        {
            prototype->Check({});
        }
        catch (const ConfigurationError& error)
        {
            return error.GetKey();
        }
        return "";
    };
    EXPECT_EQ(getKey(0.1, 0.1, 0.1), "");
    EXPECT_EQ(getKey(0.2, 0.1, 0.3), "middle_threshold");
    EXPECT_EQ(getKey(0.1, 0.2, 0.15), "high_threshold");
}

TEST(AdaptiveRouting, FollowsAChangeOfRoutes)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("AdaptivePortSelector"));
    fixture.Fill({0, 100'000, 100'000, 100'000});
    EXPECT_EQ(fixture.Count(10)[0], 10U);
    fixture.SetHops(1, {3, 4, 5});
    fixture.TellRoutesChanged();
    const std::vector<uint32_t> counts = fixture.Count(6000);
    EXPECT_EQ(counts[0], 0U);
    EXPECT_LT(ChiSquare({counts[1], counts[2], counts[3]}), 18.4);
}

} // namespace
