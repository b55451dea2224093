// SPDX-License-Identifier: GPL-2.0-only
#ifndef PHASE_STEPS_H
#define PHASE_STEPS_H

#include "ns3/rails-message.h"

namespace ns3::rails
{

/// Decides when the steps of a phase with traffic are posted: each at its own time (TimedSteps), or
/// GPU by GPU as the steps before come in (ChainedSteps).
class PhaseSteps
{
  public:
    virtual ~PhaseSteps() = default;

    /// The phase starts now, at all servers.
    virtual void Start() = 0;

    /// A message of the phase has been delivered, at the clock of its destination's server.
    virtual void OnDelivered(const Message& message) = 0;

    /// \return true when a step is to be posted at a time that has not come yet
    virtual bool IsWaiting() const = 0;
};

} // namespace ns3::rails

#endif // PHASE_STEPS_H
