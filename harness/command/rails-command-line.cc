// SPDX-License-Identifier: GPL-2.0-only
#include "rails-command-line.h"

#include "rails-command-options.h"

#include "ns3/component-registry.h"
#include "ns3/nstime.h"
#include "ns3/policy-process.h"
#include "ns3/printable-text.h"
#include "ns3/rails-catalogue.h"
#include "ns3/rails-component-library.h"
#include "ns3/rails-effective-config.h"
#include "ns3/rails-error.h"
#include "ns3/rails-explanation-table.h"
#include "ns3/rails-fabric-prices.h"
#include "ns3/rails-json-schema.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-output-folder.h"
#include "ns3/rails-point-filter.h"
#include "ns3/rails-result-index.h"
#include "ns3/rails-result-reader.h"
#include "ns3/rails-run-memory.h"
#include "ns3/rails-starter-descriptor.h"
#include "ns3/rails-sweep-folder.h"
#include "ns3/rails-version.h"
#include "ns3/slurm-queue.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr int kBadUsage = static_cast<int>(RunStatus::BadDescriptor);

using Words = std::vector<std::string>;

/// What the user says of a sweep that is taken up, since its folder may be anybody's.
const std::set<std::string> kOptionsOfResume{"--trust",
                                             "--with",
                                             "--policy-command",
                                             "--launcher",
                                             "--partition",
                                             "--slurm-option",
                                             "--at-once",
                                             "--chunk-time"};

/**
 * Prints what a command is there for.
 * \throws OutputError when it cannot be written
 */
void
PrintText(const std::string& text)
{
    errno = 0;
    std::cout << text << std::flush;
    if (!std::cout)
    {
        throw OutputError("standard output",
                          "cannot be written",
                          {errno != 0 ? errno : EIO, std::generic_category()});
    }
}

/**
 * Writes a text to a file, or prints it.
 * \param file the file; empty: standard output
 * \throws OutputError when it cannot be written
 */
void
WriteText(const std::string& file, const std::string& text)
{
    if (file.empty())
    {
        PrintText(text);
    }
    else
    {
        WriteNamedFile(file, text);
    }
}

/**
 * Protects an existing file from a command without `--force`.
 * \param file the output file; empty: standard output
 * \throws OutputError when the file has content and may not be replaced
 */
void
CheckNewFile(const std::string& file, bool replaces)
{
    if (!replaces)
    {
        CheckNamedFile(file, nullptr, "it is there already; --force replaces it");
    }
}

void
PrintWarnings(const Descriptor& descriptor)
{
    for (const Diagnostic& warning : descriptor.GetWarnings())
    {
        std::cerr << warning.ToString("warning") << std::endl;
    }
}

RunOptions
MakeRunOptions(const Descriptor& descriptor, const CommandArguments& arguments)
{
    const std::string& name = descriptor.GetName();
    RunOptions options = arguments.run;
    options.folder = arguments.out.empty() ? "results/" + name : arguments.out;
    if (!arguments.out.empty() && arguments.files.size() > 1)
    {
        options.folder += "/" + name;
    }
    options.command = MakeRunCommand(MakeSnapshot(descriptor.GetText()), options.libraries);
    options.isAlone = !options.points.empty();
    return options;
}

/**
 * \param runs descriptors with the options that they are to be run with
 * \throws PlanError when two would write the same result, or a sweep and a single run one folder
 */
void
CheckPlaces(const std::vector<std::pair<Descriptor, RunOptions>>& runs)
{
    for (auto other = runs.begin(); other != runs.end(); ++other)
    {
        for (auto one = runs.begin(); one != other; ++one)
        {
            const std::string& file = other->first.GetText().source;
            // The same file twice makes the same results twice.
            if (one->second.folder != other->second.folder || one->first.GetText().source == file)
            {
                continue;
            }
            std::set<std::string> points;
            for (std::size_t i = 0; i < one->first.GetPointCount(); ++i)
            {
                points.insert(one->first.GetPointName(i));
            }
            bool isShared = !one->first.IsSweep() || !other->first.IsSweep();
            for (std::size_t i = 0; i < other->first.GetPointCount(); ++i)
            {
                isShared = isShared || points.count(other->first.GetPointName(i)) > 0;
            }
            if (isShared)
            {
                throw PlanError(file + ": error: its results would replace those of " +
                                one->first.GetText().source + " in " + other->second.folder +
                                "; give one of them another 'name', or run each by itself with an "
                                "--out of its own");
            }
        }
    }
}

