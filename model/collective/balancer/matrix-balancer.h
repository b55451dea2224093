// SPDX-License-Identifier: GPL-2.0-only
#ifndef MATRIX_BALANCER_H
#define MATRIX_BALANCER_H

#include "counting-balancer.h"

#include <vector>

namespace ns3::rails
{

/// A balancer that knows the whole matrix of an exchange.
class MatrixBalancer : public CountingBalancer
{
  public:
    static TypeId GetTypeId();

    /// \see MakePieces()
    virtual std::vector<Piece> Plan(const ServerView& view, const TrafficMatrix& matrix) = 0;

    std::vector<Piece> MakePieces(const ServerView& view, const ExchangeCounts* counts) final;
};

} // namespace ns3::rails

#endif // MATRIX_BALANCER_H
