// SPDX-License-Identifier: GPL-2.0-only
#include "one-forward-one-backward-schedule.h"

#include "merging-check.h"
#include "training-plan.h"

#include "ns3/rails-about.h"
#include "ns3/rails-error.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(OneForwardOneBackwardSchedule);

TypeId
OneForwardOneBackwardSchedule::GetTypeId()
{
    static TypeId tid = AddOverlap(
        AddAbout(TypeId("ns3::rails::1f1bPipelineSchedule").SetParent<PipelineSchedule>(),
                 "One forward and one backward in turn, behind as many forward as there are stages "
                 "behind. (Megatron-LM, arXiv 2104.04473.)")
            .SetGroupName("Rails")
            .AddConstructor<OneForwardOneBackwardSchedule>(),
        OVERLAP_NONE);
    return tid;
}

void
OneForwardOneBackwardSchedule::Check(const TrainingPlan& plan) const
{
    if (plan.chunks > 1)
    {
        throw ConfigurationError("parallel.vpp",
                                 "chunks are of the schedule that interleaves them: set schedule "
                                 "to interleaved");
    }
    CheckMerging(plan);
}

std::vector<PipelineSlot>
OneForwardOneBackwardSchedule::MakeSlots(const PipelineShape& shape, uint32_t stage) const
{
    const uint32_t behind = shape.stages - 1 - stage;
    // What is merged sends at its end, so a micro-batch is back two turns after it was sent on; and
    // the passes of a turn do not depend on each other.
    const uint32_t ahead = std::min(shape.microbatches, Overlaps() ? 2 * behind + 1 : behind);
    return Alternate(shape.microbatches, ahead, [](SlotPart part, uint32_t number) {
        return PipelineSlot{part, number, 0};
    });
}

} // namespace ns3::rails
