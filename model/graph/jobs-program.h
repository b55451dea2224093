// SPDX-License-Identifier: GPL-2.0-only
#ifndef JOBS_PROGRAM_H
#define JOBS_PROGRAM_H

#include "graph-program.h"
#include "job-gpus.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A program on servers of a cluster.
struct Job
{
    std::string name;
    std::shared_ptr<const GraphProgram> program; //!< its cluster has servers.size() servers
    std::vector<uint32_t> servers;               //!< of the cluster, by server of the program
    TimePs start{0};
    uint32_t iterations{1}; //!< of the program
    /// GPUs of the cluster, by GPU of the program; spare GPUs may replace GPUs of its servers.
    /// Empty: the GPUs of its servers.
    std::vector<uint32_t> gpus{};
};

/**
 * Programs side by side, each on servers of its own. Names of kinds are "job: kind"; kinds of a job
 * with equal names are merged. The time before a job begins is "job: start".
 */
class JobsProgram : public GraphProgram
{
  public:
    /**
     * \param shape the cluster
     * \param jobs servers without a job do nothing
     * \throws std::logic_error when two jobs share a GPU
     */
    JobsProgram(const ClusterShape& shape, std::vector<Job> jobs);

    const ClusterShape& GetShape() const override
    {
        return m_shape;
    }

    const std::vector<std::string>& GetKinds() const override
    {
        return m_kinds;
    }

    uint32_t GetStreams() const override
    {
        return m_streams;
    }

    uint32_t CountStreams(uint32_t gpu) const override;
    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override;
    uint64_t CountNodes(uint32_t gpu, uint32_t stream) const override;
    std::vector<GraphParty> GetParties() const override;
    std::vector<CollectiveRecord> GetCollectives() const override;
    std::vector<JobRecord> DescribeJobs(const GraphRecord& record) const override;
    std::vector<std::string> GetNotes() const override;
    TrafficMatrix GetTotal() const override;

    const std::vector<Job>& GetJobs() const
    {
        return m_jobs;
    }

    /// \return kinds of a job, as indices of GetKinds()
    std::vector<uint16_t> GetKindsOf(uint32_t job) const;

  private:
    uint32_t Number(uint32_t job, uint32_t step, uint32_t steps) const;

    ClusterShape m_shape;
    std::vector<Job> m_jobs;
    uint64_t m_stepsOfJob; //!< size of each job's range of step numbers
    std::vector<std::string> m_kinds;
    std::vector<std::vector<uint16_t>> m_kindsOf; //!< by job and its own kind
    std::vector<uint16_t> m_startKinds;           //!< by job; used when its start is later than 0
    JobGpus m_gpus;
    uint32_t m_streams{1};
};

} // namespace ns3::rails

#endif // JOBS_PROGRAM_H
