// SPDX-License-Identifier: GPL-2.0-only
#include "../training-fixtures.h"

#include "ns3/boolean.h"
#include "ns3/component-maker.h"
#include "ns3/compute-model.h"
#include "ns3/compute-time.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"
#include "ns3/training-program.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

std::vector<PipelineSlot>
MakeSlots(uint32_t stage, const PipelineShape& shape)
{
    return test::MakeSchedule(shape.chunks)->MakeSlots(shape, stage);
}

/// \return "F0 F1 B0": with the chunk behind a point where there are more
std::string
Write(const std::vector<PipelineSlot>& slots, bool hasChunks = false)
{
    std::string text;
    for (const PipelineSlot& slot : slots)
    {
        text += (text.empty() ? "" : " ") +
                std::string(slot.part == SlotPart::Forward           ? "F"
                            : slot.part == SlotPart::BackwardInputs  ? "I"
                            : slot.part == SlotPart::BackwardWeights ? "W"
                                                                     : "B") +
                std::to_string(slot.microbatch) +
                (hasChunks ? "." + std::to_string(slot.chunk) : "");
    }
    return text;
}

/// \return those that a descriptor can name, and whatever else is registered; with passes merged
/// where they can be
std::vector<Ptr<PipelineSchedule>>
MakeAllSchedules()
{
    std::vector<Ptr<PipelineSchedule>> schedules;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId id = TypeId::GetRegistered(i);
        if (id.IsChildOf(PipelineSchedule::GetTypeId()) && id.HasConstructor())
        {
            ObjectFactory factory;
            factory.SetTypeId(id);
            schedules.push_back(factory.Create<PipelineSchedule>());
            if (TypeId::AttributeInformation overlap; id.LookupAttributeByName("Overlap", &overlap))
            {
                factory.Set("Overlap", StringValue("exchange"));
                schedules.push_back(factory.Create<PipelineSchedule>());
                factory.Set("DelayedWeights", BooleanValue(true));
                schedules.push_back(factory.Create<PipelineSchedule>());
            }
        }
    }
    return schedules;
}

/// \return a training without a network in which each chunk of layers takes a microsecond forward
TrainingSpec
MakeTraining(Ptr<PipelineSchedule> schedule, uint32_t stages, uint32_t chunks)
{
    const auto compute = MakeComponent<ComputeModel>("GivenComputeModel");
    compute->SetAttribute("Attention", TimeValue(Time(0)));
    compute->SetAttribute("Dense", TimeValue(MicroSeconds(1)));
    ModelDimensions model = test::MakeModel("Mixtral-8x7b")->GetDimensions();
    model.layers = stages * chunks;
    model.denseLayers = model.layers;
    TrainingSpec spec =
        test::MakeSpec({1, stages}, model, {{"Pp", stages}, {"Vpp", chunks}}, compute);
    spec.schedule = schedule;
    return spec;
}

} // namespace

TEST(PipelineScheduleTest, OneForwardOneBackward)
{
    EXPECT_EQ(Write(MakeSlots(0, {3, 1, 4})), "F0 F1 F2 B0 F3 B1 B2 B3");
    EXPECT_EQ(Write(MakeSlots(1, {3, 1, 4})), "F0 F1 B0 F2 B1 F3 B2 B3");
    EXPECT_EQ(Write(MakeSlots(2, {3, 1, 4})), "F0 B0 F1 B1 F2 B2 F3 B3");
    EXPECT_EQ(Write(MakeSlots(0, {4, 1, 2})), "F0 F1 B0 B1") << "fewer micro-batches than stages";
}

TEST(PipelineScheduleTest, InterleavedGoesInGroupsThroughAllChunks)
{
    EXPECT_EQ(Write(MakeSlots(1, {2, 2, 4}), true),
              "F0.0 F1.0 F0.1 B0.1 F1.1 B1.1 F2.0 B0.0 F3.0 B1.0 F2.1 B2.1 F3.1 B3.1 B2.0 B3.0");
}

