// SPDX-License-Identifier: GPL-2.0-only
#include "../expert-fixtures.h"
#include "../training-fixtures.h"

#include "ns3/boolean.h"
#include "ns3/component-maker.h"
#include "ns3/compute-model.h"
#include "ns3/compute-time.h"
#include "ns3/double.h"
#include "ns3/flops-compute-model.h"
#include "ns3/layer-work.h"
#include "ns3/published-models.h"
#include "ns3/training-program.h"
#include "ns3/training-report.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>
#include <string>

namespace ns3::rails
{

namespace
{

/// \return operations forward of all products
double
CountProducts(const Work& work)
{
    double sum = 0;
    for (const Product& product : work.products)
    {
        sum += 2 * std::accumulate(product.rows.begin(), product.rows.end(), 0.0) * product.inner *
               product.columns;
    }
    return sum;
}

} // namespace

TEST(LayerWorkTest, NormsAndActivationsByThemselvesMoveWhatTheyMoveInTheirLayer)
{
    TrainingSpec spec = test::MakeSpec({1, 8},
                                       test::MakeModel("Mixtral-8x7b")->GetDimensions(),
                                       {{"Tp", 2}, {"Etp", 2}},
                                       MakeComponent<ComputeModel>("ProfileComputeModel"));
    spec.sequence = 4096;
    // Two norms, each of which reads and writes 2,048 vectors of 4,096 elements of two bytes.
    EXPECT_EQ(MakeNormWork(spec).moved, 2.0 * 2 * 2048 * 4096 * 2);
    // Two widths are read and one is written, of half of 14,336.
    EXPECT_EQ(MakeActivationWork(spec, 100).moved, 100.0 * 3 * 7168 * 2);
    EXPECT_LT(MakeActivationWork(spec, 100).moved, MakeExpertWork(spec, 50, Pass::Forward).moved);
    const auto find = [&] {
        spec.microbatches = 2;
        return FindComputeTime(TrainingProgram(spec));
    };
    const TimePs none = find();
    spec.again.norms = true;
    const TimePs norms = find();
    const auto both = static_cast<double>(spec.compute->GetTime(MakeNormWork(spec)));
    EXPECT_NEAR(static_cast<double>(norms - none), 2 * 32 * both, 1e-3 * 2 * 32 * both);
    spec.again.activation = true;
    EXPECT_GT(find(), norms);
    // Without shapes neither takes time.
    spec.compute = CreateObject<FlopsComputeModel>();
    const TimePs flops = find();
    spec.again = {};
    EXPECT_EQ(find(), flops);
}

TEST(LayerWorkTest, ShapesHaveTheOperationsThatAreCounted)
{
    for (const PublishedModel& model : GetPublishedModels())
    {
        for (const uint32_t tp : {1U, 4U})
        {
            TrainingSpec spec = test::MakeSpec({1, 8},
                                               test::MakeModel(model.name)->GetDimensions(),
                                               {{"Tp", tp}, {"Cp", 2}, {"Etp", 2}},
                                               MakeComponent<ComputeModel>("ProfileComputeModel"));
            spec.sequence = 4096;
            SCOPED_TRACE(model.name + ", tp " + std::to_string(tp));
            const Work whole = MakeAttentionWork(spec, AttentionPart::Whole, Pass::Forward);
            EXPECT_NEAR(CountProducts(whole) + whole.core, whole.flops, 1e-9 * whole.flops);
            double products = 0;
            double flops = 0;
            double core = 0;
            double moved = 0;
            for (const AttentionPart part :
                 {AttentionPart::Inputs, AttentionPart::Core, AttentionPart::Outputs})
            {
                const Work work = MakeAttentionWork(spec, part, Pass::Forward);
                products += CountProducts(work);
                flops += work.flops;
                core += work.core;
                moved += work.moved;
            }
            EXPECT_NEAR(products, CountProducts(whole), 1e-9 * products);
            EXPECT_NEAR(flops, whole.flops, 1e-9 * flops);
            EXPECT_EQ(core, whole.core);
            EXPECT_EQ(moved, whole.moved);
            const Work again = MakeProjectionWork(spec);
            EXPECT_NEAR(CountProducts(again), again.flops, 1e-9 * again.flops);
            for (const Work& work : {MakeGateWork(spec, Pass::Forward),
                                     MakeSharedWork(spec, Pass::Forward),
                                     MakeDenseWork(spec, Pass::Forward),
                                     MakeHeadWork(spec, Pass::Forward),
                                     MakeExpertWork(spec, 1000, Pass::Forward),
                                     MakeExpertWork(spec, 1000, Pass::Forward, {1500, 500})})
            {
                EXPECT_NEAR(CountProducts(work), work.flops, 1e-9 * work.flops);
                EXPECT_EQ(work.core, 0);
            }
        }
    }
}

// A layer of which there is hardly anything to compute takes as long as its kernels are launched.
TEST(LayerWorkTest, LayersTakeAsLongAsTheirHostAtLeast)
{
    const auto compute = MakeComponent<ComputeModel>("ProfileComputeModel");
    TrainingSpec spec = test::MakeSpec({1, 2}, test::MakeTinyModel(6), {{"Ep", 2}}, compute);
    spec.sequence = 4;
    spec.microbatches = 4;
    compute->SetAttribute("Graphs", BooleanValue(true));
    const TimePs without = FindComputeTime(TrainingProgram(spec));
    compute->SetAttribute("Graphs", BooleanValue(false));
    compute->SetAttribute("Launch", TimeValue(MilliSeconds(1)));
    TimePs launches = 0;
    for (const Pass pass : {Pass::Forward, Pass::Backward})
    {
        launches += GetLaunchTime(spec, 5, pass);
    }
    // Attention with two products, a gate with one, and four experts; as many again, twice, back.
    EXPECT_EQ(launches, 3 * (7 + 2 + 30 + 1 + 0.5 * 4) * 1'000'000'000);
    const auto bound = static_cast<double>(launches) * 6 * spec.microbatches;
    const auto with = static_cast<double>(FindComputeTime(TrainingProgram(spec)));
    EXPECT_GE(with, bound);
    EXPECT_LE(with, bound + static_cast<double>(without));
    // Where there is much to compute nobody waits for the host.
    spec.sequence = 1 << 20;
    compute->SetAttribute("Launch", TimeValue(NanoSeconds(10)));
    const auto much = static_cast<double>(FindComputeTime(TrainingProgram(spec)));
    compute->SetAttribute("Graphs", BooleanValue(true));
    EXPECT_NEAR(much, static_cast<double>(FindComputeTime(TrainingProgram(spec))), 1e-4 * much);
}

TEST(LayerWorkTest, UtilizationIsOfThePeaksInBf16AndInFp8)
{
    const auto compute = MakeComponent<ComputeModel>("ProfileComputeModel");
    TrainingSpec spec = test::MakeSpec({1, 2}, test::MakeTinyModel(1), {{"Ep", 2}}, compute);
    spec.sequence = 64;
    spec.microbatches = 4;
    spec.precision = FP8_BLOCK;
    // The head, attention, the gate and two experts, each parameter twice; half of the sequence.
    const double token = 2 * (10 * 16 + 16 * 64 + 16 * 8 + 2 * 3 * 16 * 32) + 64 * 32;
    EXPECT_EQ(GetTokenFlops(spec), token);
    const auto list = [&spec] {
        const auto figures = ListTrainingFigures(spec, {}, 2, nullptr);
        return std::map<std::string, double>(figures.begin(), figures.end());
    };
    const double perGpu = 3 * (2 * 4 * 64) * token / (2 * 2);
    EXPECT_DOUBLE_EQ(list().at("mfu"), perGpu / 989.4e12);
    EXPECT_DOUBLE_EQ(list().at("mfu_fp8"), perGpu / 1978.9e12);
    spec.precision = BF16;
    EXPECT_DOUBLE_EQ(list().at("mfu"), perGpu / 989.4e12);
    EXPECT_EQ(list().count("mfu_fp8"), 0U);
    spec.precision = MXFP8;
    const auto flops = CreateObject<FlopsComputeModel>();
    flops->SetAttribute("Peak", DoubleValue(1e15));
    spec.compute = flops;
    EXPECT_DOUBLE_EQ(list().at("mfu"), perGpu / 1e15);
    EXPECT_EQ(list().count("mfu_fp8"), 0U) << "one peak is given, whatever is computed";
}

TEST(LayerWorkTest, JitterIsOfTheSeedAndHasItsDeviation)
{
    const auto compute = CreateObject<FlopsComputeModel>();
    const ComputeModel::Moment moment{1, 2, 3, 4};
    EXPECT_EQ(compute->Vary(0, 1'000'000, moment), 1'000'000);
    EXPECT_EQ(compute->AssignStreams(7), 0);
    compute->SetAttribute("Jitter", DoubleValue(0.1));
    EXPECT_EQ(compute->AssignStreams(7), 1);
    compute->Start();
    const auto other = CreateObject<FlopsComputeModel>();
    other->SetAttribute("Jitter", DoubleValue(0.1));
    other->AssignStreams(7);
    other->Start();
    double sum = 0;
    double squares = 0;
    constexpr uint32_t draws = 40'000;
    for (uint32_t i = 0; i < draws; ++i)
    {
        const auto time = compute->Vary(i % 8, 1'000'000, {i / 8, 0, 0, 0});
        EXPECT_EQ(other->Vary(i % 8, 1'000'000, {i / 8, 0, 0, 0}), time);
        const double factor = static_cast<double>(time) / 1e6;
        sum += factor;
        squares += (factor - 1) * (factor - 1);
    }
    EXPECT_NEAR(sum / draws, 1, 0.002);
    EXPECT_NEAR(std::sqrt(squares / draws), 0.1, 0.002);
    std::set<TimePs> times;
    for (std::size_t i = 0; i < moment.size(); ++i)
    {
        ComputeModel::Moment next = moment;
        ++next[i];
        times.insert(compute->Vary(0, 1'000'000'000, next));
    }
    times.insert(compute->Vary(1, 1'000'000'000, moment));
    times.insert(compute->Vary(0, 1'000'000'000, moment));
    EXPECT_EQ(times.size(), 6U);
}

} // namespace ns3::rails
