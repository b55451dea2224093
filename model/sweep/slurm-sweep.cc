// SPDX-License-Identifier: GPL-2.0-only
#include "slurm-sweep.h"

#include "rails-shell-word.h"

#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-writer.h"
#include "ns3/rails-sha256.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <ios>
#include <iostream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unistd.h>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;
constexpr int kNotFinished = static_cast<int>(RunStatus::NotFinished);

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

/// \return the points of each task of a job array; null when there is no such array
nlohmann::json
ReadRound(const SweepFolder& folder, std::size_t round)
{
    std::ifstream file(GetRoundFolder(folder, round) / "tasks.json", std::ios::binary);
    nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    return json.is_array() ? json : nlohmann::json();
}

} // namespace

SlurmSweep::SlurmSweep(const RunOptions& options, const SweepFolder& folder, const SweepPlan& plan)
    : m_options(options),
      m_folder(folder),
      m_plan(plan),
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
    FindRounds();
    ProcessPool pool; // without processes: it tells when this one is asked to end
    for (;;)
    {
        Collect();
        if (m_missing.empty())
        {
            return Conclude();
        }
        Look();
        m_progress.Show([this] { return GetStatus(); });
        pool.Wait(std::chrono::milliseconds(m_options.slurm.pollMilliseconds));
        if (const int signal = pool.GetInterrupt())
        {
            m_progress.Clear();
            const std::string place = QuoteForShell(m_folder.GetPath().string());
            std::cerr << "rails: interrupted (" << strsignal(signal)
                      << "); the tasks go on. 'rails sweep --resume " << place
                      << "' collects them, 'rails sweep --cancel " << place << "' ends them"
                      << std::endl;
            constexpr int base = 128;
            return base + signal;
        }
    }
}

void
SlurmSweep::Cancel(const SweepFolder& folder)
{
    SlurmQueue queue;
    if (!queue.Cancel(GetJobName(folder)))
    {
        throw SlurmError("Slurm did not answer, and nothing was cancelled: " + queue.GetTrouble());
    }
}

std::vector<std::string>
SlurmSweep::ReadTask(const SweepFolder& folder, std::size_t round, std::size_t task)
{
    const nlohmann::json tasks = ReadRound(folder, round);
    if (!tasks.is_array() || task >= tasks.size())
    {
        throw OutputError(GetRoundFolder(folder, round), "there is no such task of a sweep");
    }
    return tasks[task].get<std::vector<std::string>>();
}

/// Finds out what was submitted before.
void
SlurmSweep::FindRounds()
{
    for (;; ++m_rounds)
    {
        const nlohmann::json tasks = ReadRound(m_folder, m_rounds);
        if (!tasks.is_array())
        {
            return;
        }
        for (std::size_t task = 0; task < tasks.size(); ++task)
        {
            for (const std::string name : tasks[task])
            {
                m_tasks[name] = {m_rounds, task};
            }
        }
    }
}

/// Looks for points that have ended.
void
SlurmSweep::Collect()
{
    for (auto it = m_missing.begin(); it != m_missing.end();)
    {
        const PlannedPoint& planned = m_plan.GetPoints()[*it];
        const std::optional<int> status = m_folder.FindEnd(planned.name, planned.key);
        // What was there before is not what was asked for.
        if (!status || m_tasks.count(planned.name) == 0)
        {
            ++it;
            continue;
        }
        m_ended[*it] = *status;
        m_fruitless = 0;
        it = m_missing.erase(it);
    }
}

/// Looks into the queue, and submits what is not there.
void
SlurmSweep::Look()
{
    const auto live = m_queue.FindLive(GetJobName(m_folder));
    if (!live)
    {
        if (m_queue.GetTrouble() != m_trouble)
        {
            m_trouble = m_queue.GetTrouble();
            m_progress.Clear();
            std::cerr << "rails: Slurm does not answer; it is asked again: " << m_trouble
                      << std::endl;
        }
        return;
    }
    std::set<Task> alive;
    m_running.clear();
    for (const SlurmTask& task : *live)
    {
        const std::size_t round = std::stoul(task.name.substr(task.name.rfind('-') + 1));
        alive.emplace(round, task.index);
        if (task.state == "RUNNING")
        {
            m_running.emplace(round, task.index);
        }
    }
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
        else if (alive.count(task->second) > 0)
        {
            m_unseen[i] = 0;
        }
        else if (++m_unseen[i] >= patience)
        {
            lost.push_back(i);
        }
    }
    if (!lost.empty())
    {
        Submit(lost);
    }
}

