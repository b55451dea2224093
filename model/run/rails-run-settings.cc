// SPDX-License-Identifier: GPL-2.0-only
#include "rails-run-settings.h"

#include "ns3/rails-balancer.h"

#include <utility>

namespace ns3::rails
{

RunSettings
MakeRunSettings()
{
    RunSettings settings;
    settings.parts = MakeFrameSettings();
    settings.balancer = CreateObject<RailsBalancer>();
    settings.failures = CreateObject<FailurePlan>();
    settings.optical = CreateObject<OpticalOptions>();
    settings.watchdog = CreateObject<WatchdogOptions>();
    settings.record = CreateObject<RecordOptions>();
    return settings;
}

std::string
FindSprayKey(const RunSettings& settings, const FabricTraits& traits)
{
    const FrameSettings& parts = settings.parts;
    const bool crosses = settings.balancer->AnyCrossesRails();
    if (!traits.forksInRail && !(crosses && traits.forksAcross))
    {
        return "";
    }
    return parts.selector->GetTraits().scattersFrames ? "balance.switch"
           : parts.path->GetTraits().scattersFrames   ? "balance.host"
                                                      : "";
}

std::string
FindWhyWhole(const Wiring& wiring, const RunSettings& settings)
{
    const std::pair<bool, const char*> reasons[] = {
        {!settings.failures->IsEmpty(), "failures come at times of their own"},
        {wiring.HasOptical(), "circuits are counted one by one"},
        {settings.record->WantsExplanation(), "record.explain looks at all of them"}};
    for (const auto& [holds, reason] : reasons)
    {
        if (holds)
        {
            return reason;
        }
    }
    return {};
}

} // namespace ns3::rails
