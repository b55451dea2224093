// SPDX-License-Identifier: GPL-2.0-only
#ifndef LEAST_OUTSTANDING_PLANNER_H
#define LEAST_OUTSTANDING_PLANNER_H

#include "dealing-planner.h"

namespace ns3::rails
{

/**
 * Each piece to the NIC with the fewest unsent bytes, decided as it is sent:
 * `balance: {type: least-outstanding}`. Ties go to the first such rail counted from the server's
 * own number on.
 */
class LeastOutstandingPlanner : public DealingPlanner
{
  public:
    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view) override;
    bool ChoosesAtSending() const override;
    uint32_t GetDepth() const override;
    uint16_t ChooseRail(const ServerView& view,
                        const Piece& piece,
                        const std::vector<uint64_t>& unsentBytes) override;

  private:
    uint32_t m_depth;
};

} // namespace ns3::rails

#endif // LEAST_OUTSTANDING_PLANNER_H
