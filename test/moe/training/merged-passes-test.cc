// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/cluster-speeds.h"
#include "../../support/sanitized.h"
#include "../training-fixtures.h"

#include "ns3/boolean.h"
#include "ns3/component-maker.h"
#include "ns3/compute-model.h"
#include "ns3/compute-time.h"
#include "ns3/imbalance-token-load.h"
#include "ns3/nstime.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/string.h"
#include "ns3/training-memory.h"
#include "ns3/training-program.h"
#include "ns3/transfer-bound.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr TimePs kMergedMicrosecond = 1'000'000;
constexpr uint32_t kMergedLayers = 3;           // of a chunk
constexpr TimePs kRounding = 2 * kMergedLayers; // attention in pieces, each in whole picoseconds

/// What a GPU takes for the pieces of a layer, forward.
struct Pieces
{
    TimePs attention;
    TimePs experts;
};

void
Merge(TrainingSpec& spec, bool delaysWeights = false)
{
    spec.schedule->SetAttribute("Overlap", StringValue("exchange"));
    spec.schedule->SetAttribute("DelayedWeights", BooleanValue(delaysWeights));
}

/// Layers with experts on two GPUs, which exchange equally many tokens.
TrainingSpec
MakeLayers(const Pieces& pieces, uint32_t microbatches)
{
    ModelDimensions model = test::MakeModel("Mixtral-8x7b")->GetDimensions();
    model.layers = kMergedLayers;
    const auto compute = MakeComponent<ComputeModel>("GivenComputeModel");
    TrainingSpec spec = test::MakeSpec({2, 1}, model, {{"Ep", 2}}, compute);
    spec.sequence = 512;
    spec.microbatches = microbatches;
    spec.load = CreateObject<ImbalanceTokenLoad>();
    spec.load->SetAttribute("Workload", StringValue("w0")); // all alike
    compute->SetAttribute("Attention", TimeValue(PicoSeconds(pieces.attention)));
    const int64_t tokens = spec.GetTokens() * model.topK; // of a GPU, as all are alike
    compute->SetAttribute("ExpertToken", TimeValue(PicoSeconds(pieces.experts / tokens)));
    return spec;
}

/// \return what an exchange takes that has the network for itself
TimePs
GetExchangeTime(const TrainingSpec& spec, const TransferBound& transfers)
{
    TimePs time = 0;
    test::ForEachSend(TrainingProgram(spec),
                      [&](const std::string& kind, uint32_t gpu, const Demand& demand) {
                          if (kind == "dispatch")
                          {
                              time =
                                  transfers.GetMessageTime(gpu, demand.destination, demand.bytes);
                          }
                      });
    return time;
}

/// \return what one more micro-batch takes on the path without contention
TimePs
MeasureMicrobatch(TrainingSpec spec, const TransferBound& transfers)
{
    const auto find = [&](uint32_t microbatches) {
        spec.microbatches = microbatches;
        return FindPathTime(TrainingProgram(spec), transfers);
    };
    return find(6) - find(5);
}

TrainingSpec
MakeDivided(uint32_t chunks, uint32_t ep = 4)
{
    ModelDimensions model = test::MakeModel("Deepseek-v3")->GetDimensions();
    model.layers = 9;
    TrainingSpec spec =
        test::MakeSpec({4, 4},
                       model,
                       {{"Tp", 2}, {"Cp", 2}, {"Pp", 2}, {"Ep", ep}, {"Etp", 2}, {"Vpp", chunks}},
                       CreateObject<FlopsComputeModel>());
    spec.microbatches = 6;
    spec.sequence = 64;
    return spec;
}

/// Layers without experts, one in each part.
TrainingSpec
MakeDualpipe(uint32_t stages, uint32_t microbatches, bool hasCore)
{
    ModelDimensions model = test::MakeModel("Mixtral-8x7b")->GetDimensions();
    model.layers = stages;
    model.denseLayers = stages;
    const auto compute = MakeComponent<ComputeModel>("GivenComputeModel");
    compute->SetAttribute("Attention", TimeValue(MicroSeconds(hasCore ? 1 : 0)));
    compute->SetAttribute("Dense", TimeValue(MicroSeconds(hasCore ? 0 : 1)));
    TrainingSpec spec = test::MakeSpec({1, stages}, model, {{"Pp", stages}}, compute);
    spec.microbatches = microbatches;
    spec.sequence = 4096;
    spec.schedule = MakeComponent<PipelineSchedule>("DualpipePipelineSchedule");
    spec.chunks = spec.schedule->CountChunks(1);
    return spec;
}

