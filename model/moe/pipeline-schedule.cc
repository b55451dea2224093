// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline-schedule.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace ns3::rails
{

namespace
{

/// \return the number-th pass in one direction
PipelineSlot
MakeSlot(bool isForward, uint32_t number, uint32_t stages, uint32_t chunks)
{
    const uint32_t inGroup = number % (stages * chunks);
    const uint32_t chunk = inGroup / stages;
    return {isForward,
            number / (stages * chunks) * stages + number % stages,
            isForward ? chunk : chunks - 1 - chunk};
}

} // namespace

std::vector<PipelineSlot>
MakePipelineSchedule(uint32_t stage, uint32_t stages, uint32_t chunks, uint32_t microbatches)
{
    if (chunks > 1 && microbatches % stages != 0)
    {
        throw std::logic_error("micro-batches do not fill the stages");
    }
    // Without chunks micro-batches go one after the other, whatever the number of stages.
    const uint32_t group = chunks > 1 ? stages : 1;
    const uint32_t passes = microbatches * chunks;
    const uint32_t behind = stages - 1 - stage;
    const uint32_t ahead =
        std::min(passes, chunks > 1 ? 2 * behind + (chunks - 1) * stages : behind);
    std::vector<PipelineSlot> slots;
    slots.reserve(std::size_t{2} * passes);
    for (uint32_t number = 0; number < passes + ahead; ++number)
    {
        if (number < passes)
        {
            slots.push_back(MakeSlot(true, number, group, chunks));
        }
        if (number >= ahead)
        {
            slots.push_back(MakeSlot(false, number - ahead, group, chunks));
        }
    }
    return slots;
}

} // namespace ns3::rails
