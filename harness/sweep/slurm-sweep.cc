// SPDX-License-Identifier: GPL-2.0-only
#include "slurm-sweep.h"

#include "rails-point-failure.h"

#include "ns3/published-path.h"
#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-reader.h"
#include "ns3/rails-sha256.h"
#include "ns3/rails-shell-word.h"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unistd.h>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;
constexpr int kGivenUp = static_cast<int>(RunStatus::NotFinished);

/// \return what the names of a sweep's jobs begin with; the folder tells sweeps apart
std::string
GetJobName(const SweepFolder& folder)
{
    constexpr std::size_t digits = 12;
    const fs::path place = fs::weakly_canonical(fs::absolute(folder.GetPath()));
    return "rails-" + ComputeSha256(place.string()).substr(0, digits) + "-";
}

fs::path
GetRoundFolder(const SweepFolder& folder, std::size_t round)
{
    return fs::absolute(folder.GetStateFolder()) / "slurm" / ("round-" + std::to_string(round));
}

/// Names of the points of each task of a job array.
using RoundTasks = std::vector<std::vector<std::string>>;

/// \return nothing when there is no such job array
std::optional<RoundTasks>
ReadRound(const SweepFolder& folder, std::size_t round)
{
    const nlohmann::json json = ReadJsonFile(GetRoundFolder(folder, round) / "tasks.json");
    const auto isTask = [](const nlohmann::json& task) {
        return task.is_array() && std::all_of(task.begin(), task.end(), [](const auto& name) {
                   return name.is_string();
               });
    };
    const bool isRound = json.is_array() && std::all_of(json.begin(), json.end(), isTask);
    return isRound ? std::optional(json.get<RoundTasks>()) : std::nullopt;
}

/// The part of a sweep that is over.
struct Past
{
    std::size_t rounds{0};  //!< job arrays whose ends were told, or that were cancelled
    std::size_t cancels{0}; //!< how often it was cancelled
};

fs::path
GetPastFile(const SweepFolder& folder)
{
    return folder.GetStateFolder() / "slurm" / "past.json";
}

Past
ReadPast(const SweepFolder& folder)
{
    const nlohmann::json json = ReadJsonFile(GetPastFile(folder));
    const auto read = [&json](const char* key) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found != json.end() && found->is_number_unsigned() ? found->get<std::size_t>() : 0;
    };
    return {read("rounds"), read("cancels")};
}

void
WritePast(const SweepFolder& folder, const Past& past)
{
    WriteFileAtOnce(GetPastFile(folder),
                    nlohmann::json{{"rounds", past.rounds}, {"cancels", past.cancels}}.dump() +
                        "\n");
}

/// \return true when a run of the point had ended, well or not, before this sweep was started
bool
HadEnded(const PlannedPoint& planned)
{
    return planned.state == PointState::Done || planned.state == PointState::Failed;
}

std::string
CountOf(std::size_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

} // namespace

SlurmSweep::SlurmSweep(const Descriptor& descriptor,
                       const RunOptions& options,
                       const SweepFolder& folder,
                       const SweepPlan& plan)
    : m_descriptor(descriptor),
      m_options(options),
      m_folder(folder),
      m_plan(plan),
      m_program(fs::read_symlink("/proc/self/exe").string()),
      m_cancels(ReadPast(folder).cancels),
      m_missing(plan.GetOrder().begin(), plan.GetOrder().end())
{
    for (std::size_t i = 0; i < plan.GetPoints().size(); ++i)
    {
        if (!plan.GetPoints()[i].isToRun)
        {
            m_ended[i] = plan.GetPoints()[i].status;
        }
    }
}

int
SlurmSweep::Run()
{
    try
    {
        return RunToEnd();
    }
    catch (const SlurmError& error)
    {
        m_progress.Clear();
        if (m_alive.empty())
        {
            throw;
        }
        throw SlurmError(std::string(error.what()) + "\n  the tasks go on. " + DescribeReturn());
    }
}

