// SPDX-License-Identifier: GPL-2.0-only
#include "rails-command-line.h"

#include "rails-catalogue.h"
#include "rails-nearest-name.h"
#include "rails-version.h"

#include "ns3/nstime.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr int kBadUsage = static_cast<int>(RunStatus::BadDescriptor);

/// What was given on the command line.
struct Arguments
{
    std::string file;
    std::vector<std::string> sets;
    std::string out;
    unsigned processes{0};
    bool force{false};
    bool print{false};
    std::string name;
    std::string jsonFile;
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

void
AddDescriptorOptions(CLI::App& command, Arguments& arguments)
{
    command.add_option("FILE", arguments.file, "Descriptor of the experiment (YAML)")->required();
    command
        .add_option("--set",
                    arguments.sets,
                    "Value in place of the descriptor's, such as transport.mtu=1024B; may be given "
                    "several times")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
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

int
Run(const Arguments& arguments, const CommandHooks& hooks)
{
    const Descriptor descriptor(arguments.file, arguments.sets, hooks.check);
    RunOptions options;
    options.folder = arguments.out.empty() ? "results/" + descriptor.GetName() : arguments.out;
    options.force = arguments.force;
    options.processes = arguments.processes > 0 ? arguments.processes
                                                : std::max(1U, std::thread::hardware_concurrency());
    WarnOfSlowBuild();
    return RunDescriptor(descriptor, options, hooks.scenario);
}

int
Validate(const Arguments& arguments, const CommandHooks& hooks)
{
    const Descriptor descriptor(arguments.file, arguments.sets, hooks.check);
    if (arguments.print)
    {
        for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
        {
            const std::string json = descriptor.MakeExperiment(point).effective;
            std::cout << nlohmann::ordered_json::parse(json).dump(2) << '\n';
        }
        return 0;
    }
    std::cout << arguments.file << ": valid";
    if (descriptor.IsSweep())
    {
        std::cout << ", " << descriptor.GetPointCount() << " points";
    }
    std::cout << '\n';
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
    CLI::App app("Frame-level simulation of MoE traffic over GPU clusters with several NICs per "
                 "server.",
                 "rails");
    app.require_subcommand(1);

    CLI::App* run = app.add_subcommand("run", "One experiment, or every point of its sweep");
    AddDescriptorOptions(*run, arguments);
    run->add_option("--out", arguments.out, "Folder of the results (default: results/NAME)")
        ->type_name("DIR");
    run->add_option("-j", arguments.processes, "Processes of a sweep (default: number of cores)")
        ->type_name("N")
        ->check(CLI::Range(1U, 4096U));
    run->add_flag("--force", arguments.force, "Replace results that are there already");

    CLI::App* validate = app.add_subcommand("validate", "Check a descriptor; nothing is run");
    AddDescriptorOptions(*validate, arguments);
    validate->add_flag("--print", arguments.print, "Print the configuration with all defaults");

    CLI::App* list = app.add_subcommand("list", "The sections and components that exist");
    CLI::App* describe =
        app.add_subcommand("describe", "Keys with units, defaults, meaning and source");
    describe->add_option("NAME", arguments.name, "Section, key of a component, or type")
        ->required();

    CLI::App* bench = app.add_subcommand("bench", "Measure the speed");
    bench->add_option("--json", arguments.jsonFile, "File for the figures")->type_name("FILE");

    const std::vector<std::string> commands{"run", "validate", "list", "describe", "bench"};
    if (!words.empty() && words[0].compare(0, 1, "-") != 0 &&
        std::find(commands.begin(), commands.end(), words[0]) == commands.end())
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
    if (run->parsed())
    {
        return Run(arguments, hooks);
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
