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

/// A program on some servers of a cluster.
struct Job
{
    std::string name;
    std::shared_ptr<const GraphProgram> program; //!< for as many servers as there are below
    std::vector<uint32_t> servers;               //!< of the cluster, by server of the program
    TimePs start{0};                             //!< when it begins
    uint32_t iterations{1};                      //!< of the program
    /// GPUs of the cluster, by GPU of the program: those of its servers, but where others replace
    /// them. Empty: those of its servers.
    std::vector<uint32_t> gpus{};
};

/**
 * Programs side by side, each on servers of its own. Kinds are called "job: kind"; equal names of a
 * job's kinds are one, and the time before a job begins is "job: start".
 */
class JobsProgram : public GraphProgram
{
  public:
    /**
     * \param shape the cluster
     * \param jobs what its servers do; those of no job do nothing. Two jobs on a GPU throw
     *     std::logic_error
     */
    JobsProgram(const ClusterShape& shape, std::vector<Job> jobs);

    const ClusterShape& GetShape() const override;
    const std::vector<std::string>& GetKinds() const override;
    uint32_t GetStreams() const override;
    uint32_t CountStreams(uint32_t gpu) const override;
    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override;
    uint64_t CountNodes(uint32_t gpu, uint32_t stream) const override;
    std::vector<GraphParty> GetParties() const override;
    std::vector<CollectiveRecord> GetCollectives() const override;
    std::vector<JobRecord> DescribeJobs(const GraphRecord& record) const override;
    std::vector<std::string> GetNotes() const override;
    TrafficMatrix GetTotal() const override;

    const std::vector<Job>& GetJobs() const;

    /// \return kinds of a job, as numbers of GetKinds()
    std::vector<uint16_t> GetKindsOf(uint32_t job) const;

  private:
    uint32_t Number(uint32_t job, uint32_t step, uint32_t steps) const;

    ClusterShape m_shape;
    std::vector<Job> m_jobs;
    uint64_t m_stepsOfJob; //!< numbers of steps that each job has
    std::vector<std::string> m_kinds;
    std::vector<std::vector<uint16_t>> m_kindsOf; //!< by job and its own kind
    std::vector<uint16_t> m_startKinds;           //!< by job that begins later
    JobGpus m_gpus;
    uint32_t m_streams{1};
};

} // namespace ns3::rails

#endif // JOBS_PROGRAM_H
