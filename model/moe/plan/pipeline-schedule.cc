// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline-schedule.h"

#include "ns3/rails-about.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PipelineSchedule);

TypeId
PipelineSchedule::GetTypeId()
{
    static TypeId tid = AddAbout(TypeId("ns3::rails::PipelineSchedule").SetParent<Object>(),
                                 "Order of micro-batches on a stage of the pipeline.")
                            .SetGroupName("Rails");
    return tid;
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
                            const std::function<PipelineSlot(SlotPart, uint32_t)>& make)
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
        }
    }
    return slots;
}

} // namespace ns3::rails
