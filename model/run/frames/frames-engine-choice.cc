// SPDX-License-Identifier: GPL-2.0-only
#include "frames-engine-choice.h"

#include "frame-run.h"

#include "ns3/component-documentation.h"
#include "ns3/loss-recovery.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(FramesEngineChoice);

TypeId
FramesEngineChoice::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::FramesEngineChoice").SetParent<EngineChoice>(),
                         "Every frame on its way through every queue.")
            .SetGroupName("Rails")
            .AddConstructor<FramesEngineChoice>();
    return tid;
}

void
FramesEngineChoice::Check(const RunSettings& settings,
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
    if (wiring.HasOptical() && !settings.optical->GetPlanner()->GetTraits().isLasting)
    {
        throw ConfigurationError("engine",
                                 "circuits of one direction, which take turns, are simulated by "
                                 "flows alone, as ACKs of frames have no way back; set it to flow");
    }
    const FrameSettings& parts = settings.parts;
    CheckNested("switch", [&] { parts.profile->Check(); });
    CheckNested("transport", [&] { parts.transport->Check(); });
    CheckNested("balance.host", [&] { parts.path->Check(); });
    CheckNested("balance.switch", [&] { parts.selector->Check(traits); });
    const uint64_t largest = parts.transport->GetLargestFrame();
    if (!parts.profile->GetPortBuffer().IsSpecial() &&
        parts.profile->GetPortBuffer().Get() < largest)
    {
        throw ConfigurationError("switch.port_buffer",
                                 "a port's buffer must hold a frame, " + std::to_string(largest) +
                                     " B with its headers");
    }
    if (parts.transport->GetCongestionControl()->WantsRhoMax() &&
        std::max(wiring.GetShape().gpusPerServer, wiring.GetShape().nicsPerServer) > 1)
    {
        throw ConfigurationError(
            "transport.congestion_control.rho_max",
            "rho_max is known only where a server has one GPU and one NIC: which of "
            "several carries what is the planner's business; set load");
    }
    if (settings.watchdog->GetNoProgressAfter() <= parts.transport->GetLossRecovery()->GetTimeout())
    {
        throw ConfigurationError("watchdog.no_progress_after",
                                 "the watchdog must be more patient than the retransmission "
                                 "timeout, transport.loss_recovery.timeout");
    }
    parts.Check(wiring);
}

namespace
{

/// Warns of a receiver that takes overtaken frames for lost.
void
AddOrderWarning(const RunSettings& settings,
                const FabricTraits& traits,
                std::vector<ExperimentWarning>& warnings)
{
    const std::string key = FindSprayKey(settings, traits);
    if (key.empty() || !settings.parts.transport->GetLossRecovery()->GetTraits().needsOrder)
    {
        return;
    }
    warnings.push_back({key,
                        std::string("frames of a message take several paths and overtake each "
                                    "other, and with this transport.loss_recovery all that comes "
                                    "out of order is sent again: ") +
                            LossRecovery::kSprayRemedy});
}

void
AddHeadroomWarning(const FrameSettings& parts,
                   const Wiring& wiring,
                   std::vector<ExperimentWarning>& warnings)
{
    const ByteSize given = parts.profile->GetGivenHeadroom();
    if (!parts.profile->UsesPfc() || given.IsSpecial())
    {
        return;
    }
    const uint64_t safe = parts.FindSafeHeadroom(wiring);
    if (given.Get() < safe)
    {
        warnings.push_back({"switch.headroom",
                            "up to " + std::to_string(safe) +
                                " B arrive at a port after it has asked for a pause: frames that "
                                "find no headroom are dropped, and the run then ends with status "
                                "4; leave it out, or set it to " +
                                std::to_string(safe) + "B"});
    }
}

void
AddRoundTripWarning(const FrameSettings& parts,
                    const Wiring& wiring,
                    const FabricTraits& traits,
                    std::vector<ExperimentWarning>& warnings)
{
    const auto parameter = parts.transport->GetCongestionControl()->GetRoundTripParameter();
    if (!parameter)
    {
        return;
    }
    const TimePs idle = parts.FindIdleRoundTrip(wiring, traits.longestLinks);
    if (parameter->time < idle)
    {
        warnings.push_back({"transport.congestion_control." + parameter->key,
                            "a round trip of the idle fabric takes up to " +
                                std::to_string((idle + kNanosecond - 1) / kNanosecond) +
                                " ns: where it takes longer than this, " + parameter->consequence});
    }
}

} // namespace

std::vector<ExperimentWarning>
FramesEngineChoice::FindWarnings(const RunSettings& settings,
                                 const Wiring& wiring,
                                 const FabricTraits& traits) const
{
    std::vector<ExperimentWarning> warnings;
    AddOrderWarning(settings, traits, warnings);
    AddHeadroomWarning(settings.parts, wiring, warnings);
    AddRoundTripWarning(settings.parts, wiring, traits, warnings);
    return warnings;
}

// Frames and their ACKs on the links of a mean path, without retransmissions.
double
FramesEngineChoice::EstimateSeconds(const RunSettings& settings,
                                    const FabricTraits& traits,
                                    const ExpectedTraffic& traffic) const
{
    constexpr double perHop = 190e-9; // median of experiments/load-balancing and skew.yaml
    const auto mtu = static_cast<double>(settings.parts.transport->GetMtu());
    const double least = traffic.messages * traffic.outside / std::max(1.0, traffic.bytes);
    const double frames = std::max(traffic.outside / mtu, least);
    const bool crosses = settings.balancer->CrossesRails();
    return perHop * 2 * frames * (crosses ? traits.meanLinks : traits.meanRailLinks);
}

// A link has two ports with queues; fitted to the runs in bench/memory.txt.
double
FramesEngineChoice::EstimateMemory(double cables, double queuePairs) const
{
    return 11'000 * cables + 1'200 * queuePairs;
}

std::unique_ptr<EngineRun>
FramesEngineChoice::Make(const EngineParts& parts) const
{
    return std::make_unique<FrameRun>(parts);
}

} // namespace ns3::rails
