// SPDX-License-Identifier: GPL-2.0-only
#include "workload-setting.h"

#include "rails-optical-options.h"
#include "rails-record-options.h"

#include "ns3/cluster-topology.h"

namespace ns3::rails
{

WorkloadSetting
MakeWorkloadSetting(const Experiment& experiment, const Wiring& wiring)
{
    WorkloadSetting setting(experiment.Get<Topology>("topology")->GetShape());
    setting.rates = wiring.GetRates();
    setting.circuits = FindWorkloadTiming(wiring, experiment);
    setting.keepsPlacement = experiment.Get<RecordOptions>("record")->WantsPlacement();
    return setting;
}

} // namespace ns3::rails
