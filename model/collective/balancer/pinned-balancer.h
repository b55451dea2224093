// SPDX-License-Identifier: GPL-2.0-only
#ifndef PINNED_BALANCER_H
#define PINNED_BALANCER_H

#include "row-balancer.h"

#include <vector>

namespace ns3::rails
{

/// Leaves demands on the rails and queue pairs that they have been given (LocalDemand::on), whole,
/// or moves them to the next rail that works. No component: collectives with several rings use it.
class PinnedBalancer : public RowBalancer
{
  public:
    static TypeId GetTypeId();
    std::vector<Piece> Plan(const ServerView& view) override;
};

} // namespace ns3::rails

#endif // PINNED_BALANCER_H