TEST(PipelineScheduleTest, WhatIsMergedNeverWaitsForTheOtherOfItsTurn)
{
    for (const auto& [stages, chunks] : {std::pair{1U, 1U}, {4U, 1U}, {4U, 3U}})
    {
        const Ptr<PipelineSchedule> schedule = test::MakeSchedule(chunks);
        schedule->SetAttribute("Overlap", StringValue("exchange"));
        const PipelineShape shape{stages, chunks, 6 * stages};
        for (uint32_t stage = 0; stage < stages; ++stage)
        {
            const std::vector<PipelineSlot> slots = schedule->MakeSlots(shape, stage);
            uint32_t ahead = 0;
            uint32_t merged = 0;
            for (std::size_t at = 0; at < slots.size(); ++at)
            {
                ahead += merged == 0 ? 1 : 0;
                if (slots[at].isMerged)
                {
                    EXPECT_EQ(slots[at].part, SlotPart::Backward);
                    EXPECT_EQ(slots[at - 1].part, SlotPart::Forward);
                    EXPECT_TRUE(slots[at].microbatch != slots[at - 1].microbatch ||
                                slots[at].chunk != slots[at - 1].chunk);
                    ++merged;
                }
            }
            // Before the first turn as in Megatron-LM, schedules.py: one more than without.
            EXPECT_EQ(ahead - 2, 2 * (stages - 1 - stage) + (chunks - 1) * stages + 1);
            EXPECT_EQ(merged, chunks * shape.microbatches - (ahead - 2));
        }
    }
    const Ptr<PipelineSchedule> schedule = test::MakeSchedule(1);
    schedule->SetAttribute("Overlap", StringValue("exchange"));
    EXPECT_EQ(Write(schedule->MakeSlots({1, 1, 3}, 0)), "F0 F1 B0 F2 B1 B2");
}

TEST(PipelineScheduleTest, ZeroBubbleLeavesGradientsOfParametersForLaterTheNearerAStageIsToTheEnd)
{
    const auto schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
    const auto write = [&](uint32_t stage, const PipelineShape& shape) {
        return Write(schedule->MakeSlots(shape, stage));
    };
    EXPECT_EQ(write(0, {3, 1, 4}), "F0 F1 F2 I0 W0 F3 I1 W1 I2 W2 I3 W3");
    EXPECT_EQ(write(1, {3, 1, 4}), "F0 F1 I0 F2 I1 W0 F3 I2 W1 I3 W2 W3");
    EXPECT_EQ(write(2, {3, 1, 4}), "F0 I0 F1 I1 F2 I2 W0 F3 I3 W1 W2 W3");
    EXPECT_EQ(write(3, {4, 1, 2}), "F0 I0 F1 I1 W0 W1") << "fewer micro-batches than stages";
}

TEST(PipelineScheduleTest, ZeroBubbleKeepsOnEachStageWhatTheFirstKeepsWithOneForwardOneBackward)
{
    const auto schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
    const Ptr<PipelineSchedule> usual = test::MakeSchedule(1);
    for (uint32_t stages = 1; stages <= 6; ++stages)
    {
        for (uint32_t microbatches = 1; microbatches <= 14; ++microbatches)
        {
            const PipelineShape shape{stages, 1, microbatches};
            for (uint32_t stage = 0; stage < stages; ++stage)
            {
                const uint32_t kept = schedule->CountKept(shape, stage);
                EXPECT_LE(kept, usual->CountKept(shape, 0));
                EXPECT_GE(kept, usual->CountKept(shape, stage));
                std::multiset<std::string> done;
                for (const PipelineSlot& slot : schedule->MakeSlots(shape, stage))
                {
                    const std::string text = Write({slot});
                    done.insert(text);
                    const std::string number = text.substr(1);
                    EXPECT_EQ(done.count("F" + number), 1U);
                    EXPECT_TRUE(text[0] != 'W' || done.count("I" + number) == 1);
                }
                EXPECT_EQ(done.size(), 3 * microbatches);
                EXPECT_EQ(std::set<std::string>(done.begin(), done.end()).size(), done.size());
            }
            EXPECT_EQ(schedule->CountKept(shape, 0), std::min(stages, microbatches));
        }
    }
}

