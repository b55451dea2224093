// SPDX-License-Identifier: GPL-2.0-only
#include "zero-bubble-pipeline-schedule.h"

#include "training-plan.h"

#include "ns3/rails-about.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ZeroBubblePipelineSchedule);

TypeId
ZeroBubblePipelineSchedule::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::ZeroBubblePipelineSchedule").SetParent<PipelineSchedule>(),
                 "ZB-H1: a way back is two parts, gradients of activations, which the stage before "
                 "waits for, and later those of parameters, which fill the bubble at the end. No "
                 "stage keeps more micro-batches than the first of 1f1b. (Zero Bubble Pipeline "
                 "Parallelism, arXiv 2401.10241, section 2.1.)")
            .SetGroupName("Rails")
            .AddConstructor<ZeroBubblePipelineSchedule>();
    return tid;
}

void
ZeroBubblePipelineSchedule::Check(const TrainingPlan& plan) const
{
    if (plan.chunks > 1)
    {
        throw ConfigurationError("parallel.vpp",
                                 "zero-bubble has one chunk of layers on a GPU: set it to 1, or "
                                 "schedule to interleaved");
    }
    if (plan.ComputesAgain())
    {
        throw ConfigurationError("recompute",
                                 "zero-bubble keeps what gradients of parameters need until they "
                                 "are computed, so nothing is computed again: set it to none, or "
                                 "schedule to 1f1b");
    }
    if (!plan.handling.IsPlain() &&
        (plan.handling.GetCopyTiming() == CopyTiming::Scheduled || plan.Interleaves()))
    {
        throw ConfigurationError("expert_transfers",
                                 "is between or under exchanges of tokens by default with this "
                                 "policy (experts), and zero-bubble computes gradients of "
                                 "parameters, those of copies among them, where no tokens go: set "
                                 "expert_transfers to blocking or overlapped, or schedule to 1f1b");
    }
}

std::vector<PipelineSlot>
ZeroBubblePipelineSchedule::MakeSlots(const PipelineShape& shape, uint32_t stage) const
{
    const uint32_t ahead = std::min(shape.microbatches, shape.stages - 1 - stage);
    const std::vector<PipelineSlot> passes =
        Alternate(shape.microbatches, ahead, [](SlotPart part, uint32_t number) {
            return PipelineSlot{part == SlotPart::Forward ? part : SlotPart::BackwardInputs,
                                number,
                                0};
        });
    std::vector<PipelineSlot> slots;
    slots.reserve(std::size_t{3} * shape.microbatches);
    uint32_t complete = 0;
    for (const PipelineSlot& pass : passes)
    {
        slots.push_back(pass);
        if (pass.part == SlotPart::BackwardInputs && pass.microbatch >= stage)
        {
            slots.push_back({SlotPart::BackwardWeights, complete++, 0});
        }
    }
    while (complete < shape.microbatches)
    {
        slots.push_back({SlotPart::BackwardWeights, complete++, 0});
    }
    return slots;
}

} // namespace ns3::rails
