// SPDX-License-Identifier: GPL-2.0-only
#ifndef ONE_FORWARD_ONE_BACKWARD_SCHEDULE_H
#define ONE_FORWARD_ONE_BACKWARD_SCHEDULE_H

#include "pipeline-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// `1f1b`: a stage begins with as many micro-batches forward as there are stages behind it, then
/// does one back for each forward.
class OneForwardOneBackwardSchedule : public PipelineSchedule
{
  public:
    static TypeId GetTypeId();

    void Check(const TrainingPlan& plan) const override;
    std::vector<PipelineSlot> MakeSlots(const PipelineShape& shape, uint32_t stage) const override;
};

} // namespace ns3::rails

#endif // ONE_FORWARD_ONE_BACKWARD_SCHEDULE_H