int
SlurmSweep::RunToEnd()
{
    if (fs::absolute(m_folder.GetPath()).string().find('\\') != std::string::npos)
    {
        throw SlurmError(m_folder.GetPath().string() +
                         ": error: Slurm takes no backslash in the place of what its tasks write; "
                         "choose another folder by --out");
    }
    FindRounds();
    ProcessPool pool; // without processes: it tells when this one is asked to end
    while (!m_missing.empty())
    {
        Examine();
        if (IsCancelled())
        {
            m_progress.Clear();
            std::cerr
                << "rails: the sweep was cancelled; points that have ended stay, and the same "
                   "command goes on with those that are missing"
                << std::endl;
            return kGivenUp;
        }
        m_progress.Show([this] { return GetStatus(); });
        if (m_missing.empty())
        {
            break;
        }
        pool.Wait(std::chrono::milliseconds(m_options.slurm.pollMilliseconds));
        if (const int signal = pool.GetInterrupt())
        {
            m_progress.Clear();
            std::cerr << "rails: interrupted (" << strsignal(signal) << "); the tasks go on. "
                      << DescribeReturn() << std::endl;
            constexpr int base = 128;
            return base + signal;
        }
    }
    return Conclude();
}

std::string
SlurmSweep::DescribeReturn() const
{
    const std::string place = QuoteForShell(m_folder.GetPath().string());
    return "'rails sweep --resume " + place + " --trust' collects them, 'rails sweep --cancel " +
           place + "' ends them";
}

void
SlurmSweep::Cancel(const SweepFolder& folder)
{
    Past past = ReadPast(folder);
    while (ReadRound(folder, past.rounds))
    {
        ++past.rounds;
    }
    if (past.rounds > 0)
    {
        ++past.cancels;
        WritePast(folder, past); // first, as collecting processes would submit the tasks again
    }
    SlurmQueue queue;
    if (!queue.Cancel(GetJobName(folder)))
    {
        throw SlurmError("Slurm did not answer, and nothing was cancelled: " + queue.GetTrouble());
    }
}

/// \return true when Cancel() was called since this object was made
bool
SlurmSweep::IsCancelled() const
{
    return ReadPast(m_folder).cancels > m_cancels; // no file to be read counts as 0
}

std::vector<std::string>
SlurmSweep::ReadTask(const SweepFolder& folder, std::size_t round, std::size_t task)
{
    const std::optional<RoundTasks> tasks = ReadRound(folder, round);
    if (!tasks || task >= tasks->size())
    {
        throw OutputError(GetRoundFolder(folder, round), "there is no such task of a sweep");
    }
    return tasks->at(task);
}

/// Reads the job arrays submitted so far, by this process or another one.
void
SlurmSweep::FindRounds()
{
    const std::size_t past = ReadPast(m_folder).rounds;
    for (;; ++m_rounds)
    {
        const std::optional<RoundTasks> tasks = ReadRound(m_folder, m_rounds);
        if (!tasks)
        {
            return;
        }
        for (std::size_t task = 0; task < tasks->size(); ++task)
        {
            for (const std::string& name : tasks->at(task))
            {
                (m_rounds < past ? m_formerTasks : m_tasks)[name] = {m_rounds, task};
            }
        }
    }
}

/// Queries the queue, collects ended points, and submits points that are in neither.
void
SlurmSweep::Examine()
{
    const auto live = m_queue.FindLive(GetJobName(m_folder));
    if (!live)
    {
        ReportTrouble();
        Collect();
        return;
    }
    if (m_isAway)
    {
        m_isAway = false;
        m_progress.Clear();
        std::cerr << "rails: Slurm answers again" << std::endl;
    }
    FindTasks(*live);
    ReportWaiting(*live);
    // Collect after the query: a task that left the queue has written its results.
    Collect();
    const std::vector<std::size_t> lost = FindLost();
    std::vector<std::size_t> again;
    std::vector<std::size_t> hopeless;
    constexpr unsigned most = 3;
    for (const std::size_t i : lost)
    {
        (m_losses[i] < most ? again : hopeless).push_back(i);
    }
    GiveUp(hopeless);
    if (!again.empty() && !IsCancelled())
    {
        Submit(again);
    }
}

/// Finds out which tasks there are.
void
SlurmSweep::FindTasks(const std::vector<SlurmTask>& live)
{
    m_alive.clear();
    m_running.clear();
    for (const SlurmTask& task : live)
    {
        m_alive.emplace(task.number, task.index);
        m_unanswered.erase(task.number);
        if (task.state == "RUNNING")
        {
            m_running.emplace(task.number, task.index);
        }
    }
    for (const auto& [name, task] : m_formerTasks)
    {
        if (m_alive.count(task) > 0)
        {
            m_tasks.emplace(name, task);
        }
    }
    m_formerTasks.clear();
}

