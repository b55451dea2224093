// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAIL_SOURCE_PLANNER_H
#define RAIL_SOURCE_PLANNER_H

#include "row-planner.h"

#include "ns3/rails-units.h"

namespace ns3::rails
{

/**
 * Everything on the rail of the source GPU; the destination's server forwards over NVLink:
 * `balance: {type: rail-source}`.
 */
class RailSourcePlanner : public RowPlanner
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

#endif // RAIL_SOURCE_PLANNER_H
