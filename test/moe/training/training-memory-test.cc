// SPDX-License-Identifier: GPL-2.0-only

// What a GPU needs, against sums worked out by hand.

#include "../expert-fixtures.h"

#include "ns3/component-maker.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/training-memory.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace ns3::rails::test
{

namespace
{

// Of the tiny model: attention has 16 (2 x 16 + 2 x 16) parameters and a gate 16 x 8; an expert
// has 3 x 16 x 32, a dense network 3 x 16 x 64; embedding and head have 10 x 16 each.
constexpr double kLayer = 1024 + 128; //!< with experts, which are left out
constexpr double kDense = 1024 + 3072;
constexpr double kExpert = 1536;
constexpr double kEnd = 160;

// Elements of activations. A token has its vector twice; queries and results of attention, keys and
// values, each 16 wide. A row at an expert has its vector and three intermediate widths.
constexpr double kInput = 16;
constexpr double kAttention = 64;
constexpr double kRow = 16 + 3 * 32;
constexpr double kTokens = 128;
constexpr double kOfLayer = kTokens * (2 * kInput + kAttention + 2 * kRow);
constexpr double kOfDense = kTokens * (2 * kInput + kAttention + 3 * 64);

constexpr double kWeight = 2;     //!< bytes of an element
constexpr double kGradient = 4;   //!< bytes
constexpr double kOptimizer = 12; //!< bytes

using Degrees = std::map<std::string, uint32_t>;

TrainingSpec
MakeTiny(const ClusterShape& shape, uint32_t layers, const Degrees& degrees)
{
    return MakeExpertPlan(shape, MakeTinyModel(layers), degrees, nullptr);
}

/// \return what a GPU of a stage needs, whichever stage needs most. \param held by its GPU
TrainingMemory
FindOfStage(const TrainingSpec& spec, uint32_t stage, const ExpertFigures::Held& held = {})
{
    constexpr uint64_t many = 1'000'000'000; // makes it the fullest
    ExpertFigures figures;
    figures.held.resize(spec.pp);
    figures.held[stage] = {held.experts, held.copies + many};
    TrainingMemory memory = FindMemory(spec, figures);
    memory.copies -=
        static_cast<double>(many) * spec.model.GetExpertParameters() * (kWeight + kGradient);
    return memory;
}

TEST(TrainingMemory, HoldsParametersWithTheirGradientsAndAShareOfTheOptimizer)
{
    // Two of eight experts in each of two layers; eight replicas of attention, two of experts.
    const TrainingMemory memory = FindMemory(MakeTiny({2, 4}, 2, {{"Ep", 4}}));
    const double dense = 2 * kLayer + 2 * kEnd;
    EXPECT_EQ(memory.weights, (dense + 4 * kExpert) * kWeight);
    EXPECT_EQ(memory.gradients, (dense + 4 * kExpert) * kGradient);
    EXPECT_EQ(memory.optimizer, (dense / 8 + 4 * kExpert / 2) * kOptimizer);
    EXPECT_EQ(memory.activations, 2 * kOfLayer * kWeight);
    EXPECT_EQ(memory.copies, 0);
    EXPECT_EQ(memory.logits, kTokens * 10 * 4);
    // 17536 + 35072 + 40800 + 163840 + 5120.
    EXPECT_EQ(memory.GetSum(), 262'368);
}

TEST(TrainingMemory, ReplicasMayDivideNothingOrAll)
{
    TrainingSpec spec = MakeTiny({2, 4}, 4, {{"Ep", 4}});
    const double layer = kLayer + 2 * kExpert;
    const double ends = 2 * kEnd;
    const double all = 4 * layer + ends;
    spec.data.divided = Replication::Divided::Nothing;
    EXPECT_EQ(FindMemory(spec).weights, all * kWeight);
    EXPECT_EQ(FindMemory(spec).optimizer, all * kOptimizer);
    spec.data.divided = Replication::Divided::All;
    const double shares = (4 * kLayer + ends) / 8 + 8 * kExpert / 2;
    for (const uint32_t prefetch : {0U, 1U, 2U, 3U, 4U})
    {
        spec.data.prefetch = prefetch;
        const TrainingMemory memory = FindMemory(spec);
        EXPECT_EQ(memory.weights, (shares + std::min(prefetch + 1, 4U) * layer + ends) * kWeight);
        EXPECT_EQ(memory.gradients, (shares + layer) * kGradient);
        EXPECT_EQ(memory.optimizer, shares * kOptimizer);
        EXPECT_EQ(memory.activations, 4 * kOfLayer * kWeight);
    }
}

TEST(TrainingMemory, GoesByTheBytesOfElementsAndGradients)
{
    TrainingSpec spec = MakeTiny({1, 4}, 1, {{"Ep", 4}});
    spec.elementBytes = 1;
    spec.gradientBytes = 8;
    ExpertFigures figures;
    figures.held = {{2, 3}};
    const TrainingMemory memory = FindMemory(spec, figures);
    const double parameters = kLayer + 2 * kEnd + 2 * kExpert;
    EXPECT_EQ(memory.weights, parameters);
    EXPECT_EQ(memory.gradients, 8 * parameters);
    EXPECT_EQ(memory.activations, kOfLayer);
    EXPECT_EQ(memory.copies, 3 * kExpert * 9);
}

TEST(TrainingMemory, DenseLayersHaveNoExperts)
{
    TrainingSpec spec = MakeTiny({1, 4}, 3, {{"Ep", 4}});
    spec.model.denseLayers = 1;
    const TrainingMemory memory = FindMemory(spec);
    EXPECT_EQ(memory.weights, (kDense + 2 * kLayer + 2 * kEnd + 4 * kExpert) * kWeight);
    EXPECT_EQ(memory.optimizer, ((kDense + 2 * kLayer + 2 * kEnd) / 4 + 4 * kExpert) * kOptimizer);
    EXPECT_EQ(memory.activations, (kOfDense + 2 * kOfLayer) * kWeight);
}

TEST(TrainingMemory, NetworksHaveTwoMatricesUnlessGatedAndExpertsAWidthOfTheirOwn)
{
    TrainingSpec spec = MakeTiny({1, 4}, 2, {{"Ep", 4}});
    spec.model.denseLayers = 1;
    spec.model.gated = false;
    spec.model.expertHidden = 8;
    spec.model.sharedFfn = 24;
    const TrainingMemory memory = FindMemory(spec);
    const double dense = (1024 + 2 * 16 * 64) + (kLayer + 2 * 16 * 24) + 2 * kEnd;
    const double experts = 2 * (2 * 8 * 32);
    EXPECT_EQ(memory.weights, (dense + experts) * kWeight);
    EXPECT_EQ(memory.optimizer, (dense / 4 + experts) * kOptimizer);
    const double tokens =
        (2 * kInput + kAttention + 2 * 64) + (2 * kInput + kAttention + 2 * 24 + 2 * (8 + 2 * 32));
    EXPECT_EQ(memory.activations, kTokens * tokens * kWeight);
}

TEST(TrainingMemory, GpusThatShareALayerShareItsParametersAndTokens)
{
    TrainingSpec spec = MakeTiny({2, 4}, 2, {{"Tp", 2}, {"Cp", 2}, {"Ep", 4}});
    spec.model.heads = 4; // of 16
    spec.model.kvHeads = 2;
    spec.sequences = 3;
    const TrainingMemory memory = FindMemory(spec);
    const double dense = 2 * (16 * (2 * 64 + 2 * 32) + 128) + 2 * kEnd;
    EXPECT_EQ(memory.weights, (dense / 2 + 4 * kExpert) * kWeight);
    // Replicas of attention: dp = 2 times cp; of experts two.
    EXPECT_EQ(memory.optimizer, (dense / 2 / 4 + 4 * kExpert / 2) * kOptimizer);
    // Of 3 x 128 tokens half are in the group, with two of four heads and one of keys and values.
    const double layer = 192 * (2 * 32 + 32) + 96 * (2 * kInput + 2 * kRow);
    EXPECT_EQ(memory.activations, 2 * layer * kWeight);
}

TEST(TrainingMemory, OneHeadOfKeysAndValuesIsOnEveryGpuOfATensorParallelGroup)
{
    TrainingSpec spec = MakeTiny({1, 4}, 1, {{"Tp", 4}, {"Ep", 4}});
    spec.model.heads = 4;
    EXPECT_EQ(FindMemory(spec).activations,
              (128 * (2 * 16 + 32) + 32 * (2 * kInput + 2 * kRow)) * kWeight);
}

TEST(TrainingMemory, GpusThatShareExpertsShareTheirParametersAndComputeRowsOfEachOther)
{
    const TrainingMemory memory = FindMemory(MakeTiny({2, 4}, 2, {{"Ep", 2}, {"Etp", 2}}));
    const double dense = 2 * kLayer + 2 * kEnd;
    EXPECT_EQ(memory.weights, (dense + 2 * 4 * kExpert / 2) * kWeight);
    EXPECT_EQ(memory.optimizer, (dense / 8 + 2 * 4 * kExpert / 2 / 2) * kOptimizer);
    const double token = 2 * kInput + kAttention + 2 * 2 * (16 + 3 * 32 / 2.0);
    EXPECT_EQ(memory.activations, 2 * kTokens * token * kWeight);
}

TEST(TrainingMemory, LatentAttentionKeepsWhatIsProjectedUnlessItIsProjectedAgain)
{
    // DeepSeek-V3: 128 heads of 128 + 64 for queries and keys, 128 for values and results.
    const ModelDimensions model = MakeModel("Deepseek-v3")->GetDimensions();
    const double latent = 1536 + 512; // of queries; of keys and values
    const double projected = 2 * 128 * 192 + 2 * 128 * 128;
    EXPECT_EQ(model.GetKeptAttention(1, true), projected + latent);
    EXPECT_EQ(model.GetKeptAttention(1, false), 1536 + 576 + 128 * 128);
    EXPECT_EQ(model.GetKeptAttention(8, true), projected / 8 + latent);
    EXPECT_EQ(model.GetProjectionParameters(), 1536.0 * 128 * 192 + 512.0 * 128 * 256);

    TrainingSpec spec = MakeTiny({1, 4}, 3, {{"Ep", 4}});
    spec.model.kvRank = 4;
    spec.model.queryRank = 8;
    spec.model.ropeWidth = 2;
    const double kept = spec.model.GetKeptAttention(1, true);
    const double compressed = spec.model.GetKeptAttention(1, false);
    EXPECT_GT(kept, compressed);
    const double all = FindMemory(spec).activations;
    spec.reprojects = true; // and one layer's at a time
    EXPECT_EQ(all - FindMemory(spec).activations, kTokens * (kept - compressed) * 2 * kWeight);
}

TEST(TrainingMemory, LogitsAreThoseOfAMicrobatchInTheLastStage)
{
    TrainingSpec spec = MakeTiny({2, 4}, 4, {{"Ep", 4}, {"Pp", 2}});
    spec.microbatches = 4;
    EXPECT_EQ(FindOfStage(spec, 0).logits, 0);
    EXPECT_EQ(FindOfStage(spec, 1).logits, kTokens * 10 * 4);
}

TEST(TrainingMemory, RecomputationKeepsInputsAndTheRestOfOneLayer)
{
    TrainingSpec spec = MakeTiny({1, 4}, 3, {{"Ep", 4}});
    spec.microbatches = 4;
    EXPECT_EQ(FindMemory(spec).activations, 3 * kOfLayer * kWeight);
    spec.recomputes = true;
    const double input = kTokens * kInput;
    EXPECT_EQ(FindMemory(spec).activations, (3 * input + kOfLayer - input) * kWeight);
    // The layer that has most of it.
    spec.model.denseLayers = 1;
    EXPECT_EQ(FindMemory(spec).activations, (3 * input + kOfLayer - input) * kWeight);
    spec.model.ffn = 128;
    const double dense = kTokens * (kInput + kAttention + 3 * 128);
    EXPECT_EQ(FindMemory(spec).activations, (3 * input + dense) * kWeight);
    EXPECT_EQ(FindMemory(spec).weights,
              (1024 + 2 * 3072 + 2 * kLayer + 2 * kEnd + 4 * kExpert) * kWeight);
}

TEST(TrainingMemory, PartsThatAreComputedAgainAreThereOfOneLayer)
{
    TrainingSpec spec = MakeTiny({1, 4}, 5, {{"Ep", 4}});
    spec.model.denseLayers = 2;
    spec.model.sharedFfn = 24;
    const double shared = kTokens * 3 * 24;
    const double all = 2 * kOfDense + 3 * (kOfLayer + shared);
    const auto expect = [&](const RecomputedParts& parts, double kept, double again) {
        spec.again = parts;
        EXPECT_EQ(FindMemory(spec).activations, (kept + again) * kWeight);
    };
    expect({}, all, 0);
    RecomputedParts parts;
    parts.core = true; // what is kept of it is its result, which the projection behind it needs
    expect(parts, all, 0);
    parts = {};
    parts.dense = true;
    expect(parts, all - 2 * kTokens * 3 * 64, kTokens * 3 * 64);
    parts = {};
    parts.moe = true;
    const double network = kTokens * 2 * kRow + shared;
    expect(parts, all - 3 * network, network);
    parts.shared = true; // is part of it
    expect(parts, all - 3 * network, network);
    parts = {};
    parts.shared = true;
    expect(parts, all - 3 * shared, shared);
    parts = {};
    parts.activation = true;
    expect(parts, all - 3 * kTokens * 2 * 32, kTokens * 2 * 32);
    parts.shared = true;
    expect(parts, all - 3 * (kTokens * 2 * 32 + shared), kTokens * 2 * 32 + shared);
}

TEST(TrainingMemory, LayersThatPredictMoreTokensHaveAProjectionLogitsAndTheEmbedding)
{
    TrainingSpec spec = MakeTiny({2, 4}, 4, {{"Ep", 4}, {"Pp", 2}});
    spec.model.mtpLayers = 1; // the last of the four
    const double projection = 2 * 16 * 16;
    const double layer = kLayer + 2 * kExpert;
    EXPECT_EQ(FindOfStage(spec, 0).weights, (2 * layer + kEnd) * kWeight);
    EXPECT_EQ(FindOfStage(spec, 1).weights, (2 * layer + projection + 2 * kEnd) * kWeight);
    EXPECT_EQ(FindOfStage(spec, 1).activations, (2 * kOfLayer + kTokens * 2 * kInput) * kWeight);
    EXPECT_EQ(FindOfStage(spec, 1).logits, 2 * kTokens * 10 * 4);
    EXPECT_EQ(FindOfStage(spec, 0).logits, 0);
    spec.recomputes = true;
    EXPECT_EQ(FindOfStage(spec, 1).activations,
              (3 * kTokens * kInput + kOfLayer + kTokens * 2 * kInput - 2 * kTokens * kInput) *
                  kWeight);
    // On one stage there is one embedding.
    TrainingSpec whole = MakeTiny({1, 4}, 2, {{"Ep", 4}});
    whole.model.mtpLayers = 1;
    EXPECT_EQ(FindMemory(whole).weights, (2 * layer + projection + 2 * kEnd) * kWeight);
}

TEST(TrainingMemory, RecomputationKeepsInputsOfAllMicrobatchesUnderWay)
{
    TrainingSpec spec = MakeTiny({2, 4}, 6, {{"Ep", 4}, {"Pp", 2}});
    spec.microbatches = 4;
    spec.recomputes = true;
    const double input = kTokens * kInput;
    EXPECT_EQ(FindOfStage(spec, 0).activations, (2 * 3 * input + kOfLayer - input) * kWeight);
    EXPECT_EQ(FindOfStage(spec, 1).activations, (3 * input + kOfLayer - input) * kWeight);
}

TEST(TrainingMemory, StagesKeepAsManyMicrobatchesAsStagesFollow)
{
    TrainingSpec spec = MakeTiny({4, 4}, 8, {{"Ep", 4}, {"Pp", 4}});
    spec.microbatches = 9;
    for (uint32_t stage = 0; stage < 4; ++stage)
    {
        EXPECT_EQ(FindOfStage(spec, stage).activations, (4 - stage) * 2 * kOfLayer * kWeight);
    }
    spec.microbatches = 2;
    EXPECT_EQ(FindOfStage(spec, 0).activations, 2 * 2 * kOfLayer * kWeight);
    EXPECT_EQ(FindOfStage(spec, 2).activations, 2 * 2 * kOfLayer * kWeight);
    EXPECT_EQ(FindOfStage(spec, 3).activations, 2 * kOfLayer * kWeight);
}

TEST(TrainingMemory, ZeroBubbleKeepsMicrobatchesUntilGradientsOfParametersAreThere)
{
    TrainingSpec spec = MakeTiny({4, 4}, 8, {{"Ep", 4}, {"Pp", 4}});
    spec.schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
    spec.microbatches = 9;
    for (uint32_t stage = 0; stage < 4; ++stage)
    {
        EXPECT_EQ(FindOfStage(spec, stage).activations, 4 * 2 * kOfLayer * kWeight);
    }
    spec.microbatches = 2;
    EXPECT_EQ(FindOfStage(spec, 0).activations, 2 * 2 * kOfLayer * kWeight);
    EXPECT_EQ(FindOfStage(spec, 3).activations, 2 * 2 * kOfLayer * kWeight);
}

TEST(TrainingMemory, IsThatOfTheLayersThatALayoutGivesAStage)
{
    TrainingSpec spec = MakeTiny({2, 4}, 4, {{"Ep", 4}, {"Pp", 2}});
    spec.microbatches = 4;
    spec.layout = {{1, 3}, 0};
    const double layer = kLayer + 2 * kExpert;
    EXPECT_EQ(FindOfStage(spec, 0).weights, (layer + kEnd) * kWeight);
    EXPECT_EQ(FindOfStage(spec, 0).activations, 2 * kOfLayer * kWeight);
    EXPECT_EQ(FindOfStage(spec, 1).weights, (3 * layer + kEnd) * kWeight);
    EXPECT_EQ(FindOfStage(spec, 1).activations, 3 * kOfLayer * kWeight);
}

TEST(TrainingMemory, EmbeddingAndHeadAreOnTheFirstAndTheLastStage)
{
    // Of seven layers the first three stages have two.
    const TrainingSpec spec = MakeTiny({4, 4}, 7, {{"Ep", 4}, {"Pp", 4}});
    const double layer = kLayer + 2 * kExpert;
    EXPECT_EQ(FindOfStage(spec, 0).weights, (2 * layer + kEnd) * kWeight);
    EXPECT_EQ(FindOfStage(spec, 1).weights, 2 * layer * kWeight);
    EXPECT_EQ(FindOfStage(spec, 2).weights, 2 * layer * kWeight);
    EXPECT_EQ(FindOfStage(spec, 3).weights, (layer + kEnd) * kWeight);
    EXPECT_EQ(FindOfStage(spec, 1).optimizer, (2 * kLayer / 4 + 2 * 2 * kExpert) * kOptimizer);
}

/// \return passes of chunks forward that have not gone back yet, at most, by their formula
uint32_t
CountUnderWay(uint32_t stage, uint32_t stages, uint32_t chunks, uint32_t microbatches)
{
    const uint32_t behind = stages - stage - 1;
    return chunks == 1 ? std::min(behind + 1, microbatches)
                       : std::min(2 * behind + (chunks - 1) * stages + 1, microbatches * chunks);
}

TEST(TrainingMemory, KeepsAsManyChunksAsTheScheduleHasUnderWay)
{
    for (const auto& [stages, chunks, microbatches] : {std::tuple{2U, 2U, 4U},
                                                       {2U, 2U, 2U},
                                                       {4U, 2U, 4U},
                                                       {4U, 3U, 8U},
                                                       {4U, 1U, 3U},
                                                       {4U, 1U, 8U},
                                                       {1U, 1U, 5U}})
    {
        // Chunks of two layers.
        TrainingSpec spec = MakeTiny({stages, 4},
                                     2 * stages * chunks,
                                     {{"Ep", 4}, {"Pp", stages}, {"Vpp", chunks}});
        spec.microbatches = microbatches;
        for (uint32_t stage = 0; stage < stages; ++stage)
        {
            SCOPED_TRACE("stage " + std::to_string(stage) + " of " + std::to_string(stages) + ", " +
                         std::to_string(chunks) + " chunks, " + std::to_string(microbatches) +
                         " micro-batches");
            const uint32_t kept = CountUnderWay(stage, stages, chunks, microbatches);
            const TrainingMemory memory = FindOfStage(spec, stage);
            EXPECT_EQ(memory.activations, kept * 2 * kOfLayer * kWeight);
            const double ends = (stage == 0 ? 1 : 0) + (stage + 1 == stages ? 1 : 0);
            EXPECT_EQ(memory.weights,
                      (chunks * 2 * (kLayer + 2 * kExpert) + ends * kEnd) * kWeight);
        }
    }
}

TEST(TrainingMemory, IsThatOfOneStageTheFullest)
{
    // Two dense layers in the first stage, two with experts in the last.
    TrainingSpec spec = MakeTiny({2, 4}, 4, {{"Ep", 4}, {"Pp", 2}});
    spec.model.denseLayers = 2;
    spec.microbatches = 1;
    const TrainingMemory last = FindMemory(spec);
    EXPECT_EQ(last.weights, (2 * kLayer + kEnd + 4 * kExpert) * kWeight);
    EXPECT_EQ(last.activations, 2 * kOfLayer * kWeight);
    // With two micro-batches under way the first needs more, though it has fewer parameters.
    spec.microbatches = 2;
    const TrainingMemory first = FindMemory(spec);
    EXPECT_EQ(first.weights, (2 * kDense + kEnd) * kWeight);
    EXPECT_EQ(first.optimizer, (2 * kDense + kEnd) / 4 * kOptimizer);
    EXPECT_EQ(first.activations, 2 * 2 * kOfDense * kWeight);
    EXPECT_LT(first.weights, last.weights);
    EXPECT_GT(first.GetSum(), last.GetSum());
}

TEST(TrainingMemory, TheWorstLoadOfExpertsSetsTheirRows)
{
    const TrainingSpec spec = MakeTiny({1, 4}, 2, {{"Ep", 4}});
    ExpertFigures figures;
    figures.before = 3;
    figures.after = 2;
    figures.worst = 2.5;
    const double others = 2 * kInput + kAttention;
    EXPECT_EQ(FindMemory(spec, figures).activations,
              2 * kTokens * (others + 2.5 * 2 * kRow) * kWeight);
    // Where tokens are dropped, buffers are still as large as of equal experts.
    figures.worst = 0.5;
    EXPECT_EQ(FindMemory(spec, figures).activations, 2 * kOfLayer * kWeight);
}

TEST(TrainingMemory, ExpertsThatAPolicyLetsAGpuHoldCountWithGradientsAndThoseAtHomeAtLeast)
{
    const TrainingSpec spec = MakeTiny({1, 4}, 2, {{"Ep", 4}});
    const double dense = 2 * kLayer + 2 * kEnd;
    for (const auto& [held, counted] : {std::pair(7U, 7), {4U, 4}, {3U, 4}, {0U, 4}})
    {
        ExpertFigures figures;
        figures.held = {{held, 0}};
        const TrainingMemory memory = FindMemory(spec, figures);
        EXPECT_EQ(memory.weights, (dense + counted * kExpert) * kWeight);
        EXPECT_EQ(memory.gradients, (dense + counted * kExpert) * kGradient);
        EXPECT_EQ(memory.copies, 0);
    }
}

TEST(TrainingMemory, CopiesHaveParametersAndGradientsButNoOptimizer)
{
    const TrainingSpec spec = MakeTiny({1, 4}, 2, {{"Ep", 4}});
    const TrainingMemory none = FindMemory(spec);
    ExpertFigures figures;
    figures.held = {{4, 5}};
    const TrainingMemory memory = FindMemory(spec, figures);
    EXPECT_EQ(memory.copies, 5 * kExpert * (kWeight + kGradient));
    EXPECT_EQ(memory.optimizer, none.optimizer);
    EXPECT_EQ(memory.GetSum(), none.GetSum() + memory.copies);
}

TEST(TrainingMemory, ExpertsOfAPolicyCountInTheirStageAlone)
{
    TrainingSpec spec = MakeTiny({2, 4}, 4, {{"Ep", 4}, {"Pp", 2}});
    spec.microbatches = 2;
    const double stage = 2 * kLayer + kEnd;
    // A micro-batch more under way, in 2 x 40960 elements.
    const double more = 2 * kOfLayer * kWeight;
    // The last stage has copies that do not make up for that; and one more.
    const double ofCopy = kExpert * (kWeight + kGradient);
    const auto copies = static_cast<uint64_t>(more / ofCopy);
    ExpertFigures figures;
    figures.held = {{4, 0}, {4, copies}};
    EXPECT_EQ(FindMemory(spec, figures).copies, 0);
    EXPECT_EQ(FindMemory(spec, figures).activations, 2 * more);
    figures.held[1].copies += 1;
    EXPECT_EQ(FindMemory(spec, figures).copies, static_cast<double>(copies + 1) * ofCopy);
    EXPECT_EQ(FindMemory(spec, figures).activations, more);
    EXPECT_EQ(FindMemory(spec, figures).weights, (stage + 4 * kExpert) * kWeight);
    // Likewise of experts for good, in the first.
    figures.held = {{9, 1}, {4, 0}};
    EXPECT_EQ(FindMemory(spec, figures).weights, (stage + 9 * kExpert) * kWeight);
    EXPECT_EQ(FindMemory(spec, figures).copies, ofCopy);
}

} // namespace

} // namespace ns3::rails::test
