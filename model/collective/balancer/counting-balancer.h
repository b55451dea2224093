// SPDX-License-Identifier: GPL-2.0-only
#ifndef COUNTING_BALANCER_H
#define COUNTING_BALANCER_H

#include "balancer.h"

namespace ns3::rails
{

/// A balancer for which servers tell each other first what they have to send: none of them plans
/// before the last one has told, and the exchange of these counts takes a time.
class CountingBalancer : public Balancer
{
  public:
    static TypeId GetTypeId();

    CountingBalancer()
    {
        m_traits.needsCounts = true;
    }

    /// \return the exchange of counts, and Balancer::GetPlanningTime()
    TimePs GetPlanningTime() const override;

  private:
    Time m_countExchange;
};

} // namespace ns3::rails

#endif // COUNTING_BALANCER_H
