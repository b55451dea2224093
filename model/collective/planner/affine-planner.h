// SPDX-License-Identifier: GPL-2.0-only
#ifndef AFFINE_PLANNER_H
#define AFFINE_PLANNER_H

#include "row-planner.h"

#include "ns3/rails-units.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Every GPU sends by the NICs near it, all of them: what one GPU has for another is cut into a
/// part for each.
class AffinePlanner : public RowPlanner
{
  public:
    /// Which NIC of the destination's server a part arrives at.
    enum Arrival
    {
        SAME_RAIL,
        NEAR_DESTINATION
    };

    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view) override;
    uint32_t GetPeriod(uint32_t nics) const override;
    bool PlansApart(const ServerLayout& layout) const override;
    bool CrossesRails() const override;

  private:
    ByteSize m_chunk;
    Arrival m_arrival{SAME_RAIL};
};

} // namespace ns3::rails

#endif // AFFINE_PLANNER_H
