// SPDX-License-Identifier: GPL-2.0-only
#include "rails-command-line.h"

#include "rails-shell-completion.h"

#include "ns3/nstime.h"
#include "ns3/rails-catalogue.h"
#include "ns3/rails-component-library.h"
#include "ns3/rails-json-schema.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-index.h"
#include "ns3/rails-shell-word.h"
#include "ns3/rails-starter-descriptor.h"
#include "ns3/rails-version.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr int kBadUsage = static_cast<int>(RunStatus::BadDescriptor);

/// What was given on the command line.
struct Arguments
{
    std::vector<std::string> files;
    std::vector<std::string> sets;
    std::string out;
    RunOptions run;
    std::string resumed;
    std::string cancelled;
    SweepTask task;
    bool print{false};
    std::string name;
    std::string jsonFile;
    std::string csvFile;
    std::string folder;
    StarterChoice starter;
    std::string starterFile;
    bool replaceStarter{false};
    std::string shell;
};

/// \return the arguments, `--file=X` in place of a command turned into `run X`
std::vector<std::string>
NormaliseArguments(int argc, char** argv)
{
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const std::string option = "--file";
    for (std::size_t i = 0; i < arguments.size(); ++i)
    {
        std::string file;
        std::size_t used = 1;
        if (arguments[i].compare(0, option.size() + 1, option + "=") == 0)
        {
            file = arguments[i].substr(option.size() + 1);
        }
        else if (arguments[i] == option && i + 1 < arguments.size())
        {
            file = arguments[i + 1];
            used = 2;
        }
        else
        {
            continue;
        }
        const auto begin = arguments.begin() + static_cast<std::ptrdiff_t>(i);
        arguments.erase(begin, begin + static_cast<std::ptrdiff_t>(used));
        arguments.insert(arguments.begin(), {"run", file});
        break;
    }
    return arguments;
}

CLI::Option*
AddDescriptorOptions(CLI::App& command, Arguments& arguments, int files)
{
    CLI::Option* file =
        command.add_option("FILE", arguments.files, "Descriptor of the experiment (YAML)")
            ->required()
            ->expected(1, files);
    command
        .add_option("--set",
                    arguments.sets,
                    "Value in place of the descriptor's, such as transport.mtu=1024B; may be given "
                    "several times")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    return file;
}

/// Adds an option that may be given several times.
void
AddRepeatable(CLI::App& command,
              const std::string& name,
              std::vector<std::string>& values,
              const std::string& meaning,
              const std::string& form)
{
    command.add_option(name, values, meaning)
        ->type_name(form)
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
}

const CLI::AsNumberWithUnit&
GetTimeUnits()
{
    static const CLI::AsNumberWithUnit units(
        std::map<std::string, double>{{"s", 1}, {"min", 60}, {"h", 3600}},
        CLI::AsNumberWithUnit::UNIT_REQUIRED,
        "TIME");
    return units;
}

/// Adds what bounds a point of a sweep.
void
AddLimitOptions(CLI::App& command, RunOptions& run)
{
    command.add_option("-j", run.processes, "Processes of a sweep (default: number of cores)")
        ->type_name("N")
        ->check(CLI::Range(1U, 4096U));
    command
        .add_option("--time-limit",
                    run.limits.seconds,
                    "Longest time of a point of a sweep; 0s: none (default: 24h)")
        ->type_name("TIME")
        ->transform(GetTimeUnits());
    command
        .add_option("--memory-limit",
                    run.limits.memoryBytes,
                    "Most memory of a point of a sweep (default: that of the machine)")
        ->type_name("SIZE")
        ->transform(CLI::AsSizeValue(true));
    command
        .add_option("--retries",
                    run.retries,
                    "How often a point that was lost is tried again (default: 1)")
        ->type_name("N")
        ->check(CLI::Range(0U, 100U));
}

/// Adds where the points of a sweep run.
void
AddClusterOptions(CLI::App& command, SlurmOptions& slurm)
{
    command
        .add_option_function<std::string>(
            "--launcher",
            [&slurm](const std::string& name) { slurm.isUsed = name == "slurm"; },
            "Where the points of a sweep run: local (default), or in job arrays of slurm, where -j "
            "is the number of cores of a task (default: 1)")
        ->type_name("NAME")
        ->check(CLI::IsMember(std::vector<std::string>{"local", "slurm"}));
    command.add_option("--partition", slurm.partition, "Partition of the Slurm cluster")
        ->type_name("NAME");
    AddRepeatable(command,
                  "--slurm-option",
                  slurm.options,
                  "Another option for sbatch, as in --slurm-option=--account=physics; may be given "
                  "several times",
                  "OPTION");
    command
        .add_option("--at-once",
                    slurm.atOnce,
                    "Slurm tasks that run at the same time (default: any)")
        ->type_name("N");
    command
        .add_option("--chunk-time",
                    slurm.chunkSeconds,
                    "How long a Slurm task is to take, about (default: 10min)")
        ->type_name("TIME")
        ->transform(GetTimeUnits());
}