int
Run(CommandArguments arguments, const CommandHooks& hooks)
{
    if (arguments.run.processes == 0)
    {
        arguments.run.processes =
            arguments.run.slurm.isUsed ? 1 : std::max(1U, std::thread::hardware_concurrency());
    }
    WarnOfSlowBuild();
    // Check all descriptors before the first run.
    std::vector<std::pair<Descriptor, RunOptions>> runs;
    for (const std::string& file : arguments.files)
    {
        const Descriptor descriptor(file, arguments.sets, hooks.check);
        PrintWarnings(descriptor);
        runs.emplace_back(descriptor, MakeRunOptions(descriptor, arguments));
        CheckRunOptions(descriptor, runs.back().second);
    }
    CheckPlaces(runs);
    std::map<std::string, std::vector<std::string>> points; // by folder
    for (const auto& [descriptor, options] : runs)
    {
        for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
        {
            points[options.folder].push_back(descriptor.GetPointName(point));
        }
    }
    int highest = 0;
    for (auto& [descriptor, options] : runs)
    {
        options.allPoints = points[options.folder];
        highest = std::max(highest, RunDescriptor(descriptor, options, hooks.run));
        constexpr int interrupted = 128;
        if (highest > interrupted)
        {
            break;
        }
    }
    return highest;
}

int
RunSweeps(CommandArguments arguments, const CommandHooks& hooks)
{
    const int given = (arguments.files.empty() ? 0 : 1) + (arguments.resumed.empty() ? 0 : 1) +
                      (arguments.cancelled.empty() ? 0 : 1);
    if (given != 1)
    {
        std::cerr << "sweep: error: expected either descriptors, or --resume DIR, or --cancel DIR"
                  << std::endl;
        return kBadUsage;
    }
    const bool isResumed = !arguments.resumed.empty();
    for (const std::string& option : arguments.files.empty() ? arguments.given : Words())
    {
        if (!isResumed || kOptionsOfResume.count(option) == 0)
        {
            std::cerr << option << ": error: not with "
                      << (isResumed ? "--resume, which takes up a sweep as it was started"
                                    : "--cancel")
                      << std::endl;
            return kBadUsage;
        }
    }
    if (arguments.isTrusted && !isResumed)
    {
        std::cerr << "--trust: error: only with --resume" << std::endl;
        return kBadUsage;
    }
    if (isResumed)
    {
        return ResumeSweep({arguments.resumed, arguments.run, arguments.isTrusted},
                           hooks.check,
                           hooks.run);
    }
    if (!arguments.cancelled.empty())
    {
        CancelSweep(arguments.cancelled);
        return 0;
    }
    arguments.run.skipsWhole = true;
    return Run(std::move(arguments), hooks);
}

/// \return true for an exception of one of some classes
template <typename... Classes>
bool
IsAnyOf(const std::exception& error)
{
    return (... || (dynamic_cast<const Classes*>(&error) != nullptr));
}

/// \return names, not all of very many
std::string
ListSome(const std::vector<std::string>& names)
{
    constexpr std::size_t most = 40;
    const std::size_t shown = std::min(most, names.size());
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(shown);
    return JoinNames({names.begin(), end}) +
           (shown < names.size() ? " and " + std::to_string(names.size() - shown) + " more" : "");
}

/**
 * Prints the damaged points of a folder.
 * \param damaged errors by name of the point
 * \param lack consequence for these points
 * \return status of a command: 0 without damaged points
 */
