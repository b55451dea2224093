// SPDX-License-Identifier: GPL-2.0-only
#ifndef MATRIX_PLANNER_H
#define MATRIX_PLANNER_H

#include "counting-planner.h"

#include <vector>

namespace ns3::rails
{

/// A planner that knows the whole matrix of an exchange.
class MatrixPlanner : public CountingPlanner
{
  public:
    static TypeId GetTypeId();

    /// \see MakePieces()
    virtual std::vector<Piece> Plan(const ServerView& view, const TrafficMatrix& matrix) = 0;

    std::vector<Piece> MakePieces(const ServerView& view, const ExchangeCounts* counts) final;
};

} // namespace ns3::rails

#endif // MATRIX_PLANNER_H
