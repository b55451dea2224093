// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUND_ROBIN_PLANNER_H
#define ROUND_ROBIN_PLANNER_H

#include "dealing-planner.h"

namespace ns3::rails
{

/**
 * Pieces over the rails in turn, whatever their size: `balance: {type: round-robin}`. A server's
 * turn starts at the rail of its own number, so that servers do not all favour the lowest rails.
 */
class RoundRobinPlanner : public DealingPlanner
{
  public:
    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view) override;

  private:
    bool DealsInTurn() const override
    {
        return true;
    }
};

} // namespace ns3::rails

#endif // ROUND_ROBIN_PLANNER_H
