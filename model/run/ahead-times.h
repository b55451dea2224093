// SPDX-License-Identifier: GPL-2.0-only
#ifndef AHEAD_TIMES_H
#define AHEAD_TIMES_H

#include "ns3/gpu-spans.h"
#include "ns3/rails-units.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Omitted part of an iteration: cycles of units that all take the same time.
struct LeftOut
{
    TimePs at{0};       //!< time in the steady state behind which the cycles are omitted
    double period{0};   //!< of a cycle, in ps
    uint32_t units{1};  //!< of a cycle
    uint64_t cycles{0}; //!< number of omitted cycles
};

/**
 * Finds how long a GPU idles while nodes that run ahead are under way (a host that launches
 * kernels), extrapolated from a partial run. Computing repeats with the period of a cycle. Nodes
 * that run ahead repeat with a period of their own, perhaps while the GPU is at much earlier units.
 */
class AheadTimes
{
  public:
    /**
     * \param spans of the partial run; must outlive this
     * \param iterations omitted part of each iteration; must outlive this
     * \param units of an iteration in the partial run
     */
    AheadTimes(const GpuSpans& spans, const std::vector<LeftOut>& iterations, uint32_t units);

    /// \return idle time beside nodes that run ahead, in ps, in the whole run
    double FindExposed() const;

    /// \return idle time beside nodes that run ahead, in ps, in the partial run
    double FindExposedInPart() const;

  private:
    double FindIdle(TimePs until) const;
    double FindIdleInAll(double until) const;

    const GpuSpans& m_spans;
    const std::vector<LeftOut>& m_iterations;
    std::size_t m_inIteration;      // nodes that run ahead
    std::size_t m_inUnit;           // nodes that run ahead
    std::vector<double> m_computed; // by span of computing, computing time before it
};

} // namespace ns3::rails

#endif // AHEAD_TIMES_H
