// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATIENT_CIRCUIT_PLANNER_H
#define PATIENT_CIRCUIT_PLANNER_H

#include "circuit-planner.h"

namespace ns3::rails
{

/**
 * What exchanges of a demand take, one after the other, with some circuits: as long as the pair of
 * servers that takes longest by its circuits, or the server that takes longest by its NICs of the
 * packet fabric, for peers to which it has no circuit.
 * \return seconds; infinite where something is to go by a packet fabric that is not there
 */
double EstimateExchange(const CircuitRegion& region,
                        const CircuitMap& circuits,
                        const CircuitDemand& demand);

/**
 * `patient`: the circuits of another planner, when moving them is worth it: when what they save
 * until they are asked again is more than the time for which the region is dark. Otherwise those
 * that are there stay. With a delay of 0 it moves whenever the others are faster. (Ours; MixNet,
 * arXiv 2501.03905, section 7.1, moves each time.)
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
