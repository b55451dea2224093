// SPDX-License-Identifier: GPL-2.0-only
#include "workload-phase.h"

#include "ns3/component-documentation.h"
#include "ns3/optional-accessor.h"
#include "ns3/range-checker.h"

#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(WorkloadPhase);
NS_OBJECT_ENSURE_REGISTERED(DispatchWorkloadPhase);
NS_OBJECT_ENSURE_REGISTERED(CombineWorkloadPhase);
NS_OBJECT_ENSURE_REGISTERED(TimedWorkloadPhase);
NS_OBJECT_ENSURE_REGISTERED(ComputeWorkloadPhase);
NS_OBJECT_ENSURE_REGISTERED(GapWorkloadPhase);

TypeId
WorkloadPhase::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::WorkloadPhase").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

TypeId
DispatchWorkloadPhase::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::DispatchWorkloadPhase").SetParent<WorkloadPhase>(),
                         "Moves the matrix.")
            .SetGroupName("Rails")
            .AddConstructor<DispatchWorkloadPhase>();
    return tid;
}

Phase
DispatchWorkloadPhase::Get() const
{
    return {PhaseKind::Dispatch};
}

TypeId
CombineWorkloadPhase::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::CombineWorkloadPhase").SetParent<WorkloadPhase>(),
                         "Moves the transpose of the matrix.")
            .SetGroupName("Rails")
            .AddConstructor<CombineWorkloadPhase>();
    return tid;
}

Phase
CombineWorkloadPhase::Get() const
{
    return {PhaseKind::Combine};
}

TypeId
TimedWorkloadPhase::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::TimedWorkloadPhase")
            .SetParent<WorkloadPhase>()
            .SetGroupName("Rails")
            .AddAttribute("Duration",
                          "How long it takes.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<TimeValue>(&TimedWorkloadPhase::m_duration),
                          MakeTimeRange());
    return tid;
}

TimedWorkloadPhase::TimedWorkloadPhase(PhaseKind kind)
    : m_kind(kind)
{
}

Phase
TimedWorkloadPhase::Get() const
{
    return {m_kind, m_duration ? m_duration->GetPicoSeconds() : 0};
}

std::vector<KeyRule>
TimedWorkloadPhase::GetKeyRules() const
{
    const std::string name = Phase{m_kind}.GetName();
    return {
        {KeyRule::Demand::All, {"duration"}, "'" + name + "' needs its time: " + name + ": 2ms"}};
}

TypeId
ComputeWorkloadPhase::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::ComputeWorkloadPhase").SetParent<TimedWorkloadPhase>(),
                         "All GPUs compute, and nothing is sent.")
            .SetGroupName("Rails")
            .AddConstructor<ComputeWorkloadPhase>();
    return tid;
}

ComputeWorkloadPhase::ComputeWorkloadPhase()
    : TimedWorkloadPhase(PhaseKind::Compute)
{
}

TypeId
GapWorkloadPhase::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::GapWorkloadPhase").SetParent<TimedWorkloadPhase>(),
                         "Nothing happens.")
            .SetGroupName("Rails")
            .AddConstructor<GapWorkloadPhase>();
    return tid;
}

GapWorkloadPhase::GapWorkloadPhase()
    : TimedWorkloadPhase(PhaseKind::Gap)
{
}

} // namespace ns3::rails
