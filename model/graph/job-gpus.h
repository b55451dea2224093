// SPDX-License-Identifier: GPL-2.0-only
#ifndef JOB_GPUS_H
#define JOB_GPUS_H

#include "graph-barrier.h"

#include "ns3/comm-op.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Maps GPUs of jobs to GPUs of the cluster.
class JobGpus
{
  public:
    /// A GPU of the cluster.
    struct Place
    {
        uint32_t job;
        uint32_t gpu; //!< of the job
    };

    /// \param gpus number of GPUs of the cluster
    explicit JobGpus(uint32_t gpus);

    /// Adds a job. \param gpus of the cluster, by GPU of the job
    /// \throws std::logic_error when another job has one of them
    void Add(std::vector<uint32_t> gpus);

    /// \return GPUs of the cluster, by GPU of the job
    const std::vector<uint32_t>& GetOf(uint32_t job) const;

    /// \return job and number of a GPU of the cluster; nothing when no job has it
    const std::optional<Place>& Find(uint32_t gpu) const;

    /// \return demands of a job, with the GPU numbers of the cluster
    std::vector<Demand> Translate(uint32_t job, std::vector<Demand> demands) const;

  private:
    std::vector<std::vector<uint32_t>> m_gpus;  //!< by job
    std::vector<std::optional<Place>> m_places; //!< by GPU of the cluster
};

/// A transfer of a job, with the GPU numbers of the cluster.
class JobTransfer : public CommOp
{
  public:
    /// \param own with the GPU numbers of the job \param gpus must outlive this
    JobTransfer(std::shared_ptr<const CommOp> own, uint32_t job, const JobGpus& gpus);

    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;
    RailQueue GetRail(uint32_t gpu, uint32_t step) const override;
    TimePs GetStart(uint32_t step) const override;

  private:
    std::shared_ptr<const CommOp> m_own;
    uint32_t m_job;
    const JobGpus& m_gpus;
};

/// A barrier of a job, with the GPU numbers of the cluster.
class JobBarrier : public GraphBarrier
{
  public:
    /// \param own with the GPU numbers of the job \param gpus must outlive this
    JobBarrier(std::shared_ptr<const GraphBarrier> own, uint32_t job, const JobGpus& gpus);

    std::optional<CircuitPurpose> GetPurpose() const override;
    std::vector<Demand> GetAnnounced(uint32_t gpu) const override;

  private:
    std::shared_ptr<const GraphBarrier> m_own;
    uint32_t m_job;
    const JobGpus& m_gpus;
};

} // namespace ns3::rails

#endif // JOB_GPUS_H