int
TellDamaged(const std::string& folder,
            const std::map<std::string, std::string>& damaged,
            const std::string& lack)
{
    if (damaged.empty())
    {
        return 0;
    }
    std::vector<std::string> points;
    for (const auto& [name, fault] : damaged)
    {
        constexpr std::size_t longest = 300;
        points.push_back(MakeOneLine(name + " (" + fault + ")", longest));
    }
    const bool isOne = damaged.size() == 1;
    std::cerr << folder << ": error: " << damaged.size() << (isOne ? " point is" : " points are")
              << " damaged and not " << lack << ": " << ListSome(points) << "; remove "
              << (isOne ? "its folder, and the sweep runs it"
                        : "their folders, and the sweep runs them")
              << " again" << std::endl;
    return kBadUsage;
}

int
Index(const CommandArguments& arguments)
{
    CheckIndexTables(arguments.csvFile, arguments.jsonFile, arguments.planningFile);
    const ResultIndex index(arguments.folder);
    if (index.GetPoints() == 0 && index.GetDamaged().empty())
    {
        throw OutputError(arguments.folder,
                          "no result in it; expected the folder of a sweep or of a run");
    }
    index.WriteDatabase();
    if (!arguments.csvFile.empty())
    {
        index.WriteCsv(arguments.csvFile);
    }
    if (!arguments.jsonFile.empty())
    {
        index.WriteTableJson(arguments.jsonFile);
    }
    if (!arguments.planningFile.empty())
    {
        index.WritePlanning(arguments.planningFile);
    }
    PrintText(std::to_string(index.GetPoints()) +
              (index.GetPoints() == 1 ? " point: " : " points: ") + arguments.folder +
              "/index.sqlite\n");
    return TellDamaged(arguments.folder, index.GetDamaged(), "in the index");
}

using Names = std::map<std::string, std::string>;

/// \return a member of a point; an object where it is missing or something else
nlohmann::json
GetMembers(const nlohmann::json& point, const char* key)
{
    const auto found = point.is_object() ? point.find(key) : point.end();
    return found != point.end() && found->is_object() ? *found : nlohmann::json::object();
}

/// \return what values are called, by key
Names
GetNames(const nlohmann::json& point, const char* key)
{
    Names names;
    const nlohmann::json members = GetMembers(point, key);
    for (const auto& [name, label] : members.items())
    {
        names[name] = label.is_string() ? label.get<std::string>() : "";
    }
    return names;
}

/// \return true when a filter accepts a point: its configuration and what its values are called
bool
Accept(PointFilter& filter, const nlohmann::json& point)
{
    return filter.Accepts(GetMembers(point, "config"),
                          GetNames(point, "axes"),
                          GetNames(point, "labels"));
}

void
Learn(PointFilter& filter, const nlohmann::json& point)
{
    filter.Learn(GetMembers(point, "config"), GetNames(point, "axes"), GetNames(point, "labels"));
}

int
Explain(const CommandArguments& arguments)
{
    PointFilter filter(arguments.run.where);
    bool isAny = filter.IsEmpty();
    const auto accepts = [&](const nlohmann::json& point) {
        const bool isAccepted = Accept(filter, point);
        isAny |= isAccepted;
        return isAccepted;
    };
    if (!filter.IsEmpty())
    {
        ExplainResults(arguments.folder, [&](const nlohmann::json& point) {
            Learn(filter, point);
            return false;
        });
    }
    const ExplainedResults explained = filter.IsEmpty() ? ExplainResults(arguments.folder)
                                                        : ExplainResults(arguments.folder, accepts);
    if (!isAny)
    {
        throw PlanError(filter.DescribeFailure());
    }
    PrintText(explained.text);
    return TellDamaged(arguments.folder, explained.damaged, "explained");
}

/**
 * Prints the places of the points in a file that have some values, as a JSON list. Of each point
 * the file has the configuration and the labels of the axes, as its result has them.
 */
