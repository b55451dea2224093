// SPDX-License-Identifier: GPL-2.0-only
#ifndef CHAIN_SCHEDULE_H
#define CHAIN_SCHEDULE_H

#include "collective-schedule.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * A broadcast in two levels, with m of the members on each of k servers: the root hands out parts
 * of 1/m on its server, these go down chains over the servers in chunks that follow each other, and
 * each server gathers them on a ring, which sends nothing to the root. A reduce is the same
 * backwards. With m = 1 it is a single chain of all members in their order, cut before the root.
 */
class ChainSchedule : public CollectiveSchedule
{
  public:
    /**
     * \param members at least two; those of a server follow each other
     * \param perServer members of each server, fewer than all; 1: a single chain
     * \param operation broadcast or reduce
     * \param root the member that has the buffer before or behind it
     * \param chunks of a chain; those without a byte are left out
     */
    ChainSchedule(uint32_t members,
                  uint32_t perServer,
                  CollectiveOperation operation,
                  uint32_t root,
                  uint32_t chunks);

    uint32_t CountSteps(uint64_t bytes) const override;
    double CountBytes(double bytes) const override;

  private:
    uint32_t GetMember(uint32_t server, uint32_t place) const;
    Share FindOfBroadcast(const Place& at, uint64_t bytes, bool isSent) const;
    Shares Find(const Place& place, uint64_t bytes, bool isSent) const override;

    uint32_t m_servers;
    uint32_t m_perServer;
    CollectiveOperation m_operation;
    uint32_t m_root;
    uint32_t m_chunks;
};

} // namespace ns3::rails

#endif // CHAIN_SCHEDULE_H
