// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/sanitized.h"
#include "../training-fixtures.h"

#include "ns3/component-maker.h"
#include "ns3/compute-model.h"
#include "ns3/compute-time.h"
#include "ns3/imbalance-token-load.h"
#include "ns3/nstime.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/published-models.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"
#include "ns3/training-program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr TimePs kMicrosecond = 1'000'000;

/// Attention takes what is said, all else nothing.
Ptr<ComputeModel>
MakeAttentionTimes(TimePs attention)
{
    const auto compute = MakeComponent<ComputeModel>("GivenComputeModel");
    compute->SetAttribute("Attention", TimeValue(PicoSeconds(attention)));
    compute->SetAttribute("ExpertToken", TimeValue(Time(0)));
    compute->SetAttribute("Dense", TimeValue(PicoSeconds(attention)));
    return compute;
}

ModelDimensions
GetDimensions(const std::string& name, uint32_t layers)
{
    ModelDimensions model = test::MakeModel(name)->GetDimensions();
    model.layers = std::min(model.layers, layers);
    return model;
}

TrainingSpec
MakeMixtral(uint32_t stages, uint32_t chunks, uint32_t microbatches)
{
    TrainingSpec spec = test::MakeSpec({4, 4},
                                       GetDimensions("Mixtral-8x7b", 8),
                                       {{"Pp", stages}, {"Vpp", chunks}, {"Ep", 2}},
                                       MakeAttentionTimes(kMicrosecond));
    spec.microbatches = microbatches;
    spec.sequence = 64;
    return spec;
}

/// Bytes that all GPUs send, by kind.
std::map<std::string, double>
CountBytes(const TrainingProgram& program, double* messages = nullptr)
{
    std::map<std::string, double> bytes;
    double count = 0;
    for (uint32_t gpu = 0; gpu < program.GetShape().GetGpus(); ++gpu)
    {
        std::vector<char> counted; // a send is a node of its receiver, too
        for (uint32_t stream = 0; stream < program.GetStreams(); ++stream)
        {
            GraphNode node;
            for (uint64_t index = 0; program.GetNode(gpu, stream, index, node); ++index)
            {
                if (node.type == GraphNode::Type::Transfer)
                {
                    double& ofKind = bytes[program.GetKinds()[node.kind]];
                    const uint32_t end = node.step + test::CountSteps(node);
                    counted.resize(std::max<std::size_t>(counted.size(), end));
                    for (uint32_t step = node.step; step < end; ++step)
                    {
                        EXPECT_EQ(counted[step]++, 0) << "step " << step;
                        for (const Demand& demand : node.transfer->GetSends(gpu, step - node.step))
                        {
                            ofKind += static_cast<double>(demand.bytes);
                            count += demand.bytes > 0 ? 1 : 0;
                        }
                    }
                }
                node = GraphNode();
            }
        }
    }
    if (messages)
    {
        *messages = count;
    }
    return bytes;
}

/// What a load leaves on its GPU, of the tokens of a group in a layer and a micro-batch.
double
CountLocalTokens(const TrainingSpec& spec)
{
    const LoadShape shape = spec.GetLoadShape();
    const std::vector<uint32_t> counts = spec.load->Draw(shape, {});
    const uint32_t perGpu = shape.experts / shape.sources;
    double local = 0;
    for (uint32_t at = 0; at < counts.size(); ++at)
    {
        local += at / shape.experts == at % shape.experts / perGpu ? counts[at] : 0;
    }
    return local;
}

/// What moves in an iteration by the formulas of the field.
std::map<std::string, double>
ComputeVolumes(const TrainingSpec& spec)
{
    const ModelDimensions& model = spec.model;
    const double gpus = spec.shape.GetGpus();
    const double perStage = gpus / spec.pp;
    const double dense = model.denseLayers;
    const double sparse = model.layers - model.denseLayers;
    const ElementBytes& bytes = spec.bytes;
    const double passes = spec.microbatches;
    const double groupTokens = double{1} * spec.sequences * spec.sequence / spec.cp;
    const double tokens = groupTokens / spec.tp;
    const double pairs = tokens * model.topK;
    const double away = pairs * spec.ep - CountLocalTokens(spec);
    const double exchange = sparse * passes * (perStage / spec.ep) * away * model.GetExpertHidden();
    const double replicas = spec.dp * spec.cp;
    double denseParameters = 2.0 * model.vocabulary * model.hidden;
    for (uint32_t layer = 0; layer < model.layers; ++layer)
    {
        denseParameters += model.GetDenseParameters(layer);
    }
    const double expertParameters = sparse * model.experts * model.GetExpertParameters();
    const double sync = bytes.gradients + bytes.parameters;
    std::map<std::string, double> volumes{
        // Two all-gathers and reduce-scatters of a layer and pass, four of a dense one.
        {"tensor",
         (sparse * 4 + dense * 8) * passes * perStage * (spec.tp - 1) / spec.tp * groupTokens *
             model.hidden * bytes.tensor},
        // Forward keys and values, back these and their gradients.
        {"context",
         model.layers * 3.0 * passes * perStage * (spec.cp - 1) * groupTokens *
             model.GetKvElements(spec.tp) * bytes.context},
        {"pipeline",
         2.0 * (spec.pp * spec.chunks - 1) * passes * perStage * tokens * model.hidden *
             bytes.pipeline},
        {"dispatch", exchange * bytes.dispatch},
        {"combine", exchange * bytes.combine},
        {"combine-backward", exchange * bytes.dispatch},
        {"dispatch-backward", exchange * bytes.combine},
        {"expert-tensor",
         sparse * 2 * passes * perStage * (spec.etp - 1) * pairs * model.GetExpertHidden() *
             (bytes.dispatch + bytes.combine)},
        // All replicas of all parts together hold all parameters once for each replica.
        {"data", (replicas - 1) * denseParameters * sync},
        {"expert-data", (spec.edp - 1) * expertParameters * sync}};
    return volumes;
}

} // namespace