/// Looks for points that have ended.
void
SlurmSweep::Collect()
{
    for (auto it = m_missing.begin(); it != m_missing.end();)
    {
        const PlannedPoint& planned = m_plan.GetPoints()[*it];
        const std::optional<int> status = m_folder.FindEnd(planned.name, planned.key);
        const auto task = m_tasks.find(planned.name);
        // An end from before the sweep was started does not count: a task is to replace it.
        if (!status || (HadEnded(planned) && task == m_tasks.end()))
        {
            ++it;
            continue;
        }
        if (task != m_tasks.end())
        {
            m_fruitful.insert(task->second);
        }
        if (*status != 0)
        {
            ReportFailure(planned,
                          "it ended with status " + std::to_string(*status) +
                              "; what is in its folder tells why");
        }
        m_ended[*it] = *status;
        it = m_missing.erase(it);
    }
}

/// \return the points that no task is going to run, those that have had none included
std::vector<std::size_t>
SlurmSweep::FindLost()
{
    // A task that has just ended may have left results that a network file system shows later.
    constexpr unsigned patience = 3;
    std::vector<std::size_t> lost;
    for (const std::size_t i : m_missing)
    {
        const auto task = m_tasks.find(m_plan.GetPoints()[i].name);
        if (task == m_tasks.end())
        {
            lost.push_back(i);
        }
        else if (m_alive.count(task->second) > 0)
        {
            m_unseen[i] = 0;
        }
        else if (++m_unseen[i] >= patience)
        {
            lost.push_back(i);
            // Each task is counted once, and only when Slurm is known to have taken it.
            if (m_unseen[i] == patience && m_unanswered.count(task->second.first) == 0)
            {
                m_losses[i] = m_fruitful.count(task->second) > 0 ? 0 : m_losses[i] + 1;
            }
        }
    }
    return lost;
}

void
SlurmSweep::Submit(const std::vector<std::size_t>& points)
{
    const auto largest = m_queue.GetLargestArray();
    if (!largest)
    {
        ReportTrouble();
        return; // later
    }
    const bool isAgain = m_tasks.count(m_plan.GetPoints()[points.front()].name) > 0;
    const std::vector<std::vector<std::size_t>> chunks = MakeChunks(points, *largest);
    if (!WriteRound(chunks))
    {
        // Another process that collects this sweep was faster.
        FindRounds();
        m_unseen.clear();
        return;
    }
    for (const std::size_t i : points)
    {
        m_folder.Forget(m_plan.GetPoints()[i].name, m_plan.GetPoints()[i].key);
    }
    const SlurmJob job = MakeJob(chunks.size());
    std::optional<std::string> id;
    try
    {
        id = m_queue.Submit(job);
    }
    catch (const SlurmError&)
    {
        std::error_code ignored;
        fs::remove_all(GetRoundFolder(m_folder, m_rounds), ignored);
        throw;
    }
    if (!id)
    {
        m_unanswered.insert(m_rounds);
    }
    if (IsCancelled())
    {
        m_queue.Cancel(GetJobName(m_folder)); // Cancel() has not seen this job, of a moment later
    }
    for (std::size_t task = 0; task < chunks.size(); ++task)
    {
        for (const std::size_t i : chunks[task])
        {
            m_tasks[m_plan.GetPoints()[i].name] = {m_rounds, task};
            m_unseen[i] = 0;
        }
    }
    ++m_rounds;
    m_progress.Clear();
    std::cerr << "rails: " << CountOf(points.size(), "point")
              << (isAgain ? " whose tasks were lost" : "") << " submitted in "
              << CountOf(chunks.size(), "task") << " of job "
              << (id ? *id : "(Slurm did not answer) " + job.name) << std::endl;
}

/**
 * Divides points among tasks that take about SlurmOptions::chunkSeconds each. As soon as one of the
 * points has been lost twice, every point gets a task of its own: a point that brings its task down
 * would take the other points of the task with it.
 */