int
ChoosePoints(const CommandArguments& arguments)
{
    PointFilter filter(arguments.run.where);
    std::string fault;
    const nlohmann::json points = ReadJsonFile(arguments.name, fault);
    if (!points.is_array())
    {
        throw OutputError(arguments.name, fault.empty() ? "is no list of points" : fault);
    }
    nlohmann::json chosen = nlohmann::json::array();
    for (const nlohmann::json& point : points)
    {
        Learn(filter, point);
    }
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        if (Accept(filter, points[i]))
        {
            chosen.push_back(i);
        }
    }
    if (chosen.empty())
    {
        throw PlanError(filter.DescribeFailure());
    }
    PrintText(chosen.dump() + "\n");
    return 0;
}

/// \return the effective configuration with the labels where they are written, as a descriptor that
/// can be put into any folder
nlohmann::ordered_json
MakePrintedConfig(const Experiment& experiment)
{
    nlohmann::ordered_json config = nlohmann::ordered_json::parse(experiment.resolvedConfig);
    for (const Section& section : GetSections())
    {
        const auto made = experiment.sections.find(section.name);
        if (made != experiment.sections.end())
        {
            config[section.name] = DescribeComponent(*made->second, GetSectionBase(section));
        }
    }
    for (const auto& [key, label] : experiment.labels)
    {
        nlohmann::ordered_json* node = &config;
        for (const std::string& part : SplitPath(key))
        {
            node = node->is_object() && node->contains(part) ? &(*node)[part] : nullptr;
            if (!node)
            {
                break;
            }
        }
        if (node && node->is_object())
        {
            (*node)["label"] = label;
        }
    }
    return config;
}

/// Warns of points that take more memory than this machine has, by the one that takes most.
void
WarnOfMemory(const Descriptor& descriptor, const SizeFunction& size)
{
    const uint64_t limit = FindAvailableMemory();
    RunSize most;
    std::size_t which = 0;
    std::size_t count = 0;
    for (std::size_t point = 0; size && point < descriptor.GetPointCount(); ++point)
    {
        const RunSize each = size(descriptor.Examine(point));
        count += DescribeLack(each, limit).empty() ? 0 : 1;
        if (each.memoryBytes > most.memoryBytes)
        {
            most = each;
            which = point;
        }
    }
    if (count > 0)
    {
        const Diagnostic warning{descriptor.FindPlace(which, most.memoryKey),
                                 DescribeLack(most, limit)};
        std::cerr << warning.ToString("warning");
        if (descriptor.IsSweep())
        {
            std::cerr << " (" << descriptor.GetPointName(which) << "; " << count << " of "
                      << descriptor.GetPointCount() << " points lack memory)";
        }
        std::cerr << std::endl;
    }
}

int
Validate(const CommandArguments& arguments, const CommandHooks& hooks)
{
    const std::string& file = arguments.files.front();
    const Descriptor descriptor(file, arguments.sets, hooks.check);
    PrintWarnings(descriptor);
    WarnOfMemory(descriptor, hooks.run.size);
    if (arguments.print)
    {
        for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
        {
            PrintText(MakePrintedConfig(descriptor.MakeExperiment(point)).dump(2) + "\n");
        }
        return 0;
    }
    const std::string points = std::to_string(descriptor.GetPointCount()) + " points";
    PrintText(file + ": valid" + (descriptor.IsSweep() ? ", " + points : "") + "\n");
    return 0;
}

/**
 * Writes an export of the only point of a descriptor.
 * \param several plural of the export, for the error about a sweep
 * \param write writes the export of an experiment
 */
int
Export(const CommandArguments& arguments,
       const CommandHooks& hooks,
       const std::string& several,
       const std::function<void(const Experiment&, std::ostream&)>& write)
{
    const Place place{arguments.files.front(), 0, 0};
    CheckNewFile(arguments.exportFile, arguments.replaceFile);
    const Descriptor descriptor(place.source, arguments.sets, hooks.check);
    if (descriptor.GetPointCount() != 1)
    {
        throw DescriptorError(place,
                              "a sweep has several " + several +
                                  ": choose one with --set sweep='{}' and the values of its keys");
    }
    std::ostringstream text;
    try
    {
        const Experiment experiment = descriptor.MakeExperiment(0);
        GivePolicyCommands(experiment, arguments.run.policies);
        write(experiment, text);
    }
    catch (const ConfigurationError& error)
    {
        throw DescriptorError(place, error.what());
    }
    WriteText(arguments.exportFile, text.str());
    return 0;
}

