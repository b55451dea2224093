// SPDX-License-Identifier: GPL-2.0-only
#ifndef RUNTIME_POLICY_H
#define RUNTIME_POLICY_H

#include "expert-policy.h"

namespace ns3::rails
{

/// Base of policies that decide after the gate of a layer and micro-batch, by its exact counts.
class RuntimePolicy : public ExpertPolicy
{
  public:
    static TypeId GetTypeId();

    RuntimePolicy();

  private:
    /// Unless overridden, the placement stays.
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer,
                                                 const LoadHistory& history) override;
};

} // namespace ns3::rails

#endif // RUNTIME_POLICY_H
