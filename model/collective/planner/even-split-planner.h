// SPDX-License-Identifier: GPL-2.0-only
#ifndef EVEN_SPLIT_PLANNER_H
#define EVEN_SPLIT_PLANNER_H

#include "row-planner.h"

namespace ns3::rails
{

/**
 * One part in N of every GPU pair on each of the N rails: `balance: {type: even-split}`. Both ends
 * of every transfer are loaded evenly, which no other placement beats. (arXiv 2510.19262, the
 * theorem that uniform sending gives uniform receiving)
 *
 * Bytes that do not divide by N go to the rails in turn, one each; the turn runs on from GPU pair
 * to GPU pair of the same destination server, so no NIC gets more than a byte too much from a
 * server.
 */
class EvenSplitPlanner : public RowPlanner
{
  public:
    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view) override;
    uint32_t GetPeriod(uint32_t nics) const override;
    double EstimatePieces(double bytes, const ClusterShape& shape, bool areEqual) const override;
};

} // namespace ns3::rails

#endif // EVEN_SPLIT_PLANNER_H
