// SPDX-License-Identifier: GPL-2.0-only
#ifndef HIERARCHICAL_SCHEDULE_H
#define HIERARCHICAL_SCHEDULE_H

#include "collective-schedule.h"
#include "ring-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * A collective in two levels: on rings of a group's GPUs of a server, and on rings over its servers
 * of those with the same place in each. With m of them on each of k servers an all-gather moves
 * over the servers each 1/m of the buffer, then all of it inside; a reduce-scatter is the same
 * backwards, and an all-reduce is this and then the all-gather. So a GPU sends (k - 1) / (m k) of
 * the buffer to another server, and (m - 1) / m inside. Several lanes have a share of the buffer
 * each, for GPUs with several NICs.
 */
class HierarchicalSchedule : public CollectiveSchedule
{
  public:
    /**
     * \param servers at least two, with at least two members each and equally many on all
     * \param lanes how many
     * \param operation all-reduce, all-gather or reduce-scatter
     * \param mostSteps of a ring; of more, several are taken together
     */
    HierarchicalSchedule(const MembersByServer& servers,
                         uint32_t lanes,
                         CollectiveOperation operation,
                         uint32_t mostSteps = RingSchedule::kAllSteps);

    uint32_t CountLanes() const override
    {
        return m_lanes;
    }

    uint32_t CountSteps(uint64_t bytes) const override;
    double CountBytes(double bytes) const override;

  private:
    Shares Find(const Place& place, uint64_t bytes, bool isSent) const override;
    Shares Gather(const Place& place, uint64_t bytes, bool isSent) const;
    uint32_t CountGather() const;

    MembersByServer m_servers;
    uint32_t m_lanes;
    CollectiveOperation m_operation;
    MergedSteps m_across;
    MergedSteps m_inside;
    std::vector<uint32_t> m_serverOf; //!< by member
    std::vector<uint32_t> m_placeOf;  //!< by member, on its server
};

} // namespace ns3::rails

#endif // HIERARCHICAL_SCHEDULE_H
