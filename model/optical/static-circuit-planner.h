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
 * `static`: the same circuits for every demand. Without a file they are drawn, as in MixNet's
 * public code before the first reconfiguration: pairs of servers come in random order, and each
 * pair with a free port at both ends gets a circuit. Every region has its own draw, independent of
 * other regions. After failures of ports, the same order of pairs, drawn or of the file, is applied
 * to the working ports.
 */
class StaticCircuitPlanner : public CircuitPlanner
{
  public:
    static TypeId GetTypeId();

    StaticCircuitPlanner();

    void Check(const CircuitRegion& region) const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    CircuitPlan DoPlan(const CircuitRegion& region, const CircuitDemand& demand) override;

    /// \return the circuits of the file; throws ConfigurationError with the key `path`
    CircuitMap Read(uint32_t servers) const;
    /// \return the circuits of the file, as far as working ports allow
    CircuitMap ReadWorking(const CircuitRegion& region) const;
    CircuitMap Draw(const CircuitRegion& region);

    std::string m_path;
    bool m_parallel;
    Ptr<UniformRandomVariable> m_random;
    std::vector<uint64_t> m_key; //!< drawn from the stream on first use
};

} // namespace ns3::rails

#endif // STATIC_CIRCUIT_PLANNER_H
