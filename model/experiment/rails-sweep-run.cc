// SPDX-License-Identifier: GPL-2.0-only
#include "rails-sweep-run.h"

#include "rails-point-run.h"
#include "rails-result-writer.h"
#include "rails-summary-table.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;

/// Status of a process that did not end by itself.
constexpr int kCrashed = static_cast<int>(RunStatus::InvariantBroken);

/// Copies what a process wrote to standard error.
void
PrintErrors(std::FILE* errors)
{
    if (!errors)
    {
        return;
    }
    std::rewind(errors);
    std::array<char, 4096> part;
    while (const std::size_t read = std::fread(part.data(), 1, part.size(), errors))
    {
        std::cerr.write(part.data(), static_cast<std::streamsize>(read));
    }
    std::cerr.flush();
}

/// \return the status of a run that ended with this
int
GetStatus(int waitStatus)
{
    const int status = WIFEXITED(waitStatus) ? WEXITSTATUS(waitStatus) : kCrashed;
    return status == 1 || status > kCrashed ? kCrashed : status;
}

} // namespace

SweepRun::SweepRun(const Descriptor& descriptor,
                   const RunOptions& options,
                   const ScenarioFunction& scenario)
    : m_descriptor(descriptor),
      m_options(options),
      m_scenario(scenario)
{
}

int
SweepRun::Run()
{
    if (!PreparePoints() || !PrepareFolder())
    {
        return static_cast<int>(RunStatus::BadDescriptor);
    }
    while (!m_waiting.empty() || !m_running.empty())
    {
        while (!m_waiting.empty() && m_running.size() < std::max(1U, m_options.processes))
        {
            Start(m_waiting.front());
            m_waiting.pop_front();
        }
        WaitForOne();
    }
    m_line.Clear();
    PrintSummary();
    const auto highest =
        std::max_element(m_ended.begin(), m_ended.end(), [](const auto& left, const auto& right) {
            return left.second < right.second;
        });
    return highest->second;
}

fs::path
SweepRun::GetFolder(std::size_t point) const
{
    return fs::path(m_options.folder) / m_descriptor.GetPointName(point);
}

/// \return false when the folders of the points cannot be made
bool
SweepRun::PrepareFolder() const
{
    std::error_code error;
    fs::create_directories(m_options.folder, error);
    if (!error && access(m_options.folder.c_str(), W_OK | X_OK) != 0)
    {
        error.assign(errno, std::generic_category());
    }
    if (error)
    {
        std::cerr << m_options.folder << ": error: the folder cannot be written to ("
                  << error.message() << ")" << std::endl;
    }
    return !error;
}

/// Decides which points are run. \return false when nothing may be run
bool
SweepRun::PreparePoints()
{
    std::error_code error;
    if (fs::exists(fs::path(m_options.folder) / "result.json", error))
    {
        std::cerr << m_options.folder
                  << ": error: the folder holds the result of a single run; choose another one by "
                     "--out"
                  << std::endl;
        return false;
    }
    for (std::size_t point = 0; point < m_descriptor.GetPointCount(); ++point)
    {
        PreparePoint(point);
    }
    if (m_conflicts > 1)
    {
        std::cerr << m_options.folder << ": error: " << m_conflicts
                  << " points have the result of another configuration" << std::endl;
    }
    return m_conflicts == 0;
}

void
SweepRun::PreparePoint(std::size_t point)
{
    const fs::path folder = GetFolder(point);
    std::string difference;
    const PointState state =
        m_options.force
            ? PointState::Missing
            : FindPointState(folder, m_descriptor.MakeExperiment(point).effective, difference);
    switch (state)
    {
    case PointState::Missing:
        m_waiting.push_back(point);
        break;
    case PointState::Whole:
        ++m_skipped;
        End(point, ReadResultJson(folder).at("status").get<int>());
        break;
    case PointState::Other:
        if (++m_conflicts == 1)
        {
            std::cerr << folder.string()
                      << ": error: the folder holds the result of another configuration ("
                      << difference << "); --force replaces it" << std::endl;
        }
        break;
    }
}

