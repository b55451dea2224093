// SPDX-License-Identifier: GPL-2.0-only
#include "rails-child-process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ns3::rails
{

ProcessOutput::ProcessOutput()
    : m_file(memfd_create("rails-output", MFD_CLOEXEC))
{
    if (m_file < 0)
    {
        throw std::system_error(errno, std::generic_category(), "no file for a process");
    }
}

ProcessOutput::~ProcessOutput()
{
    if (m_file >= 0)
    {
        close(m_file);
    }
}

ProcessOutput::ProcessOutput(ProcessOutput&& other) noexcept
    : m_file(std::exchange(other.m_file, -1))
{
}

std::string
ProcessOutput::Read(std::size_t most) const
{
    const auto size = static_cast<std::size_t>(std::max<off_t>(0, lseek(m_file, 0, SEEK_END)));
    const std::size_t begin = size - std::min(size, most);
    std::string text(size - begin, '\0');
    const ssize_t got = pread(m_file, text.data(), text.size(), static_cast<off_t>(begin));
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    return text;
}

ChildProcess::ChildProcess(pid_t id, double seconds)
    : m_id(id)
{
    if (seconds > 0)
    {
        m_deadline = m_begin + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(seconds));
    }
}

std::optional<int>
ChildProcess::TakeEnd()
{
    int status = 0;
    const pid_t waited = waitpid(m_id, &status, WNOHANG);
    if (waited == 0 || (waited < 0 && errno == EINTR))
    {
        return std::nullopt;
    }
    if (waited < 0)
    {
        status = SIGKILL; // another waitpid() has taken the status
    }
    m_isLate = m_isLate && WIFSIGNALED(status);
    return status;
}

ChildProcess::Clock::time_point
ChildProcess::KillIfLate()
{
    if (m_deadline <= Clock::now())
    {
        m_isLate = true;
        m_deadline = Clock::time_point::max();
        Kill();
    }
    return m_deadline;
}

void
ChildProcess::Kill() const
{
    kill(-m_id, SIGKILL);
}

int
ChildProcess::WaitForEnd() const
{
    int status = 0;
    while (waitpid(m_id, &status, 0) < 0 && errno == EINTR)
    {
    }
    return status;
}

} // namespace ns3::rails
