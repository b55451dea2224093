// SPDX-License-Identifier: GPL-2.0-only
#include "rails-optical-options.h"

#include "rails-failure-plan.h"

#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/patient-circuit-planner.h"
#include "ns3/planner.h"
#include "ns3/pointer.h"
#include "ns3/rails-about.h"
#include "ns3/rails-effective-config.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-workload.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(OpticalOptions);

TypeId
OpticalOptions::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using DeviceValue = decltype(EnumValue(POLATIS));
    using DarkValue = decltype(EnumValue(DARK_REGION));
    using MovesValue = decltype(EnumValue(MOVES_NEEDED));
    using BackwardValue = decltype(EnumValue(BACKWARD_HIDDEN));

    static TypeId tid =
        AddAbout(
            TypeId("ns3::rails::OpticalOptions").SetParent<Object>(),
            "Circuits of optical fabrics: who gets them, and how long they take to move. (MixNet, "
            "arXiv 2501.03905)")
            .SetGroupName("Rails")
            .AddConstructor<OpticalOptions>()
            .AddAttribute("Circuits",
                          "Which servers of a region are joined by how many circuits.",
                          StringValue("ns3::rails::GreedyCircuitPlanner"),
                          MakePointerAccessor(&OpticalOptions::m_planner),
                          MakePointerChecker<CircuitPlanner>())
            .AddAttribute("Device",
                          "What switches light: how long it takes to move circuits, and how many "
                          "ports there are. (MixNet, Table 2)",
                          EnumValue(POLATIS),
                          MakeAccessorHelper<DeviceValue>(&OpticalOptions::m_device),
                          MakeOpticalDeviceChecker())
            .AddAttribute("ReconfigurationDelay",
                          "Time for which circuits that move are dark; by default that of the "
                          "device, 25ms of a Polatis. (MixNet, section 7.1)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<TimeValue>(&OpticalOptions::m_reconfigurationDelay),
                          MakeTimeRange(0, kNever / 8))
            .AddAttribute(
                "Moves",
                "When circuits move: always, as often as a region says what it will "
                "send (MixNet, section 7.1); needed, not where those that are planned are "
                "there already, and not where nothing is to be sent between its servers.",
                EnumValue(MOVES_NEEDED),
                MakeAccessorHelper<MovesValue>(&OpticalOptions::m_moves),
                MakeEnumChecker(MOVES_NEEDED, "needed", MOVES_ALWAYS, "always"))
            .AddAttribute(
                "Backward",
                "What moves for the way back take: hidden, no more than telling servers, "
                "since they hide behind what is computed; charged, as much as on the way "
                "there. By default hidden; a prediction says it itself, beside which this "
                "is refused. (MixNet, section 7.1: the time before the forward dispatch "
                "counts, all else is hidden)",
                EmptyAttributeValue(),
                MakeOptionalAccessor<BackwardValue>(&OpticalOptions::m_backward),
                MakeEnumChecker(BACKWARD_HIDDEN, "hidden", BACKWARD_CHARGED, "charged"))
            .AddAttribute("Dark",
                          "What carries nothing meanwhile: all circuits of the region, or only "
                          "those that go, so that servers whose circuits stay need not wait. "
                          "(MixNet, section 4.2)",
                          EnumValue(DARK_REGION),
                          MakeAccessorHelper<DarkValue>(&OpticalOptions::m_darkPart),
                          MakeEnumChecker(DARK_REGION, "region", DARK_CHANGES, "changes"))
            .AddAttribute("Prediction",
                          "When circuits move for tokens that go forward. (MixNet, appendix B)",
                          StringValue("ns3::rails::NoneCircuitPrediction"),
                          MakePointerAccessor(&OpticalOptions::m_prediction),
                          MakePointerChecker<CircuitPrediction>())
            .AddAttribute(
                "LinkUpDelay",
                "Time that NICs need behind that until they send; the prototype of MixNet "
                "took 5.67 s, which its authors leave out. (MixNet, section 6)",
                TimeValue(Time(0)),
                MakeTimeAccessor(&OpticalOptions::m_linkUpDelay),
                MakeTimeRange(0, kNever / 8))
            .AddAttribute("ControlDelay",
                          "Time from a server to the controller of its region, and back; at least "
                          "the longest propagation of a cable.",
                          TimeValue(MicroSeconds(2)),
                          MakeTimeAccessor(&OpticalOptions::m_controlDelay),
                          MakeTimeRange(1, kNever / 8));
    return tid;
}

