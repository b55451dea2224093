// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_CHILD_PROCESS_H
#define RAILS_CHILD_PROCESS_H

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <sys/types.h>

namespace ns3::rails
{

/// Takes what a process writes to one of its streams, in memory.
class ProcessOutput
{
  public:
    /// \throws std::system_error when there can be no further file
    ProcessOutput();
    ~ProcessOutput();
    ProcessOutput(ProcessOutput&& other) noexcept;
    ProcessOutput& operator=(ProcessOutput&&) = delete;

    /// \return the file that the process is to have as its stream
    int GetFile() const;

    /// \return the end of what was written, so many bytes at most
    std::string Read(std::size_t most = std::string::npos) const;

  private:
    int m_file;
};

/// A process that this one has started, the leader of a group of its own, and its time limit.
class ChildProcess
{
  public:
    using Clock = std::chrono::steady_clock;

    /**
     * \param id number of the process, which is started now
     * \param seconds how long it may run; 0 is no limit
     */
    ChildProcess(pid_t id, double seconds);

    /// \return when it was started
    Clock::time_point GetBegin() const;

    /// \return its status as waitpid() has it, once it has ended; nothing before
    std::optional<int> TakeEnd();

    /**
     * Kills the process, with all that it started, when its time is over.
     * \return when that is; the end of all time when it has no limit, or was killed already
     */
    Clock::time_point KillIfLate();

    /// Kills the process, with all that it started, and does not wait for its end.
    void Kill() const;

    /// Waits for the end of the process. \return its status as waitpid() has it
    int WaitForEnd() const;

    /// \return true when the process has ended by KillIfLate()
    bool IsLate() const;

  private:
    pid_t m_id;
    Clock::time_point m_begin{Clock::now()};
    Clock::time_point m_deadline{Clock::time_point::max()};
    bool m_isLate{false};
};

} // namespace ns3::rails

#endif // RAILS_CHILD_PROCESS_H
