// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROW_BALANCER_H
#define ROW_BALANCER_H

#include "balancer.h"

#include <vector>

namespace ns3::rails
{

/// A balancer that knows what its own server has to send, and nothing of the others.
class RowBalancer : public Balancer
{
  public:
    static TypeId GetTypeId();

    /// \see MakePieces()
    virtual std::vector<Piece> Plan(const ServerView& view) = 0;

    std::vector<Piece> MakePieces(const ServerView& view, const ExchangeCounts* counts) final;
};

} // namespace ns3::rails

#endif // ROW_BALANCER_H
