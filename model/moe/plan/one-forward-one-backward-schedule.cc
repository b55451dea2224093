// SPDX-License-Identifier: GPL-2.0-only
#include "one-forward-one-backward-schedule.h"

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
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::1f1bPipelineSchedule").SetParent<PipelineSchedule>(),
                 "One forward and one backward in turn, behind as many forward as there are stages "
                 "behind. (Megatron-LM, arXiv 2104.04473.)")
            .SetGroupName("Rails")
            .AddConstructor<OneForwardOneBackwardSchedule>();
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
}

std::vector<PipelineSlot>
OneForwardOneBackwardSchedule::MakeSlots(const PipelineShape& shape, uint32_t stage) const
{
    const uint32_t ahead = std::min(shape.microbatches, shape.stages - 1 - stage);
    return Alternate(shape.microbatches, ahead, [](SlotPart part, uint32_t number) {
        return PipelineSlot{part, number, 0};
    });
}

} // namespace ns3::rails
