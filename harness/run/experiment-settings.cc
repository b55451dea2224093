// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-settings.h"

#include "ns3/fabric-balancing.h"
#include "ns3/nic-profile.h"
#include "ns3/rails-transport.h"
#include "ns3/switch-profile.h"

namespace ns3::rails
{

RunSettings
MakeRunSettings(const Experiment& experiment)
{
    const Ptr<FabricBalancing> scheme = experiment.Get<FabricBalancing>("balance");
    RunSettings settings;
    settings.engine = experiment.Get<EngineChoice>("engine");
    settings.parts = {experiment.Get<SwitchProfile>("switch"),
                      experiment.Get<Transport>("transport"),
                      experiment.Get<NicProfile>("nic"),
                      scheme->GetHost(),
                      scheme->GetSwitch()};
    settings.balancer = experiment.Get<Balancer>("balance");
    settings.failures = experiment.Get<FailurePlan>("failures");
    settings.optical = experiment.Get<OpticalOptions>("optical");
    settings.watchdog = experiment.Get<WatchdogOptions>("watchdog");
    settings.record = experiment.Get<RecordOptions>("record");
    settings.folder = experiment.workFolder;
    return settings;
}

} // namespace ns3::rails
