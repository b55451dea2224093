// SPDX-License-Identifier: GPL-2.0-only
#ifndef GPU_LOSSES_H
#define GPU_LOSSES_H

#include "ns3/failure-schedule.h"
#include "ns3/rails-engine.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

class Failures;
class GraphRunner;

/**
 * Executes failures of GPUs and servers. A run ends in the instant in which a GPU of an unfinished
 * job fails, after all changes of links of that instant; other nodes that end in that instant may
 * count as complete. The failure of an idle GPU, or of one whose job is done, has no effect.
 */
class GpuLosses
{
  public:
    /**
     * \param schedule of failures
     * \param failures logs the events
     * \param runner tells which GPUs have work
     * \param engine catches up before a failure
     */
    GpuLosses(const FailureSchedule& schedule,
              Failures& failures,
              const GraphRunner& runner,
              Ptr<Engine> engine);
    GpuLosses(const GpuLosses&) = delete;
    GpuLosses& operator=(const GpuLosses&) = delete;

    /// Schedules the failures. To be called after Failures::Start(), before all else.
    void Start();

    /// \return true when a GPU that failed has ended the run
    bool HasEndedRun() const;

    /**
     * For a run that a GPU has ended.
     * \param bytes payload delivered to GPUs, with parts of messages where the engine knows them
     * \return lines on the failure and the progress of the run by then
     */
    std::string Describe(uint64_t bytes) const;

    /// \return after the run, a sentence for each failure without an effect
    std::vector<std::string> GetNotes() const;

  private:
    std::string Name(uint32_t entry) const;
    void Fail(const std::vector<uint32_t>& entries);
    std::optional<std::string> FindLost(const FailureEntry& entry) const;
    std::string DescribeWork() const;

    FailureSchedule m_schedule;
    Failures& m_failures;
    const GraphRunner& m_runner;
    Ptr<Engine> m_engine;
    std::map<TimePs, std::vector<uint32_t>> m_instants; //!< entries of the schedule
    std::vector<uint32_t> m_idle;                       //!< entries that had no effect
    std::optional<uint32_t> m_last;                     //!< the entry that ended the run
    TimePs m_until{0};                                  //!< time of the latest failure so far
    std::string m_lost;                                 //!< the job that failed
};

} // namespace ns3::rails

#endif // GPU_LOSSES_H
