// SPDX-License-Identifier: GPL-2.0-only
#include "rails-optical-options.h"

#include "rails-failure-plan.h"

#include "ns3/circuit-controller.h"
#include "ns3/planner.h"
#include "ns3/pointer.h"
#include "ns3/program-workload.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"

#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(OpticalOptions);

TypeId
OpticalOptions::GetTypeId()
{
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
            .AddAttribute(
                "ReconfigurationDelay",
                "Time for which a region is dark when its circuits move. (MixNet, section "
                "7.1)",
                TimeValue(MilliSeconds(25)),
                MakeTimeAccessor(&OpticalOptions::m_reconfigurationDelay),
                MakeTimeRange(0, kNever / 8))
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

CircuitTiming
OpticalOptions::FindTiming(const Wiring& wiring) const
{
    // All regions are alike, and servers that follow each other.
    const ClusterShape& shape = wiring.GetShape();
    const auto isOptical = [&](uint32_t nic) { return wiring.IsOptical(nic); };
    uint32_t first = 0;
    while (!isOptical(first))
    {
        ++first;
    }
    uint32_t last = first;
    for (uint32_t nic = first; nic < shape.GetNics(); ++nic)
    {
        last = wiring.GetEdge(nic) == wiring.GetEdge(first) ? nic : last;
    }
    const TimePs moving = m_reconfigurationDelay.GetPicoSeconds() + m_linkUpDelay.GetPicoSeconds();
    return {shape.GetNicDomain(last) + 1,
            2 * GetControlDelay() + m_planner->GetPlanningTime() + moving};
}

TimePs
OpticalOptions::GetControlDelay() const
{
    return m_controlDelay.GetPicoSeconds();
}

Ptr<CircuitPlanner>
OpticalOptions::GetPlanner() const
{
    return m_planner;
}

void
OpticalOptions::Check(const Wiring& wiring, TimePs longest) const
{
    if (GetControlDelay() < longest)
    {
        throw ConfigurationError("control_delay",
                                 "servers and controllers talk over the network: expected at least "
                                 "the longest propagation of a cable, " +
                                     std::to_string(longest / 1000) + "ns");
    }
    CheckNested("circuits", [&] { CircuitController::Check(wiring, *m_planner); });
}

void
SetCircuits(const Wiring& wiring, const Experiment& experiment)
{
    if (!wiring.HasOptical())
    {
        return;
    }
    const auto workload = DynamicCast<ProgramWorkload>(experiment.Get<Workload>("workload"));
    if (!workload ||
        !workload->SetCircuits(experiment.Get<OpticalOptions>("optical")->FindTiming(wiring)))
    {
        throw ConfigurationError("workload.type",
                                 "circuits are moved for exchanges that are announced, which those "
                                 "of a training are: expected training");
    }
}

void
CheckCircuits(const Wiring& wiring, TimePs longest, const Experiment& experiment)
{
    if (!wiring.HasOptical())
    {
        return;
    }
    CheckNested("optical",
                [&] { experiment.Get<OpticalOptions>("optical")->Check(wiring, longest); });
    if (!experiment.Get<FailurePlan>("failures")->IsEmpty())
    {
        throw ConfigurationError("failures",
                                 "circuits do not know of failures yet: leave them out, or the "
                                 "fabric of type optical");
    }
    const Ptr<Planner> planner = experiment.Get<Planner>("balance");
    const Ptr<Planner> other = planner->GetOther();
    if ((other ? other : planner)->UsesCircuits())
    {
        throw ConfigurationError("balance.other",
                                 "only exchanges are announced, so all else must leave circuits "
                                 "alone: set it to {type: delegates, uses_circuits: false}");
    }
}

} // namespace ns3::rails
