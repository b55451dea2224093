// SPDX-License-Identifier: GPL-2.0-only
#include "frames-engine-choice.h"

#include "frame-run.h"

#include "ns3/planner.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-optical-options.h"
#include "ns3/rails-watchdog-options.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(FramesEngineChoice);

TypeId
FramesEngineChoice::GetTypeId()
{
    static TypeId tid = AddAbout(TypeId("ns3::rails::FramesEngineChoice").SetParent<EngineChoice>(),
                                 "Every frame on its way through every queue.")
                            .SetGroupName("Rails")
                            .AddConstructor<FramesEngineChoice>();
    return tid;
}

void
FramesEngineChoice::Check(const Experiment& experiment,
                          const Wiring& wiring,
                          const FabricTraits& traits) const
{
    if (wiring.HasRelays())
    {
        throw ConfigurationError("engine",
                                 "servers that pass on what is for others are simulated by flows "
                                 "alone: among frames they would be switches, and pauses could go "
                                 "round in circles; set it to flow");
    }
    if (wiring.HasOptical() &&
        !experiment.Get<OpticalOptions>("optical")->GetPlanner()->IsLasting())
    {
        throw ConfigurationError("engine",
                                 "circuits of one direction, which take turns, are simulated by "
                                 "flows alone, as ACKs of frames have no way back; set it to flow");
    }
    const FrameSettings settings = GetFrameSettings(experiment);
    CheckNested("switch", [&] { settings.profile->Check(); });
    CheckNested("transport", [&] { settings.transport->Check(); });
    CheckNested("balance.host", [&] { settings.path->Check(); });
    CheckNested("balance.switch", [&] { settings.selector->Check(traits); });
    const uint64_t largest = settings.transport->GetLargestFrame();
    if (!settings.profile->GetPortBuffer().IsSpecial() &&
        settings.profile->GetPortBuffer().Get() < largest)
    {
        throw ConfigurationError("switch.port_buffer",
                                 "a port's buffer must hold a frame, " + std::to_string(largest) +
                                     " B with its headers");
    }
    if (settings.transport->GetCongestionControl()->WantsRhoMax() &&
        std::max(wiring.GetShape().gpusPerDomain, wiring.GetShape().nicsPerDomain) > 1)
    {
        throw ConfigurationError(
            "transport.congestion_control.rho_max",
            "rho_max is known only where a server has one GPU and one NIC: which of "
            "several carries what is the planner's business; set load");
    }
    if (experiment.Get<WatchdogOptions>("watchdog")->GetNoProgressAfter() <=
        settings.transport->GetLossRecovery()->GetTimeout())
    {
        throw ConfigurationError("watchdog.no_progress_after",
                                 "the watchdog must be more patient than the retransmission "
                                 "timeout, transport.loss_recovery.timeout");
    }
    settings.Check(wiring);
}

// Frames that overtake each other, and a receiver that takes the overtaken ones for lost.
std::vector<ExperimentWarning>
FramesEngineChoice::FindWarnings(const Experiment& experiment, const FabricTraits& traits) const
{
    const FrameSettings settings = GetFrameSettings(experiment);
    const bool crosses = experiment.Get<Planner>("balance")->AnyCrossesRails();
    const bool forks = traits.forksInRail || (crosses && traits.forksAcross);
    const bool isBySwitches = settings.selector->ScattersFrames();
    if (!forks || !(settings.path->ScattersFrames() || isBySwitches) ||
        !settings.transport->GetLossRecovery()->NeedsOrder())
    {
        return {};
    }
    return {{isBySwitches ? "balance.switch" : "balance.host",
             "frames of a message take several ways and overtake each other, and "
             "with this transport.loss_recovery all that comes out of order is sent "
             "again: set transport.loss_recovery to selective-repeat, best with "
             "loss_threshold: 32"}};
}

// Frames, and an ACK for each, that cross the cables of a mean way; without retransmissions.
double
FramesEngineChoice::EstimateSeconds(const Experiment& experiment,
                                    const FabricTraits& traits,
                                    const ExpectedTraffic& traffic) const
{
    constexpr double perHop = 190e-9; // median of experiments/load-balancing and skew.yaml
    const auto mtu = static_cast<double>(experiment.Get<Transport>("transport")->GetMtu());
    const double frames = std::max(traffic.bytes / mtu, traffic.messages);
    const bool crosses = experiment.Get<Planner>("balance")->CrossesRails();
    return perHop * 2 * frames * (crosses ? traits.meanLinks : traits.meanRailLinks);
}

std::unique_ptr<EngineRun>
FramesEngineChoice::Make(const EngineParts& parts) const
{
    return std::make_unique<FrameRun>(parts);
}

} // namespace ns3::rails
