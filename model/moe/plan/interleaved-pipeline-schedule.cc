// SPDX-License-Identifier: GPL-2.0-only
#include "merging-check.h"
#include "pipeline-schedule.h"
#include "training-spec.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// `interleaved`: alternates forward and backward passes over several chunks of layers on a GPU.
/// Micro-batches form groups of as many as stages; a group passes all chunks before the next group
/// (Megatron-LM, arXiv 2104.04473, section 2.2).
class InterleavedPipelineSchedule : public PipelineSchedule
{
  public:
    static TypeId GetTypeId();

    void Check(const TrainingSpec& spec) const override;
    std::vector<PipelineSlot> MakeSlots(const PipelineShape& shape, uint32_t stage) const override;
    uint32_t GetCycle(const PipelineShape& shape) const override;
};

NS_OBJECT_ENSURE_REGISTERED(InterleavedPipelineSchedule);

TypeId
InterleavedPipelineSchedule::GetTypeId()
{
    static TypeId tid = AddOverlap(
        SetDocumentation(
            TypeId("ns3::rails::InterleavedPipelineSchedule").SetParent<PipelineSchedule>(),
            "The same with chunks of layers interleaved (parallel.vpp): micro-batches go in "
            "groups of as many as there are stages. (Megatron-LM, arXiv 2104.04473, section "
            "2.2.)")
            .SetGroupName("Rails")
            .AddConstructor<InterleavedPipelineSchedule>(),
        OVERLAP_NONE);
    return tid;
}

void
InterleavedPipelineSchedule::Check(const TrainingSpec& spec) const
{
    if (spec.chunks < 2 || spec.pp < 2)
    {
        throw ConfigurationError(spec.pp < 2 ? "parallel.pp" : "parallel.vpp",
                                 "the interleaved schedule needs stages and chunks: set "
                                 "parallel.pp and parallel.vpp to 2 or more");
    }
    if (spec.microbatches % spec.pp != 0)
    {
        throw ConfigurationError(
            spec.microbatchesKey,
            "the interleaved schedule needs a multiple of pp = " + std::to_string(spec.pp) +
                " micro-batches, here are " + std::to_string(spec.microbatches));
    }
    CheckMerging(spec);
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
    // Merged passes of a turn must be independent.
    const uint32_t ahead = 2 * behind + (chunks - 1) * stages + (Overlaps() ? 1 : 0);
    return Alternate(passes, std::min(passes, ahead), make);
}

uint32_t
InterleavedPipelineSchedule::GetCycle(const PipelineShape& shape) const
{
    return shape.stages;
}

} // namespace ns3::rails
