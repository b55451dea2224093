// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROW_PLANNER_H
#define ROW_PLANNER_H

#include "planner.h"

#include <vector>

namespace ns3::rails
{

/// A planner that knows what its own server has to send, and nothing of the others.
class RowPlanner : public Planner
{
  public:
    static TypeId GetTypeId();

    /// \see MakePieces()
    virtual std::vector<Piece> Plan(const ServerView& view) = 0;

    std::vector<Piece> MakePieces(const ServerView& view, const ExchangeCounts* counts) final;
    bool NeedsCounts() const final;
};

} // namespace ns3::rails

#endif // ROW_PLANNER_H
