// SPDX-License-Identifier: GPL-2.0-only
#ifndef DIRECT_TRANSFER_H
#define DIRECT_TRANSFER_H

#include "group-collective.h"
#include "group-transfer.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * A collective in which all members send to all others at once: of a reduce-scatter each gets its
 * part from all others, of an all-gather it sends its part to them, and an all-reduce is the one
 * and then the other.
 */
class DirectTransfer : public GroupTransfer
{
  public:
    /**
     * \param members at least two
     * \param operation all-reduce, all-gather or reduce-scatter
     */
    DirectTransfer(uint32_t members, GroupCollective::Operation operation);

    uint32_t CountLanes() const override;
    uint32_t CountSteps(uint64_t bytes) const override;
    Shares GetSends(const Place& place, uint64_t bytes) const override;
    Shares GetReceipts(const Place& place, uint64_t bytes) const override;
    double CountBytes(double bytes) const override;

  private:
    Shares Find(const Place& place, uint64_t bytes, bool isSent) const;

    uint32_t m_members;
    GroupCollective::Operation m_operation;
};

} // namespace ns3::rails

#endif // DIRECT_TRANSFER_H
