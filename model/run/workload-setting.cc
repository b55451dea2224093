// SPDX-License-Identifier: GPL-2.0-only
#include "workload-setting.h"

#include "routed-paths.h"

#include "ns3/rails-error.h"

#include <string>

namespace ns3::rails
{

namespace
{

/// \return timing of the circuits that are reconfigured for a workload
CircuitTiming
FindWorkloadTiming(const Wiring& wiring, const Workload& workload, const RunSettings& settings)
{
    // Circuits are reconfigured only for balancers that use them.
    if (!wiring.HasOptical() || !settings.balancer->UsesCircuits())
    {
        return {};
    }
    const auto timing = settings.optical->FindTiming(wiring);
    const std::string why = timing ? workload.WhyUnannounced() : "";
    if (!why.empty())
    {
        throw ConfigurationError("workload.type",
                                 "circuits are moved for exchanges that are announced, and " + why +
                                     ": expected all-to-all, permutation, incast or training, or "
                                     "optical.circuits: static");
    }
    return timing.value_or(CircuitTiming());
}

} // namespace

WorkloadSetting
MakeWorkloadSetting(const Workload& workload, const Wiring& wiring, const RunSettings& settings)
{
    WorkloadSetting setting(wiring.GetShape());
    setting.chooser = settings.chooser ? settings.chooser : setting.chooser;
    setting.rates = wiring.GetRates();
    setting.rates.ways = setting.chooser->Share(MakeRoutedWays(wiring, settings));
    setting.circuits = FindWorkloadTiming(wiring, workload, settings);
    setting.keepsPlacement = settings.record->WantsPlacement();
    return setting;
}

} // namespace ns3::rails
