// SPDX-License-Identifier: GPL-2.0-only
#include "greedy-circuit-planner.h"

#include "circuit-filling.h"

#include "ns3/enum.h"
#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(GreedyCircuitPlanner);

TypeId
GreedyCircuitPlanner::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using WhenFullValue = decltype(EnumValue(CONTINUE));

    static TypeId tid =
        AddAbout(TypeId("ns3::rails::GreedyCircuitPlanner").SetParent<CircuitPlanner>(),
                 "Circuits one by one to the pair of servers that would take longest. (MixNet, "
                 "Algorithm 1.)")
            .SetGroupName("Rails")
            .AddConstructor<GreedyCircuitPlanner>()
            .AddAttribute("WhenFull",
                          "What becomes of the rest when the pair that would take longest has no "
                          "free port. continue: other pairs go on; break: nothing more is added, "
                          "as the algorithm is printed. (MixNet's public code: continue.)",
                          WhenFullValue(CONTINUE),
                          MakeAccessorHelper<WhenFullValue>(&GreedyCircuitPlanner::m_whenFull),
                          MakeEnumChecker(CONTINUE, "continue", BREAK, "break"));
    return tid;
}

CircuitPlan
GreedyCircuitPlanner::DoPlan(const CircuitRegion& region, const CircuitDemand& demand)
{
    CircuitPlan plan;
    plan.slots.push_back({CircuitMap(demand.GetServers())});
    AddSlowestFirst(demand, region, m_whenFull == BREAK, plan.slots.front());
    return plan;
}

} // namespace ns3::rails
