// SPDX-License-Identifier: GPL-2.0-only
#ifndef ZERO_BUBBLE_PIPELINE_SCHEDULE_H
#define ZERO_BUBBLE_PIPELINE_SCHEDULE_H

#include "pipeline-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * `zero-bubble`: ZB-H1 (arXiv 2401.10241, section 2.1). Passes are in the order of 1F1B, but
 * backward in two parts: gradients of activations at once, which the stage before waits for, those
 * of parameters later, the later the nearer a stage is to the end. So all stages keep as many
 * micro-batches as the first one does with 1F1B, and compute at the end what fills the bubble.
 */
class ZeroBubblePipelineSchedule : public PipelineSchedule
{
  public:
    static TypeId GetTypeId();

    void Check(const TrainingPlan& plan) const override;
    std::vector<PipelineSlot> MakeSlots(const PipelineShape& shape, uint32_t stage) const override;
};

} // namespace ns3::rails

#endif // ZERO_BUBBLE_PIPELINE_SCHEDULE_H