TEST(TrainingProgramTest, OneForwardOneBackwardTakesItsFormulaWithoutANetwork)
{
    for (const uint32_t stages : {1U, 2U, 4U, 8U})
    {
        for (const uint32_t microbatches : {1U, 2U, 7U, 8U, 16U})
        {
            const TrainingProgram program(MakeMixtral(stages, 1, microbatches));
            const TimePs forward = 8 / stages * kMicrosecond;
            EXPECT_EQ(FindComputeTime(program), (microbatches + stages - 1) * 3 * forward)
                << stages << " stages, " << microbatches << " micro-batches";
        }
    }
}

TEST(TrainingProgramTest, InterleavedChunksShortenTheBubble)
{
    for (const uint32_t stages : {2U, 4U})
    {
        for (const uint32_t chunks : {2U, 8U / stages})
        {
            for (const uint32_t groups : {1U, 3U})
            {
                const uint32_t microbatches = groups * stages;
                const TrainingProgram program(MakeMixtral(stages, chunks, microbatches));
                const TimePs forward = 8 / stages * kMicrosecond;
                EXPECT_EQ(FindComputeTime(program),
                          microbatches * 3 * forward + (stages - 1) * 3 * forward / chunks)
                    << stages << " stages, " << chunks << " chunks, " << microbatches;
            }
        }
    }
}

// Dense layers alone, which take as long forward as each part of the way back.
TrainingSpec
MakeZeroBubble(uint32_t stages, uint32_t microbatches)
{
    TrainingSpec spec = MakeMixtral(stages, 1, microbatches);
    const auto compute = MakeComponent<ComputeModel>("GivenComputeModel");
    compute->SetAttribute("Attention", TimeValue(Time(0)));
    compute->SetAttribute("Dense", TimeValue(MicroSeconds(1)));
    spec.model.denseLayers = spec.model.layers;
    spec.compute = compute;
    spec.schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
    return spec;
}

// Bubbles of (p - 1) (f + b - w), b and w being the parts of the way back (arXiv 2401.10241,
// Table 2); with fewer micro-batches the first stage waits for a micro-batch to come back.
TEST(TrainingProgramTest, ZeroBubbleTakesItsFormulaWithoutANetwork)
{
    for (const uint32_t stages : {1U, 2U, 4U, 8U})
    {
        for (const uint32_t microbatches : {1U, 2U, 3U, 7U, 8U, 9U, 16U, 21U})
        {
            const TimePs part = 8 / stages * kMicrosecond;
            const uint32_t parts = microbatches >= stages ? 3 * microbatches + stages - 1
                                                          : 2 * microbatches + 2 * stages - 1;
            EXPECT_EQ(FindComputeTime(TrainingProgram(MakeZeroBubble(stages, microbatches))),
                      parts * part)
                << stages << " stages, " << microbatches << " micro-batches";
        }
    }
}

TEST(TrainingProgramTest, ZeroBubbleComputesNoGradientsOfParametersOfTheCoreOfAttention)
{
    TrainingSpec spec = MakeMixtral(4, 1, 8);
    spec.sequence = 4096;
    const double projections = 2.0 * spec.sequence * spec.model.GetAttentionParameters();
    const double core = 1.0 * spec.sequence * spec.sequence * spec.model.GetAttentionWidth();
    const double share = core / (projections + core);
    ASSERT_GT(share, 0.1);
    spec.schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
    const double forward = 2 * kMicrosecond;
    const double inputs = forward * (1 + share);
    const double weights = forward * (1 - share);
    EXPECT_NEAR(static_cast<double>(FindComputeTime(TrainingProgram(spec))),
                8 * (forward + inputs + weights) + 3 * (forward + inputs - weights),
                100); // times are whole picoseconds
}

TEST(TrainingProgramTest, ZeroBubbleMovesAndComputesWhatOneForwardOneBackwardDoes)
{
    TrainingSpec spec = test::MakeSpec({4, 4},
                                       GetDimensions("Deepseek-v3", 6),
                                       {{"Tp", 2}, {"Cp", 2}, {"Pp", 2}, {"Ep", 4}, {"Etp", 2}},
                                       CreateObject<FlopsComputeModel>());
    spec.microbatches = 4;
    spec.sequence = 64;
    const TrainingProgram usual(spec);
    spec.schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
    const TrainingProgram program(spec);
    EXPECT_EQ(CountBytes(program), CountBytes(usual));
    EXPECT_NEAR(program.EstimateSeconds(), usual.EstimateSeconds(), 1e-9);
    EXPECT_LT(FindComputeTime(program), FindComputeTime(usual));
    EXPECT_EQ(program.GetTotal().GetTotalBytes(), usual.GetTotal().GetTotalBytes());
}

