// SPDX-License-Identifier: GPL-2.0-only
#include "merging-check.h"
#include "pipeline-schedule.h"
#include "training-spec.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// `1f1b`: a stage starts with one forward pass per later stage, then alternates forward and
/// backward passes.
class OneForwardOneBackwardSchedule : public PipelineSchedule
{
  public:
    static TypeId GetTypeId();

    void Check(const TrainingSpec& spec) const override;
    std::vector<PipelineSlot> MakeSlots(const PipelineShape& shape, uint32_t stage) const override;
};

NS_OBJECT_ENSURE_REGISTERED(OneForwardOneBackwardSchedule);

TypeId
OneForwardOneBackwardSchedule::GetTypeId()
{
    static TypeId tid = AddOverlap(
        SetDocumentation(
            TypeId("ns3::rails::1f1bPipelineSchedule").SetParent<PipelineSchedule>(),
            "One forward and one backward in turn, behind as many forward as there are stages "
            "behind. (Megatron-LM, arXiv 2104.04473.)")
            .SetGroupName("Rails")
            .AddConstructor<OneForwardOneBackwardSchedule>(),
        OVERLAP_NONE);
    return tid;
}

void
OneForwardOneBackwardSchedule::Check(const TrainingSpec& spec) const
{
    if (spec.chunks > 1)
    {
        throw ConfigurationError("parallel.vpp",
                                 "chunks are of the schedule that interleaves them: set schedule "
                                 "to interleaved");
    }
    CheckMerging(spec);
}

std::vector<PipelineSlot>
OneForwardOneBackwardSchedule::MakeSlots(const PipelineShape& shape, uint32_t stage) const
{
    const uint32_t behind = shape.stages - 1 - stage;
    // Merged passes send at their end, so a micro-batch returns two turns after it was sent; and
    // the passes of a turn must be independent.
    const uint32_t ahead = std::min(shape.microbatches, Overlaps() ? 2 * behind + 1 : behind);
    return Alternate(shape.microbatches, ahead, [](SlotPart part, uint32_t number) {
        return PipelineSlot{part, number, 0};
    });
}

} // namespace ns3::rails
