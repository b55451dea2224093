// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/round-trip-estimator.h"

#include <gtest/gtest.h>

using namespace ns3::rails;

namespace
{

constexpr TimePs kMicro = 1'000'000;

TEST(RoundTripEstimatorTest, FollowsRfc6298)
{
    RoundTripEstimator estimator(1000 * kMicro, 2 * kMicro);
    EXPECT_EQ(estimator.GetRto(), 1000 * kMicro);
    estimator.Add(8 * kMicro); // deviation 4
    EXPECT_EQ(estimator.GetRto(), 24 * kMicro);
    estimator.Add(16 * kMicro); // deviation 4 + (8 - 4) / 4, then smoothed 8 + 8 / 8
    EXPECT_EQ(estimator.GetRto(), (9 + 4 * 5) * kMicro);
    estimator.Add(1 * kMicro); // deviation 5 + (8 - 5) / 4, then smoothed 9 - 8 / 8
    EXPECT_EQ(estimator.GetRto(), (8 + 4 * 5) * kMicro + 3 * kMicro);
}

TEST(RoundTripEstimatorTest, KeepsTheMinimum)
{
    RoundTripEstimator estimator(1000 * kMicro, 2 * kMicro);
    estimator.Add(kMicro / 10);
    EXPECT_EQ(estimator.GetRto(), 2 * kMicro);
}

TEST(RoundTripEstimatorTest, ComesDownToASteadyRoundTrip)
{
    RoundTripEstimator estimator(1000 * kMicro, 2 * kMicro);
    for (int i = 0; i < 100; ++i)
    {
        estimator.Add(6 * kMicro);
    }
    EXPECT_NEAR(static_cast<double>(estimator.GetRto()), 6.0 * kMicro, 20);
}

} // namespace