TEST(TrainingProgramTest, AStageComputesTheLayersThatItsLayoutSays)
{
    TrainingSpec spec = MakeMixtral(2, 1, 4);
    spec.layout = {{6, 2}, 0};
    EXPECT_EQ(spec.GetLayers(0, 0), std::make_pair(0U, 6U));
    EXPECT_EQ(spec.GetLayers(1, 0), std::make_pair(6U, 8U));
    // The first stage never waits for the second, which has ended when it needs it.
    EXPECT_EQ(FindComputeTime(TrainingProgram(spec)), 4 * 3 * 6 * kMicrosecond);
    spec.layout = {{4, 4}, 0};
    EXPECT_EQ(FindComputeTime(TrainingProgram(spec)),
              FindComputeTime(TrainingProgram(MakeMixtral(2, 1, 4))));
    TrainingSpec chunks = MakeMixtral(2, 2, 4);
    chunks.layout = {{3, 2, 1, 2}, 0};
    EXPECT_EQ(chunks.GetLayers(0, 1), std::make_pair(5U, 6U));
    EXPECT_EQ(chunks.GetLayers(1, 1), std::make_pair(6U, 8U));
}

TEST(TrainingProgramTest, WhatHasNoLayersPassesOnWhatItGets)
{
    TrainingSpec spec = MakeMixtral(4, 1, 4);
    spec.layout = {{4, 0, 4, 0}, 0};
    const TrainingProgram program(spec);
    EXPECT_EQ(FindComputeTime(program), (4 + 1) * 3 * 4 * kMicrosecond);
    EXPECT_EQ(CountBytes(program).at("pipeline"),
              CountBytes(TrainingProgram(MakeMixtral(4, 1, 4))).at("pipeline"));
}

TEST(TrainingProgramTest, AStageWithTheEmbeddingAloneKeepsToTheOrderOfItsSchedule)
{
    constexpr auto pipeline = static_cast<uint32_t>(TrainingStream::Pipeline);
    for (const bool isZeroBubble : {false, true})
    {
        TrainingSpec spec = MakeMixtral(4, 1, 6);
        spec.model.layers = 6;
        spec.layout = LayerLayout::Parse("even+embedding+loss");
        EXPECT_EQ(spec.GetLayers(0, 0), std::make_pair(0U, 1U));
        spec.model.layers = 2;
        EXPECT_EQ(spec.GetLayers(0, 0), std::make_pair(0U, 0U));
        EXPECT_EQ(spec.GetLayers(3, 0), std::make_pair(2U, 2U));
        if (isZeroBubble)
        {
            spec.schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
        }
        const TrainingProgram program(spec);
        EXPECT_EQ(program.GetTotal().GetTotalBytes() > 0, true);
        const test::NodeOrder order(program, 0);
        std::vector<test::NodeOrder::Place> sends;
        std::vector<test::NodeOrder::Place> receipts;
        for (const test::NodeOrder::Place& place : order.List("pipeline"))
        {
            (place.stream == pipeline ? sends : receipts).push_back(place);
        }
        ASSERT_EQ(sends.size(), 6U);
        ASSERT_EQ(receipts.size(), 6U);
        // Four micro-batches are under way on the first of four stages, and no more.
        EXPECT_FALSE(order.IsBefore(receipts[0], sends[3]));
        EXPECT_TRUE(order.IsBefore(receipts[0], sends[4]));
        EXPECT_TRUE(order.IsBefore(receipts[1], sends[5]));
        // Gradients of the embedding are complete, and updated, behind the last way back.
        const std::vector<test::NodeOrder::Place> data = order.List("data");
        ASSERT_EQ(data.size(), 2U);
        EXPECT_TRUE(order.IsBefore(receipts[5], data[0])) << isZeroBubble;
        EXPECT_TRUE(order.IsBefore(receipts[5], order.List("optimizer").front()));
    }
}

/// Forgets the last pass.
class ForgetfulSchedule : public PipelineSchedule
{
  public:
    void Check(const TrainingSpec& spec) const override
    {
        m_schedule->Check(spec);
    }

    std::vector<PipelineSlot> MakeSlots(const PipelineShape& shape, uint32_t stage) const override
    {
        std::vector<PipelineSlot> slots = m_schedule->MakeSlots(shape, stage);
        slots.resize(slots.size() - (stage == 0 ? 1 : 0));
        return slots;
    }

  private:
    Ptr<PipelineSchedule> m_schedule{MakeComponent<PipelineSchedule>("1f1bPipelineSchedule")};
};

TEST(TrainingProgramTest, AScheduleThatLeavesOutAPassIsRefused)
{
    TrainingSpec spec = MakeMixtral(2, 1, 4);
    spec.schedule = CreateObject<ForgetfulSchedule>();
    try
    {
        const TrainingProgram program(spec);
        FAIL() << "it was taken";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_EQ(error.GetKey(), "schedule");
        EXPECT_STREQ(error.what(),
                     "no stage goes backward through part 0 of the model with micro-batch 3");
    }
}

TEST(TrainingProgramTest, RecomputingGoesForwardOnceMore)
{
    TrainingSpec spec = MakeMixtral(2, 1, 4);
    spec.recomputes = true;
    EXPECT_EQ(FindComputeTime(TrainingProgram(spec)), (4 + 1) * 4 * 4 * kMicrosecond);
}

