// SPDX-License-Identifier: GPL-2.0-only
#include "rails-runner.h"

#include "rails-interrupt-watch.h"
#include "rails-point-run.h"
#include "rails-sweep-plan.h"
#include "rails-sweep-run.h"
#include "slurm-sweep.h"
#include "sweep-lock.h"
#include "sweep-notes.h"

#include "ns3/printable-text.h"
#include "ns3/published-path.h"
#include "ns3/rails-component-library.h"
#include "ns3/rails-effective-config.h"
#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-index.h"
#include "ns3/rails-result-reader.h"
#include "ns3/rails-result-writer.h"
#include "ns3/rails-run-keys.h"
#include "ns3/rails-run-memory.h"
#include "ns3/rails-summary-table.h"
#include "ns3/rails-sweep-folder.h"
#include "ns3/rails-version.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr int kBadUsage = static_cast<int>(RunStatus::BadDescriptor);

void
PrintNotes(const SweepPlan& plan)
{
    for (const std::string& note : plan.GetNotes())
    {
        std::cout << note << std::endl;
    }
}

/// \return the expected duration of a run: its former duration, or a range for a new run
std::string
DescribeDuration(const PlannedPoint& planned)
{
    constexpr double off = 2; // range of nine of ten runs (bench/estimates.txt)
    const double seconds = planned.expectedSeconds;
    return planned.knownSeconds > 0
               ? "about " + FormatDuration(seconds)
               : FormatDuration(seconds / off) + " to " + FormatDuration(seconds * off);
}

/// \param name of what has one run only
void
PrintPlan(const SweepPlan& plan, const std::string& name, const RunOptions& options)
{
    const unsigned processes = options.isAlone ? 1 : options.processes;
    const uint64_t memory = FindMemoryLimit(options);
    for (const PlannedPoint& planned : plan.GetPoints())
    {
        std::cout << (planned.isToRun                        ? "run     "
                      : planned.state == PointState::Missing ? "missing "
                                                             : "cached  ")
                  << (planned.name.empty() ? name : planned.name);
        if (planned.isToRun)
        {
            std::cout << "  (" << DescribeDuration(planned);
            if (planned.size.memoryBytes > 0)
            {
                std::cout << ", " << FormatMemorySize(planned.size.memoryBytes);
            }
            const std::string lack = DescribeLack(planned.size, memory);
            std::cout << (lack.empty() ? "" : "; ") << lack << ")";
        }
        std::cout << '\n';
    }
    const std::size_t runs = plan.GetEstimator().GetRuns();
    std::cout << plan.GetOrder().size() << " of " << plan.GetPoints().size()
              << (plan.GetPoints().size() == 1 ? " point" : " points") << " would be run, in about "
              << FormatDuration(plan.GetExpectedSeconds(processes)) << " with " << processes
              << (processes == 1 ? " process" : " processes") << " (from "
              << (runs == 0 ? "a rough guess: there are no earlier runs to go by"
                            : std::to_string(runs) + (runs == 1 ? " earlier run" : " earlier runs"))
              << ")" << std::endl;
}

/// \return the result of a point that this sweep made or goes by; a discarded value without one
nlohmann::json
ReadOwnResult(const PlannedPoint& planned, const SweepFolder& folder)
{
    nlohmann::json json = ReadResultJson(folder.GetPointFolder(planned.name));
    // A run that failed leaves an earlier result as it was; that is not its own.
    const bool isOwn =
        !json.is_discarded() && (planned.isToRun ? json.value("key", "") == planned.key
                                                 : planned.state == PointState::Done ||
                                                       planned.state == PointState::OtherMaker);
    return isOwn ? json : nlohmann::json(nlohmann::json::value_t::discarded);
}

/// What a sweep ends with: a table, of long sweeps without the points that are well.
class SweepSummary
{
  public:
    SweepSummary(const Descriptor& descriptor, const SweepPlan& plan, const SweepFolder& folder)
        : m_sweep(descriptor.GetSweep()),
          m_folder(folder),
          m_points(plan.GetPoints().size()),
          m_topic(plan.GetPoints().front().isStudy ? SummaryTopic::Study : SummaryTopic::Traffic),
          m_leftOut(descriptor.GetLeftOut()),
          m_means(m_topic)
    {
        for (const PlannedPoint& planned : plan.GetPoints())
        {
            Add(planned);
        }
        for (const std::string& name : folder.ListEarlierPoints())
        {
            if (++m_earlier <= kLongest)
            {
                m_rows.push_back({name,
                                  ReadResultJson(folder.GetPointFolder(name)),
                                  "of an earlier sweep, not counted"});
            }
        }
    }

