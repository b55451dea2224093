// SPDX-License-Identifier: GPL-2.0-only
#ifndef BIRKHOFF_CIRCUIT_PLANNER_H
#define BIRKHOFF_CIRCUIT_PLANNER_H

#include "circuit-planner.h"

#include <cstdint>
#include <optional>

namespace ns3::rails
{

/**
 * `birkhoff`: a sequence of matchings that together move all there is (Birkhoff and von Neumann),
 * as schedules of optical switches have it: see PadToEqualSums() and DecomposeIntoSlots(). In a
 * slot every server sends by all of its ports to one other and receives by all of them from one,
 * which need not be the same: transmitters and receivers have fibres of their own (MixNet, section
 * 9, default), and here they are set apart, while MixNet sets them together. A slot lasts until the
 * last server has sent its part, and the region is dark before each, so with delays of milliseconds
 * all of this takes long: that is what it is here to show. A server without a port that works has
 * nothing in it. In runs CircuitSequence lays the slots.
 */
class BirkhoffCircuitPlanner : public CircuitPlanner
{
  public:
    static TypeId GetTypeId();

    bool IsLasting() const override;
    void Check(const CircuitRegion& region) const override;

  private:
    CircuitPlan DoPlan(const CircuitRegion& region, const CircuitDemand& demand) override;

    std::optional<uint32_t> m_slots;
};

} // namespace ns3::rails

#endif // BIRKHOFF_CIRCUIT_PLANNER_H