// Attention 1 us, a dense network 2 us, a shared one 3 us and the gate 5 us forward, twice that
// back.
TEST(TrainingProgramTest, PartsOfALayerGoForwardOnceMoreEachByItself)
{
    TrainingSpec spec = MakeMixtral(1, 1, 2);
    spec.model.layers = 4;
    spec.model.denseLayers = 1;
    spec.model.ffn = 64;
    spec.model.sharedFfn = 64;
    spec.sequence = 512;
    const auto compute = MakeComponent<ComputeModel>("GivenComputeModel");
    compute->SetAttribute("Attention", TimeValue(MicroSeconds(1)));
    compute->SetAttribute("Dense", TimeValue(MicroSeconds(2)));
    compute->SetAttribute("Shared", TimeValue(MicroSeconds(3)));
    compute->SetAttribute("Gate", TimeValue(MicroSeconds(5)));
    compute->SetAttribute("ExpertToken", TimeValue(Time(0)));
    spec.compute = compute;
    const auto usual = CountBytes(TrainingProgram(spec));
    const double all = 2 * 3 * (4 * 1 + 2 + 3 * (3 + 5));
    const double core = 1.0 * 512 * 512 * spec.model.GetAttentionWidth();
    const double share = core / (core + 2.0 * 512 * spec.model.GetAttentionParameters());
    const auto expect = [&](const RecomputedParts& parts, double more, double exchanges) {
        spec.again = parts;
        const TrainingProgram program(spec);
        EXPECT_NEAR(static_cast<double>(FindComputeTime(program)) / kMicrosecond,
                    all + 2 * more,
                    1e-3);
        auto moved = CountBytes(program);
        EXPECT_EQ(moved["dispatch"], exchanges * usual.at("dispatch"));
        EXPECT_EQ(moved["combine-backward"], usual.at("combine-backward"));
    };
    expect({}, 0, 1);
    RecomputedParts parts;
    parts.core = true;
    expect(parts, 4 * share, 1);
    parts = {};
    parts.dense = true;
    expect(parts, 2, 1);
    parts = {};
    parts.shared = true;
    expect(parts, 3 * 3, 1);
    parts.moe = true;
    expect(parts, 3 * (3 + 5), 2);
    parts = {};
    parts.activation = true;
    expect(parts, 0, 1);
    spec.schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
    EXPECT_THROW(spec.schedule->Check(spec), ConfigurationError);
}

TEST(TrainingProgramTest, SharedExpertsGoForwardAgainOnceWhereverTheyAreComputed)
{
    for (const std::string overlap : {"none", "exchange"})
    {
        TrainingSpec spec = MakeMixtral(2, 1, 4);
        spec.model.sharedFfn = 64;
        spec.again.shared = true;
        spec.schedule->SetAttribute("Overlap", StringValue(overlap));
        const test::NodeOrder order(TrainingProgram(spec), 0);
        // Of four micro-batches in four layers: forward, again, and back.
        EXPECT_EQ(order.List("shared-experts").size(), 4U * 4 * 3) << overlap;
    }
}

// Keys and values go round once more for the core of attention.
TEST(TrainingProgramTest, TheCoreOfAttentionComputedAgainNeedsItsKeysAndValues)
{
    TrainingSpec spec = test::MakeSpec({4, 4},
                                       GetDimensions("Mixtral-8x7b", 2),
                                       {{"Tp", 2}, {"Cp", 2}, {"Ep", 2}},
                                       MakeAttentionTimes(kMicrosecond));
    spec.sequence = 64;
    const auto usual = CountBytes(TrainingProgram(spec));
    spec.again.core = true;
    auto moved = CountBytes(TrainingProgram(spec));
    EXPECT_EQ(3 * moved["context"], 4 * usual.at("context"));
    EXPECT_EQ(moved["tensor"], usual.at("tensor"));
}

TrainingSpec
MakeReplicated(const std::map<std::string, uint32_t>& degrees)
{
    TrainingSpec spec =
        test::MakeSpec({4, 4}, GetDimensions("Deepseek-v3", 6), degrees, MakeAttentionTimes(0));
    spec.microbatches = 2 * spec.pp;
    spec.sequence = 64;
    return spec;
}

TEST(TrainingProgramTest, BytesOfReplicasAreThoseOfTheirFormulas)
{
    RAILS_LONG_CASE();
    using Degrees = std::map<std::string, uint32_t>;
    for (const Degrees& degrees :
         std::vector<Degrees>{{{"Ep", 4}},
                              {{"Tp", 2}, {"Pp", 2}, {"Ep", 2}},
                              {{"Cp", 2}, {"Pp", 2}, {"Vpp", 3}, {"Ep", 2}, {"Etp", 2}}})
    {
        TrainingSpec spec = MakeReplicated(degrees);
        const auto usual = CountBytes(TrainingProgram(spec));
        double layers = 0;
        for (uint32_t layer = 0; layer < 6; ++layer)
        {
            layers += spec.model.GetDenseParameters(layer);
        }
        const double ends = 2.0 * spec.model.vocabulary * spec.model.hidden;
        const double experts = 3.0 * spec.model.experts * spec.model.GetExpertParameters();
        const double element = spec.elementBytes;
        const double gradient = spec.gradientBytes;
        const double replicas = spec.dp * spec.cp - 1;
        const double expertReplicas = spec.edp - 1;
        const auto expect = [&](double data, double expertData) {
            const TrainingProgram program(spec);
            auto moved = CountBytes(program);
            EXPECT_NEAR(moved["data"], replicas * data, 1e-9 * replicas * data);
            EXPECT_NEAR(moved["expert-data"], expertReplicas * expertData, 1e-9 * expertData);
            EXPECT_EQ(moved["dispatch-backward"], usual.at("dispatch-backward"));
            EXPECT_NEAR(program.EstimateBytes(),
                        static_cast<double>(program.GetTotal().GetTotalBytes()),
                        0.05 * program.EstimateBytes());
        };
        expect((layers + ends) * (gradient + element), experts * (gradient + element));
        spec.data.bucket = 1'000'000'000;
        spec.data.overlapsParameters = true;
        expect((layers + ends) * (gradient + element), experts * (gradient + element));
        spec.data = {};
        spec.data.divided = Replication::Divided::Nothing;
        expect((layers + ends) * 2 * gradient, experts * 2 * gradient);
        spec.data.divided = Replication::Divided::All;
        const double passes = spec.microbatches;
        const double layer = passes * (2 * element + gradient);
        expect(layers * layer + ends * passes * (element + gradient), experts * layer);
        spec.recomputes = true; // with what is gathered for the way back
        expect(layers * layer + ends * passes * (element + gradient), experts * layer);
    }
}

