// SPDX-License-Identifier: GPL-2.0-only
#ifndef DUALPIPE_SCHEDULE_H
#define DUALPIPE_SCHEDULE_H

#include "pipeline-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * `dualpipe`: DeepSeek's schedule (arXiv 2412.19437, section 3.2.1). Micro-batches come in at both
 * ends of the pipeline, even ones at the first stage, odd ones at the last. So a stage has two
 * parts of the model, one for each direction, and each part is on two stages. Forward of one
 * direction goes with backward of the other, merged.
 */
class DualpipeSchedule : public PipelineSchedule
{
  public:
    static TypeId GetTypeId();

    void Check(const TrainingPlan& plan) const override;
    std::vector<PipelineSlot> MakeSlots(const PipelineShape& shape, uint32_t stage) const override;
    uint32_t CountChunks(uint32_t chunks) const override;
    uint32_t CountParts(const PipelineShape& shape) const override;
    uint32_t GetPart(const PipelineShape& shape, uint32_t stage, uint32_t chunk) const override;
    uint32_t GetCycle(const PipelineShape& shape) const override;
};

} // namespace ns3::rails

#endif // DUALPIPE_SCHEDULE_H