std::optional<CircuitTiming>
OpticalOptions::FindTiming(const Wiring& wiring) const
{
    if (!m_planner->FollowsDemand())
    {
        return std::nullopt;
    }
    const CircuitController::Extent extent = CircuitController::FindExtent(wiring);
    const auto findDelay = [&](bool isOnWayBack) {
        const CircuitController::Times times = FindTimes(0, isOnWayBack);
        return IsRegionWaiting() ? times.told : times.kept;
    };
    return CircuitTiming{extent.servers,
                         findDelay(false),
                         findDelay(true),
                         m_prediction->WaitsForGate() ? nullptr : m_prediction,
                         !m_planner->IsLasting(),
                         extent.regions * extent.servers};
}

CircuitController::Times
OpticalOptions::FindTimes(TimePs full, bool isOnWayBack) const
{
    const TimePs control = m_controlDelay.GetPicoSeconds();
    const bool isHidden = isOnWayBack && HidesBackward();
    const TimePs dark = full + control + (isHidden ? 0 : m_planner->GetPlanningTime());
    const TimePs live =
        dark + (isHidden ? 0 : GetReconfigurationDelay() + m_linkUpDelay.GetPicoSeconds());
    return {dark, live, live + control, dark + control};
}

TimePs
OpticalOptions::GetReconfigurationDelay() const
{
    return m_reconfigurationDelay ? m_reconfigurationDelay->GetPicoSeconds()
                                  : GetOpticalDevice(m_device).delay.value_or(0);
}

bool
OpticalOptions::IsRegionWaiting() const
{
    return m_darkPart == DARK_REGION && m_moves == MOVES_ALWAYS && m_planner->IsLasting();
}

std::vector<std::pair<std::string, std::string>>
OpticalOptions::GetRules() const
{
    if (!m_planner->FollowsDemand() || !m_planner->IsLasting())
    {
        return {};
    }
    const bool isForeseen = !m_prediction->WaitsForGate();
    return {{"moves", m_moves == MOVES_ALWAYS ? "always" : "needed"},
            {"backward",
             isForeseen        ? "predicted"
             : HidesBackward() ? "hidden"
                               : "charged"}};
}

Ptr<CircuitPlanner>
OpticalOptions::GetPlanner() const
{
    return m_planner;
}

CircuitMoves
OpticalOptions::GetMoves() const
{
    return m_moves;
}

bool
OpticalOptions::HidesBackward() const
{
    return m_planner->IsLasting() && m_prediction->WaitsForGate() &&
           m_backward.value_or(BACKWARD_HIDDEN) == BACKWARD_HIDDEN;
}

DarkPart
OpticalOptions::GetDarkPart() const
{
    return m_darkPart;
}

void
OpticalOptions::Check(const Wiring& wiring, TimePs longest) const
{
    if (m_controlDelay.GetPicoSeconds() < longest)
    {
        throw ConfigurationError("control_delay",
                                 "servers and controllers talk over the network: expected at least "
                                 "the longest propagation of a cable, " +
                                     std::to_string(longest / 1000) + "ns");
    }
    const OpticalDevice device = GetOpticalDevice(m_device);
    if (!m_reconfigurationDelay && !device.delay)
    {
        throw ConfigurationError("reconfiguration_delay",
                                 "MixNet gives no number for this device: say how long it takes to "
                                 "move circuits");
    }
    if (!m_planner->IsLasting() && m_darkPart != DARK_REGION)
    {
        throw ConfigurationError("dark",
                                 "where circuits take turns all of the region is dark before each: "
                                 "expected region");
    }
    if (!m_planner->IsLasting() && !m_prediction->WaitsForGate())
    {
        throw ConfigurationError("prediction",
                                 "circuits that take turns are laid for what is announced, before "
                                 "each exchange: expected none");
    }
    if (m_backward && !m_prediction->WaitsForGate())
    {
        throw ConfigurationError("backward",
                                 "a prediction says when circuits move for the way back: leave "
                                 "this out, or set prediction to none");
    }
    CircuitController::Check(wiring, *m_planner, device.ports);
}

CircuitTiming
FindWorkloadTiming(const Wiring& wiring, const Experiment& experiment)
{
    // Circuits move for those alone who take them.
    if (!wiring.HasOptical() || !experiment.Get<Planner>("balance")->UsesCircuits())
    {
        return {};
    }
    const auto timing = experiment.Get<OpticalOptions>("optical")->FindTiming(wiring);
    if (timing && !experiment.Get<Workload>("workload")->AnnouncesExchanges())
    {
        throw ConfigurationError("workload.type",
                                 "circuits are moved for exchanges that are announced, which those "
                                 "of a training are: expected training, or optical.circuits: "
                                 "static");
    }
    return timing.value_or(CircuitTiming());
}

