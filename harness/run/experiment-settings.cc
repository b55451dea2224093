// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-settings.h"

#include "ns3/nic-profile.h"
#include "ns3/rails-transport.h"
#include "ns3/routing-scheme.h"
#include "ns3/switch-profile.h"

namespace ns3::rails
{

RunSettings
MakeRunSettings(const Experiment& experiment)
{
    const Ptr<RoutingScheme> scheme = experiment.Get<RoutingScheme>("balance");
    RunSettings settings;
    settings.engine = experiment.Get<EngineChoice>("engine");
    settings.parts = {experiment.Get<SwitchProfile>("switch"),
                      experiment.Get<Transport>("transport"),
                      experiment.Get<NicProfile>("nic"),
                      scheme->GetHost(),
                      scheme->GetSwitch()};
    settings.planner = experiment.Get<Planner>("balance");
    settings.failures = experiment.Get<FailurePlan>("failures");
    settings.optical = experiment.Get<OpticalOptions>("optical");
    settings.watchdog = experiment.Get<WatchdogOptions>("watchdog");
    settings.record = experiment.Get<RecordOptions>("record");
    settings.folder = experiment.workFolder;
    settings.threads = experiment.threads;
    return settings;
}

} // namespace ns3::rails
