// SPDX-License-Identifier: GPL-2.0-only
#ifndef JOBS_WORKLOAD_H
#define JOBS_WORKLOAD_H

#include "rails-workload.h"
#include "workload-job.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// `jobs`: several workloads on one cluster, each on servers of its own.
class JobsWorkload : public Workload
{
  public:
    static TypeId GetTypeId();
    JobsWorkload();

    void Check(const WorkloadSetting& setting) const override;
    void CheckBarriers(TimePs longest) const override;
    std::shared_ptr<const GraphProgram> MakeProgram(const WorkloadSetting& setting) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;
    double EstimateCost(const WorkloadSetting& setting) const override;
    int64_t AssignStreams(int64_t stream) override;
    std::string WhyUnannounced() const override;
    bool MovesOther() const override;
    bool PlacesExperts() const override;

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
        WorkloadSetting setting;    //!< what the job sees
    };

    const std::vector<NamedJob>& GetJobs() const;
    std::vector<Placed> Place(const WorkloadSetting& setting) const;
    double SumJobs(
        const WorkloadSetting& setting,
        const std::function<double(const Workload&, const WorkloadSetting&)>& measure) const;
    static void CheckRegions(const Placed& placed);

    std::vector<NamedJob> m_jobs;
    std::vector<NamedJob> m_usual; //!< when none are given
};

} // namespace ns3::rails

#endif // JOBS_WORKLOAD_H
