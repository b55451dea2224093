// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/path-spread.h"

#include <gtest/gtest.h>
#include <optional>

namespace ns3::rails::test
{

namespace
{

using Spread = PathSpread;

constexpr Spread kHosts[]{Spread::OnePath, Spread::Even, Spread::Routes, Spread::Adaptive};
constexpr Spread kSwitches[]{Spread::OnePath, Spread::Even, Spread::Weighted, Spread::Adaptive};

TEST(PathSpread, IsUnknownWhereEitherAdapts)
{
    for (const Spread spread : kHosts)
    {
        EXPECT_EQ(Combine(spread, Spread::Adaptive), std::nullopt);
    }
    for (const Spread spread : kSwitches)
    {
        EXPECT_EQ(Combine(Spread::Adaptive, spread), std::nullopt);
    }
}

TEST(PathSpread, OfSourceRoutesLeavesSwitchesNoChoice)
{
    EXPECT_EQ(Combine(Spread::Routes, Spread::OnePath), Spread::Routes);
    EXPECT_EQ(Combine(Spread::Routes, Spread::Even), Spread::Routes);
    EXPECT_EQ(Combine(Spread::Routes, Spread::Weighted), Spread::Routes);
}

TEST(PathSpread, OfAHashDependsOnTheEntropyOfHosts)
{
    EXPECT_EQ(Combine(Spread::OnePath, Spread::OnePath), Spread::OnePath);
    EXPECT_EQ(Combine(Spread::Even, Spread::OnePath), Spread::Weighted);
}

TEST(PathSpread, OfSwitchesThatDoNotHashIsTheirs)
{
    for (const Spread host : {Spread::OnePath, Spread::Even})
    {
        EXPECT_EQ(Combine(host, Spread::Even), Spread::Even);
        EXPECT_EQ(Combine(host, Spread::Weighted), Spread::Weighted);
    }
}

TEST(PathSpread, OfSwitchesCannotBeRoutes)
{
    EXPECT_EQ(Combine(Spread::OnePath, Spread::Routes), std::nullopt);
}

} // namespace

} // namespace ns3::rails::test
