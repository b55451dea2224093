// SPDX-License-Identifier: GPL-2.0-only
#include "workload-setting.h"

#include "rails-optical-options.h"
#include "rails-record-options.h"

#include "ns3/cluster-topology.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

/// \return the longest propagation of a cable
TimePs
FindLongestDelay(const Wiring& wiring)
{
    TimePs longest = 0;
    for (const Cable& cable : wiring.GetCables())
    {
        longest = std::max(longest, wiring.GetKind(cable).delay);
    }
    return longest;
}

} // namespace

WorkloadSetting
MakeWorkloadSetting(const Experiment& experiment, const Wiring& wiring)
{
    WorkloadSetting setting(experiment.Get<Topology>("topology")->GetShape());
    setting.rates = wiring.GetRates();
    setting.circuits = FindWorkloadTiming(wiring, experiment);
    setting.longestDelay = FindLongestDelay(wiring);
    setting.keepsPlacement = experiment.Get<RecordOptions>("record")->WantsPlacement();
    return setting;
}

} // namespace ns3::rails
