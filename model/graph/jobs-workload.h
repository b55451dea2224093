// SPDX-License-Identifier: GPL-2.0-only
#ifndef JOBS_WORKLOAD_H
#define JOBS_WORKLOAD_H

#include "jobs-program.h"
#include "program-workload.h"
#include "workload-job.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// `jobs`: several workloads on one cluster, each on servers of its own.
class JobsWorkload : public ProgramWorkload
{
  public:
    static TypeId GetTypeId();
    JobsWorkload();

    void SetRates(const ClusterRates& rates) override;
    bool SetCircuits(const CircuitTiming& timing) override;
    void Check(const ClusterShape& shape) const override;
    void CheckBarriers(TimePs longest) const override;
    double EstimateBytes(const ClusterShape& shape) const override;
    double EstimateMessages(const ClusterShape& shape) const override;
    int64_t AssignStreams(int64_t stream) override;
    bool MovesOther() const override;
    std::vector<std::string> GetNotes() const override;
    std::vector<JobRecord> DescribeJobs(const GraphRecord& record) const override;

    /// \return workloads of the jobs that run, with GPUs of the cluster by GPU of the job; without
    /// these before MakeSchedule()
    std::vector<std::pair<Ptr<Workload>, std::vector<uint32_t>>> ListRunning() const;

  protected:
    void DoDispose() override;

  private:
    using NamedJob = std::pair<std::string, Ptr<WorkloadJob>>;

    /// A job and its servers.
    struct Placed
    {
        const NamedJob& job;
        std::vector<uint32_t> servers;
        std::vector<uint32_t> gpus; //!< of the cluster, by GPU of the job
        ClusterShape shape;         //!< what the job sees
    };

    const std::vector<NamedJob>& GetJobs() const;
    std::vector<Placed> Place(const ClusterShape& shape) const;
    std::shared_ptr<const GraphProgram> MakeProgram(const ClusterShape& shape) override;
    uint32_t GetIterations() const override;
    void CheckRegions(const Placed& placed) const;

    CircuitTiming m_circuits;
    std::vector<NamedJob> m_jobs;
    std::vector<NamedJob> m_usual;                //!< when none are given
    std::shared_ptr<const JobsProgram> m_made;    //!< of the latest MakeSchedule()
    std::vector<Ptr<ProgramWorkload>> m_programs; //!< of its jobs; null where a job has phases
};

} // namespace ns3::rails

#endif // JOBS_WORKLOAD_H
