// SPDX-License-Identifier: GPL-2.0-only
#include "rails-optical-options.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/word-accessor.h"

#include <cstdint>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(OpticalOptions);

TypeId
OpticalOptions::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using BackwardValue = decltype(EnumValue(BACKWARD_HIDDEN));

    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::OpticalOptions").SetParent<Object>(),
            "Circuits of optical fabrics: who gets them, and how long they take to move. (MixNet, "
            "arXiv 2501.03905)")
            .SetGroupName("Rails")
            .AddConstructor<OpticalOptions>()
            .AddAttribute("Circuits",
                          "Which servers of a region are joined by how many circuits.",
                          StringValue("ns3::rails::GreedyCircuitPlanner"),
                          MakePointerAccessor(&OpticalOptions::m_balancer),
                          MakePointerChecker<CircuitPlanner>())
            .AddAttribute("Device",
                          "What switches light: how long it takes to move circuits, and how many "
                          "ports there are. (MixNet, Table 2)",
                          EnumValue(POLATIS),
                          MakeWordAccessor(&OpticalOptions::m_device),
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
                MakeWordAccessor(&OpticalOptions::m_moves),
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
                          MakeWordAccessor(&OpticalOptions::m_darkPart),
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
    if (!m_balancer->GetTraits().followsDemand)
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
                         m_prediction->GetTraits().waitsForGate ? nullptr : m_prediction,
                         !m_balancer->GetTraits().isLasting,
                         extent.regions * extent.servers};
}

CircuitController::Times
OpticalOptions::FindTimes(TimePs full, bool isOnWayBack) const
{
    const TimePs control = m_controlDelay.GetPicoSeconds();
    const bool isHidden = isOnWayBack && HidesBackward();
    const TimePs dark = full + control + (isHidden ? 0 : m_balancer->GetPlanningTime());
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
    return m_darkPart == DARK_REGION && m_moves == MOVES_ALWAYS &&
           m_balancer->GetTraits().isLasting;
}

std::vector<std::pair<std::string, std::string>>
OpticalOptions::GetRules() const
{
    if (!m_balancer->GetTraits().followsDemand || !m_balancer->GetTraits().isLasting)
    {
        return {};
    }
    const bool isForeseen = !m_prediction->GetTraits().waitsForGate;
    return {{"moves", m_moves == MOVES_ALWAYS ? "always" : "needed"},
            {"backward",
             isForeseen        ? "predicted"
             : HidesBackward() ? "hidden"
                               : "charged"}};
}

Ptr<CircuitPlanner>
OpticalOptions::GetPlanner() const
{
    return m_balancer;
}

bool
OpticalOptions::HidesBackward() const
{
    return m_balancer->GetTraits().isLasting && m_prediction->GetTraits().waitsForGate &&
           m_backward.value_or(BACKWARD_HIDDEN) == BACKWARD_HIDDEN;
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
    if (!m_balancer->GetTraits().isLasting && m_darkPart != DARK_REGION)
    {
        throw ConfigurationError("dark",
                                 "where circuits take turns all of the region is dark before each: "
                                 "expected region");
    }
    if (!m_balancer->GetTraits().isLasting && !m_prediction->GetTraits().waitsForGate)
    {
        throw ConfigurationError("prediction",
                                 "circuits that take turns are laid for what is announced, before "
                                 "each exchange: expected none");
    }
    if (m_backward && !m_prediction->GetTraits().waitsForGate)
    {
        throw ConfigurationError("backward",
                                 "a prediction says when circuits move for the way back: leave "
                                 "this out, or set prediction to none");
    }
    CircuitController::Check(wiring, *m_balancer, device.ports);
}

} // namespace ns3::rails