    void Print() const
    {
        PrintTable();
        std::cout << m_means.Format();
        std::cout << m_notes.Format(m_points);
        if (m_points > kLongest || m_done < m_points)
        {
            std::cout << m_points << " points: " << m_done << " done, " << m_points - m_done
                      << " failed or missing\n";
        }
        for (const Descriptor::LeftOut& left : m_leftOut)
        {
            std::cout << "left out: " << left.name << ": " << left.why << '\n';
        }
        if (m_skipped > 0)
        {
            std::cout << m_skipped << " of " << m_points
                      << " points had their result already (--force runs them again)\n";
        }
        for (const auto& [remark, count] : m_others)
        {
            std::cout << count << " of " << m_points << " points " << remark << '\n';
        }
        if (m_earlier > 0)
        {
            std::cout
                << m_earlier << (m_earlier == 1 ? " result" : " results")
                << " of an earlier sweep in the folder: not counted here, and in a report only "
                   "with --all\n";
        }
        std::cout << "results: " << m_folder.GetPath().string() << std::endl;
    }

  private:
    static constexpr std::size_t kLongest = 60;

    void Add(const PlannedPoint& planned)
    {
        nlohmann::json json = ReadOwnResult(planned, m_folder);
        const bool isOwn = !json.is_discarded();
        const bool isDone = isOwn && json.value("status", 0) == 0;
        m_done += isDone ? 1 : 0;
        m_skipped += isOwn && !planned.isToRun ? 1 : 0;
        const bool isOther = !planned.maker.empty();
        std::vector<SummaryBaseline> points;
        std::vector<SummaryBaseline> groups;
        for (const auto& [axis, label] : m_sweep.GetBaseline())
        {
            const auto found = m_sweep.FindBaselinePoint(planned.point, axis);
            const auto [name, group] = found.value_or(std::pair<std::string, std::string>());
            points.push_back({"over " + label, name});
            groups.push_back({"over " + label, group});
        }
        if (isOwn)
        {
            m_notes.Add(json.value("notes", nlohmann::json()));
        }
        m_means.Add(planned.group, json, isOther && !planned.isToRun, groups);
        if (isOther)
        {
            ++m_others[planned.isToRun
                           ? "were run again: they had been made by " + planned.maker
                           : "are by " + planned.maker + ", unlike the others: they were kept"];
        }
        const std::string remark =
            isOther ? (planned.isToRun ? "run again, was by " : "by ") + planned.maker : "";
        if (!isDone || m_points <= kLongest)
        {
            if (m_rows.size() < kLongest)
            {
                m_rows.push_back({planned.name, std::move(json), remark, std::move(points)});
            }
            else
            {
                ++m_more;
            }
        }
    }

    void PrintTable() const
    {
        if (!m_rows.empty())
        {
            std::cout << FormatSummary(m_rows, m_topic);
        }
        if (m_more > 0)
        {
            std::cout << "and " << m_more << " more without a good result\n";
        }
    }

    const Sweep& m_sweep;
    const SweepFolder& m_folder;
    std::size_t m_points;
    SummaryTopic m_topic;
    const std::vector<Descriptor::LeftOut>& m_leftOut;
    std::vector<SummaryRow> m_rows;
    SeedMeans m_means;
    SweepNotes m_notes;
    std::map<std::string, std::size_t> m_others; //!< points by what is said of their makers
    std::size_t m_done{0};
    std::size_t m_skipped{0};
    std::size_t m_more{0};    //!< rows that are not shown
    std::size_t m_earlier{0}; //!< points of an earlier sweep
};

