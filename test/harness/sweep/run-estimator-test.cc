// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-run-estimator.h"

#include <gtest/gtest.h>

namespace ns3::rails
{

namespace
{

RunSize
Frames(double amount)
{
    return {"frames", amount};
}

} // namespace

TEST(RunEstimatorTest, WithoutEarlierRunsLargerOnesTakeLonger)
{
    const RunEstimator estimator;
    EXPECT_EQ(estimator.GetRuns(), 0U);
    EXPECT_GT(estimator.Estimate(Frames(0)), 0);
    EXPECT_GT(estimator.Estimate(Frames(1e6)), estimator.Estimate(Frames(1e3)));
    EXPECT_GT(estimator.Estimate(Frames(1e3)), estimator.Estimate(Frames(0)));
}

TEST(RunEstimatorTest, TimeIsInProportionToTheFrames)
{
    RunEstimator estimator;
    estimator.Learn(Frames(1000), 2);
    EXPECT_DOUBLE_EQ(estimator.Estimate(Frames(1000)), 2);
    EXPECT_DOUBLE_EQ(estimator.Estimate(Frames(500)), 1);
    EXPECT_DOUBLE_EQ(estimator.Estimate(Frames(10'000)), 20);
}

TEST(RunEstimatorTest, RunsOfLikeSizeCount)
{
    RunEstimator estimator;
    for (int i = 0; i < 9; ++i)
    {
        estimator.Learn(Frames(1000), 1);       // 1 ms a frame
        estimator.Learn(Frames(1'000'000), 10); // 10 us a frame
    }
    EXPECT_EQ(estimator.GetRuns(), 18U);
    EXPECT_DOUBLE_EQ(estimator.Estimate(Frames(2000)), 2);
    EXPECT_DOUBLE_EQ(estimator.Estimate(Frames(500'000)), 5);
}

TEST(RunEstimatorTest, LikeSizeMeansTheRatio)
{
    RunEstimator estimator;
    for (int i = 0; i < 9; ++i)
    {
        estimator.Learn(Frames(100), 100);    // 1 s a frame
        estimator.Learn(Frames(10'000), 100); // 10 ms a frame
    }
    EXPECT_DOUBLE_EQ(estimator.Estimate(Frames(900)), 900);
    EXPECT_DOUBLE_EQ(estimator.Estimate(Frames(1'100)), 11);
    EXPECT_DOUBLE_EQ(estimator.Estimate(Frames(1)), 1);
    EXPECT_DOUBLE_EQ(estimator.Estimate(Frames(1e6)), 1e4);
}

TEST(RunEstimatorTest, OneOddRunDoesNotCount)
{
    RunEstimator estimator;
    for (int i = 0; i < 4; ++i)
    {
        estimator.Learn(Frames(1000), 1);
    }
    estimator.Learn(Frames(1000), 1000);
    EXPECT_DOUBLE_EQ(estimator.Estimate(Frames(1000)), 1);
}

TEST(RunEstimatorTest, RunsThatTellNothingAreNotLearnt)
{
    RunEstimator estimator;
    estimator.Learn(Frames(0), 5);
    estimator.Learn(Frames(100), 0);
    estimator.Learn(Frames(-1), 5);
    EXPECT_EQ(estimator.GetRuns(), 0U);
}

TEST(RunEstimatorTest, RunsOfTheKindCountBeforeOthersOfTheEngine)
{
    RunEstimator estimator;
    for (int i = 0; i < 9; ++i)
    {
        estimator.Learn({"flow", 10, "training ecmp"}, 20);
    }
    estimator.Learn({"flow", 10, "training rails"}, 50);
    EXPECT_DOUBLE_EQ(estimator.Estimate({"flow", 1, "training rails"}), 5);
    EXPECT_DOUBLE_EQ(estimator.Estimate({"flow", 1, "ring rails"}), 2);
}

TEST(RunEstimatorTest, EnginesHaveNothingToDoWithEachOther)
{
    RunEstimator estimator;
    estimator.Learn(Frames(1000), 2);
    EXPECT_NEAR(estimator.Estimate({"flow", 1000}), 1000, 1);
    estimator.Learn({"flow", 1000}, 5);
    EXPECT_EQ(estimator.GetRuns(), 2U);
    EXPECT_DOUBLE_EQ(estimator.Estimate({"flow", 2000}), 10);
    EXPECT_DOUBLE_EQ(estimator.Estimate(Frames(2000)), 4);
}

} // namespace ns3::rails
