// SPDX-License-Identifier: GPL-2.0-only
#ifndef MOVE_WINDOW_H
#define MOVE_WINDOW_H

#include "expert-policy.h"

#include <algorithm>
#include <cstdint>

namespace ns3::rails
{

/**
 * Iterations whose moves of experts each iteration of a run is charged with, in the mean: whole
 * periods of a policy, so that it does not matter whether a placement falls into the run. They
 * begin with the run and may end behind it; where they would be many, or loads end before, they are
 * all that end with the run or the loads. Of a policy without a period they are those of the run.
 */
class MoveWindow
{
  public:
    /**
     * \param policy whose period it is
     * \param first iteration that is run, counted from the first that the policy sees
     * \param iterations that are run
     * \param recorded iterations that there are loads of, the window ends with them; 0: no end
     */
    MoveWindow(const ExpertPolicy& policy, uint32_t first, uint32_t iterations, uint32_t recorded)
    {
        constexpr uint32_t most = 100; // a policy is led through, besides those of the run
        const uint32_t period = std::max(1U, policy.GetPeriod());
        m_length = (iterations + period - 1) / period * period;
        const uint32_t last = m_length <= iterations + most ? first + m_length : 0;
        m_end = std::max(first + iterations, recorded > 0 ? std::min(recorded, last) : last);
        m_begin = m_end - std::min(m_end, m_length);
    }

    bool Has(uint32_t iteration) const
    {
        return iteration >= m_begin && iteration < m_end;
    }

    /// \return the iteration behind the last that a policy has to see
    uint32_t GetEnd() const
    {
        return m_end;
    }

    /// \return iterations that what happens in the window is divided by
    uint32_t GetLength() const
    {
        return m_length;
    }

  private:
    uint32_t m_begin;
    uint32_t m_end;
    uint32_t m_length;
};

} // namespace ns3::rails

#endif // MOVE_WINDOW_H