/**
 * The process goes on from here instead of reading the descriptor again: what it runs is what was
 * checked, even when somebody edits the file meanwhile.
 */
void
SweepRun::Start(std::size_t point)
{
    File errors(std::tmpfile(), std::fclose);
    std::cout.flush();
    std::cerr.flush();
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0)
    {
        RunAsChild(point, parent, errors.get());
    }
    if (child < 0)
    {
        std::cerr << GetFolder(point).string() << ": error: no process for it ("
                  << std::strerror(errno) << ")" << std::endl;
        End(point, static_cast<int>(RunStatus::NotFinished));
        return;
    }
    m_running.emplace(child, Process{point, std::move(errors)});
}

void
SweepRun::RunAsChild(std::size_t point, pid_t parent, std::FILE* errors) const
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM); // nobody would read the results of an orphan
#endif
    if (getppid() != parent)
    {
        _exit(kCrashed); // the parent ended before the line above
    }
    if (errors)
    {
        dup2(fileno(errors), STDERR_FILENO);
    }
    RunOptions options = m_options;
    options.folder = GetFolder(point).string();
    const int status = RunPoint(m_descriptor, point, options, m_scenario, nullptr);
    std::cerr.flush();
    _exit(status); // what is to be destroyed is the parent's
}

/// \return the next process that ends, -1 when there is none
pid_t
SweepRun::WaitForChild(int& status)
{
    using std::chrono::milliseconds;
    // Waiting at a terminal means waking up now and then to move the progress line on.
    const int flags = m_line.IsShown() ? WNOHANG : 0;
    for (milliseconds pause(1);; pause = std::min(2 * pause, milliseconds(100)))
    {
        const pid_t child = waitpid(-1, &status, flags);
        if (child > 0 || (child < 0 && errno != EINTR))
        {
            return child;
        }
        m_line.ShowPoints(m_ended.size(),
                          m_skipped,
                          m_running.size(),
                          m_descriptor.GetPointCount());
        std::this_thread::sleep_for(pause);
    }
}

void
SweepRun::WaitForOne()
{
    if (m_running.empty())
    {
        return;
    }
    int status = 0;
    const pid_t child = WaitForChild(status);
    if (child < 0)
    {
        for (const auto& [lost, process] : m_running) // somebody else has waited for them
        {
            End(process.point, kCrashed);
        }
        m_running.clear();
        return;
    }
    const auto ended = m_running.find(child);
    if (ended == m_running.end())
    {
        return;
    }
    const Process process = std::move(ended->second);
    m_running.erase(ended);
    m_line.Clear();
    PrintErrors(process.errors.get());
    if (WIFSIGNALED(status))
    {
        std::cerr << GetFolder(process.point).string()
                  << ": error: its process was ended: " << strsignal(WTERMSIG(status)) << std::endl;
    }
    End(process.point, GetStatus(status));
}

void
SweepRun::End(std::size_t point, int status)
{
    m_ended[point] = status;
}

void
SweepRun::PrintSummary() const
{
    std::vector<SummaryRow> rows;
    for (std::size_t point = 0; point < m_descriptor.GetPointCount(); ++point)
    {
        nlohmann::json json = ReadResultJson(GetFolder(point));
        if (!json.is_discarded() && json.at("status") != m_ended.at(point))
        {
            // A run that failed leaves an earlier result as it was; that is not its own.
            json = nlohmann::json(nlohmann::json::value_t::discarded);
        }
        rows.emplace_back(m_descriptor.GetPointName(point), std::move(json));
    }
    std::cout << FormatSummary(rows);
    if (m_skipped > 0)
    {
        std::cout << m_skipped << " of " << rows.size()
                  << " points had their result already (--force runs them again)\n";
    }
    std::cout << "results: " << m_options.folder << std::endl;
}

} // namespace ns3::rails