void
AddRunOptions(CLI::App& command, Arguments& arguments)
{
    RunOptions& run = arguments.run;
    command.add_option("--out", arguments.out, "Folder of the results (default: results/NAME)")
        ->type_name("DIR");
    command.add_flag("--force", run.force, "Replace results that are there already");
    command.add_flag("--dry-run",
                     run.dryRun,
                     "Only list the points of a sweep, with an estimate from earlier runs");
    command.add_flag("--only-failed", run.onlyFailed, "Only points of a sweep that failed before");
    command.add_flag("--any-version",
                     run.anyVersion,
                     "Take results of other versions of rails and ns-3 as they are");
    AddRepeatable(command,
                  "--where",
                  run.where,
                  "Only points of a sweep with this value, such as balance=ecmp; may be given "
                  "several times",
                  "KEY=VALUE");
    command
        .add_option("--point", run.points, "Only this point of a sweep, in this process, into DIR")
        ->type_name("NAME")
        ->expected(1);
    AddLimitOptions(command, run);
    AddClusterOptions(command, run.slurm);
}

/// Adds where components of one's own come from, to the commands that deal with components.
void
AddLibraryOption(CLI::App& app, std::vector<std::string>& libraries)
{
    for (const std::string name :
         {"run", "sweep", "validate", "list", "describe", "new", "schema", "completion"})
    {
        AddRepeatable(*app.get_subcommand(name),
                      "--with",
                      libraries,
                      "Components of your own: a folder of .cc files, which ./rails builds, or the "
                      "library that it made; may be given several times",
                      "DIR");
    }
}

/// \return limits of a point that nobody set: a day, the memory of the machine
ProcessLimits
GetUsualLimits()
{
    constexpr double day = 24 * 3600;
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageBytes = sysconf(_SC_PAGESIZE);
    return {day,
            pages > 0 && pageBytes > 0
                ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(pageBytes)
                : 0};
}

void
WarnOfSlowBuild()
{
    if (IsSlowBuild())
    {
        std::cerr << "**************************************************************\n"
                     "*  This is a debug build: it is many times slower than an    *\n"
                     "*  optimized one. For results: ns3 configure -d optimized    *\n"
                     "**************************************************************"
                  << std::endl;
    }
}

/// \return the command that runs a descriptor again from anywhere
std::string
MakeCommand(const std::string& file, const Arguments& arguments)
{
    // The launcher tells what it was called as.
    const char* launcher = std::getenv("RAILS_LAUNCHER");
    const std::string program =
        launcher ? launcher : std::filesystem::read_symlink("/proc/self/exe").string();
    std::string command =
        QuoteForShell(program) + " run " + QuoteForShell(std::filesystem::absolute(file).string());
    for (const std::string& library : arguments.run.libraries)
    {
        command += " --with " + QuoteForShell(library);
    }
    for (const std::string& set : arguments.sets)
    {
        command += " --set " + QuoteForShell(set);
    }
    return command;
}

void
PrintWarnings(const Descriptor& descriptor)
{
    for (const Diagnostic& warning : descriptor.GetWarnings())
    {
        std::cerr << warning.ToString("warning") << std::endl;
    }
}

int
RunFile(const std::string& file, const Arguments& arguments, const CommandHooks& hooks)
{
    const Descriptor descriptor(file, arguments.sets, hooks.check);
    PrintWarnings(descriptor);
    RunOptions options = arguments.run;
    options.folder = arguments.out.empty() ? "results/" + descriptor.GetName() : arguments.out;
    if (!arguments.out.empty() && arguments.files.size() > 1)
    {
        options.folder += "/" + descriptor.GetName();
    }
    options.command = MakeCommand(file, arguments);
    options.isAlone = !options.points.empty();
    return RunDescriptor(descriptor, options, hooks.run);
}

int
Run(Arguments arguments, const CommandHooks& hooks)
{
    if (arguments.run.processes == 0)
    {
        arguments.run.processes =
            arguments.run.slurm.isUsed ? 1 : std::max(1U, std::thread::hardware_concurrency());
    }
    WarnOfSlowBuild();
    int highest = 0;
    for (const std::string& file : arguments.files)
    {
        highest = std::max(highest, RunFile(file, arguments, hooks));
        constexpr int interrupted = 128;
        if (highest > interrupted)
        {
            break;
        }
    }
    return highest;
}

