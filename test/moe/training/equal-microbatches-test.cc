// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/cluster-speeds.h"
#include "../training-fixtures.h"

#include "ns3/component-maker.h"
#include "ns3/compute-time.h"
#include "ns3/equal-microbatches.h"
#include "ns3/expert-policy.h"
#include "ns3/imbalance-token-load.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/training-program.h"
#include "ns3/transfer-bound.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

TrainingSpec
MakeEqual(const std::string& schedule, uint32_t stages, uint32_t microbatches)
{
    ModelDimensions model = test::MakeModel("Mixtral-8x7b")->GetDimensions();
    model.layers = 8;
    const uint32_t chunks = schedule == "interleaved" ? 2 : 1;
    TrainingSpec spec = test::MakeSpec({8, 2},
                                       model,
                                       {{"Pp", stages}, {"Vpp", chunks}, {"Ep", 2}},
                                       CreateObject<FlopsComputeModel>());
    if (schedule == "zero-bubble")
    {
        spec.schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
    }
    spec.load = CreateObject<ImbalanceTokenLoad>();
    spec.microbatches = microbatches;
    spec.sequence = 64;
    spec.iterations = 2;
    spec.forwards = true;
    return spec;
}

struct Shape
{
    const char* schedule;
    uint32_t stages;
};

class EqualMicrobatchesTest : public testing::TestWithParam<Shape>
{
  protected:
    const std::string m_schedule{GetParam().schedule};
    const uint32_t m_stages{GetParam().stages};
    const uint32_t m_all{10 * m_stages};
    const uint32_t m_part{5 * m_stages};
    const TrainingSpec m_spec{MakeEqual(m_schedule, m_stages, m_all)};
    const TrainingProgram m_whole{m_spec};
    const std::unique_ptr<const GraphRepetition> m_repetition{m_whole.FindRepetition()};
};

} // namespace

TEST_P(EqualMicrobatchesTest, APartDoesTheSameAsTheWholeUpToTheEndOfWhatComesAgain)
{
    const auto part = m_repetition->MakePart(m_part);
    const std::vector<RepeatedNodes> repeated = m_repetition->ListRepeated(m_part);
    ASSERT_EQ(repeated.size(), m_spec.shape.GetGpus());
    const std::size_t units = repeated[0].over.size() / repeated[0].perUnit / 2;
    EXPECT_GT(units, m_part / 2);
    EXPECT_LT(units, m_part) << "the last one has gradients to send";
    for (uint32_t gpu = 0; gpu < repeated.size(); ++gpu)
    {
        const RepeatedNodes& nodes = repeated[gpu];
        ASSERT_EQ(nodes.over.size(), 2 * units * nodes.perUnit) << "two iterations";
        const uint64_t last = nodes.over[nodes.over.size() / 2 - 1];
        ASSERT_LT(last, part->CountNodes(gpu, nodes.stream) / 2);
        for (uint64_t index = 0; index < last; ++index)
        {
            GraphNode one;
            GraphNode other;
            ASSERT_TRUE(part->GetNode(gpu, nodes.stream, index, one));
            ASSERT_TRUE(m_whole.GetNode(gpu, nodes.stream, index, other));
            EXPECT_EQ(one.kind, other.kind);
            EXPECT_EQ(one.duration, other.duration);
            EXPECT_EQ(one.waits.size(), other.waits.size());
        }
    }
}

