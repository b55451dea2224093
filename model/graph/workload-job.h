// SPDX-License-Identifier: GPL-2.0-only
#ifndef WORKLOAD_JOB_H
#define WORKLOAD_JOB_H

#include "server-placement.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rails-workload.h"

namespace ns3::rails
{

/// A workload on some of the servers: an entry of `workload.jobs`.
class WorkloadJob : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return what it does; null: not set
    Ptr<Workload> GetWorkload() const;

    Ptr<ServerPlacement> GetPlacement() const;

    /// \return when it begins
    TimePs GetStart() const;

    /// \return false when its servers do nothing
    bool Runs() const;

  protected:
    void DoDispose() override;

  private:
    Ptr<Workload> m_workload;
    Ptr<ServerPlacement> m_placement;
    Time m_start;
    bool m_runs;
};

} // namespace ns3::rails

#endif // WORKLOAD_JOB_H