TEST(TrainingProgramTest, GradientsWaitUntilTheyFillABucket)
{
    TrainingSpec spec = MakeMixtral(1, 1, 2);
    const double layer = spec.model.GetDenseParameters(0) * static_cast<double>(spec.gradientBytes);
    const auto count = [&](double bucket) {
        spec.data.bucket = static_cast<uint64_t>(bucket);
        return test::NodeOrder(TrainingProgram(spec), 0).List("data").size();
    };
    // Eight layers, embedding and head; and the parameters.
    EXPECT_EQ(count(0), 8U + 1 + 1);
    EXPECT_EQ(count(1), 8U + 1 + 1);
    EXPECT_EQ(count(1.5 * layer), 4U + 1 + 1);
    EXPECT_EQ(count(2.5 * layer), 2U + 1 + 1);
    EXPECT_EQ(count(1e18), 1U + 1);
}

TEST(TrainingProgramTest, ParametersOfALayerMayBeGatheredUnderTheWayForward)
{
    TrainingSpec spec = MakeMixtral(1, 1, 3);
    spec.model.layers = 4;
    spec.data.overlapsParameters = true;
    const TrainingProgram program(spec);
    test::CheckSteps(program);
    const test::NodeOrder order(program, 0);
    constexpr auto beside = static_cast<uint32_t>(TrainingStream::Copies);
    std::vector<test::NodeOrder::Place> gathers;
    for (const test::NodeOrder::Place& place : order.List("data"))
    {
        if (place.stream == beside)
        {
            gathers.push_back(place);
        }
    }
    const std::vector<test::NodeOrder::Place> attention = order.List("attention");
    const std::vector<test::NodeOrder::Place> experts = order.List("experts");
    const std::vector<test::NodeOrder::Place> ofExperts = order.List("expert-data");
    ASSERT_EQ(gathers.size(), 4U + 1); // and the head
    ASSERT_EQ(ofExperts.size(), 8U);   // four are gradients, on another stream
    for (uint32_t layer = 0; layer < 4; ++layer)
    {
        EXPECT_TRUE(order.IsBefore(gathers[layer], attention[layer]));
        EXPECT_FALSE(order.IsBefore(gathers[layer + 1], attention[layer]));
        EXPECT_FALSE(order.IsBefore(attention[0], gathers[layer]));
    }
    EXPECT_TRUE(order.IsBefore(gathers[4], order.List("head").front()));
    EXPECT_TRUE(order.IsBefore(ofExperts.back(), experts[3]));
    EXPECT_FALSE(order.IsBefore(order.List("optimizer").front(), gathers[4]));
}

TEST(TrainingProgramTest, LayersAreGatheredAheadOfTheOneThatIsComputed)
{
    TrainingSpec spec = MakeMixtral(1, 1, 2);
    spec.model.layers = 4;
    spec.data.divided = Replication::Divided::All;
    constexpr auto beside = static_cast<uint32_t>(TrainingStream::Copies);
    for (const uint32_t prefetch : {0U, 1U, 2U})
    {
        spec.data.prefetch = prefetch;
        const TrainingProgram program(spec);
        test::CheckSteps(program);
        const test::NodeOrder order(program, 0);
        std::vector<test::NodeOrder::Place> gathers;
        for (const test::NodeOrder::Place& place : order.List("data"))
        {
            if (place.stream == beside)
            {
                gathers.push_back(place);
            }
        }
        // Forward four layers and the head, back the layers.
        ASSERT_EQ(gathers.size(), 2U * (5 + 4));
        const std::vector<test::NodeOrder::Place> experts = order.List("experts");
        const std::vector<test::NodeOrder::Place> attention = order.List("attention");
        for (uint32_t layer = 0; layer < 4; ++layer)
        {
            EXPECT_TRUE(order.IsBefore(gathers[layer], attention[layer]));
            if (layer > prefetch)
            {
                EXPECT_TRUE(order.IsBefore(experts[layer - prefetch - 1], gathers[layer]));
            }
            if (layer >= prefetch)
            {
                EXPECT_FALSE(order.IsBefore(experts[layer - prefetch], gathers[layer]));
            }
        }
        // The first on the way back, while the head is computed.
        EXPECT_TRUE(order.IsBefore(experts[3], gathers[5]));
        EXPECT_FALSE(order.IsBefore(order.List("head").front(), gathers[5]));
        EXPECT_TRUE(order.IsBefore(gathers[5], experts[4]));
    }
}

TEST(TrainingProgramTest, TheNormOfGradientsIsThatOfAllStages)
{
    TrainingSpec spec = MakeReplicated({{"Pp", 4}, {"Ep", 2}});
    const auto usual = test::CheckSteps(TrainingProgram(spec));
    spec.data.hasNorm = true;
    const TrainingProgram program(spec);
    const auto bytes = test::CheckSteps(program);
    EXPECT_GT(bytes.at("data"), usual.at("data"));
    EXPECT_LE(bytes.at("data"), usual.at("data") + 2 * 15 * 4096);
    EXPECT_EQ(bytes.at("pipeline"), usual.at("pipeline"));
    const test::NodeOrder order(program, 5);
    const auto data = order.List("data");
    const auto norm = data.front(); // on the stream of communication, the first
    EXPECT_EQ(norm.stream, static_cast<uint32_t>(TrainingStream::Communication));
    const auto optimizer = order.List("optimizer").front();
    EXPECT_TRUE(order.IsBefore(norm, optimizer));
    EXPECT_TRUE(order.IsBefore(order.List("expert-data").front(), norm));
    EXPECT_TRUE(order.IsBefore(data[1], norm));
}