int
RunSweeps(Arguments arguments, const CommandHooks& hooks)
{
    const int given = (arguments.files.empty() ? 0 : 1) + (arguments.resumed.empty() ? 0 : 1) +
                      (arguments.cancelled.empty() ? 0 : 1);
    if (given != 1)
    {
        std::cerr << "sweep: error: expected either descriptors, or --resume DIR, or --cancel DIR"
                  << std::endl;
        return kBadUsage;
    }
    if (!arguments.resumed.empty())
    {
        return ResumeSweep(arguments.resumed, hooks.run);
    }
    if (!arguments.cancelled.empty())
    {
        return CancelSweep(arguments.cancelled);
    }
    arguments.run.skipsWhole = true;
    return Run(std::move(arguments), hooks);
}

int
Index(const Arguments& arguments)
{
    try
    {
        const ResultIndex index(arguments.folder);
        index.WriteDatabase();
        if (!arguments.csvFile.empty())
        {
            index.WriteCsv(arguments.csvFile);
        }
        if (!arguments.jsonFile.empty())
        {
            index.WriteTableJson(arguments.jsonFile);
        }
        std::cout << index.GetPoints() << " points: " << arguments.folder << "/index.sqlite\n";
        return 0;
    }
    catch (const OutputError& error)
    {
        std::cerr << error.what() << std::endl;
        return kBadUsage;
    }
}

int
Validate(const Arguments& arguments, const CommandHooks& hooks)
{
    const std::string& file = arguments.files.front();
    const Descriptor descriptor(file, arguments.sets, hooks.check);
    PrintWarnings(descriptor);
    if (arguments.print)
    {
        for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
        {
            const std::string json = descriptor.MakeExperiment(point).effective;
            std::cout << nlohmann::ordered_json::parse(json).dump(2) << '\n';
        }
        return 0;
    }
    std::cout << file << ": valid";
    if (descriptor.IsSweep())
    {
        std::cout << ", " << descriptor.GetPointCount() << " points";
    }
    std::cout << '\n';
    return 0;
}

int
New(const Arguments& arguments, const CommandHooks& hooks)
{
    const std::string& file = arguments.starterFile;
    const Place place{file, 0, 0};
    if (!file.empty() && !arguments.replaceStarter && std::filesystem::exists(file))
    {
        throw DescriptorError(place, "it is there already; --force replaces it");
    }
    const std::string text = MakeStarterDescriptor(arguments.starter, hooks.check);
    if (file.empty())
    {
        std::cout << text;
        return 0;
    }
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream)
    {
        throw DescriptorError(place, std::string("cannot be written: ") + std::strerror(errno));
    }
    return 0;
}

int
Bench(const Arguments& arguments, const CommandHooks& hooks)
{
    if (!hooks.bench)
    {
        std::cerr << "bench: error: this program has no benchmark" << std::endl;
        return kBadUsage;
    }
    WarnOfSlowBuild();
    return hooks.bench(arguments.jsonFile);
}

