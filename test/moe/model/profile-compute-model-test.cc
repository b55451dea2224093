// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/component-maker.h"
#include "ns3/compute-model.h"
#include "ns3/double.h"
#include "ns3/gpu-device.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr double kPeak = 989.4e12; // of an H100, in BF16
constexpr double kMemory = 3.35e12;

Ptr<ComputeModel>
MakeProfile(const std::string& device)
{
    const auto profile = MakeComponent<ComputeModel>("ProfileComputeModel");
    profile->SetAttribute("Device", StringValue(device));
    return profile;
}

double
GetSeconds(const Work& work, const Ptr<ComputeModel>& profile = MakeProfile("h100"))
{
    return static_cast<double>(profile->GetTime(work)) / 1e12;
}

Work
MakeProducts(const std::vector<double>& rows, double inner, double columns)
{
    Work work;
    work.products.push_back({rows, inner, columns});
    return work;
}

} // namespace

TEST(ProfileComputeModelTest, ALargeProductIsNearItsRoofline)
{
    const double side = 8192;
    const double roofline = 2 * side * side * side / kPeak;
    // 64 x 32 tiles are 15.5 waves of 132.
    EXPECT_NEAR(GetSeconds(MakeProducts({side}, side, side)), roofline * 16 * 132 / 2048, 1e-11);
    for (const Pass pass : {Pass::Inputs, Pass::Weights})
    {
        Work work = MakeProducts({side}, side, side);
        work.pass = pass;
        EXPECT_NEAR(GetSeconds(work) / roofline, 1, 0.04);
    }
}

TEST(ProfileComputeModelTest, AProductOfFewRowsTakesAsLongAsItsBytes)
{
    const double columns = 4.0 * 132 * 256; // four waves
    const double elements = 128 * 1024 + 1024 * columns + 128 * columns;
    EXPECT_NEAR(GetSeconds(MakeProducts({128}, 1024, columns)), 2 * elements / kMemory, 1e-11);
}

TEST(ProfileComputeModelTest, WavesAreWhole)
{
    // One tile for each multiprocessor, and two more.
    const double wave = 2.0 * 128 * 256 * 8192 * 132 / kPeak;
    EXPECT_NEAR(GetSeconds(MakeProducts({128.0 * 66}, 8192, 512)), wave, 1e-11);
    EXPECT_NEAR(GetSeconds(MakeProducts({128.0 * 67}, 8192, 512)), 2 * wave, 1e-11);
}

TEST(ProfileComputeModelTest, ExpertsFillTilesOfTheirOwn)
{
    // As many tokens; those of each of 64 experts fill four tiles and a half of 128, times eight.
    const double tile = 2.0 * 128 * 256 * 8192 / kPeak;
    const std::vector<double> experts(64, 576);
    EXPECT_NEAR(GetSeconds(MakeProducts(experts, 8192, 2048)), 20 * 132 * tile, 1e-11);
    EXPECT_NEAR(GetSeconds(MakeProducts({64 * 576}, 8192, 2048)), 18 * 132 * tile, 1e-11);
}

TEST(ProfileComputeModelTest, LowPrecisionDoublesProductsAloneAndCasts)
{
    Work work = MakeProducts({8192}, 8192, 8192);
    const double high = GetSeconds(work);
    work.precision = FP8_BLOCK;
    const double casts = 8192.0 * 8192 * 4 / kMemory;
    EXPECT_NEAR(GetSeconds(work), high / 2 * (2 * 989.4 / 1978.9) + casts, 1e-11);
    work.products[0].isHigh = true;
    EXPECT_EQ(GetSeconds(work), high);
    Work core;
    core.core = 1e12;
    core.sequence = 4096;
    const double before = GetSeconds(core);
    core.precision = FP8_BLOCK;
    EXPECT_EQ(GetSeconds(core), before);
}

