// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-planner.h"

#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"

#include <stdexcept>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(CircuitPlanner);

TypeId
CircuitPlanner::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::CircuitPlanner").SetParent<Object>(),
                         "Which servers of a region are joined by how many circuits.")
            .SetGroupName("Rails")
            .AddAttribute("PlanningTime",
                          "Time that planning takes before circuits begin to change; by default "
                          "none. (MixNet's public code does not charge it.)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CircuitPlanner::m_planningTime),
                          MakeTimeRange(0, kNever / 2));
    return tid;
}

void
CircuitPlanner::Check(const CircuitRegion&) const
{
}

CircuitPlan
CircuitPlanner::Plan(const CircuitRegion& region, const CircuitDemand& demand)
{
    if (demand.GetServers() != region.ports.size())
    {
        throw std::invalid_argument("circuits: the demand is that of another region");
    }
    CircuitPlan plan = DoPlan(region, demand);
    plan.planningTime = GetPlanningTime();
    return plan;
}

TimePs
CircuitPlanner::GetPlanningTime() const
{
    return m_planningTime.GetPicoSeconds();
}

int64_t
CircuitPlanner::AssignStreams(int64_t)
{
    return 0;
}

} // namespace ns3::rails
