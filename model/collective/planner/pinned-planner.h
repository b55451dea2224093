// SPDX-License-Identifier: GPL-2.0-only
#ifndef PINNED_PLANNER_H
#define PINNED_PLANNER_H

#include "row-planner.h"

#include <vector>

namespace ns3::rails
{

/// Leaves demands on the rails and queue pairs that they have been given (LocalDemand::on), whole,
/// or moves them to the next rail that works. No component: collectives with several rings use it.
class PinnedPlanner : public RowPlanner
{
  public:
    static TypeId GetTypeId();
    std::vector<Piece> Plan(const ServerView& view) override;
};

} // namespace ns3::rails

#endif // PINNED_PLANNER_H
