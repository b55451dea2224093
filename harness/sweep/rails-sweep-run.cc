// SPDX-License-Identifier: GPL-2.0-only
#include "rails-sweep-run.h"

#include "rails-point-failure.h"
#include "rails-point-run.h"

#include "ns3/rails-output-folder.h"
#include "ns3/rails-shell-word.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <functional>
#include <iostream>
#include <queue>
#include <sstream>
#include <sys/wait.h>
#include <system_error>

namespace ns3::rails
{

namespace
{

/// Status of a process that did not end by itself.
constexpr int kCrashed = static_cast<int>(RunStatus::InvariantBroken);
constexpr int kNotFinished = static_cast<int>(RunStatus::NotFinished);
/// How a process tells that there is no space left; never the status of a sweep.
constexpr int kDiskFull = 28;
/// The same when another process has begun with the point.
constexpr int kYielded = 29;

/// \return the last lines of a text
std::vector<std::string>
GetLastLines(const std::string& text)
{
    constexpr std::size_t most = 20;
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
    {
        lines.push_back(line);
    }
    if (lines.size() > most)
    {
        lines.erase(lines.begin(), lines.end() - most);
    }
    return lines;
}

/// \return how much memory that is, for people
std::string
FormatMemory(uint64_t bytes)
{
    std::ostringstream text;
    text << static_cast<double>(bytes) / (1 << 20) << " MiB";
    return text.str();
}

} // namespace

SweepRun::SweepRun(const Descriptor& descriptor,
                   const RunOptions& options,
                   const RunHooks& hooks,
                   const SweepFolder& folder,
                   const SweepPlan& plan)
    : m_descriptor(descriptor),
      m_options(options),
      m_hooks(hooks),
      m_folder(folder),
      m_plan(plan),
      m_waiting(plan.GetOrder().begin(), plan.GetOrder().end()),
      m_points(plan.GetPoints().size())
{
    for (std::size_t i = 0; i < m_points.size(); ++i)
    {
        const PlannedPoint& planned = plan.GetPoints()[i];
        m_points[i].values = SweepPace::MakeValues(planned.axes);
        if (!planned.isToRun)
        {
            m_points[i].isCached = planned.state != PointState::Missing;
            m_points[i].status = planned.status;
        }
    }
}

int
SweepRun::Run()
{
    ProcessPool pool;
    for (;;)
    {
        Resume();
        StartMore(pool);
        if (m_waiting.empty() && m_elsewhere.empty() && pool.GetRunning().empty())
        {
            return Conclude();
        }
        if (const auto ended = pool.Wait(m_progress.GetInterval()))
        {
            Handle(*ended);
            m_isKept = false;
        }
        constexpr std::chrono::seconds interval(2);
        if (!m_isKept && ProcessPool::Clock::now() - m_kept >= interval)
        {
            Keep();
        }
        if (pool.GetInterrupt() != 0)
        {
            return Interrupt(pool);
        }
        m_progress.Show([&] { return GetStatus(pool); });
    }
}

void
SweepRun::StartMore(ProcessPool& pool)
{
    while (!m_waiting.empty() && pool.GetRunning().size() < std::max(1U, m_options.processes))
    {
        const std::size_t i = m_waiting.front();
        m_waiting.pop_front();
        const PlannedPoint& planned = m_plan.GetPoints()[i];
        // Another sweep may be at work in the same folder.
        const std::optional<int> status = planned.state == PointState::Done
                                              ? std::nullopt
                                              : m_folder.FindResult(planned.name, planned.key);
        if (status)
        {
            m_points[i].isCached = true;
            End(i, *status);
        }
        else if (OutputFolder::IsBeingWritten(m_folder.GetPointFolder(planned.name)))
        {
            m_elsewhere.push_back(i);
        }
        else if (!Start(i, pool))
        {
            m_waiting.push_front(i);
            return;
        }
    }
}

/**
 * Forks instead of reading the descriptor again, so the child runs the checked point even if the
 * file was edited meanwhile.
 * \return false when the system has no further process until one of the pool has ended
 */
bool
SweepRun::Start(std::size_t i, ProcessPool& pool)
{
    const PlannedPoint& planned = m_plan.GetPoints()[i];
    const auto work = [&] {
        const PointTarget target{m_folder.GetPointFolder(planned.name),
                                 planned.key,
                                 planned.version,
                                 true,
                                 true,
                                 planned.state == PointState::Done};
        const auto getSize = [&planned](const Experiment&) { return planned.size; };
        const PointOutcome outcome =
            RunPoint(m_descriptor,
                     planned.point,
                     target,
                     LimitMemory(GivePrograms(m_hooks.simulate, m_options), getSize, m_options),
                     nullptr);
        return outcome.isDiskFull ? kDiskFull : outcome.isYielded ? kYielded : outcome.status;
    };
    try
    {
        pool.Start(i, m_options.limits, work);
        ++m_points[i].attempts;
    }
    catch (const std::system_error& error)
    {
        if (!pool.GetRunning().empty())
        {
            return false;
        }
        m_progress.Clear();
        std::cerr << m_folder.GetPointFolder(planned.name).string() << ": error: " << error.what()
                  << std::endl;
        End(i, kNotFinished);
    }
    return true;
}

/// Queues points of another process again once that process has ended.
void
SweepRun::Resume()
{
    const auto rest = std::partition(m_elsewhere.begin(), m_elsewhere.end(), [this](std::size_t i) {
        return OutputFolder::IsBeingWritten(m_folder.GetPointFolder(m_plan.GetPoints()[i].name));
    });
    m_waiting.insert(m_waiting.end(), rest, m_elsewhere.end());
    m_elsewhere.erase(rest, m_elsewhere.end());
}

void
SweepRun::Handle(const ProcessPool::Ended& ended)
{
    const std::size_t i = ended.task;
    const PlannedPoint& planned = m_plan.GetPoints()[i];
    const std::string place = m_folder.GetPointFolder(planned.name).string();
    if (WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == kYielded)
    {
        --m_points[i].attempts;
        m_elsewhere.push_back(i);
        return;
    }
    m_progress.Clear();
    std::cerr << ended.errors << std::flush;
    m_pace.Add(m_points[i].values, planned.expectedSeconds, ended.seconds);
    // A result that it failed to replace stays, and has another status.
    if (WIFEXITED(ended.status) &&
        m_folder.FindResult(planned.name, planned.key) == WEXITSTATUS(ended.status))
    {
        End(i, WEXITSTATUS(ended.status));
        return;
    }
    OutputFolder::Recover(place);
    const std::string reason = DescribeEnd(ended);
    if (WIFSIGNALED(ended.status))
    {
        std::cerr << place << ": error: " << reason << std::flush;
    }
    if (IsLost(ended) && m_points[i].attempts <= m_options.retries)
    {
        std::cerr << "; it is tried once more" << std::endl;
        m_waiting.push_front(i);
        return;
    }
    if (WIFSIGNALED(ended.status))
    {
        std::cerr << std::endl;
    }
    if (WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == kDiskFull)
    {
        StopForSpace();
        return;
    }
    Fail(i, ended, reason);
}

/// The rest would fail for the same cause.
void
SweepRun::StopForSpace()
{
    m_isDiskFull = true;
    m_waiting.clear();
    m_elsewhere.clear();
}

/// \return true when the process was lost for no cause that lies in the point or in its limits
bool
SweepRun::IsLost(const ProcessPool::Ended& ended) const
{
    return WIFSIGNALED(ended.status) && !ended.isLate;
}

std::string
SweepRun::DescribeEnd(const ProcessPool::Ended& ended) const
{
    if (ended.isLate)
    {
        std::ostringstream text;
        text << "time limit of " << m_options.limits.seconds << " s";
        return text.str();
    }
    if (WIFSIGNALED(ended.status))
    {
        return std::string("its process was ended: ") + strsignal(WTERMSIG(ended.status));
    }
    const std::vector<std::string> lines = GetLastLines(ended.errors);
    std::string reason = lines.empty() ? "no result" : lines.back();
    const std::string mark = ": error: ";
    const std::size_t begin = reason.find(mark);
    reason = begin == std::string::npos ? reason : reason.substr(begin + mark.size());
    if (reason == "out of memory" && m_options.limits.memoryBytes > 0)
    {
        reason += " (memory limit of " + FormatMemory(m_options.limits.memoryBytes) + ")";
    }
    return reason;
}

/// Records that a point has no result.
void
SweepRun::Fail(std::size_t i, const ProcessPool::Ended& ended, const std::string& reason)
{
    const PlannedPoint& planned = m_plan.GetPoints()[i];
    const std::optional<int> found = planned.state == PointState::Done
                                         ? std::nullopt
                                         : m_folder.FindResult(planned.name, planned.key);
    if (found) // another sweep has made it meanwhile
    {
        End(i, *found);
        return;
    }
    int status = ended.isLate              ? kNotFinished
                 : WIFEXITED(ended.status) ? WEXITSTATUS(ended.status)
                                           : kCrashed;
    status = status == 0 || status == 1 || status > kCrashed ? kCrashed : status;
    const PointFailure failure{status,
                               reason,
                               m_points[i].attempts,
                               ended.seconds,
                               GetLastLines(ended.errors)};
    try
    {
        RecordFailure(failure, planned, m_descriptor, m_options, m_folder);
    }
    catch (const OutputError& error)
    {
        std::cerr << error.what() << std::endl;
        if (error.IsDiskFull())
        {
            StopForSpace();
        }
    }
    End(i, status);
}

void
SweepRun::End(std::size_t i, int status)
{
    m_points[i].status = status;
}

/// Forces the results of short points to disk together.
void
SweepRun::Keep()
{
    ForceToDisk(m_folder.GetPath());
    m_isKept = true;
    m_kept = ProcessPool::Clock::now();
}

/// Kills the running points; ended points stay.
int
SweepRun::Interrupt(ProcessPool& pool)
{
    const int signal = pool.GetInterrupt();
    for (const ProcessPool::Ended& ended : pool.Kill())
    {
        OutputFolder::Recover(m_folder.GetPointFolder(m_plan.GetPoints()[ended.task].name));
    }
    Keep();
    m_progress.Clear();
    const auto ended = std::count_if(m_points.begin(), m_points.end(), [](const Progress& point) {
        return point.status >= 0;
    });
    const std::string place = m_folder.GetPath().string();
    std::cerr << "rails: interrupted (" << strsignal(signal) << "); " << ended << " of "
              << m_points.size() << " points have ended and stay in " << place
              << ", those that were running are lost; the same command"
              << (m_options.force ? " without --force" : "")
              << " goes on with the points that are missing, and so does 'rails sweep --resume "
              << QuoteForShell(place) << (m_options.libraries.empty() ? "" : " --trust") << "'"
              << std::endl;
    constexpr int base = 128;
    return base + signal;
}

int
SweepRun::Conclude()
{
    Keep();
    m_progress.Clear();
    const auto missing = std::count_if(m_points.begin(), m_points.end(), [](const Progress& point) {
        return point.status < 0;
    });
    if (m_isDiskFull)
    {
        std::cerr << m_folder.GetPath().string()
                  << ": error: no space is left on the disk; results that were whole are, and "
                  << missing
                  << " points were not run. Free some space, and the same command goes on"
                  << std::endl;
    }
    int highest = m_isDiskFull ? kNotFinished : 0;
    for (const Progress& point : m_points)
    {
        highest = std::max(highest, point.status);
    }
    return highest;
}

SweepStatus
SweepRun::GetStatus(const ProcessPool& pool) const
{
    SweepStatus status;
    status.total = m_points.size();
    const auto now = ProcessPool::Clock::now();
    for (const Progress& point : m_points)
    {
        status.cached += point.isCached ? 1 : 0;
        status.done += !point.isCached && point.status == 0 ? 1 : 0;
        status.failed += !point.isCached && point.status > 0 ? 1 : 0;
    }
    const std::vector<PlannedPoint>& planned = m_plan.GetPoints();
    const auto expect = [&](std::size_t i) {
        return m_pace.Find(m_points[i].values) * planned[i].expectedSeconds;
    };
    // When each process is free, the earliest first.
    std::priority_queue<double, std::vector<double>, std::greater<>> free;
    for (const auto& [i, begin] : pool.GetRunning())
    {
        const double elapsed = std::chrono::duration<double>(now - begin).count();
        free.push(std::max(0.0, expect(i) - elapsed));
        ++status.running;
        if (elapsed > status.slowestSeconds)
        {
            status.slowest = planned[i].name;
            status.slowestSeconds = elapsed;
        }
    }
    while (free.size() < std::max(1U, m_options.processes))
    {
        free.push(0);
    }
    for (const std::size_t i : m_waiting)
    {
        const double begin = free.top();
        free.pop();
        free.push(begin + expect(i));
    }
    double last = 0;
    for (; !free.empty(); free.pop())
    {
        last = free.top();
    }
    const bool isKnown = m_pace.IsKnown() || m_plan.GetEstimator().GetRuns() > 0;
    status.secondsToGo = isKnown ? last : -1;
    return status;
}

} // namespace ns3::rails
