// SPDX-License-Identifier: GPL-2.0-only
#include "rails-runner.h"

#include "rails-point-run.h"
#include "rails-result-index.h"
#include "rails-run-keys.h"
#include "rails-summary-table.h"
#include "rails-sweep-folder.h"
#include "rails-sweep-plan.h"
#include "rails-sweep-run.h"
#include "slurm-sweep.h"

#include "ns3/rails-component-library.h"
#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-writer.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

namespace ns3::rails
{

namespace
{

constexpr int kBadUsage = static_cast<int>(RunStatus::BadDescriptor);

int
RunSingle(const Descriptor& descriptor, const RunOptions& options, const RunHooks& hooks)
{
    const std::string key = RunKeys().Compute(descriptor.MakeExperiment(0));
    const std::optional<int> status =
        options.skipsWhole && !options.force ? FindResultStatus(options.folder, key) : std::nullopt;
    if (status)
    {
        std::cout << options.folder << ": has its result already (--force runs it again)"
                  << std::endl;
        return *status;
    }
    PointOutcome outcome;
    {
        ProgressLine line;
        outcome = RunPoint(descriptor,
                           0,
                           {options.folder, key, options.force},
                           hooks.scenario,
                           [&](const RunProgress& progress) { line.Show(progress); });
    }
    const nlohmann::json json = ReadResultJson(options.folder);
    if (outcome.status != kBadUsage && !json.is_discarded())
    {
        for (const auto& note : json.value("notes", std::vector<std::string>()))
        {
            std::cout << note << '\n';
        }
        std::cout << FormatSummary({{descriptor.GetName(), json}}) << "result: " << options.folder
                  << std::endl;
    }
    return outcome.status;
}

/// Runs one point of a sweep in this process, which a record of its failure asks for.
int
RunPointAlone(const Descriptor& descriptor, const RunOptions& options, const RunHooks& hooks)
{
    for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
    {
        if (descriptor.GetPointName(point) == options.points.front())
        {
            const std::string key = RunKeys().Compute(descriptor.MakeExperiment(point));
            return RunPoint(descriptor,
                            point,
                            {options.folder, key, options.force},
                            hooks.scenario,
                            nullptr)
                .status;
        }
    }
    std::cerr << "--point " << options.points.front() << ": error: the sweep has no such point"
              << std::endl;
    return kBadUsage;
}

void
PrintPlan(const SweepPlan& plan, unsigned processes)
{
    for (const PlannedPoint& planned : plan.GetPoints())
    {
        std::cout << (planned.isToRun ? "run     " : "cached  ") << planned.name;
        if (planned.isToRun)
        {
            std::cout << "  (about " << FormatDuration(planned.expectedSeconds) << ")";
        }
        std::cout << '\n';
    }
    const std::size_t runs = plan.GetEstimator().GetRuns();
    std::cout << plan.GetOrder().size() << " of " << plan.GetPoints().size()
              << " points would be run, in about "
              << FormatDuration(plan.GetExpectedSeconds(processes)) << " with " << processes
              << (processes == 1 ? " process" : " processes") << " (from "
              << (runs == 0 ? "a rough guess: there are no earlier runs to go by"
                            : std::to_string(runs) + " earlier runs")
              << ")" << std::endl;
}

/// What a sweep ends with: a table, of long sweeps without the points that are well.
void
PrintSummary(const SweepPlan& plan, const SweepFolder& folder)
{
    constexpr std::size_t longest = 60;
    const bool isLong = plan.GetPoints().size() > longest;
    std::vector<SummaryRow> rows;
    std::size_t done = 0;
    std::size_t skipped = 0;
    for (const PlannedPoint& planned : plan.GetPoints())
    {
        nlohmann::json json = ReadResultJson(folder.GetPointFolder(planned.name));
        const bool isOwn =
            !json.is_discarded() && (!planned.isToRun || json.value("key", "") == planned.key);
        const bool isDone = isOwn && json.value("status", 0) == 0;
        done += isDone ? 1 : 0;
        skipped += isOwn && !planned.isToRun ? 1 : 0;
        if (!isDone || !isLong)
        {
            // A run that failed leaves an earlier result as it was; that is not its own.
            rows.emplace_back(planned.name,
                              isOwn ? std::move(json)
                                    : nlohmann::json(nlohmann::json::value_t::discarded));
        }
    }
    const std::size_t failed = plan.GetPoints().size() - done;
    if (!rows.empty())
    {
        std::cout << FormatSummary(
            {rows.begin(),
             rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), longest))});
    }
    if (rows.size() > longest)
    {
        std::cout << "and " << rows.size() - longest << " more without a good result\n";
    }
    if (isLong || failed > 0)
    {
        std::cout << plan.GetPoints().size() << " points: " << done << " done, " << failed
                  << " failed or missing\n";
    }
    if (skipped > 0)
    {
        std::cout << skipped << " of " << plan.GetPoints().size()
                  << " points had their result already (--force runs them again)\n";
    }
    std::cout << "results: " << folder.GetPath().string() << std::endl;
}

