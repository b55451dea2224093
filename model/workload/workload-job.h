// SPDX-License-Identifier: GPL-2.0-only
#ifndef WORKLOAD_JOB_H
#define WORKLOAD_JOB_H

#include "rails-workload.h"
#include "server-placement.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/value-list.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// A workload on some of the servers: an entry of `workload.jobs`.
class WorkloadJob : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the workload; null: not set
    Ptr<Workload> GetWorkload() const;

    Ptr<ServerPlacement> GetPlacement() const;

    /// \return spare servers that replace failed servers and GPUs
    const std::vector<uint32_t>& GetSpares() const;

    /**
     * \param servers of the job in the cluster
     * \param gpus GPUs of a server
     * \return GPUs of the cluster, by GPU of the job, with failed GPUs replaced by spares
     * \throws ConfigurationError when a failed GPU is not the job's, or spares are too few
     */
    std::vector<uint32_t> Replace(const std::vector<uint32_t>& servers, uint32_t gpus) const;

    /// \return start time
    TimePs GetStart() const;

    /// \return false when its servers do nothing
    bool Runs() const
    {
        return m_runs;
    }

  protected:
    void DoDispose() override;

  private:
    Ptr<Workload> m_workload;
    Ptr<ServerPlacement> m_placement;
    CountList m_failedServers;
    CountList m_failedGpus;
    CountList m_spares;
    Time m_start;
    bool m_runs;
};

} // namespace ns3::rails

#endif // WORKLOAD_JOB_H
