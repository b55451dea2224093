// SPDX-License-Identifier: GPL-2.0-only
#ifndef PHASE_WORKLOAD_H
#define PHASE_WORKLOAD_H

#include "rails-workload.h"

#include "ns3/workload-schedule.h"

#include <memory>
#include <string>

namespace ns3::rails
{

/// A workload of phases that all GPUs begin and end together.
class PhaseWorkload : public Workload
{
  public:
    static TypeId GetTypeId();

    PhaseWorkload()
    {
        m_traits.hasPhases = true;
    }

    /**
     * Makes the phases, and draws their random parts.
     * \param setting the cluster, which passes Check()
     */
    virtual WorkloadSchedule MakeSchedule(const WorkloadSetting& setting) = 0;

    std::shared_ptr<const GraphProgram> MakeProgram(const WorkloadSetting& setting) final;

    /// By default the demand of a phase is known at its start.
    std::string WhyUnannounced() const override;

  protected:
    /// \throws ConfigurationError when circuits cannot be reconfigured for phases on the cluster
    static void CheckCircuits(const WorkloadSetting& setting);
};

} // namespace ns3::rails

#endif // PHASE_WORKLOAD_H
