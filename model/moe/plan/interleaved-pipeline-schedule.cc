// SPDX-License-Identifier: GPL-2.0-only
#include "interleaved-pipeline-schedule.h"

#include "merging-check.h"
#include "training-plan.h"

#include "ns3/rails-about.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(InterleavedPipelineSchedule);

TypeId
InterleavedPipelineSchedule::GetTypeId()
{
    static TypeId tid = AddOverlap(
        AddAbout(TypeId("ns3::rails::InterleavedPipelineSchedule").SetParent<PipelineSchedule>(),
                 "The same with chunks of layers interleaved (parallel.vpp): micro-batches go in "
                 "groups of as many as there are stages. (Megatron-LM, arXiv 2104.04473, section "
                 "2.2.)")
            .SetGroupName("Rails")
            .AddConstructor<InterleavedPipelineSchedule>(),
        OVERLAP_NONE);
    return tid;
}

void
InterleavedPipelineSchedule::Check(const TrainingPlan& plan) const
{
    if (plan.chunks < 2 || plan.pp < 2)
    {
        throw ConfigurationError(plan.pp < 2 ? "parallel.pp" : "parallel.vpp",
                                 "the interleaved schedule needs stages and chunks: set "
                                 "parallel.pp and parallel.vpp to 2 or more");
    }
    if (plan.microbatches % plan.pp != 0)
    {
        throw ConfigurationError(
            plan.microbatchesKey,
            "the interleaved schedule needs a multiple of pp = " + std::to_string(plan.pp) +
                " micro-batches, here are " + std::to_string(plan.microbatches));
    }
    CheckMerging(plan);
}

std::vector<PipelineSlot>
InterleavedPipelineSchedule::MakeSlots(const PipelineShape& shape, uint32_t stage) const
{
    const auto [stages, chunks, microbatches] = shape;
    const uint32_t passes = microbatches * chunks;
    const uint32_t behind = stages - 1 - stage;
    const auto make = [stages = stages, chunks = chunks](SlotPart part, uint32_t number) {
        const uint32_t chunk = number % (stages * chunks) / stages;
        return PipelineSlot{part,
                            number / (stages * chunks) * stages + number % stages,
                            part == SlotPart::Forward ? chunk : chunks - 1 - chunk};
    };
    // The passes of a turn that are merged do not depend on each other.
    const uint32_t ahead = 2 * behind + (chunks - 1) * stages + (Overlaps() ? 1 : 0);
    return Alternate(passes, std::min(passes, ahead), make);
}

uint32_t
InterleavedPipelineSchedule::GetCycle(const PipelineShape& shape) const
{
    return shape.stages;
}

} // namespace ns3::rails
