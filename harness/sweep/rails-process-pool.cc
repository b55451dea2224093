// SPDX-License-Identifier: GPL-2.0-only
#include "rails-process-pool.h"

#include "rails-interrupt-watch.h"

#include "ns3/rails-result.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace ns3::rails
{

namespace
{

constexpr rlim_t kBytesToReport = 8 << 20; // bytes to catch and report an exception

/// \return bytes that count for RLIMIT_DATA, and bytes of the stack, without any allocation
rlim_t
GetDataBytes()
{
    const int file = open("/proc/self/statm", O_RDONLY);
    std::array<char, 128> text{};
    const ssize_t length = file < 0 ? -1 : read(file, text.data(), text.size() - 1);
    close(file);
    unsigned long pages = 0;
    const bool isTold =
        length > 0 && std::sscanf(text.data(), "%*u %*u %*u %*u %*u %lu", &pages) == 1;
    return isTold ? pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) : 0;
}

/// Raises the limit a little. Callers with std::nothrow, such as std::stable_sort, continue without
/// the memory and may call this repeatedly, so the hard limit of LimitMemory() ends that.
void
RaiseMemoryLimit()
{
    rlimit limit{};
    getrlimit(RLIMIT_DATA, &limit);
    limit.rlim_cur =
        std::min(std::max(limit.rlim_cur, GetDataBytes() + kBytesToReport), limit.rlim_max);
    setrlimit(RLIMIT_DATA, &limit);
    throw std::bad_alloc();
}

/// Ends a process after a use of memory that was not allocated, as some libraries do not check.
void
EndIfMemoryIsGone(int signal)
{
    constexpr std::size_t piece = 1 << 20; // smallest request of the C library
    if (mmap(nullptr, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
        MAP_FAILED)
    {
        constexpr std::string_view text = "out of memory\n";
        [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
        _exit(static_cast<int>(RunStatus::NotFinished));
    }
    std::signal(signal, SIG_DFL); // the fault repeats, and is a real one
}

void
LimitMemory(uint64_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
    bytes = 0; // the sanitizer's shadow memory would count
#endif
    rlimit limit{};
    if (bytes > 0 && getrlimit(RLIMIT_DATA, &limit) == 0)
    {
        limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
        const rlim_t most = std::max(limit.rlim_cur, GetDataBytes()) + 8 * kBytesToReport;
        limit.rlim_max = std::min(most, limit.rlim_max);
        setrlimit(RLIMIT_DATA, &limit);
        std::set_new_handler(RaiseMemoryLimit);
        std::signal(SIGSEGV, EndIfMemoryIsGone);
    }
}

/// \return the status of a task, also after an exception
int
Call(const std::function<int()>& work)
{
    try
    {
        return work();
    }
    catch (const std::exception& error)
    {
        std::cerr << "error: " << error.what() << std::endl;
        return EXIT_FAILURE;
    }
}

} // namespace

ProcessPool::ProcessPool()
    : m_signals(GetInterruptSignals())
{
    std::signal(SIGCHLD, SIG_DFL); // were they ignored, the system would not tell how they end
    sigaddset(&m_signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &m_signals, &m_former);
}

ProcessPool::~ProcessPool()
{
    Kill();
    sigprocmask(SIG_SETMASK, &m_former, nullptr);
}

void
ProcessPool::Start(std::size_t task, const ProcessLimits& limits, const std::function<int()>& work)
{
    ProcessOutput errors;
    std::cout.flush();
    std::cerr.flush();
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0)
    {
        throw std::system_error(errno, std::generic_category(), "no further process");
    }
    if (child == 0)
    {
        setpgid(0, 0); // an interrupt at the terminal is this pool's business
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
        if (getppid() != parent)
        {
            _exit(EXIT_FAILURE); // the parent ended before the line above
        }
        sigprocmask(SIG_SETMASK, &m_former, nullptr);
        m_running.clear(); // closes files of other children, as their number is limited
        LimitMemory(limits.memoryBytes);
        dup2(errors.GetFile(), STDERR_FILENO);
        const int status = Call(work);
        std::cout.flush();
        std::cerr.flush();
        _exit(status); // without destructors, as the objects belong to the parent
    }
    setpgid(child, child); // in parent and child, whichever runs first
    m_running.emplace(child, Process{task, ChildProcess(child, limits.seconds), std::move(errors)});
}

std::optional<ProcessPool::Ended>
ProcessPool::Wait(std::chrono::milliseconds longest)
{
    const Clock::time_point end = Clock::now() + longest;
    for (;;)
    {
        TakeSignals({}); // processes may end faster than they are handled
        if (std::optional<Ended> ended = Reap())
        {
            return ended;
        }
        const Clock::time_point next = std::min(end, KillLate());
        const auto pause =
            std::max(std::chrono::nanoseconds(0),
                     std::chrono::duration_cast<std::chrono::nanoseconds>(next - Clock::now()));
        if (m_interrupt != 0 || Clock::now() >= end)
        {
            return std::nullopt;
        }
        constexpr long second = 1'000'000'000;
        const timespec time{static_cast<time_t>(pause.count() / second), pause.count() % second};
        TakeSignals(time);
    }
}

/// Takes the signals that are there, or the first one that comes in some time.
void
ProcessPool::TakeSignals(timespec time)
{
    for (int signal = 0; (signal = sigtimedwait(&m_signals, nullptr, &time)) > 0; time = {})
    {
        m_interrupt = signal == SIGCHLD ? m_interrupt : signal;
    }
}

std::vector<ProcessPool::Ended>
ProcessPool::Kill()
{
    for (const auto& [id, process] : m_running)
    {
        process.child.Kill();
    }
    std::vector<Ended> ended;
    for (const auto& [id, process] : m_running)
    {
        ended.push_back({process.task, id, process.child.WaitForEnd(), 0, false, ""});
    }
    m_running.clear();
    return ended;
}

std::map<std::size_t, ProcessPool::Clock::time_point>
ProcessPool::GetRunning() const
{
    std::map<std::size_t, Clock::time_point> running;
    for (const auto& [id, process] : m_running)
    {
        running.emplace(process.task, process.child.GetBegin());
    }
    return running;
}

/// \return a process that has ended, if there is one
std::optional<ProcessPool::Ended>
ProcessPool::Reap()
{
    for (auto it = m_running.begin(); it != m_running.end(); ++it)
    {
        Process& process = it->second;
        const std::optional<int> status = process.child.TakeEnd();
        if (!status)
        {
            continue;
        }
        constexpr std::size_t most = 64 * 1024;
        const std::chrono::duration<double> time = Clock::now() - process.child.GetBegin();
        Ended ended{process.task,
                    it->first,
                    *status,
                    time.count(),
                    process.child.IsLate(),
                    process.errors.Read(most)};
        m_running.erase(it);
        return ended;
    }
    return std::nullopt;
}

/// Ends the processes whose time is over. \return when the time of the next one is
ProcessPool::Clock::time_point
ProcessPool::KillLate()
{
    Clock::time_point next = Clock::time_point::max();
    for (auto& [id, process] : m_running)
    {
        next = std::min(next, process.child.KillIfLate());
    }
    return next;
}

} // namespace ns3::rails