/// \return what the core of attention is of all of it
double
FindCoreShare(const TrainingSpec& spec)
{
    const double projections = 2.0 * spec.sequence * spec.model.GetAttentionParameters();
    const double core = 1.0 * spec.sequence * spec.sequence * spec.model.GetAttentionWidth();
    return core / (projections + core);
}

} // namespace

// Each exchange has a piece of computing beside it: attention, experts backward, experts, attention
// backward.
TEST(MergedPassesTest, OfAnExchangeAndWhatIsComputedBesideItTheShorterOneIsHidden)
{
    const TransferBound transfers({2, 1}, test::MakeSpeeds(1));
    const TimePs exchange =
        GetExchangeTime(MakeLayers({kMergedMicrosecond, kMergedMicrosecond}, 1), transfers);
    ASSERT_GT(exchange, 10 * kMergedMicrosecond);
    for (const TimePs attention : {exchange / 4096, exchange / 4, 3 * exchange / 4, 3 * exchange})
    {
        for (const TimePs whole : {exchange / 4096, exchange / 3, exchange - 1024, 2 * exchange})
        {
            const TimePs experts = whole / 1024 * 1024; // of 1,024 pairs
            TrainingSpec spec = MakeLayers({attention, experts}, 1);
            const TimePs computed = 3 * (attention + experts);
            EXPECT_EQ(MeasureMicrobatch(spec, transfers),
                      kMergedLayers * (computed + 4 * exchange));
            Merge(spec);
            EXPECT_EQ(MeasureMicrobatch(spec, transfers),
                      kMergedLayers *
                          (std::max(attention, exchange) + std::max(2 * experts, exchange) +
                           std::max(experts, exchange) + std::max(2 * attention, exchange)))
                << "attention " << attention << ", experts " << experts << ", exchange "
                << exchange;
        }
    }
}

// With the whole way back before it the next experts forward are shorter than the exchange.
TEST(MergedPassesTest, GradientsOfParametersThatComeLaterHideMore)
{
    const TransferBound transfers({2, 1}, test::MakeSpeeds(1));
    const TimePs exchange =
        GetExchangeTime(MakeLayers({kMergedMicrosecond, kMergedMicrosecond}, 1), transfers);
    const TimePs experts = 3 * exchange / 4 / 1024 * 1024;
    TrainingSpec spec = MakeLayers({2 * exchange, experts}, 1);
    const TimePs computed = 3 * (2 * exchange + experts);
    Merge(spec);
    const TimePs exposed = exchange - experts;
    EXPECT_EQ(MeasureMicrobatch(spec, transfers), kMergedLayers * (computed + exposed));
    Merge(spec, true);
    // Dispatch is under gradients of activations and then of parameters, the rest under experts.
    EXPECT_NEAR(MeasureMicrobatch(spec, transfers), kMergedLayers * computed, kRounding);
}

TEST(MergedPassesTest, WithoutStagesNothingIsLostByMergingWhereNothingIsExchanged)
{
    for (const bool delays : {false, true})
    {
        TrainingSpec spec = MakeLayers({kMergedMicrosecond, 1024 * kMergedMicrosecond}, 5);
        const TimePs usual = FindComputeTime(TrainingProgram(spec));
        Merge(spec, delays);
        EXPECT_NEAR(FindComputeTime(TrainingProgram(spec)), usual, 5 * kRounding);
        EXPECT_EQ(spec.schedule->CountKept(spec.GetPipeline(), 0), 2U);
    }
}

TEST(MergedPassesTest, AsMuchIsMovedAndComputedAsWithoutMerging)
{
    RAILS_LONG_CASE();
    for (const uint32_t chunks : {1U, 2U})
    {
        for (const bool delays : {false, true})
        {
            for (const bool deduplicates : {false, true})
            {
                TrainingSpec spec = MakeDivided(chunks);
                spec.deduplicates = deduplicates;
                const TrainingProgram usual(spec);
                const auto bytes = test::CheckSteps(usual);
                const TimePs shortest = FindComputeTime(usual);
                const TrafficMatrix total = usual.GetTotal();
                const double seconds = usual.EstimateSeconds();
                const double messages = usual.EstimateMessages();
                Merge(spec, delays);
                const TrainingProgram merged(spec);
                EXPECT_EQ(test::CheckSteps(merged), bytes);
                EXPECT_EQ(merged.GetTotal().GetTotalBytes(), total.GetTotalBytes());
                EXPECT_NEAR(merged.EstimateSeconds(), seconds, 1e-9);
                EXPECT_DOUBLE_EQ(merged.EstimateMessages(), messages);
                EXPECT_GT(FindComputeTime(merged), shortest / 2);
                EXPECT_LT(FindComputeTime(merged), 3 * shortest / 2);
            }
        }
    }
}