void
SlurmSweep::Submit(const std::vector<std::size_t>& lost)
{
    const bool isFirst = m_tasks.empty();
    constexpr unsigned most = 3;
    if (++m_fruitless > most)
    {
        GiveUp(lost);
        return;
    }
    const auto largest = m_queue.GetLargestArray();
    if (!largest)
    {
        return; // nobody answers; later
    }
    const std::size_t round = m_rounds;
    const std::vector<std::vector<std::size_t>> all = MakeChunks(lost);
    const std::vector<std::vector<std::size_t>> chunks(
        all.begin(),
        all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), *largest)));
    for (const std::vector<std::size_t>& chunk : chunks)
    {
        for (const std::size_t i : chunk)
        {
            m_folder.Forget(m_plan.GetPoints()[i].name, m_plan.GetPoints()[i].key);
        }
    }
    WriteRound(round, chunks);
    SlurmJob job;
    job.name = GetJobName(m_folder) + std::to_string(round);
    job.script = GetRoundFolder(m_folder, round) / "task.sh";
    job.tasks = chunks.size();
    job.atOnce = m_options.slurm.atOnce;
    job.folder = GetRoundFolder(m_folder, round);
    job.output = (job.folder / "task-%a.log").string();
    job.partition = m_options.slurm.partition;
    // Tasks of a node that fails come back by themselves.
    job.options = {"--cpus-per-task=" + std::to_string(m_options.processes),
                   "--requeue",
                   "--open-mode=append"};
    job.options.insert(job.options.end(),
                       m_options.slurm.options.begin(),
                       m_options.slurm.options.end());
    const std::optional<std::string> id = m_queue.Submit(job);
    ++m_rounds;
    std::size_t points = 0;
    for (std::size_t task = 0; task < chunks.size(); ++task)
    {
        for (const std::size_t i : chunks[task])
        {
            m_tasks[m_plan.GetPoints()[i].name] = {round, task};
            m_unseen[i] = 0;
            ++points;
        }
    }
    m_progress.Clear();
    std::cerr << "rails: " << points << (points == 1 ? " point" : " points")
              << (isFirst ? "" : " whose tasks were lost") << " submitted in " << chunks.size()
              << (chunks.size() == 1 ? " task" : " tasks") << " of job "
              << (id ? *id : "(Slurm did not answer) " + job.name) << std::endl;
}

/// Divides points into tasks that take about as long as they are to, each the same.
std::vector<std::vector<std::size_t>>
SlurmSweep::MakeChunks(const std::vector<std::size_t>& points)
{
    const std::vector<PlannedPoint>& planned = m_plan.GetPoints();
    std::vector<std::size_t> order = points;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
        return planned[left].expectedSeconds > planned[right].expectedSeconds;
    });
    double total = 0;
    for (const std::size_t i : order)
    {
        total += planned[i].expectedSeconds;
    }
    const double seconds = m_options.slurm.chunkSeconds * m_options.processes;
    const std::size_t largest = m_queue.GetLargestArray().value_or(1);
    const auto wanted = static_cast<std::size_t>(std::ceil(total / seconds));
    const std::size_t tasks = std::clamp<std::size_t>(wanted, 1, std::min(largest, order.size()));
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

void
SlurmSweep::WriteRound(std::size_t round, const std::vector<std::vector<std::size_t>>& chunks) const
{
    const fs::path folder = GetRoundFolder(m_folder, round);
    std::error_code error;
    fs::create_directories(folder, error);
    nlohmann::json tasks = nlohmann::json::array();
    for (const std::vector<std::size_t>& chunk : chunks)
    {
        tasks.push_back(nlohmann::json::array());
        for (const std::size_t i : chunk)
        {
            tasks.back().push_back(m_plan.GetPoints()[i].name);
        }
    }
    std::string script =
        "#!/bin/sh\nexec " + QuoteForShell(fs::read_symlink("/proc/self/exe").string()) + " work " +
        QuoteForShell(fs::absolute(m_folder.GetPath()).string()) + " --round " +
        std::to_string(round) + " --task \"$SLURM_ARRAY_TASK_ID\" -j " +
        std::to_string(m_options.processes) + " --retries " + std::to_string(m_options.retries) +
        " --time-limit " + std::to_string(m_options.limits.seconds) + "s";
    if (m_options.limits.memoryBytes > 0)
    {
        script += " --memory-limit " + std::to_string(m_options.limits.memoryBytes) + "B";
    }
    WriteFileAtOnce(folder / "task.sh", script + "\n");
    fs::permissions(folder / "task.sh", fs::perms::owner_exec, fs::perm_options::add);
    // Last: with it the round counts.
    WriteFileAtOnce(folder / "tasks.json", tasks.dump() + "\n");
}

/// Records points that were lost again and again as failed.
void
SlurmSweep::GiveUp(const std::vector<std::size_t>& lost)
{
    for (const std::size_t i : lost)
    {
        const PlannedPoint& planned = m_plan.GetPoints()[i];
        const Task task = m_tasks.at(planned.name);
        const fs::path log =
            GetRoundFolder(m_folder, task.first) / ("task-" + std::to_string(task.second) + ".log");
        nlohmann::ordered_json json;
        json["point"] = planned.name;
        json["key"] = planned.key;
        json["status"] = kNotFinished;
        json["reason"] = "its tasks were lost in Slurm again and again; see " + log.string();
        json["attempts"] = m_rounds;
        json["command"] =
            m_options.command + " --point " + QuoteForShell(planned.name) + " --out " +
            QuoteForShell(fs::absolute(m_folder.GetPointFolder(planned.name)).string()) +
            " --force";
        json["last_lines"] = nlohmann::json::array();
        m_folder.WriteFailure(planned.name, json);
    }
}

int
SlurmSweep::Conclude()
{
    m_progress.Clear();
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
