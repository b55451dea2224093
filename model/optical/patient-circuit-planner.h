// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATIENT_CIRCUIT_PLANNER_H
#define PATIENT_CIRCUIT_PLANNER_H

#include "circuit-planner.h"

namespace ns3::rails
{

/**
 * Estimates the time of an exchange with given circuits: the maximum over pairs of servers with
 * circuits, and over servers for the bytes that take their NICs of the packet fabric.
 * \return seconds; infinite where bytes need a packet fabric and there is none
 */
double EstimateExchange(const CircuitRegion& region,
                        const CircuitMap& circuits,
                        const CircuitDemand& demand);

/**
 * `patient`: reconfigures to the circuits of another planner only when the time saved until the
 * next demand exceeds the dark time. Otherwise the present circuits stay. With a delay of 0 it
 * reconfigures whenever the planned circuits are faster. (Ours; MixNet, arXiv 2501.03905, section
 * 7.1, reconfigures each time.)
 */
class PatientCircuitPlanner : public CircuitPlanner
{
  public:
    static TypeId GetTypeId();

    void Check(const CircuitRegion& region) const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    CircuitPlan DoPlan(const CircuitRegion& region, const CircuitDemand& demand) override;

    Ptr<CircuitPlanner> m_proposed;
    uint32_t m_exchanges;
};

} // namespace ns3::rails

#endif // PATIENT_CIRCUIT_PLANNER_H