// Bubbles of (p / 2 - 1) (F&B + B - 3 W), B being the whole way back and W its part for parameters
// (arXiv 2412.19437, Table 2), if that part takes as long as the way forward; otherwise one of the
// three is F.
TEST(DualpipeTest, TakesItsFormulaWithoutANetwork)
{
    for (const bool hasCore : {false, true})
    {
        for (const uint32_t stages : {2U, 4U, 6U, 8U})
        {
            for (const uint32_t microbatches : {2 * stages, 2 * stages + 2, 5 * stages})
            {
                const double core = hasCore ? 1 : 0;
                const TrainingSpec spec = MakeDualpipe(stages, microbatches, hasCore);
                const double forward = kMergedMicrosecond;
                const double weights = forward * (1 - core * FindCoreShare(spec));
                const double back = 2 * forward;
                EXPECT_NEAR(static_cast<double>(FindComputeTime(TrainingProgram(spec))),
                            microbatches * (forward + back) +
                                (stages / 2.0 - 1) *
                                    (forward + back + back - 2 * weights - forward),
                            100)
                    << stages << " stages, " << microbatches << " micro-batches";
            }
        }
    }
}

TEST(DualpipeTest, OfEachPartTwoStagesHaveTheParametersAndAllElseIsMovedAsUsually)
{
    TrainingSpec spec = MakeDivided(1, 2);
    spec.model.layers = 8; // as many on both stages
    spec.model.denseLayers = 0;
    spec.microbatches = 8;
    const std::map<std::string, uint64_t> usual = test::CheckSteps(TrainingProgram(spec));
    const TrainingMemory once = FindMemory(spec, {});
    spec.schedule = MakeComponent<PipelineSchedule>("DualpipePipelineSchedule");
    spec.chunks = 2;
    const TrainingProgram program(spec);
    const std::map<std::string, uint64_t> bytes = test::CheckSteps(program);
    const std::map<std::string, double> replicas{{"data", spec.dp * spec.cp},
                                                 {"expert-data", spec.edp}};
    for (const auto& [kind, count] : bytes)
    {
        const auto found = replicas.find(kind);
        const double times =
            found == replicas.end() ? 1 : (2 * found->second - 1) / (found->second - 1);
        EXPECT_NEAR(static_cast<double>(count) / static_cast<double>(usual.at(kind)), times, 1e-4)
            << kind;
    }
    EXPECT_EQ(
        program.GetTotal().GetTotalBytes(),
        std::accumulate(bytes.begin(), bytes.end(), uint64_t{0}, [](uint64_t sum, auto& kind) {
            return sum + kind.second;
        }));
    const TrainingMemory twice = FindMemory(spec, {});
    EXPECT_NEAR(twice.weights / once.weights, 2, 0.05) << "of the ends each stage had one";
    EXPECT_LT(twice.optimizer, 1.2 * once.optimizer) << "each state is on one GPU";
}

// Of a merged pair of layers: what GPU 0 does in its steady state, in the order of Megatron-LM.
TEST(MergedPassesTest, PiecesOfALayerGoInTurns)
{
    TrainingSpec spec = MakeLayers({kMergedMicrosecond, 1024 * kMergedMicrosecond}, 3);
    Merge(spec, true);
    const test::NodeOrder order(TrainingProgram(spec), 0);
    const auto of = [&](TrainingStream stream, std::size_t first, std::size_t count) {
        const std::vector<std::string> kinds = order.ListKinds(static_cast<uint32_t>(stream));
        return std::vector<std::string>(kinds.begin() + first, kinds.begin() + first + count);
    };
    using Kinds = std::vector<std::string>;
    // A micro-batch forward: attention, gate and experts of each layer, and the head; the head
    // backward of the first one.
    EXPECT_EQ(of(TrainingStream::Compute, 3 * kMergedLayers + 2, 8),
              (Kinds{"attention",
                     "gate",
                     "experts",
                     "experts",
                     "experts",
                     "gate",
                     "attention",
                     "attention"}));
    EXPECT_EQ(of(TrainingStream::Exchange, 2 * kMergedLayers, 4),
              (Kinds{"combine-backward", "dispatch", "dispatch-backward", "combine"}));
}

} // namespace ns3::rails
