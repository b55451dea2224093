// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLACEMENT_CLOCK_H
#define REPLACEMENT_CLOCK_H

#include "ns3/load-history.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Schedules placements: the first as soon as there is a history, then one per period.
class ReplacementClock
{
  public:
    /**
     * \param layers with experts
     * \param period iterations from one placement of a layer to the next, at least 1
     */
    void Start(uint32_t layers, uint32_t period)
    {
        m_period = period;
        m_waits.assign(layers, 0);
    }

    /// To be called once before each iteration. \return true when a new placement is due
    bool IsDue(uint32_t layer, const LoadHistory& history)
    {
        if (history.GetIterations() == 0)
        {
            return false;
        }
        uint32_t& wait = m_waits[layer];
        wait = wait > 0 ? wait - 1 : m_period - 1;
        return wait == m_period - 1;
    }

  private:
    uint32_t m_period{1};
    std::vector<uint32_t> m_waits; //!< by layer: iterations before the next placement
};

} // namespace ns3::rails

#endif // REPLACEMENT_CLOCK_H
