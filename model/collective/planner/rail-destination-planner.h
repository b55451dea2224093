// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAIL_DESTINATION_PLANNER_H
#define RAIL_DESTINATION_PLANNER_H

#include "row-planner.h"

#include "ns3/rails-units.h"

namespace ns3::rails
{

/**
 * Everything on the rail of the destination GPU; the source's server forwards over NVLink (the way
 * of PXN in NCCL 2.12): `balance: {type: rail-destination}`.
 */
class RailDestinationPlanner : public RowPlanner
{
  public:
    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view) override;
    uint32_t GetPeriod(uint32_t nics) const override;
    bool PlansApart(const ServerLayout& layout) const override;

  private:
    ByteSize m_chunk;
};

} // namespace ns3::rails

#endif // RAIL_DESTINATION_PLANNER_H
