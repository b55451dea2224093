// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/layer-time-model.h"

#include <gtest/gtest.h>
#include <limits>
#include <memory>

namespace ns3::rails::test
{

namespace
{

LayerRates
MakeRates()
{
    LayerRates rates;
    rates.devices = 4;
    rates.bandwidth = 100;
    rates.inputsPerSecond = 10;
    rates.inputBytes = 5;
    rates.parameterBytes = 800;
    rates.gradientBytes = 1600;
    rates.otherForward = 1;
    rates.otherBackward = 2;
    return rates;
}

TEST(LayerTimeModel, TermsAreThoseOfEquations1To5)
{
    const LayerTime time = LayerTimeModel(MakeRates()).Evaluate({40, 30, 2, 1});
    EXPECT_DOUBLE_EQ(time.allToAll, 40 * 5 / 100.0);
    EXPECT_DOUBLE_EQ(time.forwardExperts, 3);
    EXPECT_DOUBLE_EQ(time.backwardExperts, 6);
    EXPECT_DOUBLE_EQ(time.parameters, 2 * 0.75 * 8);
    EXPECT_DOUBLE_EQ(time.gradients, 2 * 0.75 * 16);
}

TEST(LayerTimeModel, BlockingAddsAllAndScheduledWhatComputationDoesNotHide)
{
    const LayerTime time = LayerTimeModel(MakeRates()).Evaluate({40, 30, 2, 1});
    EXPECT_DOUBLE_EQ(time.GetBlocking(), 4 * 2 + 3 * 3 + 12 + 24);
    EXPECT_DOUBLE_EQ(time.GetExposedParameters(), 12 - 3 - 1);
    EXPECT_DOUBLE_EQ(time.GetExposedGradients(), 24 - 6 - 2);
    EXPECT_DOUBLE_EQ(time.GetScheduled(), 4 * 2 + 3 * 3 + 8 + 16);
    const LayerTime little = LayerTimeModel(MakeRates()).Evaluate({40, 300, 1, 3});
    EXPECT_EQ(little.GetExposedParameters(), 0);
    EXPECT_EQ(little.GetExposedGradients(), 0);
}

TEST(LayerTimeModel, WorkIsThatOfThePlan)
{
    ExpertSetting setting;
    setting.cluster.gpus = setting.expertParallel = setting.experts = 4;
    ExpertPlan plan;
    plan.placement = std::make_shared<ExpertPlacement>(ExpertPlacement::InOrder(setting));
    plan.routes = {{0, 0, 0, 6}, {1, 0, 1, 5}, {2, 0, 0, 3}, {3, 2, 2, 4}, {1, 2, 2, 1}};
    plan.weights = {{0, 0, 1, 1}, {0, 0, 3, 1}, {2, 2, 0, 1}, {2, 2, 1, 1}};
    const LayerWork work = FindWork(4, plan);
    EXPECT_EQ(work.mostReceived, 5U);
    EXPECT_EQ(work.mostComputed, 9U);
    EXPECT_EQ(work.shadows, 2U);
    EXPECT_EQ(work.excluded, 1U);
}

TEST(UniformBandwidth, IsThatOfTheSlowerOfBothWays)
{
    ClusterView cluster;
    cluster.gpus = 8;
    cluster.gpusPerServer = 4;
    cluster.nicsPerServer = 2;
    cluster.nvlinkRate = 300;
    cluster.nicRate = 20; // 10 for each GPU
    EXPECT_DOUBLE_EQ(FindUniformBandwidth(cluster), 7 / (4 / 10.0));
    cluster.nvlinkRate = 6; // 3 bytes take longer inside than 4 across
    EXPECT_DOUBLE_EQ(FindUniformBandwidth(cluster), 7 / (3 / 6.0));
    cluster.gpus = 4;
    EXPECT_DOUBLE_EQ(FindUniformBandwidth(cluster), 6);
    cluster.gpus = 2;
    cluster.gpusPerServer = 1;
    cluster.nicsPerServer = 1;
    cluster.nvlinkRate = 0;
    EXPECT_DOUBLE_EQ(FindUniformBandwidth(cluster), 20);
    cluster.gpus = 1;
    EXPECT_EQ(FindUniformBandwidth(cluster), std::numeric_limits<double>::infinity());
}

} // namespace

} // namespace ns3::rails::test