/// \return what a sweep has to know when it is taken up again
nlohmann::json
DescribeOptions(const RunOptions& options, const SweepFolder& folder)
{
    std::vector<std::string> libraries;
    for (const std::string& library : options.libraries)
    {
        libraries.push_back(PublishPath(library, folder.GetPath()));
    }
    return {{"processes", options.processes},
            {"any_version", options.anyVersion},
            {"any_memory", options.anyMemory},
            {"where", options.where},
            {"time_limit_s", options.limits.seconds},
            {"memory_limit_bytes", options.limits.memoryBytes},
            {"retries", options.retries},
            {"libraries", libraries},
            {"slurm",
             {{"used", options.slurm.isUsed},
              {"partition", options.slurm.partition},
              {"options", options.slurm.options},
              {"at_once", options.slurm.atOnce},
              {"chunk_s", options.slurm.chunkSeconds}}}};
}

/// \return the options that a sweep was started with
/// \throws OutputError when one is none
RunOptions
ReadOptions(const SweepSnapshot& snapshot, const SweepFolder& folder)
{
    constexpr double mostProcesses = 4096;
    constexpr double mostRetries = 100;
    constexpr double longest = 1e12; // s
    constexpr double most = 1e18;
    const JsonMembers json(snapshot.options, folder.GetStateFolder() / "sweep.json");
    const JsonMembers slurm = json.GetMembers("slurm");
    RunOptions options;
    options.processes = json.GetNumber("processes", options.processes, 1, mostProcesses);
    options.anyVersion = json.GetFlag("any_version", false);
    options.anyMemory = json.GetFlag("any_memory", false);
    options.where = json.GetTexts("where");
    options.limits.seconds = json.GetNumber("time_limit_s", options.limits.seconds, 0, longest);
    options.limits.memoryBytes =
        json.GetNumber("memory_limit_bytes", options.limits.memoryBytes, 0, most);
    options.retries = json.GetNumber("retries", options.retries, 0, mostRetries);
    for (const std::string& library : json.GetTexts("libraries"))
    {
        options.libraries.push_back(ResolvePath(library, folder.GetPath()));
    }
    options.slurm.isUsed = slurm.GetFlag("used", false);
    options.slurm.partition = slurm.GetText("partition");
    options.slurm.options = slurm.GetTexts("options");
    options.slurm.atOnce = slurm.GetNumber("at_once", options.slurm.atOnce, 0, most);
    options.slurm.chunkSeconds = slurm.GetNumber("chunk_s", options.slurm.chunkSeconds, 0, longest);
    return options;
}

void
WriteSnapshot(const Descriptor& descriptor, const RunOptions& options, const SweepFolder& folder)
{
    SweepSnapshot snapshot = MakeSnapshot(descriptor.GetText());
    snapshot.name = descriptor.GetName();
    snapshot.points = descriptor.GetPointCount();
    snapshot.options = DescribeOptions(options, folder);
    snapshot.baseline = descriptor.GetSweep().GetBaseline();
    folder.WriteSnapshot(snapshot);
}

/// \return the names of the points that belong into the folder of a sweep
std::vector<std::string>
ListPoints(const Descriptor& descriptor, const RunOptions& options)
{
    std::vector<std::string> names;
    for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
    {
        names.push_back(descriptor.GetPointName(point));
    }
    return options.allPoints.empty() ? names : options.allPoints;
}

/// \return true when all points of the sweep in the folder keep their names, which collecting
/// processes and tasks rely on
bool
KeepsNames(const Descriptor& descriptor, const RunOptions& options, const SweepFolder& folder)
{
    const std::vector<std::string> names = ListPoints(descriptor, options);
    const std::set<std::string> own(names.begin(), names.end());
    const std::vector<std::string> former = folder.ReadPoints();
    return std::all_of(former.begin(), former.end(), [&own](const std::string& name) {
        return own.count(name) > 0;
    });
}

/// Gives points that were run under other labels the names and labels that they have now.
void
BringNamesUpToDate(const SweepPlan& plan, const SweepFolder& folder)
{
    folder.Rename(plan.GetRenames());
    for (const PlannedPoint& planned : plan.GetPoints())
    {
        if (!planned.names.is_null())
        {
            folder.WriteNames(planned.name, planned.names);
        }
    }
}

/// \return how large the points of a plan are, as far as anybody has asked
std::map<std::string, RunSize>
ListSizes(const SweepPlan& plan)
{
    std::map<std::string, RunSize> sizes;
    for (const PlannedPoint& planned : plan.GetPoints())
    {
        if (planned.size.seconds > 0)
        {
            sizes[planned.name] = planned.size;
        }
    }
    return sizes;
}

