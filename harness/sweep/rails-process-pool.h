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

/// What a process of a pool may use; 0 is no limit.
struct ProcessLimits
{
    double seconds{0};
    uint64_t memoryBytes{0}; //!< of its data
};

/**
 * Pieces of work, each in a process of its own that goes on from where this one is. While a pool
 * exists, the signals of GetInterruptSignals() are held back, and told by GetInterrupt().
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
        int status{0};      //!< as waitpid() has it
        double seconds{0};  //!< how long it ran
        bool isLate{false}; //!< it was ended because its time was over
        std::string errors; //!< the end of what it wrote to standard error
    };

    ProcessPool();

    /// Ends the processes that are still running.
    ~ProcessPool();

    ProcessPool(const ProcessPool&) = delete;
    ProcessPool& operator=(const ProcessPool&) = delete;

    /**
     * Starts a process. It ends when this one does, whatever the cause.
     * \param task a number to know it by
     * \param limits what it may use
     * \param work what it does, which answers its exit status
     * \throws std::system_error when there can be no further process
     */
    void Start(std::size_t task, const ProcessLimits& limits, const std::function<int()>& work);

    /**
     * Waits for a process to end.
     * \param longest for how long
     * \return nothing when none ended in that time, or when this process was asked to end
     */
    std::optional<Ended> Wait(std::chrono::milliseconds longest);

    /// Ends all processes at once.
    /// \return what they were
    std::vector<Ended> Kill();

    /// \return the signal by which this process was asked to end, 0 when it was not
    int GetInterrupt() const;

    /// \return the tasks that are running, with the moment they were started
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
    sigset_t m_signals; //!< that are held back
    sigset_t m_former;  //!< what was held back before
    int m_interrupt{0};
};

} // namespace ns3::rails

#endif // RAILS_PROCESS_POOL_H
