// SPDX-License-Identifier: GPL-2.0-only
#ifndef RUNTIME_POLICY_H
#define RUNTIME_POLICY_H

#include "expert-policy.h"

namespace ns3::rails
{

/// Decides after the gate of a layer and micro-batch, knowing its exact counts.
class RuntimePolicy : public ExpertPolicy
{
  public:
    static TypeId GetTypeId();

    RuntimePolicy();

  private:
    bool PlansEveryTime() const final;
    /// Unless overridden, experts stay.
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer,
                                                 const LoadHistory& history) override;
};

} // namespace ns3::rails

#endif // RUNTIME_POLICY_H
