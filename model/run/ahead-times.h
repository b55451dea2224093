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

/// What is left out of an iteration: cycles of units that all take the same time.
struct LeftOut
{
    TimePs at{0};       //!< in the steady state: behind it they come
    double period{0};   //!< of a cycle, in ps
    uint32_t units{1};  //!< of a cycle
    uint64_t cycles{0}; //!< how many are left out
};

/**
 * Tells how long a GPU does not compute while nodes that run ahead are under way (a host that
 * launches kernels), in a run of which a part alone was run. What computing does in a cycle comes
 * again behind a period. Nodes that run ahead come again behind a period of their own, perhaps
 * while the GPU is at units long before.
 */
class AheadTimes
{
  public:
    /**
     * \param spans of the part that was run
     * \param iterations what is left out of each
     * \param units of an iteration that were run
     */
    AheadTimes(const GpuSpans& spans, const std::vector<LeftOut>& iterations, uint32_t units);

    /// \return in ps, of the whole run
    double FindExposed() const;

    /// \return the same of the part that was run
    double FindExposedInPart() const;

  private:
    double FindIdle(TimePs until) const;
    double FindIdleInAll(double until) const;

    const GpuSpans& m_spans;
    const std::vector<LeftOut>& m_iterations;
    std::size_t m_inIteration; // nodes
    std::size_t m_inUnit;
    std::vector<double> m_computed; // until the begin of each span of computing
};

} // namespace ns3::rails

#endif // AHEAD_TIMES_H
