// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-filling.h"
#include "circuit-planner.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/word-accessor.h"

namespace ns3::rails
{

/**
 * `greedy`: circuits one by one to the slowest pair of servers (MixNet, arXiv 2501.03905,
 * Algorithm 1), see AddSlowestFirst(). So no pair gets a second circuit while another pair with
 * free ports has none.
 *
 * The printed algorithm ends when the slowest pair has no free port; the public code skips servers
 * without a free port, which is the default here. Once a pair has a circuit, the public code
 * divides by other numbers than that of circuits, which changes at most which pairs get a third
 * circuit.
 */
class GreedyCircuitPlanner : public CircuitPlanner
{
  public:
    static TypeId GetTypeId();

  private:
    /// Action when the slowest pair has no free port.
    enum WhenFull
    {
        CONTINUE, //!< try the next pair
        BREAK     //!< stop
    };

    CircuitPlan DoPlan(const CircuitRegion& region, const CircuitDemand& demand) override;

    WhenFull m_whenFull;
};

NS_OBJECT_ENSURE_REGISTERED(GreedyCircuitPlanner);

TypeId
GreedyCircuitPlanner::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::GreedyCircuitPlanner").SetParent<CircuitPlanner>(),
            "Circuits one by one to the pair of servers that would take longest. (MixNet, "
            "Algorithm 1.)")
            .SetGroupName("Rails")
            .AddConstructor<GreedyCircuitPlanner>()
            .AddAttribute("WhenFull",
                          "What becomes of the rest when the pair that would take longest has no "
                          "free port. continue: other pairs go on; break: nothing more is added, "
                          "as the algorithm is printed. (MixNet's public code: continue.)",
                          EnumValue(CONTINUE),
                          MakeWordAccessor(&GreedyCircuitPlanner::m_whenFull),
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
