// SPDX-License-Identifier: GPL-2.0-only
#ifndef COUNTING_PLANNER_H
#define COUNTING_PLANNER_H

#include "planner.h"

namespace ns3::rails
{

/// A planner for which servers tell each other first what they have to send: none of them plans
/// before the last one has told, and the exchange of these counts takes a time.
class CountingPlanner : public Planner
{
  public:
    static TypeId GetTypeId();

    bool NeedsCounts() const final;

    /// \return the exchange of counts, and Planner::GetPlanningTime()
    TimePs GetPlanningTime() const override;

  private:
    Time m_countExchange;
};

} // namespace ns3::rails

#endif // COUNTING_PLANNER_H
