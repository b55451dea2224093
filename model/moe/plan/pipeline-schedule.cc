// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline-schedule.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PipelineSchedule);

TypeId
PipelineSchedule::GetTypeId()
{
    static TypeId tid = SetDocumentation(TypeId("ns3::rails::PipelineSchedule").SetParent<Object>(),
                                         "Order of micro-batches on a stage of the pipeline.")
                            .SetGroupName("Rails");
    return tid;
}

TypeId
PipelineSchedule::AddOverlap(TypeId tid, Overlap overlap)
{
    return tid
        .AddAttribute("Overlap",
                      "What is done while tokens travel: none: shared experts alone are computed; "
                      "exchange: a pass forward and one backward of another micro-batch are "
                      "merged, layer by layer: one computes while the other exchanges. "
                      "(Megatron-LM, --overlap-moe-expert-parallel-comm, arXiv 2603.07685.)",
                      EnumValue(overlap),
                      MakeWordAccessor(&PipelineSchedule::m_overlap),
                      MakeEnumChecker(OVERLAP_NONE, "none", OVERLAP_EXCHANGE, "exchange"))
        .AddAttribute("DelayedWeights",
                      "Of a pass backward that is merged, gradients of parameters are computed "
                      "apart, behind those of activations: those of experts while gradients of "
                      "tokens travel, those of attention while the stage before is sent what it "
                      "waits for. (Megatron-LM, --delay-wgrad-compute.)",
                      BooleanValue(false),
                      MakeBooleanAccessor(&PipelineSchedule::m_delaysWeights),
                      MakeBooleanChecker());
}

bool
PipelineSchedule::Overlaps() const
{
    return m_overlap == OVERLAP_EXCHANGE;
}

uint32_t
PipelineSchedule::CountChunks(uint32_t chunks) const
{
    return chunks;
}

uint32_t
PipelineSchedule::CountParts(const PipelineShape& shape) const
{
    return shape.stages * shape.chunks;
}

uint32_t
PipelineSchedule::GetPart(const PipelineShape& shape, uint32_t stage, uint32_t chunk) const
{
    return chunk * shape.stages + stage;
}

uint32_t
PipelineSchedule::GetCycle(const PipelineShape&) const
{
    return 1;
}

uint32_t
PipelineSchedule::CountKept(const PipelineShape& shape, uint32_t stage) const
{
    uint32_t now = 0;
    uint32_t most = 0;
    for (const PipelineSlot& slot : MakeSlots(shape, stage))
    {
        now += slot.part == SlotPart::Forward ? 1 : 0;
        most = std::max(most, now);
        now -= slot.part == SlotPart::Backward || slot.part == SlotPart::BackwardWeights ? 1 : 0;
    }
    return most;
}

std::vector<PipelineSlot>
PipelineSchedule::Alternate(uint32_t passes,
                            uint32_t ahead,
                            const std::function<PipelineSlot(SlotPart, uint32_t)>& make) const
{
    std::vector<PipelineSlot> slots;
    slots.reserve(std::size_t{2} * passes);
    for (uint32_t number = 0; number < passes + ahead; ++number)
    {
        if (number < passes)
        {
            slots.push_back(make(SlotPart::Forward, number));
        }
        if (number >= ahead)
        {
            slots.push_back(make(SlotPart::Backward, number - ahead));
            slots.back().isMerged = Overlaps() && number < passes;
        }
    }
    return slots;
}

} // namespace ns3::rails