int
RunSweep(const Descriptor& descriptor, const RunOptions& options, const RunHooks& hooks)
{
    const SweepFolder folder(options.folder);
    const SweepPlan plan(descriptor, options, folder, hooks.size);
    folder.CheckKind(plan.GetPoints().front().isStudy ? ExperimentKind::ExpertStudy
                                                      : ExperimentKind::Simulation);
    PrintNotes(plan);
    if (options.slurm.isUsed && !options.policies.empty())
    {
        throw PlanError(
            "--policy-command: error: not with --launcher slurm: the command is kept in "
            "no folder, so that tasks of a cluster do not have it");
    }
    if (options.dryRun)
    {
        PrintPlan(plan, descriptor.GetName(), options);
        return 0;
    }
    folder.Prepare();
    const bool isShared = options.slurm.isUsed && plan.GetRenames().empty() &&
                          KeepsNames(descriptor, options, folder);
    const SweepLock lock(folder, isShared);
    BringNamesUpToDate(plan, folder);
    WriteSnapshot(descriptor, options, folder);
    folder.WritePoints(ListPoints(descriptor, options));
    folder.WriteSizes(ListSizes(plan));
    const int status = options.slurm.isUsed
                           ? SlurmSweep(descriptor, options, folder, plan).Run()
                           : SweepRun(descriptor, options, hooks, folder, plan).Run();
    SweepSummary(descriptor, plan, folder).Print();
    ResultIndex(folder.GetPath()).WriteDatabase();
    return status;
}

/// Runs what has been planned in this process.
int
RunHere(const Descriptor& descriptor,
        const PlannedPoint& planned,
        const PointTarget& target,
        const RunOptions& options,
        const RunHooks& hooks)
{
    PointOutcome outcome;
    {
        ProgressLine line;
        const InterruptWatch watch([&](const char* signal) {
            OutputFolder::RemovePartial(target.folder);
            std::cerr << (line.IsShown() ? "\n" : "") << "rails: interrupted (" << signal
                      << "); nothing of this run is left, " << target.folder.string()
                      << " is as it was before; the same command starts "
                      << "again" << std::endl;
        });
        outcome = RunPoint(descriptor,
                           planned.point,
                           target,
                           LimitMemory(GivePrograms(hooks.simulate, options), hooks.size, options),
                           [&](const RunProgress& progress) { line.Show(progress); });
    }
    const nlohmann::json json = ReadResultJson(target.folder);
    if (outcome.status != kBadUsage && !json.is_discarded() && json.value("key", "") == target.key)
    {
        for (const auto& note : json.value("notes", std::vector<std::string>()))
        {
            std::cout << MakeOneLine(note) << '\n';
        }
        const std::string& name = planned.name.empty() ? descriptor.GetName() : planned.name;
        std::cout << FormatSummary({{name, json, ""}}) << "result: " << target.folder.string()
                  << std::endl;
    }
    return outcome.status;
}

/// Runs an experiment without a sweep, or one point of a sweep, in this process.
int
RunAlone(const Descriptor& descriptor, const RunOptions& options, const RunHooks& hooks)
{
    const SweepFolder folder = SweepFolder::OfOneRun(options.folder);
    const SweepPlan plan(descriptor, options, folder, options.dryRun ? hooks.size : nullptr);
    const PlannedPoint& planned = plan.GetPoints().front();
    // A single run reports an existing result; a sweep continues with it.
    const bool goesOn = options.skipsWhole || options.onlyFailed;
    const bool replaces = options.force || goesOn;
    if (replaces || options.anyVersion)
    {
        PrintNotes(plan);
    }
    if (options.dryRun)
    {
        OutputFolder::Check(options.folder, replaces);
        PrintPlan(plan, descriptor.GetName(), options);
        return 0;
    }
    if (!planned.isToRun && (goesOn || planned.state == PointState::OtherMaker))
    {
        const bool hasFailed = planned.status != 0;
        std::cout << options.folder << ": "
                  << (planned.state == PointState::Missing ? "nothing has failed (--only-failed)"
                      : hasFailed ? "has its result already, which ended with status " +
                                        std::to_string(planned.status) + " (--force runs it again)"
                                  : "has its result already (--force runs it again)")
                  << std::endl;
        return planned.status;
    }
    const PointTarget target{options.folder, planned.key, planned.version, replaces};
    return RunHere(descriptor, planned, target, options, hooks);
}