// DeepSeek-V3's layers of multi-token prediction (arXiv 2412.19437, section 2.2).
TEST(TrainingProgramTest, ALayerThatPredictsATokenMoreProjectsAndHasLogits)
{
    TrainingSpec spec = MakeMixtral(1, 1, 2);
    spec.model.layers = 5;
    spec.sequence = 512;
    const auto compute = MakeComponent<ComputeModel>("GivenComputeModel");
    compute->SetAttribute("Attention", TimeValue(MicroSeconds(1)));
    compute->SetAttribute("Head", TimeValue(MicroSeconds(7)));
    compute->SetAttribute("ExpertToken", TimeValue(Time(0)));
    spec.compute = compute;
    const auto find = [&] {
        return static_cast<double>(FindComputeTime(TrainingProgram(spec))) / kMicrosecond;
    };
    EXPECT_NEAR(find(), 2 * 3 * (5 + 7), 1e-3);
    spec.model.mtpLayers = 2;
    const double attention = 2.0 * 512 * spec.model.GetAttentionParameters() +
                             1.0 * 512 * 512 * spec.model.GetAttentionWidth();
    const double projection = 2.0 * 512 * 2 * 4096 * 4096 / attention;
    ASSERT_GT(projection, 0.5);
    EXPECT_NEAR(find(), 2 * 3 * (5 + 2 * projection + 3 * 7), 1e-3);
    spec.recomputes = true;
    EXPECT_NEAR(find(), 2 * (4 * (5 + 2 * projection) + 3 * 3 * 7), 1e-3);
    spec.recomputes = false;
    spec.schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
    EXPECT_NEAR(find(), 2 * 3 * (5 + 2 * projection + 3 * 7), 1e-3);
}

TEST(TrainingProgramTest, WhatPredictsMoreTokensGoesOnBesideWhatIsBeforeIt)
{
    TrainingSpec spec = MakeMixtral(4, 1, 4);
    const auto usual = CountBytes(TrainingProgram(spec));
    spec.model.mtpLayers = 2;
    spec.layout = LayerLayout::Parse("Et*3|t*3|mm|L");
    EXPECT_EQ(spec.CountVectors(1), 1U);
    EXPECT_EQ(spec.CountVectors(2), 3U);
    auto moved = CountBytes(TrainingProgram(spec));
    // Over the last of three borders both predictions go as well.
    EXPECT_NEAR(moved["pipeline"], usual.at("pipeline") * (1 + 1 + 3) / 3, 1);
    // A projection of each, and the copy of the embedding.
    const double sync = static_cast<double>(spec.gradientBytes + spec.elementBytes) * (spec.dp - 1);
    EXPECT_NEAR(moved["data"] - usual.at("data"),
                sync * (2 * 2.0 * 4096 * 4096 + 32000.0 * 4096),
                1);
    // Two chunks of a stage have one copy.
    TrainingSpec chunks = MakeMixtral(2, 2, 4);
    chunks.model.mtpLayers = 2;
    chunks.layout = LayerLayout::Parse("Et|t|t|tL");
    chunks.layout.layers = {3, 3, 1, 1};
    EXPECT_TRUE(chunks.HasEmbedding(0, 0));
    EXPECT_FALSE(chunks.HasEmbedding(0, 1));
    chunks.model.mtpLayers = 3; // the last of each chunk from there on
    EXPECT_TRUE(chunks.HasEmbedding(1, 0));
    EXPECT_FALSE(chunks.HasEmbedding(1, 1));
}

