// SPDX-License-Identifier: GPL-2.0-only
#include "workload-setting.h"

#include "routed-ways.h"

#include "ns3/rails-error.h"

namespace ns3::rails
{

namespace
{

/// \return the circuits of a wiring that are moved for what a workload sends
CircuitTiming
FindWorkloadTiming(const Wiring& wiring, const Workload& workload, const RunSettings& settings)
{
    // Circuits move for those alone who take them.
    if (!wiring.HasOptical() || !settings.planner->UsesCircuits())
    {
        return {};
    }
    const auto timing = settings.optical->FindTiming(wiring);
    if (timing && !workload.AnnouncesExchanges())
    {
        throw ConfigurationError("workload.type",
                                 "circuits are moved for exchanges that are announced, which those "
                                 "of a training are: expected training, or optical.circuits: "
                                 "static");
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
