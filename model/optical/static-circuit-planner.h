// SPDX-License-Identifier: GPL-2.0-only
#ifndef STATIC_CIRCUIT_PLANNER_H
#define STATIC_CIRCUIT_PLANNER_H

#include "circuit-planner.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * `static`: the same circuits whatever there is to send. Without a file they are drawn, as those
 * that a region of MixNet's public code has before its first reconfiguration: pairs of servers in
 * random order, and each that finds a free port at both ends gets a circuit. Every region has a
 * draw of its own, which does not depend on what other regions are asked. Where ports do not work,
 * pairs are gone through in the same order with those that do, drawn or in the file.
 */
class StaticCircuitPlanner : public CircuitPlanner
{
  public:
    static TypeId GetTypeId();

    StaticCircuitPlanner();

    void Check(const CircuitRegion& region) const override;
    bool FollowsDemand() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    CircuitPlan DoPlan(const CircuitRegion& region, const CircuitDemand& demand) override;

    /// \return the circuits of the file; throws ConfigurationError with the key `path`
    CircuitMap Read(uint32_t servers) const;
    /// \return those of them that have ports which work
    CircuitMap ReadWorking(const CircuitRegion& region) const;
    CircuitMap Draw(const CircuitRegion& region);

    std::string m_path;
    bool m_parallel;
    Ptr<UniformRandomVariable> m_random;
    std::vector<uint64_t> m_key; //!< drawn from the stream on first use
};

} // namespace ns3::rails

#endif // STATIC_CIRCUIT_PLANNER_H
