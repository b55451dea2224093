// SPDX-License-Identifier: GPL-2.0-only
#ifndef INTERLEAVED_PIPELINE_SCHEDULE_H
#define INTERLEAVED_PIPELINE_SCHEDULE_H

#include "pipeline-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// `interleaved`: one forward and one backward in turn over several chunks of layers on a GPU.
/// Micro-batches go in groups of as many as there are stages, a group through all chunks before the
/// next (Megatron-LM, arXiv 2104.04473, section 2.2).
class InterleavedPipelineSchedule : public PipelineSchedule
{
  public:
    static TypeId GetTypeId();

    void Check(const TrainingPlan& plan) const override;
    std::vector<PipelineSlot> MakeSlots(const PipelineShape& shape, uint32_t stage) const override;
    uint32_t GetCycle(const PipelineShape& shape) const override;
};

} // namespace ns3::rails

#endif // INTERLEAVED_PIPELINE_SCHEDULE_H