TEST(TrainingProgramTest, TheSlowestGpuOfAGroupEmerges)
{
    TrainingSpec spec = MakeMixtral(1, 1, 1);
    const auto compute = MakeComponent<ComputeModel>("GivenComputeModel");
    compute->SetAttribute("Attention", TimeValue(Time(0)));
    compute->SetAttribute("ExpertToken", TimeValue(NanoSeconds(10)));
    spec.compute = compute;
    spec.model.layers = 1;
    // One layer forward and back: the GPU with most tokens is waited for twice.
    uint64_t most = 0;
    for (uint32_t group = 0; group < 8; ++group)
    {
        const std::vector<uint32_t> counts = spec.load->Draw(spec.GetLoadShape(), {0, 0, 0, group});
        std::array<uint64_t, 2> received{};
        for (std::size_t at = 0; at < counts.size(); ++at)
        {
            received[at % 8 / 4] += counts[at];
        }
        most = std::max({most, received[0], received[1]});
    }
    EXPECT_EQ(FindComputeTime(TrainingProgram(spec)), 3 * most * 10'000);
}

/// \return bytes of all kinds, which are those of the formulas
double
CheckVolumes(const TrainingProgram& program, std::map<std::string, double> moved)
{
    double sum = 0;
    for (const auto& [kind, bytes] : ComputeVolumes(program.GetSpec()))
    {
        EXPECT_NEAR(moved[kind], bytes, 1e-9 * bytes) << kind;
        sum += bytes;
    }
    EXPECT_NEAR(program.EstimateBytes(), sum, 0.05 * sum);
    return sum;
}

TEST(TrainingProgramTest, EachKindHasBytesOfItsOwn)
{
    using Degrees = std::map<std::string, uint32_t>;
    const Degrees layouts[] = {{{"Tp", 2}, {"Cp", 2}, {"Pp", 2}, {"Ep", 4}, {"Etp", 2}},
                               {{"Tp", 2}, {"Pp", 2}, {"Ep", 4}}};
    const auto load = CreateObject<ImbalanceTokenLoad>();
    load->SetAttribute("Workload", StringValue("w0"));
    for (const Degrees& degrees : layouts)
    {
        TrainingSpec spec =
            test::MakeSpec({4, 8}, GetDimensions("Deepseek-v3", 5), degrees, MakeAttentionTimes(0));
        spec.microbatches = 2;
        spec.sequence = 512;
        spec.load = load;
        spec.precision = FP8_BLOCK;
        spec.bytes = CreateObject<TrainingBytes>()->Get(FP8_BLOCK, 2, 4);
        EXPECT_EQ(spec.bytes.dispatch, 1.03125);
        const TrainingProgram program(spec);
        std::map<std::string, double> moved = CountBytes(program);
        CheckVolumes(program, moved);
        EXPECT_EQ(moved["dispatch"] / moved["combine"], 1.03125 / 2);
        EXPECT_EQ(moved["combine-backward"], moved["dispatch"]);
        EXPECT_EQ(moved["dispatch-backward"], moved["combine"]);
        spec.bytes = {1.5, 3, 5, 7, 11, 13, 17};
        const TrainingProgram other(spec);
        CheckVolumes(other, CountBytes(other));
    }
}

TEST(TrainingProgramTest, BytesOfEveryKindAreThoseOfTheFormulas)
{
    RAILS_LONG_CASE();
    using Degrees = std::map<std::string, uint32_t>;
    const std::vector<Degrees> layouts{{},
                                       {{"Tp", 2}, {"Ep", 2}},
                                       {{"Cp", 2}, {"Pp", 2}, {"Ep", 4}},
                                       {{"Tp", 2}, {"Cp", 2}, {"Pp", 2}, {"Ep", 4}, {"Etp", 2}},
                                       {{"Tp", 4}, {"Pp", 2}, {"Vpp", 2}, {"Ep", 2}},
                                       {{"Pp", 4}, {"Ep", 4}},
                                       {{"Tp", 8}, {"Ep", 4}, {"Etp", 2}},
                                       {{"Cp", 4}, {"Pp", 2}, {"Ep", 2}, {"Etp", 4}},
                                       {{"Tp", 2}, {"Pp", 4}, {"Vpp", 2}, {"Ep", 4}},
                                       {{"Tp", 4}, {"Cp", 2}, {"Pp", 4}}};
    const auto load = CreateObject<ImbalanceTokenLoad>();
    load->SetAttribute("Workload", StringValue("w0"));
    for (const PublishedModel& model : GetPublishedModels())
    {
        for (const Degrees& degrees : layouts)
        {
            TrainingSpec spec = test::MakeSpec({4, 8},
                                               GetDimensions(model.name, 9),
                                               degrees,
                                               MakeAttentionTimes(0));
            spec.microbatches = spec.pp;
            spec.sequences = 2;
            spec.sequence = 512;
            spec.load = load;
            const TrainingProgram program(spec);
            double messages = 0;
            SCOPED_TRACE(model.name + ", tp " + std::to_string(spec.tp) + ", pp " +
                         std::to_string(spec.pp));
            const double sum = CheckVolumes(program, CountBytes(program, &messages));
            // Of rings every fourth, and more of exchanges among many.
            EXPECT_LE(program.EstimateMessages(), 1.5 * messages) << model.name;
            EXPECT_GE(program.EstimateMessages(), messages / 5) << model.name;
            EXPECT_NEAR(static_cast<double>(program.GetTotal().GetTotalBytes()), sum, 1e-9 * sum);
        }
    }
}

/// Bytes of a piece; nothing: pairs.
class TrainingExchangeTest : public ::testing::TestWithParam<std::optional<uint64_t>>
{
};

TEST_P(TrainingExchangeTest, EveryGpuGetsInAStepWhatOthersSendIt)
{
    TrainingSpec spec = test::MakeSpec({4, 4},
                                       GetDimensions("Deepseek-v3", 6),
                                       {{"Tp", 2}, {"Cp", 2}, {"Pp", 2}, {"Ep", 4}, {"Etp", 2}},
                                       MakeAttentionTimes(0));
    spec.microbatches = 2;
    spec.sequence = 64;
    spec.iterations = 2;
    spec.deduplicates = GetParam().has_value();
    spec.exchangePiece = GetParam().value_or(0);
    const TrainingProgram program(spec);
    const std::map<std::string, uint64_t> bytes = test::CheckSteps(program);
    for (const char* kind :
         {"dispatch", "combine-backward", "expert-tensor", "context", "tensor", "pipeline", "data"})
    {
        EXPECT_GT(bytes.at(kind), 0U) << kind;
    }
}

INSTANTIATE_TEST_SUITE_P(Exchanges,
                         TrainingExchangeTest,
                         ::testing::Values(std::nullopt, 0, 10'000, 1));

TEST(TrainingProgramTest, GroupsOfAStageHaveTokensOfTheirOwnWhateverTheOrder)
{
    for (const std::string order : {"tp-cp-ep-dp-pp", "pp-dp-ep-cp-tp"})
    {
        const auto layout = test::MakeLayout({{"Pp", 2}, {"Ep", 4}});
        layout->SetAttribute("Order", StringValue(order));
        TrainingSpec spec = test::MakeSpec({2, 8},
                                           GetDimensions("Mixtral-8x7b", 2),
                                           {{"Pp", 2}, {"Ep", 4}},
                                           MakeAttentionTimes(0));
        const RankMaps maps = layout->MakeMaps(16);
        spec.attention = maps.attention;
        spec.experts = maps.experts;
        spec.sequence = 256;
        const TrainingProgram program(spec);
        std::set<std::vector<uint64_t>> rows;
        std::set<uint32_t> senders;
        for (uint32_t gpu = 0; gpu < 16; ++gpu)
        {
            for (uint64_t index = 0; maps.attention.GetCoordinate(gpu, "pp") == 0; ++index)
            {
                GraphNode node;
                ASSERT_TRUE(program.GetNode(gpu, 1, index, node));
                if (program.GetKinds()[node.kind] == "dispatch")
                {
                    std::vector<uint64_t> row;
                    for (const Demand& demand : node.transfer->GetSends(gpu, 0))
                    {
                        row.push_back(demand.bytes);
                    }
                    rows.insert(row);
                    senders.insert(gpu);
                    break;
                }
            }
        }
        EXPECT_EQ(senders.size(), 8U);
        EXPECT_EQ(rows.size(), 8U) << order;
    }
}

// Two servers, each with both GPUs of both groups; a token goes to all four experts.
TEST(TrainingProgramTest, OneCopyOfATokenCrossesToAServerOverTheOwnRail)
{
    ModelDimensions model = GetDimensions("Mixtral-8x7b", 1);
    model.experts = 4;
    model.topK = 4;
    TrainingSpec spec = test::MakeSpec({2, 2}, model, {{"Ep", 4}}, MakeAttentionTimes(0));
    spec.sequence = 8;
    spec.deduplicates = true;
    spec.collectives = {ALGORITHM_RING, 1};
    const TrainingProgram program(spec);
    const std::map<std::string, double> bytes = CountBytes(program);
    const double token = 4096 * 2;
    // 8 tokens of each of 4 GPUs cross once; each GPU gets the 24 of others of which 8 have crossed
    // to it, and the 16 that are on its server without it come over NVLink.
    EXPECT_EQ(bytes.at("dispatch"), (4 * 8 + 4 * 16) * token);
    EXPECT_EQ(bytes.at("combine"), bytes.at("dispatch"));
    const TrafficMatrix total = program.GetTotal();
    for (uint32_t gpu = 0; gpu < 4; ++gpu)
    {
        for (const Demand& demand : total.GetRow(gpu))
        {
            const bool isAcross = gpu / 2 != demand.destination / 2;
            EXPECT_TRUE(!isAcross || gpu % 2 == demand.destination % 2 ||
                        demand.destination == (gpu + 1) % 4)
                << gpu << " to " << demand.destination
                << ": neither a rail nor the ring of replicas";
        }
    }
    TrainingSpec pairs = spec;
    pairs.deduplicates = false;
    EXPECT_EQ(CountBytes(TrainingProgram(pairs)).at("dispatch"), 4 * 8 * 3 * token);
}

// Copies of a token are what a plan of thousands of runs knows of them before they are drawn.
TEST(TrainingProgramTest, TheEstimateOfCopiesIsNearWhatMoves)
{
    const auto load = CreateObject<SyntheticTokenLoad>();
    load->SetAttribute("Preset", StringValue("uniform"));
    load->AssignStreams(1);
    load->Start();
    for (const std::string model : {"Mixtral-8x7b", "Deepseek-v3"})
    {
        TrainingSpec spec =
            test::MakeSpec({4, 2}, GetDimensions(model, 4), {{"Ep", 8}}, MakeAttentionTimes(0));
        spec.sequence = 256;
        spec.deduplicates = true;
        spec.load = load;
        const TrainingProgram program(spec);
        std::map<std::string, double> moved = CountBytes(program);
        const double others = moved["data"] + moved["expert-data"];
        double sum = 0;
        for (const auto& [kind, bytes] : moved)
        {
            sum += bytes;
        }
        EXPECT_NEAR(program.EstimateBytes() - others, sum - others, 0.05 * (sum - others)) << model;
    }
}

TEST(TrainingProgramTest, AdvanceCountsMicroBatchesThatAreThroughEverywhere)
{
    TrainingSpec spec = MakeMixtral(2, 1, 4);
    spec.iterations = 3;
    const TrainingProgram program(spec);
    std::vector<double> part(2, 0); // of its nodes that a stage is through with
    const auto find = [&] {
        return *program.FindAdvance([&](uint32_t gpu, uint32_t stream) {
            const auto nodes = static_cast<double>(program.CountNodes(gpu, stream));
            return static_cast<uint64_t>(nodes * part[gpu / 8] + 1e-9); // two servers a stage
        });
    };
    const GraphAdvance begin = find();
    EXPECT_EQ(begin.work, 0);
    EXPECT_EQ(begin.iteration, 0U);
    EXPECT_EQ(begin.inRound, 0U);
    EXPECT_EQ(begin.iterations, 3U);
    EXPECT_EQ(begin.rounds, 4U);
    part = {0.5, 1};
    const GraphAdvance middle = find();
    EXPECT_NEAR(middle.work, 0.75, 0.05);
    EXPECT_EQ(middle.iteration, 1U) << "as far as the stage behind";
    EXPECT_GT(middle.inRound, 0U);
    EXPECT_LT(middle.inRound, 3U);
    part = {1.0 / 3, 1.0 / 3};
    EXPECT_EQ(find().iteration, 1U);
    EXPECT_EQ(find().inRound, 0U);
    EXPECT_NEAR(find().work, 1.0 / 3, 1e-9);
    part = {1, 1};
    EXPECT_EQ(find().iteration, 3U);
    EXPECT_EQ(find().inRound, 0U);
    EXPECT_NEAR(find().work, 1, 1e-9);
}

} // namespace ns3::rails