TEST_P(EqualMicrobatchesTest, EachCycleComesAgain)
{
    const auto part = m_repetition->MakePart(m_part);
    const auto get = [&](uint32_t gpu, uint32_t stream, uint64_t index) {
        GraphNode node;
        EXPECT_TRUE(part->GetNode(gpu, stream, index, node));
        return std::pair(node.kind, node.duration);
    };
    const std::vector<RepeatedNodes> repeated = m_repetition->ListRepeated(m_part);
    EXPECT_EQ(m_repetition->GetCycle(), m_schedule == "interleaved" ? m_stages : 1);
    for (uint32_t gpu = 0; gpu < repeated.size(); ++gpu)
    {
        const auto& [number, stream, over, perUnit] = repeated[gpu];
        EXPECT_EQ(number, gpu);
        const std::size_t perCycle = std::size_t{m_repetition->GetCycle()} * perUnit;
        // What is done while the pipeline is filled, or emptied, is in another order.
        const std::size_t filled = std::size_t{m_repetition->CountUnderWay()} * perUnit;
        for (std::size_t at = filled; at + perCycle < over.size() / 2; ++at)
        {
            EXPECT_EQ(get(gpu, stream, over[at] - 1), get(gpu, stream, over[at + perCycle] - 1))
                << "GPU " << gpu << ", slot " << at;
        }
    }
}

TEST_P(EqualMicrobatchesTest, AllThatIsMovedIsTheSameAsWithoutLookingForEqualOnes)
{
    TrainingSpec plain = m_spec;
    plain.forwards = false;
    EXPECT_EQ(TrainingProgram(plain).FindRepetition(), nullptr);
    EXPECT_EQ(TrainingProgram(m_spec).GetTotal().GetHash(),
              TrainingProgram(plain).GetTotal().GetHash());
}

TEST_P(EqualMicrobatchesTest, TimesOfAllFollowFromThoseOfAPart)
{
    const TransferBound transfers(m_spec.shape, test::MakeSpeeds(2));
    for (const uint32_t microbatches : {14 * m_stages, 15 * m_stages, 20 * m_stages})
    {
        TrainingSpec spec = m_spec;
        spec.microbatches = microbatches;
        const auto all = std::make_shared<const TrainingProgram>(spec);
        bool isWhole = false;
        const auto fold = [&](std::shared_ptr<const GraphProgram> program) {
            isWhole = isWhole || program == all;
            return program;
        };
        const ProgramTimes times = FindProgramTimes(all, transfers, fold);
        EXPECT_EQ(times.compute, FindComputeTime(*all));
        EXPECT_EQ(times.path, FindPathTime(*all, transfers));
        EXPECT_FALSE(isWhole && microbatches == 20 * m_stages) << "a part says it";
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         EqualMicrobatchesTest,
                         testing::Values(Shape{"1f1b", 1},
                                         Shape{"1f1b", 4},
                                         Shape{"interleaved", 2},
                                         Shape{"interleaved", 4},
                                         Shape{"zero-bubble", 4}),
                         [](const testing::TestParamInfo<Shape>& info) {
                             std::string name = info.param.schedule;
                             name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                             return name + std::to_string(info.param.stages);
                         });

TEST(UnlikeMicrobatchesTest, WhatMakesMicrobatchesUnlikeIsNamed)
{
    TrainingSpec spec = MakeEqual("1f1b", 2, 8);
    EXPECT_EQ(FindWhyUnlike(spec), "");
    TrainingSpec drawn = spec;
    drawn.load = CreateObject<SyntheticTokenLoad>();
    EXPECT_NE(FindWhyUnlike(drawn).find("loads of experts differ"), std::string::npos);
    EXPECT_EQ(TrainingProgram(drawn).FindRepetition(), nullptr);
    const std::vector<std::string> notes = TrainingProgram(drawn).GetNotes();
    EXPECT_EQ(std::count(notes.begin(),
                         notes.end(),
                         "fast_forward does nothing: " + FindWhyUnlike(drawn)),
              1);
    // Of a token that has all experts on its own GPU nothing is drawn.
    drawn.ep = 1;
    EXPECT_EQ(FindWhyUnlike(drawn), "");
    drawn.ep = 2;
    drawn.model.denseLayers = drawn.model.layers;
    EXPECT_EQ(FindWhyUnlike(drawn), "");
    TrainingSpec planned = spec;
    planned.handling.policy = MakeComponent<ExpertPolicy>("MicroMoeExpertPolicy");
    EXPECT_NE(FindWhyUnlike(planned).find("policy of experts"), std::string::npos);
}

} // namespace ns3::rails
