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
 * Carries out the entries of a schedule of failures that are of GPUs and servers. A run ends in the
 * instant in which a GPU fails that takes part in something which is not done; all changes of
 * cables of that instant come first; of what else ends in it some may count as complete. A GPU that
 * has nothing to do, or no more, fails without an effect.
 */
class GpuLosses
{
  public:
    /**
     * \param schedule what fails
     * \param failures told of what took place
     * \param runner what GPUs do
     * \param engine what is to be brought up to the instant
     */
    GpuLosses(const FailureSchedule& schedule,
              Failures& failures,
              const GraphRunner& runner,
              Ptr<Engine> engine);
    GpuLosses(const GpuLosses&) = delete;
    GpuLosses& operator=(const GpuLosses&) = delete;

    /// Schedules what fails; behind Failures::Start(), and before all else.
    void Start();

    /// \return true when a GPU that failed has ended the run
    bool HasEndedRun() const;

    /**
     * Of a run that a GPU has ended.
     * \param bytes of payload that have come to their GPUs, parts of messages included where the
     * engine knows of them
     * \return what failed when, and what the run had done by then, in lines
     */
    std::string Describe(uint64_t bytes) const;

    /// \return of a run that is over, what failed without an effect, a sentence each
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
    std::vector<uint32_t> m_idle;                       //!< those that failed without an effect
    std::optional<uint32_t> m_last;                     //!< the one that ended the run
    TimePs m_until{0};                                  //!< the latest instant that came
    std::string m_lost;                                 //!< the job that failed
};

} // namespace ns3::rails

#endif // GPU_LOSSES_H
