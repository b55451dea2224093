// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROGRAM_WORKLOAD_H
#define PROGRAM_WORKLOAD_H

#include "graph-program.h"
#include "graph-record.h"

#include "ns3/circuit-timing.h"
#include "ns3/rails-workload.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// A workload whose GPUs wait for each other where one needs what another sends, and nowhere else.
class ProgramWorkload : public Workload
{
  public:
    static TypeId GetTypeId();

    /**
     * \param longest propagation of a cable of the cluster
     * \throws ConfigurationError when servers learn of each other at a barrier in less time
     */
    virtual void CheckBarriers(TimePs longest) const;

    /**
     * Says that exchanges between servers take circuits that are moved for them; before all else.
     * \return false when the workload announces none of its exchanges
     */
    virtual bool SetCircuits(const CircuitTiming& timing);

    /// Everything that is moved, as one phase.
    WorkloadSchedule MakeSchedule(const ClusterShape& shape) override;

    /// \return what GPUs do, as drawn by MakeSchedule()
    std::shared_ptr<const GraphProgram> GetProgram() const;

    /**
     * \param seconds that an iteration took
     * \return what follows from that, by names of keys in results
     */
    virtual std::vector<std::pair<std::string, double>> GetFigures(double seconds) const;

    /**
     * \param record of a run that is finished
     * \return what became of each job, where there are several
     */
    virtual std::vector<JobRecord> DescribeJobs(const GraphRecord& record) const;

    /// \return true when it may move something else than exchanges, see GraphNode::isExchange
    virtual bool MovesOther() const;

    /// \return sentences that a reader of the result has to know
    virtual std::vector<std::string> GetNotes() const;

  protected:
    void DoDispose() override;

  private:
    /// Draws what is random. \return what GPUs of a cluster that passes Check() do
    virtual std::shared_ptr<const GraphProgram> MakeProgram(const ClusterShape& shape) = 0;

    /// \return how many iterations the program has
    virtual uint32_t GetIterations() const = 0;

    std::shared_ptr<const GraphProgram> m_program;
};

} // namespace ns3::rails

#endif // PROGRAM_WORKLOAD_H