int
Dispatch(std::vector<std::string> words, const CommandHooks& hooks)
{
    Arguments arguments;
    arguments.run.processes = 0;
    arguments.run.limits = GetUsualLimits();
    CLI::App app("Frame-level simulation of MoE traffic over GPU clusters with several NICs per "
                 "server.",
                 "rails");
    app.require_subcommand(1);

    CLI::App* run = app.add_subcommand("run", "One experiment, or every point of its sweep");
    AddDescriptorOptions(*run, arguments, 1);
    AddRunOptions(*run, arguments);

    CLI::App* sweep =
        app.add_subcommand("sweep", "Every point of the sweeps of one or more descriptors");
    constexpr int mostFiles = 1 << 20;
    AddDescriptorOptions(*sweep, arguments, mostFiles)->required(false);
    AddRunOptions(*sweep, arguments);
    sweep->add_option("--resume", arguments.resumed, "Take up the sweep in this folder again")
        ->type_name("DIR");
    sweep
        ->add_option("--cancel",
                     arguments.cancelled,
                     "Cancel what the sweep in this folder has in "
                     "the queue of a cluster")
        ->type_name("DIR");

    // What a cluster's task runs.
    CLI::App* work = app.add_subcommand("work", "Run the points of a task")->group("");
    work->add_option("DIR", arguments.task.folder)->required();
    work->add_option("--round", arguments.task.round)->required();
    work->add_option("--task", arguments.task.task)->required();
    AddLimitOptions(*work, arguments.run);

    CLI::App* validate = app.add_subcommand("validate", "Check a descriptor; nothing is run");
    AddDescriptorOptions(*validate, arguments, 1);
    validate->add_flag("--print", arguments.print, "Print the configuration with all defaults");

    CLI::App* list = app.add_subcommand("list", "The sections and components that exist");
    CLI::App* describe =
        app.add_subcommand("describe", "Keys with units, defaults, meaning and source");
    describe->add_option("NAME", arguments.name, "Section, key of a component, or type")
        ->required();

    CLI::App* index =
        app.add_subcommand("index", "Make the index of a folder's results again (SQLite)");
    index->add_option("DIR", arguments.folder, "Folder of a sweep or a run")->required();
    index->add_option("--csv", arguments.csvFile, "File for the same as a CSV table")
        ->type_name("FILE");
    index
        ->add_option("--json",
                     arguments.jsonFile,
                     "File for the same as a JSON table, for pandas.read_json(orient='table')")
        ->type_name("FILE");

    CLI::App* create = app.add_subcommand("new", "A descriptor to start from, with its comments");
    create->add_option("FILE", arguments.starterFile, "Where to (default: standard output)");
    create->add_option("--topology", arguments.starter.topology, "Type of the topology")
        ->type_name("TOPOLOGY");
    create->add_option("--workload", arguments.starter.workload, "Type of the workload")
        ->type_name("WORKLOAD");
    create->add_option("--balance", arguments.starter.balance, "Type of the balance")
        ->type_name("BALANCE");
    create->add_flag("--force", arguments.replaceStarter, "Replace the file if it is there");

    CLI::App* schema =
        app.add_subcommand("schema", "JSON Schema of descriptors, for editors (draft 2020-12)");

    CLI::App* completion = app.add_subcommand("completion", "Script that completes in a shell");
    completion->add_option("SHELL", arguments.shell, "bash or zsh")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh"}));

    CLI::App* bench = app.add_subcommand("bench", "Measure the speed");
    bench->add_option("--json", arguments.jsonFile, "File for the figures")->type_name("FILE");

    AddLibraryOption(app, arguments.run.libraries);

    // What ./rails build looks at the library with that it has made.
    CLI::App* inspect = app.add_subcommand("inspect", "Print what a library brings")->group("");
    inspect->add_option("LIBRARY", arguments.name)->required();

    std::vector<std::string> commands;
    bool isKnown = words.empty() || words[0].compare(0, 1, "-") == 0;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    {
        isKnown = isKnown || command->get_name() == words[0];
        if (!command->get_group().empty()) // those without are not for people
        {
            commands.push_back(command->get_name());
        }
    }
    if (!isKnown)
    {
        std::cerr << "error: unknown command '" << words[0] << "'"
                  << SuggestName(words[0], commands) << std::endl;
        return kBadUsage;
    }
    try
    {
        std::reverse(words.begin(), words.end()); // which is how CLI11 wants them
        app.parse(words);
    }
    catch (const CLI::ParseError& error)
    {
        return app.exit(error) == 0 ? 0 : kBadUsage;
    }
    for (std::string& library : arguments.run.libraries)
    {
        library = std::filesystem::absolute(library).string();
        LoadComponents(library);
    }
    if (run->parsed())
    {
        return Run(arguments, hooks);
    }
    if (sweep->parsed())
    {
        return RunSweeps(arguments, hooks);
    }
    if (work->parsed())
    {
        arguments.run.processes = std::max(1U, arguments.run.processes);
        return RunTask(arguments.task, arguments.run, hooks.run);
    }
    if (index->parsed())
    {
        return Index(arguments);
    }
    if (validate->parsed())
    {
        return Validate(arguments, hooks);
    }
    if (list->parsed())
    {
        std::cout << ListComponents();
        return 0;
    }
    if (create->parsed())
    {
        return New(arguments, hooks);
    }
    if (schema->parsed())
    {
        std::cout << MakeJsonSchema().dump(1) << '\n';
        return 0;
    }
    if (completion->parsed())
    {
        std::cout << MakeShellCompletion(app, arguments.shell);
        return 0;
    }
    if (inspect->parsed())
    {
        for (const std::string& component : LoadComponents(arguments.name))
        {
            std::cout << component << '\n';
        }
        return 0;
    }
    if (describe->parsed())
    {
        std::cout << DescribeName(arguments.name);
        return 0;
    }
    return bench->parsed() ? Bench(arguments, hooks) : kBadUsage;
}

} // namespace

int
RunCommandLine(int argc, char** argv, const CommandHooks& hooks)
{
    try
    {
        if (Time::GetResolution() != Time::PS)
        {
            Time::SetResolution(Time::PS);
        }
        return Dispatch(NormaliseArguments(argc, argv), hooks);
    }
    catch (const DescriptorError& error)
    {
        std::cerr << error.what() << std::endl;
        return kBadUsage;
    }
    catch (const OutputError& error)
    {
        std::cerr << error.what() << std::endl;
        return kBadUsage;
    }
    catch (const ComponentLibraryError& error)
    {
        std::cerr << error.what() << std::endl;
        return kBadUsage;
    }
    catch (const UnknownNameError& error)
    {
        std::cerr << error.what() << std::endl;
        return kBadUsage;
    }
    catch (const std::exception& error)
    {
        std::cerr << "error: " << error.what() << std::endl;
        return static_cast<int>(RunStatus::InvariantBroken);
    }
}

} // namespace ns3::rails