TEST(ProfileComputeModelTest, TheCoreOfAttentionHasItsPublishedRate)
{
    Work work;
    work.core = 1e12;
    work.sequence = 4096;
    EXPECT_NEAR(GetSeconds(work), 1 / 579.0, 1e-11);
    EXPECT_NEAR(GetSeconds(work, MakeProfile("b200")), 989.4 / 2250 / 579, 1e-11);
    for (const Pass pass : {Pass::Backward, Pass::Inputs})
    {
        work.pass = pass;
        EXPECT_NEAR(GetSeconds(work), 2.5 / 542, 1e-11);
    }
    work.pass = Pass::Weights;
    EXPECT_EQ(GetSeconds(work), 0);
    work.pass = Pass::Forward;
    work.sequence = 1 << 20;
    EXPECT_NEAR(GetSeconds(work), 1 / 616.0, 1e-11);
    work.sequence = 100;
    EXPECT_NEAR(GetSeconds(work), 1 / 292.0, 1e-11);
    work.sequence = 4096 * std::sqrt(2.0);
    EXPECT_NEAR(GetSeconds(work), 1 / 590.5, 1e-11);
}

TEST(ProfileComputeModelTest, AWayBackIsItsTwoParts)
{
    for (const Precision precision : {BF16, FP8_BLOCK})
    {
        Work work = MakeProducts({4096, 100, 0}, 2048, 1536);
        work.precision = precision;
        work.moved = 1e9;
        work.core = 1e11;
        work.sequence = 4096;
        double parts = 0;
        for (const Pass pass : {Pass::Inputs, Pass::Weights})
        {
            work.pass = pass;
            parts += GetSeconds(work);
        }
        work.pass = Pass::Backward;
        EXPECT_NEAR(GetSeconds(work), parts, 3e-12);
    }
}

TEST(ProfileComputeModelTest, WhatIsNoProductTakesAsLongAsItsBytes)
{
    Work work;
    work.moved = kMemory / 1000;
    EXPECT_NEAR(GetSeconds(work), 1e-3, 1e-11);
    work.pass = Pass::Backward;
    EXPECT_NEAR(GetSeconds(work), 2e-3, 1e-11);
    Work optimizer;
    optimizer.part = Work::Part::Optimizer;
    optimizer.bytes = kMemory / 100;
    EXPECT_NEAR(GetSeconds(optimizer), 1e-2, 1e-11);
    const auto profile = MakeProfile("h100");
    profile->SetAttribute("Efficiency", DoubleValue(0.5));
    EXPECT_NEAR(GetSeconds(optimizer, profile), 2e-2, 1e-11);
    EXPECT_NEAR(GetSeconds(work, profile), 4e-3, 1e-11);
}

TEST(ProfileComputeModelTest, EachDeviceIsThatOfItsName)
{
    for (const GpuDevice& device : GetGpuDevices())
    {
        const auto profile = MakeProfile(device.name);
        EXPECT_EQ(profile->GetPeak(BF16), device.bf16) << device.name;
        EXPECT_EQ(profile->GetPeak(FP8_BLOCK), device.fp8) << device.name;
        EXPECT_EQ(profile->GetSms(), device.sms);
        EXPECT_NEAR(device.fp8 / device.bf16, 2, 1e-3);
        Work optimizer;
        optimizer.part = Work::Part::Optimizer;
        optimizer.bytes = device.memory;
        EXPECT_NEAR(GetSeconds(optimizer, profile), 1, 1e-9);
        EXPECT_FALSE(device.source.empty());
        profile->Check(1, FP8_BLOCK);
        if (device.hasMicroscaling)
        {
            profile->Check(1, MXFP8);
        }
        else
        {
            EXPECT_THROW(profile->Check(1, MXFP8), ConfigurationError);
        }
    }
    EXPECT_EQ(
        MakeProfile("h100")->Describe(FP8_BLOCK),
        "computing is that of h100 in fp8-block: 1978.9 TFLOPS and 3.35 TB/s (NVIDIA H100 "
        "SXM, its data sheet), all of which nobody reaches: set compute.efficiency; mfu is over "
        "the 989.4 TFLOPS of bf16, mfu_fp8 over those of fp8");
    const auto profile = MakeProfile("b200");
    profile->SetAttribute("Efficiency", DoubleValue(0.75));
    EXPECT_EQ(profile->Describe(MXFP8),
              "computing is that of b200 in mxfp8: 4500 TFLOPS and 7.7 TB/s (NVIDIA HGX B200, an "
              "eighth of its data sheet), of which 0.75 is reached; mfu is over the 2250 TFLOPS of "
              "bf16, mfu_fp8 over those of fp8");
    profile->SetAttribute("Sms", UintegerValue(7));
    EXPECT_EQ(profile->GetSms(), 7U);
}

} // namespace ns3::rails
