// SPDX-License-Identifier: GPL-2.0-only
#ifndef DIRECT_SCHEDULE_H
#define DIRECT_SCHEDULE_H

#include "collective-schedule.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * A collective in which all members send to all others at once: of a reduce-scatter each gets its
 * part from all others, of an all-gather it sends its part to them, and an all-reduce is the one
 * and then the other.
 */
class DirectSchedule : public CollectiveSchedule
{
  public:
    /**
     * \param members at least two
     * \param operation all-reduce, all-gather or reduce-scatter
     */
    DirectSchedule(uint32_t members, CollectiveOperation operation);

    uint32_t CountSteps(uint64_t bytes) const override;
    double CountBytes(double bytes) const override;

  private:
    Shares Find(const Place& place, uint64_t bytes, bool isSent) const override;

    uint32_t m_members;
    CollectiveOperation m_operation;
};

} // namespace ns3::rails

#endif // DIRECT_SCHEDULE_H
