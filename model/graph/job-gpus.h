// SPDX-License-Identifier: GPL-2.0-only
#ifndef JOB_GPUS_H
#define JOB_GPUS_H

#include "graph-barrier.h"
#include "graph-transfer.h"

#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Which GPUs of a cluster are those of jobs.
class JobGpus
{
  public:
    /// A GPU of the cluster.
    struct Place
    {
        uint32_t job;
        uint32_t gpu; //!< of the job
    };

    /// \param gpus of the cluster
    explicit JobGpus(uint32_t gpus);

    /// Adds a job. \param gpus of the cluster, by GPU of the job; one of another job throws
    /// std::logic_error
    void Add(std::vector<uint32_t> gpus);

    /// \return GPUs of the cluster, by GPU of the job
    const std::vector<uint32_t>& GetOf(uint32_t job) const;

    /// \return what a GPU of the cluster is; nothing: of no job
    const std::optional<Place>& Find(uint32_t gpu) const;

    /// \return what a GPU of a job sends, with the numbers of the cluster
    std::vector<Demand> Translate(uint32_t job, std::vector<Demand> demands) const;

  private:
    std::vector<std::vector<uint32_t>> m_gpus;  //!< by job
    std::vector<std::optional<Place>> m_places; //!< by GPU of the cluster
};

/// What GPUs of a job send to each other, with the numbers of the cluster.
class JobTransfer : public GraphTransfer
{
  public:
    /// \param gpus have to live as long
    JobTransfer(std::shared_ptr<const GraphTransfer> own, uint32_t job, const JobGpus& gpus);

    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;
    RailQueue GetRail(uint32_t gpu, uint32_t step) const override;
    TimePs GetStart(uint32_t step) const override;

  private:
    std::shared_ptr<const GraphTransfer> m_own;
    uint32_t m_job;
    const JobGpus& m_gpus;
};

/// GPUs of a job that wait for each other.
class JobBarrier : public GraphBarrier
{
  public:
    /// \param gpus have to live as long
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
