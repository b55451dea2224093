// SPDX-License-Identifier: GPL-2.0-only
#include "rails-command-options.h"

#include "rails-command-list.h"
#include "rails-shell-completion.h"

#include "ns3/rails-component-library.h"
#include "ns3/rails-nearest-name.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr int kNotUnderstood = static_cast<int>(RunStatus::BadDescriptor);

/// Options of a sweep whose points are run in processes of their own.
const std::vector<std::string> kProcessOptions{"--time-limit",
                                               "--memory-limit",
                                               "--retries",
                                               "--launcher",
                                               "--partition",
                                               "--slurm-option",
                                               "--at-once",
                                               "--chunk-time"};

/// Formats options alike in every run: CLI11 sorts the options that one excludes by their
/// addresses.
class SortedFormatter : public CLI::Formatter
{
  public:
    std::string make_option_opts(const CLI::Option* option) const override
    {
        const std::string text = CLI::Formatter::make_option_opts(option);
        const std::string label = get_label("Excludes") + ":";
        const std::size_t begin = text.find(label);
        if (begin == std::string::npos)
        {
            return text;
        }
        std::istringstream words(text.substr(begin + label.size()));
        const std::set<std::string> names{std::istream_iterator<std::string>(words), {}};
        std::string sorted = text.substr(0, begin + label.size());
        for (const std::string& name : names)
        {
            sorted += " " + name;
        }
        return sorted;
    }
};

