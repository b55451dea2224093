// SPDX-License-Identifier: GPL-2.0-only
//
// A whole iteration is estimated from one with fewer layers and micro-batches. Without contention
// each operation takes as long in both, so the estimate has to be about what the whole takes.
#include "../../support/cluster-speeds.h"
#include "../training-fixtures.h"

#include "ns3/component-maker.h"
#include "ns3/imbalance-token-load.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/program-walk.h"
#include "ns3/training-program.h"
#include "ns3/training-scaling.h"
#include "ns3/transfer-bound.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>

namespace ns3::rails
{

namespace
{

struct Case
{
    const char* schedule;
    uint32_t stages;
    uint32_t layers;       //!< that are run, of 32
    uint32_t microbatches; //!< likewise, of 24
};

TrainingSpec
MakePart(const Case& what)
{
    ModelDimensions model = test::MakeModel("Mixtral-8x7b")->GetDimensions();
    model.denseLayers = 2;
    const std::string schedule = what.schedule;
    TrainingSpec spec =
        test::MakeSpec({8, 2},
                       model,
                       {{"Pp", what.stages}, {"Vpp", schedule == "interleaved" ? 2 : 1}, {"Ep", 2}},
                       CreateObject<FlopsComputeModel>());
    if (schedule == "zero-bubble")
    {
        spec.schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
    }
    if (schedule == "dualpipe")
    {
        spec.schedule = MakeComponent<PipelineSchedule>("DualpipePipelineSchedule");
    }
    spec.chunks = spec.schedule->CountChunks(spec.chunks);
    spec.load = CreateObject<ImbalanceTokenLoad>();
    spec.sequence = 1024;
    spec.modelLayers = model.layers;
    spec.modelDenseLayers = model.denseLayers;
    spec.batchMicrobatches = 24;
    spec.microbatches = what.microbatches;
    spec.model.layers = what.layers;
    return spec;
}

/// \return the time of an iteration without contention. \param scaling told of all ends, if any
double
Walk(const TrainingProgram& program, GraphScaling* scaling)
{
    const TransferBound transfers(program.GetShape(), test::MakeSpeeds(2));
    ProgramWalk walk(program, &transfers);
    const TimePs end = walk.Go().path;
    for (uint32_t gpu = 0; scaling && gpu < program.GetShape().GetGpus(); ++gpu)
    {
        for (uint32_t stream = 0; stream < program.GetStreams(); ++stream)
        {
            uint64_t over = 0;
            for (const ProgramTimes& times : walk.GetEnds(gpu, stream))
            {
                scaling->OnEnd(gpu, stream, ++over, times.path);
            }
        }
    }
    return static_cast<double>(end) / program.GetIterations();
}

class TrainingScalingTest : public testing::TestWithParam<Case>
{
};

} // namespace

TEST_P(TrainingScalingTest, TellsTheWholeWhereNothingContends)
{
    TrainingSpec spec = MakePart(GetParam());
    TrainingProgram part(spec);
    part.Prepare();
    const auto scaling = part.FindScaling();
    ASSERT_TRUE(scaling);
    const double ofPart = Walk(part, scaling.get());
    const std::optional<double> added = scaling->FindAdded();
    ASSERT_TRUE(added);
    spec.model.layers = spec.modelLayers;
    spec.microbatches = spec.batchMicrobatches;
    TrainingProgram whole(spec);
    whole.Prepare();
    EXPECT_FALSE(whole.FindScaling());
    const double ofWhole = Walk(whole, nullptr);
    EXPECT_GT(ofWhole, 1.9 * ofPart);
    EXPECT_NEAR(ofPart + *added, ofWhole, 0.01 * ofWhole);
}

INSTANTIATE_TEST_SUITE_P(All,
                         TrainingScalingTest,
                         testing::Values(Case{"1f1b", 1, 4, 3},
                                         Case{"1f1b", 4, 8, 2},
                                         Case{"1f1b", 4, 32, 4},
                                         Case{"1f1b", 4, 12, 24},
                                         Case{"interleaved", 2, 8, 4},
                                         Case{"zero-bubble", 4, 8, 4},
                                         Case{"dualpipe", 4, 16, 8}),
                         [](const testing::TestParamInfo<Case>& info) {
                             std::string name = info.param.schedule;
                             name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                             return name + std::to_string(info.param.stages) + "With" +
                                    std::to_string(info.param.layers) + "Layers" +
                                    std::to_string(info.param.microbatches) + "MicroBatches";
                         });

TEST(ScalingLayoutTest, NothingIsToldWhereTheLayoutDealsTheLayersThatAreRun)
{
    TrainingSpec spec = MakePart({"1f1b", 4, 8, 2});
    spec.layout.layers = {2, 2, 2, 2};
    TrainingProgram part(spec);
    part.Prepare();
    const auto scaling = part.FindScaling();
    Walk(part, scaling.get());
    EXPECT_EQ(scaling->FindAdded(), std::nullopt);
}

} // namespace ns3::rails
