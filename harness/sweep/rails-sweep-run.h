// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SWEEP_RUN_H
#define RAILS_SWEEP_RUN_H

#include "rails-process-pool.h"
#include "rails-run-options.h"
#include "rails-sweep-pace.h"
#include "rails-sweep-plan.h"
#include "rails-sweep-progress.h"

#include "ns3/rails-descriptor.h"
#include "ns3/rails-sweep-folder.h"

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Runs points of a sweep on this machine, each in a child process, the longest first. A lost
 * process is repeated. A failed point is recorded, and the others continue.
 */
class SweepRun
{
  public:
    /**
     * All parameters must outlive the object.
     * \param folder existing folder of the results
     * \param plan the points to run
     */
    SweepRun(const Descriptor& descriptor,
             const RunOptions& options,
             const RunHooks& hooks,
             const SweepFolder& folder,
             const SweepPlan& plan);

    /// \return the highest status of the points; 128 plus the signal's number after an interrupt
    int Run();

  private:
    /// State of a point of the plan.
    struct Progress
    {
        unsigned attempts{0};
        int status{-1}; //!< exit status; negative before its end
        bool isCached{false};
        SweepPace::Values values{}; //!< of its axes
    };

    void StartMore(ProcessPool& pool);
    bool Start(std::size_t i, ProcessPool& pool);
    void Resume();
    void Handle(const ProcessPool::Ended& ended);
    bool IsLost(const ProcessPool::Ended& ended) const;
    std::string DescribeEnd(const ProcessPool::Ended& ended) const;
    void Fail(std::size_t i, const ProcessPool::Ended& ended, const std::string& reason);
    void StopForSpace();
    void End(std::size_t i, int status);
    void Keep();
    int Interrupt(ProcessPool& pool);
    int Conclude();
    SweepStatus GetStatus(const ProcessPool& pool) const;

    const Descriptor& m_descriptor;
    const RunOptions& m_options;
    const RunHooks& m_hooks;
    const SweepFolder& m_folder;
    const SweepPlan& m_plan;
    SweepProgress m_progress;
    std::deque<std::size_t> m_waiting;    //!< indices in the plan
    std::vector<std::size_t> m_elsewhere; //!< points that another process of this machine runs
    std::vector<Progress> m_points;       //!< by index in the plan
    SweepPace m_pace;
    bool m_isDiskFull{false};
    bool m_isKept{true}; //!< no point has ended since the results were forced to disk
    ProcessPool::Clock::time_point m_kept{ProcessPool::Clock::now()};
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_RUN_H