// The first stages of figure 5 of the paper have eight stages and twenty micro-batches; here are
// four and eight. Odd micro-batches come from the other end.
TEST(PipelineScheduleTest, DualpipeGoesForwardInOneDirectionAndBackInTheOther)
{
    const auto schedule = MakeComponent<PipelineSchedule>("DualpipePipelineSchedule");
    const PipelineShape shape{4, 2, 8};
    EXPECT_EQ(Write(schedule->MakeSlots(shape, 0)),
              "F0 F2 F4 F1 I1 W1 F3 F6 B3 F5 B0 B5 F7 B2 B7 I4 W4 I6 W6");
    EXPECT_EQ(Write(schedule->MakeSlots(shape, 1)),
              "F0 F1 F2 F3 F4 B1 F5 B0 F6 B3 F7 B2 B5 B4 I7 I6 W7 W6");
    const auto mirror = [](std::vector<PipelineSlot> slots) {
        for (PipelineSlot& slot : slots)
        {
            slot.microbatch ^= 1;
            slot.chunk ^= 1;
        }
        return Write(slots, true);
    };
    for (const uint32_t stages : {2U, 4U, 10U})
    {
        const PipelineShape longer{stages, 2, 2 * stages + 4};
        for (uint32_t stage = 0; stage < stages; ++stage)
        {
            EXPECT_EQ(Write(schedule->MakeSlots(longer, stage), true),
                      mirror(schedule->MakeSlots(longer, stages - 1 - stage)));
            EXPECT_LE(schedule->CountKept(longer, stage), stages + 1) << "Table 2 of the paper";
        }
        EXPECT_EQ(schedule->CountKept(longer, 0), stages + 1);
    }
}

TEST(EveryPipelineSchedule, TakesEachMicrobatchOnceForwardAndThenBackThroughEachChunk)
{
    const std::vector<Ptr<PipelineSchedule>> schedules = MakeAllSchedules();
    ASSERT_GE(schedules.size(), 3U);
    for (const Ptr<PipelineSchedule>& schedule : schedules)
    {
        uint32_t accepted = 0;
        for (const auto& [stages, chunks, microbatches] : {std::tuple{1U, 1U, 5U},
                                                           {4U, 1U, 2U},
                                                           {4U, 1U, 9U},
                                                           {4U, 1U, 12U},
                                                           {2U, 1U, 4U},
                                                           {4U, 3U, 8U},
                                                           {2U, 4U, 2U}})
        {
            TrainingSpec spec = MakeTraining(schedule, stages, chunks);
            spec.microbatches = microbatches;
            spec.chunks = schedule->CountChunks(chunks);
            SCOPED_TRACE(schedule->GetInstanceTypeId().GetName() +
                         (schedule->Overlaps() ? ", merged, " : ", ") + std::to_string(stages) +
                         " stages, " + std::to_string(chunks) + " chunks, " +
                         std::to_string(microbatches) + " micro-batches");
            try
            {
                schedule->Check(spec);
            }
            catch (const ConfigurationError&)
            {
                continue;
            }
            ++accepted;
            for (uint32_t stage = 0; stage < stages; ++stage)
            {
                std::set<std::tuple<SlotPart, uint32_t, uint32_t>> done;
                uint32_t ended = 0;
                for (const auto& [part, microbatch, chunk, isMerged] :
                     schedule->MakeSlots(spec.GetPipeline(), stage))
                {
                    EXPECT_TRUE(done.insert({part, microbatch, chunk}).second);
                    EXPECT_EQ(done.count({SlotPart::Forward, microbatch, chunk}), 1U);
                    EXPECT_TRUE(part != SlotPart::BackwardWeights ||
                                done.count({SlotPart::BackwardInputs, microbatch, chunk}) == 1);
                    EXPECT_LT(microbatch, microbatches);
                    EXPECT_LT(chunk, spec.chunks);
                    ended += part == SlotPart::Backward || part == SlotPart::BackwardWeights;
                }
                EXPECT_EQ(ended, chunks * microbatches);
            }
            // No stage waits for ever, and none for all others each time.
            constexpr TimePs microsecond = 1'000'000;
            const TimePs time = FindComputeTime(TrainingProgram(spec));
            EXPECT_GE(time, 3 * chunks * microbatches * microsecond);
            EXPECT_LE(time, 3 * chunks * (microbatches + stages - 1) * microsecond);
        }
        EXPECT_GE(accepted, 2U);
    }
}

} // namespace ns3::rails