int
WriteGoal(const CommandArguments& arguments, const CommandHooks& hooks)
{
    if (!hooks.exportGoal)
    {
        throw DescriptorError({arguments.files.front(), 0, 0},
                              "this program writes no graphs; ./rails goal does");
    }
    return Export(arguments, hooks, "graphs", [&](const Experiment& experiment, std::ostream& os) {
        hooks.exportGoal(experiment, arguments.goalLimit, os);
    });
}

int
WriteTrace(const CommandArguments& arguments, const CommandHooks& hooks)
{
    if (!hooks.exportTrace)
    {
        throw DescriptorError({arguments.files.front(), 0, 0},
                              "this program writes no traces; ./rails trace does");
    }
    return Export(arguments, hooks, "loads", [&](const Experiment& experiment, std::ostream& os) {
        hooks.exportTrace(experiment, arguments.traceIterations, os);
    });
}

/**
 * \param out folder of the results
 * \param text the descriptor to write beside it
 * \param replaces replace another descriptor
 * \return the descriptor's file
 * \throws DescriptorError or OutputError when existing content would be lost
 */
std::string
FindStudyFile(const std::string& out, const std::string& text, bool replaces)
{
    const std::filesystem::path folder = std::filesystem::absolute(out).lexically_normal();
    const std::string name =
        folder.filename().empty() ? folder.parent_path().string() : folder.string();
    const std::string file = name + ".yaml";
    if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder))
    {
        throw DescriptorError({out, 0, 0}, "it is a file; --out names the folder of the results");
    }
    SweepFolder(folder).CheckKind(ExperimentKind::ExpertStudy);
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored))
    {
        throw DescriptorError({file, 0, 0}, "it is no file; --out chooses another place");
    }
    std::ifstream former(file, std::ios::binary);
    const std::string there{std::istreambuf_iterator<char>(former),
                            std::istreambuf_iterator<char>()};
    if (former.is_open() && there != text && !replaces)
    {
        throw DescriptorError({file, 0, 0},
                              "another descriptor is there, of another question perhaps; --force "
                              "replaces it and its results, --out chooses another place");
    }
    return file;
}

/// Writes a descriptor for the question beside the folder of the results, and runs it.
int
StudyExperts(CommandArguments arguments, const CommandHooks& hooks)
{
    ExpertsOptions& question = arguments.experts;
    if (!question.trace.empty() && !question.loads.empty())
    {
        throw DescriptorError({"--load", 0, 0}, "not with --trace, which has its own counts");
    }
    const ExpertsDescriptor descriptor = MakeExpertsDescriptor(question, hooks.check);
    if (arguments.print)
    {
        PrintText(descriptor.text);
        return 0;
    }
    for (const std::string& note : descriptor.notes)
    {
        std::cerr << note << std::endl;
    }
    arguments.out = arguments.out.empty() ? "results/experts" : arguments.out;
    const std::string file = FindStudyFile(arguments.out, descriptor.text, arguments.run.force);
    std::error_code error; // without the folder the file cannot be written, which says why
    std::filesystem::create_directories(std::filesystem::path(file).parent_path(), error);
    WriteText(file, descriptor.text);
    arguments.files = {file};
    arguments.run.skipsWhole = true;
    const int status = Run(arguments, hooks);
    PrintText("descriptor: " + file + "\n");
    return status;
}

