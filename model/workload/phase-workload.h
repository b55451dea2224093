// SPDX-License-Identifier: GPL-2.0-only
#ifndef PHASE_WORKLOAD_H
#define PHASE_WORKLOAD_H

#include "rails-workload.h"

#include "ns3/workload-schedule.h"

#include <memory>

namespace ns3::rails
{

/// A workload of phases, which all GPUs begin and end together.
class PhaseWorkload : public Workload
{
  public:
    static TypeId GetTypeId();

    /**
     * Draws what is random and lays out the phases.
     * \param setting the cluster, which passes Check()
     */
    virtual WorkloadSchedule MakeSchedule(const WorkloadSetting& setting) = 0;

    std::shared_ptr<const GraphProgram> MakeProgram(const WorkloadSetting& setting) final;
    bool HasPhases() const final;
};

} // namespace ns3::rails

#endif // PHASE_WORKLOAD_H
