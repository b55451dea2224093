// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pipeline-schedule.h"

#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

namespace ns3::rails
{

namespace
{

/// \return "F0 F1 B0": with the chunk behind a point where there are more
std::string
Write(const std::vector<PipelineSlot>& slots, bool hasChunks)
{
    std::string text;
    for (const PipelineSlot& slot : slots)
    {
        text += (text.empty() ? "" : " ") + std::string(slot.isForward ? "F" : "B") +
                std::to_string(slot.microbatch) +
                (hasChunks ? "." + std::to_string(slot.chunk) : "");
    }
    return text;
}

} // namespace

TEST(PipelineScheduleTest, OneForwardOneBackward)
{
    EXPECT_EQ(Write(MakePipelineSchedule(0, 3, 1, 4), false), "F0 F1 F2 B0 F3 B1 B2 B3");
    EXPECT_EQ(Write(MakePipelineSchedule(1, 3, 1, 4), false), "F0 F1 B0 F2 B1 F3 B2 B3");
    EXPECT_EQ(Write(MakePipelineSchedule(2, 3, 1, 4), false), "F0 B0 F1 B1 F2 B2 F3 B3");
    EXPECT_EQ(Write(MakePipelineSchedule(0, 4, 1, 2), false), "F0 F1 B0 B1")
        << "fewer micro-batches than stages";
}

TEST(PipelineScheduleTest, InterleavedGoesInGroupsThroughAllChunks)
{
    EXPECT_EQ(Write(MakePipelineSchedule(1, 2, 2, 4), true),
              "F0.0 F1.0 F0.1 B0.1 F1.1 B1.1 F2.0 B0.0 F3.0 B1.0 F2.1 B2.1 F3.1 B3.1 B2.0 B3.0");
    EXPECT_THROW(MakePipelineSchedule(0, 2, 2, 3), std::logic_error);
}

TEST(PipelineScheduleTest, EveryMicrobatchGoesOnceForwardAndThenBack)
{
    for (const auto& [stages, chunks, microbatches] :
         {std::tuple{1U, 1U, 5U}, {4U, 1U, 2U}, {4U, 1U, 9U}, {4U, 3U, 8U}, {2U, 4U, 2U}})
    {
        for (uint32_t stage = 0; stage < stages; ++stage)
        {
            std::set<std::tuple<bool, uint32_t, uint32_t>> done;
            for (const PipelineSlot& slot :
                 MakePipelineSchedule(stage, stages, chunks, microbatches))
            {
                EXPECT_TRUE(done.insert({slot.isForward, slot.microbatch, slot.chunk}).second);
                EXPECT_TRUE(slot.isForward || done.count({true, slot.microbatch, slot.chunk}) == 1);
                EXPECT_LT(slot.microbatch, microbatches);
                EXPECT_LT(slot.chunk, chunks);
            }
            EXPECT_EQ(done.size(), 2 * chunks * microbatches);
        }
    }
}

} // namespace ns3::rails
