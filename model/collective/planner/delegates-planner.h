// SPDX-License-Identifier: GPL-2.0-only
#ifndef DELEGATES_PLANNER_H
#define DELEGATES_PLANNER_H

#include "demand-pieces.h"
#include "row-planner.h"

namespace ns3::rails
{

/**
 * `delegates`: what goes to a server that a circuit leads to takes the circuits that do, in equal
 * parts, and nothing else; all other traffic takes the NICs of the packet fabric, in parts as their
 * rates. The GPUs at these NICs are delegates of the others, which hand bytes over to them and get
 * them from them over NVLink. (MixNet, arXiv 2501.03905, section 5.3)
 */
class DelegatesPlanner : public RowPlanner
{
  public:
    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view) override;
    bool UsesCircuits() const override;
    bool TakesDetours() const override;

  private:
    NicWays FindWays(const ServerView& view, uint32_t to) const;

    bool m_usesCircuits{true};
};

} // namespace ns3::rails

#endif // DELEGATES_PLANNER_H