/// Settings in the folder of a sweep that must come from the user: programs to run and files to
/// read.
class FolderDemands
{
  public:
    explicit FolderDemands(const ResumedSweep& sweep)
        : m_sweep(sweep)
    {
    }

    /// Gives the options of a folder what the user gave in their place.
    void Replace(RunOptions& options)
    {
        const RunOptions& given = m_sweep.given;
        options.policies = given.policies;
        const std::vector<std::string> named = std::exchange(options.libraries, given.libraries);
        for (const std::string& library : named)
        {
            const bool isGiven =
                std::any_of(given.libraries.begin(),
                            given.libraries.end(),
                            [&](const std::string& other) {
                                return MakeLibraryName(other) == MakeLibraryName(library);
                            });
            if (!isGiven)
            {
                Add("library " + std::filesystem::absolute(library).lexically_normal().string());
                m_lacksLibraries = true;
                options.libraries.push_back(library);
            }
        }
        ReplaceLauncher(options.slurm);
    }

    /// \return true when a descriptor may have components that the user has not given
    bool LacksLibraries() const
    {
        return m_lacksLibraries;
    }

    /// Takes the files of an experiment that are not in the folder into account.
    void AddFiles(const Experiment& experiment)
    {
        namespace fs = std::filesystem;
        const fs::path folder = fs::weakly_canonical(m_sweep.folder + "/.").lexically_normal();
        for (const std::string& file : FindInputFiles(experiment))
        {
            const fs::path inside = fs::weakly_canonical(file).lexically_relative(folder);
            if (inside.empty() || *inside.begin() == ".." || inside == ".")
            {
                Add("file " + file);
            }
        }
    }

    bool IsEmpty() const
    {
        return m_demands.empty();
    }

    /// Prints the settings taken from the folder that were not printed before.
    /// \throws PlanError when the user does not trust the folder
    void Settle()
    {
        if (!m_sweep.isTrusted && !m_demands.empty())
        {
            std::string text = m_sweep.folder + ": error: the folder names what only you may:";
            for (const std::string& demand : m_demands)
            {
                text += "\n  " + MakeOneLine(demand);
            }
            throw PlanError(text + "\ngive it yourself (--with LIB, --launcher slurm ...), or give "
                                   "--trust to take all of this from the folder; a sweep that is "
                                   "started from its descriptor needs neither");
        }
        for (; m_told < m_demands.size(); ++m_told)
        {
            std::cerr << m_sweep.folder
                      << ": taken from the folder (--trust): " << MakeOneLine(m_demands[m_told])
                      << std::endl;
        }
    }

  private:
    void Add(const std::string& demand)
    {
        if (std::find(m_demands.begin(), m_demands.end(), demand) == m_demands.end())
        {
            m_demands.push_back(demand);
        }
    }

    bool IsGiven(const std::string& option) const
    {
        const std::vector<std::string>& given = m_sweep.given.processOptions;
        return std::find(given.begin(), given.end(), option) != given.end();
    }

    /// A launcher that the user names comes with the options that the user gives it.
    void ReplaceLauncher(SlurmOptions& slurm)
    {
        const SlurmOptions& given = m_sweep.given.slurm;
        std::string named = slurm.isUsed ? "launcher slurm" : "";
        if (IsGiven("--launcher"))
        {
            named = "";
            slurm.isUsed = given.isUsed;
        }
        const auto replace = [&](const char* option, auto& value, const auto& other) {
            if (IsGiven(option) || (IsGiven("--launcher") && !m_sweep.isTrusted))
            {
                value = other;
            }
        };
        replace("--partition", slurm.partition, given.partition);
        replace("--slurm-option", slurm.options, given.options);
        slurm.atOnce = IsGiven("--at-once") ? given.atOnce : slurm.atOnce;
        slurm.chunkSeconds = IsGiven("--chunk-time") ? given.chunkSeconds : slurm.chunkSeconds;
        const bool isOfFolder = slurm.isUsed && (!named.empty() || m_sweep.isTrusted);
        if (isOfFolder && !slurm.partition.empty() && !IsGiven("--partition"))
        {
            named += (named.empty() ? "" : " ") + ("--partition " + slurm.partition);
        }
        for (const std::string& option : slurm.options)
        {
            if (isOfFolder && !IsGiven("--slurm-option"))
            {
                named += (named.empty() ? "" : " ") + ("--slurm-option=" + option);
            }
        }
        if (!named.empty())
        {
            Add(named);
        }
    }

