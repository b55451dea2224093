// SPDX-License-Identifier: GPL-2.0-only
#ifndef ECMP_PLANNER_H
#define ECMP_PLANNER_H

#include "row-planner.h"

#include "ns3/rails-units.h"

namespace ns3::rails
{

/**
 * The conventional way: from the source GPU's own NIC to the destination GPU's own NIC. Between
 * rails the fabric decides: `balance: {type: ecmp}`.
 */
class EcmpPlanner : public RowPlanner
{
  public:
    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view) override;
    bool CrossesRails() const override;

  private:
    ByteSize m_chunk;
};

} // namespace ns3::rails

#endif // ECMP_PLANNER_H