std::vector<std::vector<std::size_t>>
SlurmSweep::MakeChunks(const std::vector<std::size_t>& points, std::size_t most) const
{
    const std::vector<PlannedPoint>& planned = m_plan.GetPoints();
    std::vector<std::size_t> order = points;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
        return planned[left].expectedSeconds > planned[right].expectedSeconds;
    });
    double total = 0;
    bool isAlone = m_options.slurm.chunkSeconds <= 0;
    for (const std::size_t i : order)
    {
        const auto losses = m_losses.find(i);
        constexpr unsigned last = 2;
        isAlone = isAlone || (losses != m_losses.end() && losses->second >= last);
        total += planned[i].expectedSeconds;
    }
    const double highest = static_cast<double>(std::min(most, order.size()));
    const double wanted =
        isAlone ? highest : std::ceil(total / m_options.slurm.chunkSeconds / m_options.processes);
    const auto tasks = static_cast<std::size_t>(std::clamp(wanted, 1.0, highest));
    std::vector<std::vector<std::size_t>> chunks(tasks);
    std::vector<double> loads(tasks);
    for (const std::size_t i : order)
    {
        const auto least = std::min_element(loads.begin(), loads.end());
        *least += planned[i].expectedSeconds;
        chunks[static_cast<std::size_t>(least - loads.begin())].push_back(i);
    }
    return chunks;
}

/**
 * Writes what the tasks of the next round have to know.
 * \return false when there is a round of this number already
 */
bool
SlurmSweep::WriteRound(const std::vector<std::vector<std::size_t>>& chunks) const
{
    nlohmann::json tasks = nlohmann::json::array();
    for (const std::vector<std::size_t>& chunk : chunks)
    {
        tasks.push_back(nlohmann::json::array());
        for (const std::size_t i : chunk)
        {
            tasks.back().push_back(m_plan.GetPoints()[i].name);
        }
    }
    const fs::path folder = GetRoundFolder(m_folder, m_rounds);
    OutputFolder::Recover(folder);
    const fs::path fresh = MakePartialPath(folder);
    std::error_code error;
    fs::create_directories(fresh, error);
    WriteFileAtOnce(fresh / "tasks.json", tasks.dump() + "\n");
    WriteFileAtOnce(fresh / "task.sh", MakeScript());
    fs::permissions(fresh / "task.sh", fs::perms::owner_exec, fs::perm_options::add, error);
    // One step, which of several processes only the first can take.
    fs::rename(fresh, folder, error);
    const bool isTaken = error == std::errc::directory_not_empty || error == std::errc::file_exists;
    if (error)
    {
        std::error_code ignored;
        fs::remove_all(fresh, ignored);
    }
    if (error && !isTaken)
    {
        throw OutputError(folder, "the folder cannot be made", error);
    }
    return !isTaken;
}

/// \return what a task of the next round runs
std::string
SlurmSweep::MakeScript() const
{
    std::string script = "#!/bin/sh\nexec " + QuoteForShell(m_program) + " work " +
                         QuoteForShell(fs::absolute(m_folder.GetPath()).string()) + " --round " +
                         std::to_string(m_rounds) + " --task \"$SLURM_ARRAY_TASK_ID\" --sweep " +
                         MakeSnapshot(m_descriptor.GetText()).Hash() + " -j " +
                         std::to_string(m_options.processes) + " --retries " +
                         std::to_string(m_options.retries) + " --time-limit " +
                         std::to_string(m_options.limits.seconds) + "s";
    if (m_options.limits.memoryBytes > 0)
    {
        script += " --memory-limit " + std::to_string(m_options.limits.memoryBytes) + "B";
    }
    script += m_options.anyMemory ? " --any-memory" : "";
    for (const std::string& library : m_options.libraries)
    {
        script += " --with " + QuoteForShell(library);
    }
    return script + "\n";
}

/// \return the job array of the next round
SlurmJob
SlurmSweep::MakeJob(std::size_t tasks) const
{
    SlurmJob job;
    job.name = GetJobName(m_folder) + std::to_string(m_rounds);
    job.folder = GetRoundFolder(m_folder, m_rounds);
    job.script = job.folder / "task.sh";
    job.tasks = tasks;
    job.atOnce = m_options.slurm.atOnce;
    job.output =
        boost::replace_all_copy(job.folder.string(), "%", "%%") + "/task-%a.log"; // %a: Slurm's
    job.partition = m_options.slurm.partition;
    // Tasks of a node that fails come back by themselves.
    job.options = {"--cpus-per-task=" + std::to_string(m_options.processes),
                   "--requeue",
                   "--open-mode=append"};
    job.options.insert(job.options.end(),
                       m_options.slurm.options.begin(),
                       m_options.slurm.options.end());
    return job;
}

