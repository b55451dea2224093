// SPDX-License-Identifier: GPL-2.0-only
#ifndef WORKLOAD_PHASE_H
#define WORKLOAD_PHASE_H

#include "rails-phase.h"

#include "ns3/key-rule.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <optional>
#include <vector>

namespace ns3::rails
{

/// A phase as a component: an entry of `workload.phases`.
class WorkloadPhase : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the phase as plain data
    virtual Phase Get() const = 0;
};

/// `dispatch`
class DispatchWorkloadPhase : public WorkloadPhase
{
  public:
    static TypeId GetTypeId();
    Phase Get() const override;
};

/// `combine`
class CombineWorkloadPhase : public WorkloadPhase
{
  public:
    static TypeId GetTypeId();
    Phase Get() const override;
};

/// A phase without traffic, of given duration.
class TimedWorkloadPhase : public WorkloadPhase, public KeyRules
{
  public:
    static TypeId GetTypeId();

    Phase Get() const override;
    std::vector<KeyRule> GetKeyRules() const override;

  protected:
    /// \param kind compute or gap
    explicit TimedWorkloadPhase(PhaseKind kind);

  private:
    PhaseKind m_kind;
    std::optional<Time> m_duration;
};

/// `compute: 2ms`
class ComputeWorkloadPhase : public TimedWorkloadPhase
{
  public:
    static TypeId GetTypeId();
    ComputeWorkloadPhase();
};

/// `gap: 2ms`
class GapWorkloadPhase : public TimedWorkloadPhase
{
  public:
    static TypeId GetTypeId();
    GapWorkloadPhase();
};

} // namespace ns3::rails

#endif // WORKLOAD_PHASE_H
