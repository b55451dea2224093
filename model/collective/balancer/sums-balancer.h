// SPDX-License-Identifier: GPL-2.0-only
#ifndef SUMS_BALANCER_H
#define SUMS_BALANCER_H

#include "counting-balancer.h"

#include <vector>

namespace ns3::rails
{

/// A balancer that knows the sums of the rows and columns of all servers, besides its own row.
class SumsBalancer : public CountingBalancer
{
  public:
    static TypeId GetTypeId();

    /// \see MakePieces()
    virtual std::vector<Piece> Plan(const ServerView& view, const ServerSums& sums) = 0;

    std::vector<Piece> MakePieces(const ServerView& view, const ExchangeCounts* counts) final;
};

} // namespace ns3::rails

#endif // SUMS_BALANCER_H
