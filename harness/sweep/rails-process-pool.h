// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_PROCESS_POOL_H
#define RAILS_PROCESS_POOL_H

#include "rails-child-process.h"

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ns3::rails
{

/// Limits of a process in a pool; 0 is no limit.
struct ProcessLimits
{
    double seconds{0};
    uint64_t memoryBytes{0}; //!< of its data segment
};

/**
 * Runs tasks in forked child processes. While a pool exists, the signals of GetInterruptSignals()
 * are blocked, and GetInterrupt() reports them.
 */
class ProcessPool
{
  public:
    using Clock = ChildProcess::Clock;

    /// A process that has ended.
    struct Ended
    {
        std::size_t task{0};
        pid_t process{0};
        int status{0};      //!< of waitpid()
        double seconds{0};  //!< duration
        bool isLate{false}; //!< it was killed by its time limit
        std::string errors; //!< the end of its standard error
    };

    ProcessPool();

    /// Kills the processes that are still running.
    ~ProcessPool();

    ProcessPool(const ProcessPool&) = delete;
    ProcessPool& operator=(const ProcessPool&) = delete;

    /**
     * Starts a process, which ends when this process does, whatever the cause.
     * \param task number of the task, for Ended
     * \param work runs in the child and returns its exit status
     * \throws std::system_error when the system has no further process
     */
    void Start(std::size_t task, const ProcessLimits& limits, const std::function<int()>& work);

    /**
     * Waits for a process to end.
     * \param longest time to wait
     * \return nothing when no process ended in this time, or this process was interrupted
     */
    std::optional<Ended> Wait(std::chrono::milliseconds longest);

    /// Kills all processes at once.
    /// \return the killed processes
    std::vector<Ended> Kill();

    /// \return the signal that interrupted this process; 0 without one
    int GetInterrupt() const
    {
        return m_interrupt;
    }

    /// \return the running tasks with their start times
    std::map<std::size_t, Clock::time_point> GetRunning() const;

  private:
    struct Process
    {
        std::size_t task;
        ChildProcess child;
        ProcessOutput errors; //!< its standard error
    };

    void TakeSignals(timespec time);
    std::optional<Ended> Reap();
    Clock::time_point KillLate();

    std::map<pid_t, Process> m_running;
    sigset_t m_signals; //!< signals that the pool blocks
    sigset_t m_former;  //!< signals that were blocked before
    int m_interrupt{0};
};

} // namespace ns3::rails

#endif // RAILS_PROCESS_POOL_H
