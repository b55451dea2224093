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
 * Runs points of a sweep on this machine, each in a process of its own, those that take longest
 * first. A point that was lost is tried again; one that fails is recorded, and the others go on.
 */
class SweepRun
{
  public:
    /**
     * \param descriptor the descriptor
     * \param options how to run it
     * \param hooks what runs an experiment
     * \param folder where the results go; it exists
     * \param plan which points are run
     * All of them must outlive the object.
     */
    SweepRun(const Descriptor& descriptor,
             const RunOptions& options,
             const RunHooks& hooks,
             const SweepFolder& folder,
             const SweepPlan& plan);

    /// \return the highest status of the points; 128 and the signal's number when it was
    /// interrupted
    int Run();

  private:
    /// A point of the plan as this run sees it.
    struct Progress
    {
        unsigned attempts{0};
        int status{-1}; //!< how it ended; negative before
        bool isCached{false};
        SweepPace::Values values{}; //!< of the axes
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
    std::deque<std::size_t> m_waiting;    //!< places in the plan
    std::vector<std::size_t> m_elsewhere; //!< that another process of this machine is running
    std::vector<Progress> m_points;       //!< of the plan
    SweepPace m_pace;
    bool m_isDiskFull{false};
    bool m_isKept{true}; //!< nothing has ended since results were forced to disk
    ProcessPool::Clock::time_point m_kept{ProcessPool::Clock::now()};
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_RUN_H
