// SPDX-License-Identifier: GPL-2.0-only
#include "switch-fixture.h"

#include "ns3/rails-port-draw.h"

#include <gtest/gtest.h>
#include <map>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

using Ports = std::vector<uint16_t>;

TEST(PortDraw, ShufflesIntoAllOrdersAlike)
{
    PortDraw draw;
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    EXPECT_EQ(draw.AssignStreams(7), 1);
    // Always from the same order: a biased shuffle shows, which it would not after another one.
    std::map<Ports, uint32_t> counts;
    for (int i = 0; i < 24'000; ++i)
    {
        Ports ports{4, 5, 6, 7};
        draw.Shuffle(ports);
        ++counts[ports];
    }
    ASSERT_EQ(counts.size(), 24U);
    std::vector<uint32_t> frequencies;
    for (const auto& [order, count] : counts)
    {
        frequencies.push_back(count);
    }
    // The 99.99 % quantile of chi-square with 23 degrees of freedom is 56.5.
    EXPECT_LT(ChiSquare(frequencies), 56.5);
}

TEST(PortDraw, LeavesTheFirstPortsWhereTheyAre)
{
    PortDraw draw;
    draw.AssignStreams(7);
    std::map<Ports, uint32_t> counts;
    for (int i = 0; i < 100; ++i)
    {
        Ports ports{4, 5, 6, 7};
        draw.Shuffle(ports, 2);
        ++counts[ports];
    }
    EXPECT_EQ(counts.size(), 2U);
    EXPECT_GT((counts[{4, 5, 6, 7}]), 20U);
    EXPECT_GT((counts[{4, 5, 7, 6}]), 20U);
}

} // namespace
