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

TEST(JoinShortestQueue, TakesTheShortestToTheByte)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("JsqPortSelector"));
    fixture.Fill({4160, 4159, 4158, 4159});
    EXPECT_EQ(fixture.Count(100), (std::vector<uint32_t>{0, 0, 100, 0}));
    fixture.Fill({0, 0, 4161, 0});
    const std::vector<uint32_t> counts = fixture.Count(4000);
    EXPECT_EQ(counts[0] + counts[2], 0U);
    // The 99.99 % quantile of chi-square with 1 degree of freedom is 15.1.
    EXPECT_LT(ChiSquare({counts[1], counts[3]}), 15.1);
}

TEST(JoinShortestQueue, BreaksTiesEvenly)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("JsqPortSelector"));
    // 3 degrees of freedom.
    EXPECT_LT(ChiSquare(fixture.Count(8000)), 21.1);
    fixture.Fill({1000, 1000, 1000, 1000});
    EXPECT_LT(ChiSquare(fixture.Count(8000)), 21.1);
}

TEST(JoinShortestQueue, CountsTheFrameThatIsBeingSent)
{
    SwitchFixture::Options options;
    options.rateBps = 8'000'000'000; // 1 ns a byte
    SwitchFixture fixture(MakeComponent<PortSelector>("JsqPortSelector"), options);
    fixture.Fill({2000, 3000, 3000, 3000});
    fixture.Advance(1'000'000);
    ASSERT_EQ(fixture.at->GetPort(2).GetQueueBytes(kDataClass), 0U) << "the frame is on its way";
    EXPECT_EQ(fixture.Count(100)[0], 100U) << "all of it counts until its last bit has left";
    fixture.Enqueue(2, 1500);
    EXPECT_EQ(fixture.Count(100)[0], 0U);
    fixture.Advance(1'100'000); // 2020 B have left
    EXPECT_EQ(fixture.at->GetPort(2).GetQueueBytes(), 1500U);
    EXPECT_EQ(fixture.Count(100)[0], 100U);
}

TEST(JoinShortestQueue, LooksOnlyWhereThereIsAWay)
{
    SwitchFixture fixture(MakeComponent<PortSelector>("JsqPortSelector"));
    fixture.Fill({0, 2000, 0, 1000});
    fixture.SetHops(1, {3, 5});
    fixture.TellRoutesChanged();
    EXPECT_EQ(fixture.Count(100), (std::vector<uint32_t>{0, 0, 0, 100}));
}

TEST(JoinShortestQueue, KeepsQueuesWithinAFrameOfEachOther)
{
    SwitchFixture::Options options;
    options.uplinks = 7;
    SwitchFixture fixture(MakeComponent<PortSelector>("JsqPortSelector"), options);
    for (int i = 0; i < 700; ++i)
    {
        fixture.Enqueue(fixture.Select(), 1000);
    }
    for (const uint16_t port : fixture.GetUplinks())
    {
        EXPECT_EQ(fixture.at->GetPort(port).GetQueueBytes(), 100'000U);
    }
}

} // namespace