/// \return what a sweep has to know when it is taken up again
nlohmann::json
DescribeOptions(const RunOptions& options)
{
    return {{"processes", options.processes},
            {"any_version", options.anyVersion},
            {"where", options.where},
            {"time_limit_s", options.limits.seconds},
            {"memory_limit_bytes", options.limits.memoryBytes},
            {"retries", options.retries},
            {"libraries", options.libraries},
            {"command", options.command},
            {"slurm",
             {{"used", options.slurm.isUsed},
              {"partition", options.slurm.partition},
              {"options", options.slurm.options},
              {"at_once", options.slurm.atOnce},
              {"chunk_s", options.slurm.chunkSeconds}}}};
}

RunOptions
ReadOptions(const nlohmann::json& json)
{
    const nlohmann::json slurm = json.value("slurm", nlohmann::json::object());
    RunOptions options;
    options.processes = json.value("processes", options.processes);
    options.anyVersion = json.value("any_version", false);
    options.where = json.value("where", options.where);
    options.limits.seconds = json.value("time_limit_s", options.limits.seconds);
    options.limits.memoryBytes = json.value("memory_limit_bytes", options.limits.memoryBytes);
    options.retries = json.value("retries", options.retries);
    options.libraries = json.value("libraries", options.libraries);
    options.command = json.value("command", options.command);
    options.slurm.isUsed = slurm.value("used", false);
    options.slurm.partition = slurm.value("partition", "");
    options.slurm.options = slurm.value("options", options.slurm.options);
    options.slurm.atOnce = slurm.value("at_once", options.slurm.atOnce);
    options.slurm.chunkSeconds = slurm.value("chunk_s", options.slurm.chunkSeconds);
    return options;
}

void
WriteSnapshot(const Descriptor& descriptor, const RunOptions& options, const SweepFolder& folder)
{
    const DescriptorText& text = descriptor.GetText();
    folder.WriteSnapshot({std::filesystem::absolute(text.source).string(),
                          text.text,
                          text.sets,
                          descriptor.GetName(),
                          descriptor.GetPointCount(),
                          DescribeOptions(options)});
}

int
RunSweep(const Descriptor& descriptor, const RunOptions& options, const RunHooks& hooks)
{
    const SweepFolder folder(options.folder);
    try
    {
        const SweepPlan plan(descriptor, options, folder, hooks.size);
        for (const std::string& note : plan.GetNotes())
        {
            std::cout << note << std::endl;
        }
        if (options.dryRun)
        {
            PrintPlan(plan, options.processes);
            return 0;
        }
        folder.Prepare();
        WriteSnapshot(descriptor, options, folder);
        const int status = options.slurm.isUsed
                               ? SlurmSweep(descriptor, options, folder, plan).Run()
                               : SweepRun(descriptor, options, hooks, folder, plan).Run();
        PrintSummary(plan, folder);
        ResultIndex(folder.GetPath()).WriteDatabase();
        return status;
    }
    catch (const PlanError& error)
    {
        std::cerr << error.what() << std::endl;
        return kBadUsage;
    }
    catch (const SlurmError& error)
    {
        std::cerr << error.what() << std::endl;
        return kBadUsage;
    }
    catch (const OutputError& error)
    {
        std::cerr << error.what() << std::endl;
        return error.IsDiskFull() ? static_cast<int>(RunStatus::NotFinished) : kBadUsage;
    }
}

/// \return the options that a sweep was started with, after its components have been loaded
RunOptions
RestoreOptions(const SweepSnapshot& snapshot)
{
    RunOptions options = ReadOptions(snapshot.options);
    for (const std::string& library : options.libraries)
    {
        LoadComponents(library);
    }
    return options;
}

} // namespace

int
RunTask(const SweepTask& task, const RunOptions& options, const RunHooks& hooks)
{
    const SweepFolder folder(task.folder);
    const SweepSnapshot snapshot = folder.ReadSnapshot();
    const RunOptions former = RestoreOptions(snapshot);
    const Descriptor descriptor =
        Descriptor::FromText(snapshot.text, snapshot.source, snapshot.sets);
    RunOptions own = options;
    own.points = SlurmSweep::ReadTask(folder, task.round, task.task);
    own.onlyMissing = true;
    own.libraries = former.libraries;
    own.command = former.command;
    const SweepPlan plan(descriptor, own, folder, hooks.size);
    const int status = SweepRun(descriptor, own, hooks, folder, plan).Run();
    return status > static_cast<int>(RunStatus::InvariantBroken) ? status : 0;
}

int
ResumeSweep(const std::string& folder, const RunHooks& hooks)
{
    const SweepSnapshot snapshot = SweepFolder(folder).ReadSnapshot();
    RunOptions options = RestoreOptions(snapshot);
    options.folder = folder;
    // It was checked when it was started.
    return RunDescriptor(Descriptor::FromText(snapshot.text, snapshot.source, snapshot.sets),
                         options,
                         hooks);
}

int
CancelSweep(const std::string& folder)
{
    try
    {
        SweepFolder(folder).ReadSnapshot();
        SlurmSweep::Cancel(SweepFolder(folder));
        return 0;
    }
    catch (const std::runtime_error& error)
    {
        std::cerr << error.what() << std::endl;
        return kBadUsage;
    }
}

int
RunDescriptor(const Descriptor& descriptor, const RunOptions& options, const RunHooks& hooks)
{
    if (!descriptor.IsSweep())
    {
        return RunSingle(descriptor, options, hooks);
    }
    return options.isAlone ? RunPointAlone(descriptor, options, hooks)
                           : RunSweep(descriptor, options, hooks);
}

} // namespace ns3::rails