void
CheckCircuits(const Wiring& wiring, TimePs longest, const Experiment& experiment)
{
    if (!wiring.HasOptical())
    {
        return;
    }
    std::set<uint32_t> opticalEdges; // of the first server
    bool isAllOptical = true;        // its NICs
    for (uint32_t nic = 0; nic < wiring.GetShape().nicsPerDomain; ++nic)
    {
        if (wiring.IsOptical(nic))
        {
            opticalEdges.insert(wiring.GetEdge(nic));
        }
        else
        {
            isAllOptical = false;
        }
    }
    if (opticalEdges.size() > 1)
    {
        throw ConfigurationError("topology.fabrics",
                                 "NICs of a server lead to several optical switches, and circuits "
                                 "are moved in one: expected one fabric of type optical");
    }
    const Ptr<OpticalOptions> options = experiment.Get<OpticalOptions>("optical");
    if (isAllOptical && options->GetPlanner()->FollowsDemand())
    {
        throw ConfigurationError("topology.nic_groups",
                                 "all NICs lead to optical switches, where circuits are for "
                                 "exchanges alone: leave some to a packet fabric for all else");
    }
    CheckNested("optical", [&] { options->Check(wiring, longest); });
    if (!options->GetPlanner()->IsLasting() && !experiment.Get<FailurePlan>("failures")->IsEmpty())
    {
        throw ConfigurationError("failures",
                                 "slots of circuits that take turns are planned for NICs that all "
                                 "work: leave failures out, or set optical.circuits to greedy or "
                                 "exact");
    }
    const Ptr<Planner> planner = experiment.Get<Planner>("balance");
    const Ptr<Planner> other = planner->GetOtherPlanner();
    if (options->GetPlanner()->FollowsDemand() && (other ? other : planner)->UsesCircuits())
    {
        throw ConfigurationError("balance.other",
                                 "only exchanges are announced, so all else must leave circuits "
                                 "alone: set it to {type: delegates, uses_circuits: false}");
    }
}

namespace
{

/// \return keys that are set for circuits that move, where they do not
std::vector<ExperimentWarning>
FindIdleKeys(const OpticalOptions& options)
{
    const TypeId type = OpticalOptions::GetTypeId();
    const nlohmann::ordered_json set = DescribeComponent(options, type);
    const nlohmann::ordered_json usual = DescribeComponent(*CreateObject<OpticalOptions>(), type);
    std::vector<std::string> keys;
    for (const auto& [key, value] : set.items())
    {
        if (key != "circuits" && value != usual[key])
        {
            keys.push_back(key);
        }
    }
    if (options.GetPlanner()->GetPlanningTime() > 0)
    {
        keys.emplace_back("circuits.planning_time");
    }
    std::vector<ExperimentWarning> warnings;
    for (const std::string& key : keys)
    {
        warnings.push_back({"optical." + key,
                            "static circuits do not move, so this has no effect: leave it out, or "
                            "set optical.circuits to greedy"});
    }
    return warnings;
}

} // namespace

std::vector<ExperimentWarning>
FindCircuitWarnings(const Wiring& wiring, const Experiment& experiment)
{
    const auto describe = [](const Ptr<OpticalOptions>& options) {
        return DescribeComponent(*options, OpticalOptions::GetTypeId());
    };
    const Ptr<OpticalOptions> options = experiment.Get<OpticalOptions>("optical");
    if (!wiring.HasOptical() && describe(options) != describe(CreateObject<OpticalOptions>()))
    {
        return {{"optical",
                 "the topology has no optical switches, so this section has no effect: they are a "
                 "fabric of type optical, of topology.type: nic-groups"}};
    }
    if (wiring.HasOptical() && !experiment.Get<Planner>("balance")->UsesCircuits())
    {
        return {{"balance.type",
                 "nothing takes circuits with this scheme, so NICs at optical switches stay idle: "
                 "delegates takes them"}};
    }
    if (wiring.HasOptical() && options->GetMoves() == MOVES_ALWAYS &&
        DynamicCast<PatientCircuitPlanner>(options->GetPlanner()))
    {
        return {{"optical.moves",
                 "circuits that patient leaves where they are move all the same with always: leave "
                 "this out, or set it to needed"}};
    }
    if (wiring.HasOptical() && !options->GetPlanner()->FollowsDemand())
    {
        return FindIdleKeys(*options);
    }
    return {};
}

} // namespace ns3::rails
