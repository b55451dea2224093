// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_PLUS_ROW_PLANNER_H
#define RAILS_PLUS_ROW_PLANNER_H

#include "row-planner.h"

#include "ns3/rails-units.h"

namespace ns3::rails
{

/**
 * RailsPlusPlanner without counts (ours): `balance: {type: rails-plus-row}`. A server that knows
 * its row alone can pace what it sends, so that all servers that it has something for get it at the
 * same time, and begins with another one than its neighbours. It knows neither what a receiver gets
 * from others nor which ACKs will come between.
 */
class RailsPlusRowPlanner : public RowPlanner
{
  public:
    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view) override;
    bool Paces() const override;

  private:
    ByteSize m_chunk;
};

} // namespace ns3::rails

#endif // RAILS_PLUS_ROW_PLANNER_H
