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

/// Captures one output stream of a process in memory.
class ProcessOutput
{
  public:
    /// \throws std::system_error when the system has no further file
    ProcessOutput();
    ~ProcessOutput();
    ProcessOutput(ProcessOutput&& other) noexcept;
    ProcessOutput& operator=(ProcessOutput&&) = delete;

    /// \return the file descriptor for the stream of the process
    int GetFile() const
    {
        return m_file;
    }

    /// \return the end of the output, at most `most` bytes
    std::string Read(std::size_t most = std::string::npos) const;

  private:
    int m_file;
};

/// A child process, the leader of its own process group, with a time limit.
class ChildProcess
{
  public:
    using Clock = std::chrono::steady_clock;

    /**
     * \param id process number; the process starts now
     * \param seconds time limit; 0 is no limit
     */
    ChildProcess(pid_t id, double seconds);

    Clock::time_point GetBegin() const
    {
        return m_begin;
    }

    /// \return the status of waitpid() once it has ended; nothing before
    std::optional<int> TakeEnd();

    /**
     * Kills the process group when its time is over.
     * \return the deadline; time_point::max() without a limit or after the kill
     */
    Clock::time_point KillIfLate();

    /// Kills the process group without waiting for its end.
    void Kill() const;

    /// Waits for the end of the process. \return the status of waitpid()
    int WaitForEnd() const;

    /// \return true when KillIfLate() has killed the process
    bool IsLate() const
    {
        return m_isLate;
    }

  private:
    pid_t m_id;
    Clock::time_point m_begin{Clock::now()};
    Clock::time_point m_deadline{Clock::time_point::max()};
    bool m_isLate{false};
};

} // namespace ns3::rails

#endif // RAILS_CHILD_PROCESS_H
