// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline-schedule.h"
#include "training-spec.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * `zero-bubble`: ZB-H1 (arXiv 2401.10241, section 2.1). Passes are in the order of 1F1B, with a
 * split backward pass: dgrad at once, since the previous stage waits for it; wgrad later, the later
 * the nearer a stage is to the end. So all stages keep as many micro-batches as the first stage of
 * 1F1B, and the last wgrad passes fill the bubble.
 */
class ZeroBubblePipelineSchedule : public PipelineSchedule
{
  public:
    static TypeId GetTypeId();

    void Check(const TrainingSpec& spec) const override;
    std::vector<PipelineSlot> MakeSlots(const PipelineShape& shape, uint32_t stage) const override;
};

NS_OBJECT_ENSURE_REGISTERED(ZeroBubblePipelineSchedule);

TypeId
ZeroBubblePipelineSchedule::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ZeroBubblePipelineSchedule").SetParent<PipelineSchedule>(),
            "ZB-H1: a way back is two parts, gradients of activations, which the stage before "
            "waits for, and later those of parameters, which fill the bubble at the end. No "
            "stage keeps more micro-batches than the first of 1f1b. (Zero Bubble Pipeline "
            "Parallelism, arXiv 2401.10241, section 2.1.)")
            .SetGroupName("Rails")
            .AddConstructor<ZeroBubblePipelineSchedule>();
    return tid;
}

void
ZeroBubblePipelineSchedule::Check(const TrainingSpec& spec) const
{
    if (spec.chunks > 1)
    {
        throw ConfigurationError("parallel.vpp",
                                 "zero-bubble has one chunk of layers on a GPU: set it to 1, or "
                                 "schedule to interleaved");
    }
    if (spec.ComputesAgain())
    {
        throw ConfigurationError("recompute",
                                 "zero-bubble keeps what gradients of parameters need until they "
                                 "are computed, so nothing is computed again: set it to none, or "
                                 "schedule to 1f1b");
    }
    if (!spec.handling.IsPlain() &&
        (spec.handling.GetCopyTiming() == CopyTiming::Scheduled || spec.Interleaves()))
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
