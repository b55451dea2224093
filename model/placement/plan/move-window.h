// SPDX-License-Identifier: GPL-2.0-only
#ifndef MOVE_WINDOW_H
#define MOVE_WINDOW_H

#include "expert-policy.h"

#include <algorithm>
#include <cstdint>

namespace ns3::rails
{

/**
 * Iterations over which the cost of expert moves is averaged: whole periods of a policy, so that it
 * does not matter if a placement falls into the run. The window begins with the run and may end
 * after it. If it would be too long, or loads end earlier, it ends with the run or the loads.
 * Without a period it is the run.
 */
class MoveWindow
{
  public:
    /**
     * \param policy whose period counts
     * \param first simulated iteration, counted from the first that the policy sees
     * \param iterations that are simulated
     * \param recorded iterations with loads, where the window ends; 0: no end
     */
    MoveWindow(const ExpertPolicy& policy, uint32_t first, uint32_t iterations, uint32_t recorded)
    {
        constexpr uint32_t most = 100; // extra iterations that are planned after the run
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

    /// \return one past the last iteration to be planned
    uint32_t GetEnd() const
    {
        return m_end;
    }

    /// \return length of the window in iterations, the divisor of the mean
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
