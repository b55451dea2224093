// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-sweep-pace.h"

#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

namespace
{

SweepPace::Values
At(const std::string& balance, int seed)
{
    return SweepPace::MakeValues({{"balance", balance}, {"seed", std::to_string(seed)}});
}

} // namespace

TEST(SweepPaceTest, PointsTakeWhatIsExpectedBeforeAnyHasEnded)
{
    const SweepPace pace;
    EXPECT_FALSE(pace.IsKnown());
    EXPECT_DOUBLE_EQ(pace.Find(At("rails", 1)), 1);
}

TEST(SweepPaceTest, PointsTakeAsMuchLongerAsThoseThatEnded)
{
    SweepPace pace;
    pace.Add(At("ecmp", 1), 10, 30);
    EXPECT_TRUE(pace.IsKnown());
    EXPECT_NEAR(pace.Find(At("ecmp", 2)), 3, 1e-9);
    EXPECT_NEAR(pace.Find(At("rails", 2)), 3, 1e-9);
}

TEST(SweepPaceTest, PointsThatShareValuesCountMost)
{
    SweepPace pace;
    for (int seed = 1; seed <= 3; ++seed)
    {
        pace.Add(At("ecmp", seed), 10, 80);
        pace.Add(At("rails", seed), 10, 5);
    }
    EXPECT_GT(pace.Find(At("ecmp", 4)), 5);
    EXPECT_LT(pace.Find(At("rails", 4)), 0.8);
    const double between = pace.Find(At("random", 4));
    EXPECT_GT(between, 1);
    EXPECT_LT(between, 4);
}

TEST(SweepPaceTest, WhatIsTooShortToTellIsNotTakenForSlow)
{
    SweepPace pace;
    pace.Add(At("ecmp", 1), 0.0001, 0.01);
    pace.Add(At("ecmp", 2), 0, 10);
    EXPECT_NEAR(pace.Find(At("ecmp", 3)), 1, 1e-9);
}

} // namespace ns3::rails