    const ResumedSweep& m_sweep;
    std::vector<std::string> m_demands;
    std::size_t m_told{0};
    bool m_lacksLibraries{false};
};

} // namespace

int
RunTask(const SweepTask& task, const RunOptions& options, const RunHooks& hooks)
{
    const SweepFolder folder(task.folder);
    const SweepSnapshot snapshot = folder.ReadSnapshot();
    if (snapshot.program != GetVersionInfo().program)
    {
        throw PlanError(task.folder + ": error: rails was built again since the sweep was started; "
                                      "start the sweep again");
    }
    if (snapshot.Hash() != task.snapshot)
    {
        throw PlanError(task.folder + ": error: the folder is of another sweep than this task was "
                                      "submitted for; start the sweep again");
    }
    const Descriptor descriptor =
        Descriptor::FromText(snapshot.text, snapshot.source, snapshot.sets);
    RunOptions own = options;
    own.points = SlurmSweep::ReadTask(folder, task.round, task.task);
    own.onlyMissing = true;
    own.command = MakeRunCommand(snapshot, options.libraries);
    const SweepPlan plan(descriptor, own, folder, hooks.size);
    const int status = SweepRun(descriptor, own, hooks, folder, plan).Run();
    return status > static_cast<int>(RunStatus::InvariantBroken) ? status : 0;
}

int
ResumeSweep(const ResumedSweep& sweep, const ExperimentCheck& check, const RunHooks& hooks)
{
    const SweepFolder folder(sweep.folder);
    const SweepSnapshot snapshot = folder.ReadSnapshot();
    RunOptions options = ReadOptions(snapshot, folder);
    FolderDemands demands(sweep);
    demands.Replace(options);
    if (demands.LacksLibraries()) // without them the descriptor cannot be read
    {
        demands.Settle();
    }
    for (const std::string& library : options.libraries)
    {
        LoadComponents(library);
    }
    const Descriptor descriptor = Descriptor::FromText(
        snapshot.text,
        snapshot.source,
        snapshot.sets,
        [&](const Experiment& experiment) -> std::vector<ExperimentWarning> {
            demands.AddFiles(experiment); // before anything reads them
            const bool isChecked = check && (sweep.isTrusted || demands.IsEmpty());
            return isChecked ? check(experiment) : std::vector<ExperimentWarning>();
        });
    demands.Settle();
    options.folder = sweep.folder;
    options.allPoints = folder.ReadPoints();
    options.points = options.allPoints; // without those that were left out
    options.command = MakeRunCommand(snapshot, options.libraries);
    return RunDescriptor(descriptor, options, hooks);
}

void
CancelSweep(const std::string& folder)
{
    SweepFolder(folder).ReadSnapshot(); // is there a sweep in it?
    SlurmSweep::Cancel(SweepFolder(folder));
}

void
CheckRunOptions(const Descriptor& descriptor, const RunOptions& options)
{
    if (descriptor.IsSweep() && !options.isAlone)
    {
        return;
    }
    if (!options.processOptions.empty())
    {
        throw PlanError(options.processOptions.front() +
                        ": error: this is for the processes of a sweep; " +
                        (descriptor.IsSweep() ? "--point runs in this process"
                                              : "the descriptor has no sweep"));
    }
    if (!descriptor.IsSweep() && !options.points.empty())
    {
        throw PlanError("--point " + options.points.front() +
                        ": error: the descriptor has no sweep");
    }
}

int
RunDescriptor(const Descriptor& descriptor, const RunOptions& options, const RunHooks& hooks)
{
    try
    {
        return CallWithPaths([&] {
            CheckRunOptions(descriptor, options);
            return descriptor.IsSweep() && !options.isAlone ? RunSweep(descriptor, options, hooks)
                                                            : RunAlone(descriptor, options, hooks);
        });
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

} // namespace ns3::rails