/// \return the arguments, `--file=X` in place of a command turned into `run X`
std::vector<std::string>
NormaliseArguments(std::vector<std::string> arguments)
{
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
AddDescriptorOptions(CLI::App& command, CommandArguments& arguments, int files)
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

const CLI::AsNumberWithUnit&
GetSizeUnits()
{
    static const CLI::AsNumberWithUnit units = [] {
        std::map<std::string, uint64_t> sizes{{"b", 1}};
        uint64_t decimal = 1;
        uint64_t binary = 1;
        for (const std::string prefix : {"k", "m", "g", "t", "p"})
        {
            decimal *= 1000;
            binary *= 1024;
            sizes[prefix] = sizes[prefix + "b"] = decimal;
            sizes[prefix + "i"] = sizes[prefix + "ib"] = binary;
        }
        using Units = CLI::AsNumberWithUnit;
        return Units(sizes,
                     static_cast<Units::Options>(Units::CASE_INSENSITIVE | Units::UNIT_REQUIRED),
                     "SIZE");
    }();
    return units;
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

/// Refuses a limit that leaves no memory to a process, which has some megabytes when it begins.
std::string
CheckMemoryLimit(const std::string& bytes)
{
    constexpr uint64_t least = 1 << 20;
    return std::stoull(bytes) >= least ? "" : "expected at least 1MiB, such as 4GiB";
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
        ->transform(GetSizeUnits())
        ->check(CheckMemoryLimit);
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

/// Adds what chooses points by their values.
void
AddWhere(CLI::App& command, RunOptions& run)
{
    AddRepeatable(command,
                  "--where",
                  run.where,
                  "Only points with this value, such as balance=ecmp; may be given several times",
                  "KEY=VALUE");
}

void
AddRunOptions(CLI::App& command, CommandArguments& arguments)
{
    RunOptions& run = arguments.run;
    command.add_option("--out", arguments.out, "Folder of the results (default: results/NAME)")
        ->type_name("DIR");
    command.add_flag("--force", run.force, "Replace results that are there already");
    command.add_flag("--dry-run",
                     run.dryRun,
                     "Only list what would be run, how long and with how much memory");
    command.add_flag("--only-failed", run.onlyFailed, "Only what failed before");
    command.add_flag("--any-version",
                     run.anyVersion,
                     "Take results of other versions and builds of rails, ns-3 and libraries of "
                     "components as they are");
    command.add_flag("--any-memory",
                     run.anyMemory,
                     "Begin also what takes more memory than the machine has, about");
    AddWhere(command, run);
    command
        .add_option("--point", run.points, "Only this point of a sweep, in this process, into DIR")
        ->type_name("NAME")
        ->expected(1);
    AddLimitOptions(command, run);
    AddClusterOptions(command, run.slurm);
}

void
AddReplaceFlag(CLI::App& command, CommandArguments& arguments)
{
    command.add_flag("--force", arguments.replaceFile, "Replace the file if it is there");
}

void
AddExportOption(CLI::App& command, CommandArguments& arguments)
{
    command.add_option("--out", arguments.exportFile, "Where to (default: standard output)")
        ->type_name("FILE");
    AddReplaceFlag(command, arguments);
}

/// Adds where components of one's own come from, to the commands that deal with components.
void
AddLibraryOption(CLI::App& app, std::vector<std::string>& libraries)
{
    for (const std::string name : {"run",
                                   "sweep",
                                   "work",
                                   "validate",
                                   "goal",
                                   "trace",
                                   "experts",
                                   "list",
                                   "describe",
                                   "new",
                                   "schema",
                                   "completion"})
    {
        AddRepeatable(*app.get_subcommand(name),
                      "--with",
                      libraries,
                      "Components of your own: a folder of .cc files, which ./rails builds, or the "
                      "library that it made; may be given several times",
                      "DIR");
    }
}

/// Adds the programs of external policies, to the commands that lead policies.
void
AddPolicyOption(CLI::App& app, std::vector<std::string>& commands)
{
    for (const std::string name : {"run", "sweep", "work", "goal", "experts"})
    {
        AddRepeatable(*app.get_subcommand(name),
                      "--policy-command",
                      commands,
                      "Program of experts: {type: external, name: NAME}, as in "
                      "mine=\"python3 mine.py\"; no shell reads it, and no file keeps it; may be "
                      "given several times",
                      "NAME=COMMAND");
    }
}

/// \return the options of a command that were given, by their names
std::vector<std::string>
FindGiven(const CLI::App& command)
{
    std::vector<std::string> given;
    for (const CLI::Option* option : command.get_options())
    {
        if (!option->get_positional() && option->count() > 0)
        {
            given.push_back(option->get_name());
        }
    }
    return given;
}

/// \return what of some names is, or is not, among others
std::vector<std::string>
Choose(const std::vector<std::string>& names, const std::vector<std::string>& others, bool among)
{
    std::vector<std::string> chosen;
    std::copy_if(names.begin(),
                 names.end(),
                 std::back_inserter(chosen),
                 [&](const std::string& name) {
                     return (std::count(others.begin(), others.end(), name) > 0) == among;
                 });
    return chosen;
}

/// \return default limits of a point: a day, the memory of the machine
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
AddExpertsOptions(CLI::App& command, CommandArguments& arguments)
{
    ExpertsOptions& question = arguments.experts;
    command
        .add_option("--trace",
                    question.trace,
                    "Recorded counts (CSV: iteration,layer,microbatch,rank,e0,e1,...), all of them")
        ->type_name("FILE");
    AddRepeatable(command,
                  "--load",
                  question.loads,
                  "Drawn counts: w0 to w7, uniform, no-aux, aux-loss, loss-free, zipf, "
                  "zipf-independent, or a component such as '{type: synthetic, exponent: 1.3}'; "
                  "may be given several "
                  "times (default: model, as what the model's training does leaves them)",
                  "SPEC");
    AddRepeatable(command,
                  "--policy",
                  question.policies,
                  "Type of a policy, or '{type: ...}'; may be given several times (default: all "
                  "that can work there)",
                  "POLICY");
    command
        .add_option("--model",
                    question.model,
                    "Type of the model, or '{type: ...}' (default: deepseek-v3)")
        ->type_name("MODEL");
    const auto addNumber = [&](const std::string& name,
                               const std::string& key,
                               const std::string& meaning) {
        command
            .add_option_function<uint32_t>(
                name,
                [&question, key](uint32_t number) { question.numbers.emplace_back(key, number); },
                meaning)
            ->type_name("N")
            ->check([key](const std::string& text) {
                return CheckStudyNumber("experts." + key, text);
            });
    };
    addNumber("--gpus", "gpus", "GPUs that the experts are spread over");
    addNumber("--gpus-per-domain", "gpus_per_domain", "GPUs of a server");
    addNumber("--ep", "ep", "GPUs that hold all experts together (default: all)");
    addNumber("--experts", "model.experts", "Experts of a layer");
    addNumber("--top-k", "model.top_k", "Experts that a token goes to (of a trace: 2)");
    addNumber("--tokens", "tokens", "Tokens of each GPU in a micro-batch");
    addNumber("--layers", "layers", "Layers");
    addNumber("--microbatches", "microbatches", "Micro-batches of an iteration");
    addNumber("--iterations", "iterations", "Iterations that count");
    addNumber("--warm-up", "warm_up", "Iterations before these, which policies learn from");
    CLI::Option* budget =
        command
            .add_option("--budget",
                        question.budget,
                        "Memory of a GPU for experts, as 12GB: each policy gets the slots that fit "
                        "in besides the experts at home (default: those that it says)")
            ->type_name("SIZE");
    command
        .add_option("--slots",
                    question.slots,
                    "Experts that a GPU has room for besides its own, of each policy that asks")
        ->type_name("N")
        ->check(
            [](const std::string& text) { return CheckStudyNumber("experts.policy.slots", text); })
        ->excludes(budget);
    command.add_option("--seeds", question.seeds, "How many seeds are run (default: 1)")
        ->type_name("N")
        ->check(CLI::Range(1U, 100'000U));
    command.add_option("--out", arguments.out, "Folder of the results (default: results/experts)")
        ->type_name("DIR");
    command.add_flag("--force", arguments.run.force, "Replace results that are there already");
    command.add_option("-j", arguments.run.processes, "Processes (default: number of cores)")
        ->type_name("N")
        ->check(CLI::Range(1U, 4096U));
    command.add_flag("--print",
                     arguments.print,
                     "Print the descriptor that it makes, and run nothing");
}

/// Adds what a table of costs is made from.
void
AddCostOptions(CLI::App& command, CommandArguments& arguments)
{
    constexpr uint32_t mostServers = 10'000'000;
    CostOptions& question = arguments.cost;
    command
        .add_option("FABRIC",
                    question.fabrics,
                    "Descriptors (YAML), whose topologies are counted from their wiring; or "
                    "fabrics of the file of prices, such as fat-tree or mixnet (default: all that "
                    "can be counted). The first is what others are compared with")
        ->type_name("NAME|FILE");
    command.add_option("--servers", question.servers, "Servers of named fabrics (default: 128)")
        ->type_name("N")
        ->check(CLI::Range(1U, mostServers));
    command
        .add_option("--rate",
                    question.rate,
                    "Rate of a NIC of named fabrics, as 400Gbps (default: all with prices)")
        ->type_name("RATE");
    command
        .add_option("--optical-nics",
                    question.opticalNics,
                    "NICs of a server at the optical switch, MixNet's alpha, of named fabrics "
                    "(default: the file's)")
        ->type_name("N");
    command
        .add_option("--rule",
                    question.rule,
                    "How to count: wiring, each cable that is laid (default of descriptors); "
                    "mixnet, as MixNet's paper does by type (default of names)")
        ->type_name("RULE")
        ->check(CLI::IsMember({"wiring", "mixnet"}));
    CLI::Option* json =
        command.add_option("--json", arguments.jsonFile, "File for the same as JSON")
            ->type_name("FILE");
    CLI::Option* prices =
        command
            .add_option(
                "--prices",
                question.prices,
                "Prices and rules of counting (YAML), in place of those that --print prints")
            ->type_name("FILE");
    command
        .add_flag("--print",
                  arguments.print,
                  "Print the prices and rules that there are, with their sources, and no table")
        ->excludes(prices)
        ->excludes(json);
}

/// \return the name of an option in a word of the command line, empty for any other word
std::string
GetOptionName(const std::string& word)
{
    const bool isOption = word.size() > 1 && word[0] == '-' &&
                          (std::isalpha(static_cast<unsigned char>(word[1])) || word[1] == '-');
    if (!isOption || word == "--")
    {
        return "";
    }
    constexpr std::size_t shortName = 2; // its value may follow at once: -j4
    return word[1] == '-' ? word.substr(0, word.find('=')) : word.substr(0, shortName);
}

/**
 * Reports an unknown option of a command, with the nearest one. The parser would instead report the
 * next word as an unexpected argument.
 * \return true when there is one
 */
bool
TellUnknownOption(const CLI::App& command, const std::vector<std::string>& words)
{
    for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i)
    {
        const std::string name = GetOptionName(words[i]);
        if (name.empty())
        {
            continue;
        }
        if (const CLI::Option* option = command.get_option_no_throw(name))
        {
            // What follows is its value, whatever it looks like.
            i += option->get_expected_max() > 0 && words[i] == name ? 1 : 0;
            continue;
        }
        std::vector<std::string> known;
        for (const CLI::Option* option : command.get_options())
        {
            if (!option->get_positional())
            {
                known.push_back(option->get_name());
            }
        }
        const bool isSweep =
            command.get_option_no_throw("--set") && !command.get_option_no_throw("--seeds");
        std::cerr << command.get_name() << ": error: unknown option " << name
                  << (isSweep && (name == "--seeds" || name == "--repeat")
                          ? "; how many seeds are run is sweep.repeat of the descriptor: --set "
                            "sweep.repeat=3"
                          : SuggestName(name, known))
                  << std::endl;
        return true;
    }
    return false;
}

} // namespace

std::optional<int>
ReadCommandLine(std::vector<std::string> words, CommandArguments& arguments)
{
    words = NormaliseArguments(std::move(words));
    arguments.run.processes = 0;
    arguments.run.limits = GetUsualLimits();
    CLI::App app("Frame-level simulation of MoE traffic over GPU clusters with several NICs per "
                 "server.",
                 "rails");
    app.formatter(std::make_shared<SortedFormatter>());
    app.require_subcommand(1);
    const auto addCommand = [&app](const std::string& name) {
        return app.add_subcommand(name, DescribeListedCommand(name));
    };

    CLI::App* run = addCommand("run");
    AddDescriptorOptions(*run, arguments, 1);
    AddRunOptions(*run, arguments);

    CLI::App* sweep = addCommand("sweep");
    constexpr int mostFiles = 1 << 20;
    AddDescriptorOptions(*sweep, arguments, mostFiles)->required(false);
    AddRunOptions(*sweep, arguments);
    sweep
        ->add_option(
            "--resume",
            arguments.resumed,
            "Take up the sweep in this folder again: its descriptor and numbers; libraries, the "
            "launcher and its options are given again")
        ->type_name("DIR");
    sweep->add_flag("--trust",
                    arguments.isTrusted,
                    "With --resume: take libraries, launcher and files from the folder as it names "
                    "them, after listing them; for folders of your own alone");
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
    work->add_option("--sweep", arguments.task.snapshot)->required();
    work->add_flag("--any-memory", arguments.run.anyMemory);
    AddLimitOptions(*work, arguments.run);

    CLI::App* validate = addCommand("validate");
    AddDescriptorOptions(*validate, arguments, 1);
    validate->add_flag("--print", arguments.print, "Print the configuration with all defaults");

    CLI::App* goal = addCommand("goal");
    AddDescriptorOptions(*goal, arguments, 1);
    AddExportOption(*goal, arguments);
    goal->add_option("--limit", arguments.goalLimit, "Operations that may be written")
        ->check(CLI::PositiveNumber)
        ->capture_default_str()
        ->type_name("N");

    CLI::App* trace = addCommand("trace");
    AddDescriptorOptions(*trace, arguments, 1);
    AddExportOption(*trace, arguments);
    trace
        ->add_option("--iterations",
                     arguments.traceIterations,
                     "Iterations that are written (default: all of the study)")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("N,...");

    CLI::App* experts = addCommand("experts");
    AddExpertsOptions(*experts, arguments);

    CLI::App* cost = addCommand("cost");
    AddCostOptions(*cost, arguments);

    addCommand("list");
    CLI::App* describe = addCommand("describe");
    describe->add_option("NAME", arguments.name, "Section, key of a component, or type")
        ->required();

    CLI::App* index = addCommand("index");
    index->add_option("DIR", arguments.folder, "Folder of a sweep or a run")->required();
    index->add_option("--csv", arguments.csvFile, "File for the same as a CSV table")
        ->type_name("FILE");
    index
        ->add_option("--json",
                     arguments.jsonFile,
                     "File for the same as a JSON table, for pandas.read_json(orient='table')")
        ->type_name("FILE");
    index
        ->add_option("--planning",
                     arguments.planningFile,
                     "File for planning times that studies of policies measured, as a table for "
                     "planning_path (of a training expert_planning_path)")
        ->type_name("FILE");

    CLI::App* explain = addCommand("explain");
    explain->add_option("DIR", arguments.folder, "Folder of a run or a sweep")->required();
    AddWhere(*explain, arguments.run);

    CLI::App* create = addCommand("new");
    create->add_option("FILE", arguments.starterFile, "Where to (default: standard output)");
    create->add_option("--topology", arguments.starter.topology, "Type of the topology")
        ->type_name("TOPOLOGY");
    create->add_option("--workload", arguments.starter.workload, "Type of the workload")
        ->type_name("WORKLOAD");
    create->add_option("--balance", arguments.starter.balance, "Type of the balance")
        ->type_name("BALANCE");
    AddReplaceFlag(*create, arguments);

    addCommand("schema");

    CLI::App* completion = addCommand("completion");
    completion->add_option("SHELL", arguments.shell, "bash or zsh")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh"}));

    AddLibraryOption(app, arguments.run.libraries);
    AddPolicyOption(app, arguments.policyCommands);

    // What ./rails build looks at the library with that it has made.
    CLI::App* inspect = app.add_subcommand("inspect", "Print what a library brings")->group("");
    inspect->add_option("LIBRARY", arguments.name)->required();

    // What ./rails plot, report and compare choose points by.
    CLI::App* choose = app.add_subcommand("choose", "Print which points to show")->group("");
    choose->add_option("FILE", arguments.name)->required();
    AddWhere(*choose, arguments.run);

    std::vector<std::string> commands;
    if (std::getenv("RAILS_LAUNCHER")) // which has commands of its own
    {
        for (const ListedCommand& command : GetListedCommands())
        {
            if (commands.empty() || commands.back() != command.name) // called in several ways
            {
                commands.push_back(command.name);
            }
        }
    }
    bool isKnown = words.empty() || words[0].compare(0, 1, "-") == 0;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    {
        isKnown = isKnown || command->get_name() == words[0];
        const bool isListed =
            std::find(commands.begin(), commands.end(), command->get_name()) != commands.end();
        if (!command->get_group().empty() && !isListed) // those without a group are not for people
        {
            commands.push_back(command->get_name());
        }
    }
    if (!isKnown)
    {
        std::cerr << "error: unknown command '" << words[0] << "'"
                  << SuggestName(words[0], commands) << std::endl;
        return kNotUnderstood;
    }
    for (const CLI::App* command : app.get_subcommands(
             [&](const CLI::App* one) { return !words.empty() && one->get_name() == words[0]; }))
    {
        if (TellUnknownOption(*command, words))
        {
            return kNotUnderstood;
        }
    }
    const std::string named = words.empty() ? "" : words[0];
    try
    {
        std::reverse(words.begin(), words.end()); // which is how CLI11 wants them
        app.parse(words);
    }
    catch (const CLI::ParseError& error)
    {
        if (error.get_exit_code() == 0 || named.empty() || named[0] == '-')
        {
            return app.exit(error) == 0 ? 0 : kNotUnderstood;
        }
        std::cerr << named << ": error: " << error.what() << "\n./rails " << named
                  << " --help tells all of it" << std::endl;
        return kNotUnderstood;
    }
    arguments.command = app.get_subcommands().front()->get_name();
    if (run->parsed() || sweep->parsed())
    {
        const std::vector<std::string> given = FindGiven(run->parsed() ? *run : *sweep);
        arguments.run.processOptions = Choose(given, kProcessOptions, true);
        arguments.given = Choose(given, {"--resume", "--cancel"}, false);
    }
    for (const std::string& text : arguments.policyCommands)
    {
        try
        {
            AddPolicyCommand(text, arguments.run.policies);
        }
        catch (const PolicyCommandError& error)
        {
            std::cerr << "--policy-command " << text << ": error: " << error.what() << std::endl;
            return kNotUnderstood;
        }
    }
    for (std::string& library : arguments.run.libraries)
    {
        library = std::filesystem::absolute(library).string();
        LoadComponents(library);
    }
    if (completion->parsed()) // of these components, too
    {
        arguments.completion = MakeShellCompletion(app, arguments.shell);
    }
    return std::nullopt;
}

} // namespace ns3::rails