int
TellCosts(const CommandArguments& arguments)
{
    if (arguments.print)
    {
        PrintText(FabricPrices::GetShippedText());
        return 0;
    }
    CheckNamedFile(arguments.jsonFile,
                   RecogniseBegin("{\n  \"rule\": "),
                   "it is no JSON of costs, and not replaced: name another file");
    const CostReport answer = AnswerCosts(arguments.cost);
    if (!arguments.jsonFile.empty())
    {
        WriteText(arguments.jsonFile, answer.json);
    }
    PrintText(answer.text);
    return 0;
}

int
New(const CommandArguments& arguments, const CommandHooks& hooks)
{
    const std::string& file = arguments.starterFile;
    CheckNewFile(file, arguments.replaceFile);
    WriteText(file, MakeStarterDescriptor(arguments.starter, hooks.check));
    return 0;
}

int
Dispatch(std::vector<std::string> words, const CommandHooks& hooks)
{
    CommandArguments arguments;
    if (const std::optional<int> status = ReadCommandLine(std::move(words), arguments))
    {
        PrintText(""); // help that was not written was not given
        return *status;
    }
    const std::string& command = arguments.command;
    if (command == "run")
    {
        return Run(arguments, hooks);
    }
    if (command == "sweep")
    {
        return RunSweeps(arguments, hooks);
    }
    if (command == "work")
    {
        arguments.run.processes = std::max(1U, arguments.run.processes);
        return RunTask(arguments.task, arguments.run, hooks.run);
    }
    if (command == "index")
    {
        return Index(arguments);
    }
    if (command == "explain")
    {
        return Explain(arguments);
    }
    if (command == "validate")
    {
        return Validate(arguments, hooks);
    }
    if (command == "goal")
    {
        return WriteGoal(arguments, hooks);
    }
    if (command == "trace")
    {
        return WriteTrace(arguments, hooks);
    }
    if (command == "experts")
    {
        return StudyExperts(arguments, hooks);
    }
    if (command == "cost")
    {
        return TellCosts(arguments);
    }
    if (command == "list")
    {
        PrintText(ListComponents());
        return 0;
    }
    if (command == "new")
    {
        return New(arguments, hooks);
    }
    if (command == "schema")
    {
        PrintText(MakeJsonSchema().dump(1) + "\n");
        return 0;
    }
    if (command == "completion")
    {
        PrintText(arguments.completion);
        return 0;
    }
    if (command == "inspect")
    {
        for (const std::string& component : LoadComponents(arguments.name))
        {
            PrintText(component + "\n");
        }
        return 0;
    }
    if (command == "choose")
    {
        return ChoosePoints(arguments);
    }
    if (command == "describe")
    {
        PrintText(DescribeName(arguments.name));
        return 0;
    }
    return kBadUsage;
}

} // namespace

int
RunCommandLine(int argc, char** argv, const CommandHooks& hooks)
{
    // Who closed it wants no output.
    const bool hasOutput = fcntl(STDOUT_FILENO, F_GETFD) != -1;
    constexpr std::size_t longestLine = 8000;
    const PrintGuard output(std::cout);
    const PrintGuard errors(std::cerr, longestLine);
    try
    {
        if (Time::GetResolution() != Time::PS)
        {
            Time::SetResolution(Time::PS);
        }
        const int status = CallWithPaths([&] {
            return Dispatch({argv + std::min(argc, 1), argv + argc}, hooks);
        });
        std::cout.flush();
        const bool isLost = hasOutput && !std::cout;
        if (isLost)
        {
            std::cerr << "standard output: error: cannot be written; what was computed is in its "
                         "folder"
                      << std::endl;
        }
        return status == 0 && isLost ? kBadUsage : status;
    }
    catch (const std::exception& error)
    {
        const bool isOfUser = IsAnyOf<DescriptorError,
                                      OutputError,
                                      ComponentLibraryError,
                                      PlanError,
                                      SlurmError,
                                      UnknownNameError>(error);
        std::cerr << (isOfUser ? "" : "error: ") << error.what() << std::endl;
        return isOfUser ? kBadUsage : static_cast<int>(RunStatus::InvariantBroken);
    }
}

} // namespace ns3::rails
