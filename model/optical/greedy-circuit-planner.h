// SPDX-License-Identifier: GPL-2.0-only
#ifndef GREEDY_CIRCUIT_PLANNER_H
#define GREEDY_CIRCUIT_PLANNER_H

#include "circuit-planner.h"

namespace ns3::rails
{

/**
 * `greedy`: circuits one by one to the pair of servers that would take longest (MixNet, arXiv
 * 2501.03905, Algorithm 1), see AddSlowestFirst(). So no pair gets a second circuit while another
 * one that could have a first has none.
 *
 * As printed the algorithm ends when the slowest pair has no free port; the public code passes over
 * servers without one, as here unless asked otherwise. The public code divides by other numbers
 * than that of circuits once a pair has one, which changes who gets a third circuit at most.
 */
class GreedyCircuitPlanner : public CircuitPlanner
{
  public:
    static TypeId GetTypeId();

  private:
    /// What becomes of the rest when the pair that would take longest has no free port.
    enum WhenFull
    {
        CONTINUE, //!< the next one is looked at
        BREAK     //!< nothing more is added
    };

    CircuitPlan DoPlan(const CircuitRegion& region, const CircuitDemand& demand) override;

    WhenFull m_whenFull;
};

} // namespace ns3::rails

#endif // GREEDY_CIRCUIT_PLANNER_H