/// Records points that were lost again and again as failed.
void
SlurmSweep::GiveUp(const std::vector<std::size_t>& points)
{
    for (const std::size_t i : points)
    {
        const PlannedPoint& planned = m_plan.GetPoints()[i];
        const Task task = m_tasks.at(planned.name);
        const fs::path log =
            GetRoundFolder(m_folder, task.first) / ("task-" + std::to_string(task.second) + ".log");
        const std::string reason =
            "its tasks were lost in Slurm again and again; see " + log.string();
        RecordFailure({kGivenUp, reason, m_losses[i], 0, {}},
                      planned,
                      m_descriptor,
                      m_options,
                      m_folder);
        ReportFailure(planned, reason);
        m_ended[i] = kGivenUp;
        m_missing.erase(i);
    }
}

void
SlurmSweep::ReportFailure(const PlannedPoint& planned, const std::string& reason)
{
    m_progress.Clear();
    std::cerr << m_folder.GetPointFolder(planned.name).string() << ": error: " << reason
              << std::endl;
}

/// Reports once that Slurm does not answer.
void
SlurmSweep::ReportTrouble()
{
    if (!m_isAway)
    {
        m_isAway = true;
        m_progress.Clear();
        std::cerr << "rails: Slurm does not answer; it is asked again: " << m_queue.GetTrouble()
                  << std::endl;
    }
}

/// Tells why no task runs, unless that is for a moment only, as from one task to the next. A task
/// may also begin and end between two looks: then its points have ended.
void
SlurmSweep::ReportWaiting(const std::vector<SlurmTask>& live)
{
    const auto waiting = std::find_if(live.begin(), live.end(), [](const SlurmTask& task) {
        return task.state == "PENDING" && !task.reason.empty() && task.reason != "None";
    });
    const std::size_t endedBefore = std::exchange(m_endedAtLook, m_ended.size());
    if (!m_running.empty() || waiting == live.end() || m_ended.size() > endedBefore)
    {
        m_idleSince.reset();
        m_reasons.clear();
        return;
    }
    constexpr std::chrono::seconds patience{10};
    m_idleSince = m_idleSince.value_or(Clock::now());
    if (Clock::now() - *m_idleSince >= patience && m_reasons.insert(waiting->reason).second)
    {
        m_progress.Clear();
        std::cerr << "rails: nothing runs; " << CountOf(live.size(), "task") << " in the queue, as "
                  << "Slurm says: " << waiting->reason << std::endl;
    }
}

/// Removes the names of this machine's folders from what stays of the rounds: their scripts, of
/// which Slurm has copies, and from their logs.
void
SlurmSweep::ForgetPlaces() const
{
    for (std::size_t round = 0; round < m_rounds; ++round)
    {
        std::error_code ignored;
        const fs::path folder = GetRoundFolder(m_folder, round);
        fs::remove(folder / "task.sh", ignored);
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        {
            if (entry.path().extension() != ".log")
            {
                continue;
            }
            std::ifstream log(entry.path());
            const std::string text{std::istreambuf_iterator<char>(log), {}};
            const std::string published = PublishText(text, m_folder.GetPath());
            if (log && published != text)
            {
                WriteFileAtOnce(entry.path(), published);
            }
        }
    }
}

int
SlurmSweep::Conclude()
{
    m_progress.Clear();
    ForgetPlaces();
    if (m_rounds > 0)
    {
        Past past = ReadPast(m_folder);
        past.rounds = m_rounds; // the next start runs again what failed here
        WritePast(m_folder, past);
    }
    int highest = 0;
    for (const auto& [i, status] : m_ended)
    {
        highest = std::max(highest, status);
    }
    return highest;
}

SweepStatus
SlurmSweep::GetStatus() const
{
    SweepStatus status;
    status.total = m_plan.GetPoints().size();
    for (const auto& [i, ended] : m_ended)
    {
        const bool isCached = !m_plan.GetPoints()[i].isToRun;
        status.cached += isCached ? 1 : 0;
        status.done += !isCached && ended == 0 ? 1 : 0;
        status.failed += !isCached && ended != 0 ? 1 : 0;
    }
    status.running = m_running.size();
    const std::size_t here = status.done + status.failed;
    const std::chrono::duration<double> elapsed = Clock::now() - m_begin;
    status.secondsToGo = here > 0 ? elapsed.count() * static_cast<double>(m_missing.size()) /
                                        static_cast<double>(here)
                                  : -1;
    return status;
}

} // namespace ns3::rails
