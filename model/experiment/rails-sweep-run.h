// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SWEEP_RUN_H
#define RAILS_SWEEP_RUN_H

#include "rails-runner.h"

#include <cstddef>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <sys/types.h>

namespace ns3::rails
{

/// Runs the points of a sweep, each in a process of its own, but for those that have their result.
class SweepRun
{
  public:
    /// The arguments of RunDescriptor(); they must outlive the object.
    SweepRun(const Descriptor& descriptor,
             const RunOptions& options,
             const ScenarioFunction& scenario);

    /// \return the highest status of the points, those of earlier runs included
    int Run();

  private:
    /// A file without a name that takes what a process writes to standard error.
    using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

    /// A point that is being run.
    struct Process
    {
        std::size_t point;
        File errors;
    };

    std::filesystem::path GetFolder(std::size_t point) const;
    bool PrepareFolder() const;
    bool PreparePoints();
    void PreparePoint(std::size_t point);
    void Start(std::size_t point);
    [[noreturn]] void RunAsChild(std::size_t point, pid_t parent, std::FILE* errors) const;
    pid_t WaitForChild(int& status);
    void WaitForOne();
    void End(std::size_t point, int status);
    void PrintSummary() const;

    const Descriptor& m_descriptor;
    const RunOptions& m_options;
    const ScenarioFunction& m_scenario;
    ProgressLine m_line;
    std::deque<std::size_t> m_waiting;
    std::map<pid_t, Process> m_running;
    std::map<std::size_t, int> m_ended; //!< status by point
    std::size_t m_skipped{0};
    std::size_t m_conflicts{0}; //!< results of another configuration
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_RUN_H
