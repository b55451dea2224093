// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/source-folder.h"
#include "../run/experiment-fixtures.h"

#include "ns3/rails-command-line.h"
#include "ns3/rails-command-list.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

using Names = std::set<std::string>;

/// What the list says that the launcher does by itself.
const Names kOfLauncher{"bench",
                        "build",
                        "compare",
                        "demo",
                        "docs",
                        "engines",
                        "help",
                        "import",
                        "measured",
                        "plot",
                        "report",
                        "reproduce",
                        "setup",
                        "test"};

/// \return the words of a text that are like this
Names
Find(const std::string& text, const std::string& form)
{
    const std::regex pattern(form);
    Names found;
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    {
        found.insert(it->str(1));
    }
    return found;
}

/// \return what the program prints as help
std::string
PrintHelp(std::vector<std::string> words)
{
    words.insert(words.begin(), "rails-experiment");
    words.emplace_back("--help");
    std::vector<char*> argv;
    for (std::string& word : words)
    {
        argv.push_back(word.data());
    }
    testing::internal::CaptureStdout();
    EXPECT_EQ(RunCommandLine(static_cast<int>(argv.size()), argv.data(), {}), 0);
    return testing::internal::GetCapturedStdout();
}

/// \return the options of a command of the program, but for --help and --with
Names
FindOptions(const std::string& command)
{
    Names options = Find(PrintHelp({command}), R"(\n  (--?[a-z][a-z-]*))");
    options.erase("-h");
    options.erase("--with"); // what `build` says
    return options;
}

Names
GetNames()
{
    Names names;
    for (const ListedCommand& command : GetListedCommands())
    {
        names.insert(command.name);
    }
    return names;
}

} // namespace

class CommandListTest : public ExperimentTest
{
};

TEST_F(CommandListTest, LinesAreReadAsTheyStand)
{
    std::map<std::string, ListedCommand> commands;
    for (const ListedCommand& command : GetListedCommands())
    {
        commands.emplace(command.name, command); // of two the first
    }
    const ListedCommand& run = commands.at("run");
    ASSERT_EQ(run.arguments.size(), 5U);
    EXPECT_EQ(run.arguments[0].option + run.arguments[0].value, "FILE");
    EXPECT_EQ(run.arguments[1].option, "--set");
    EXPECT_EQ(run.arguments[1].value, "KEY=VALUE");
    EXPECT_TRUE(run.arguments[1].isRepeated);
    EXPECT_EQ(run.arguments[3].option, "-j");
    EXPECT_EQ(run.arguments[4].option, "--force");
    EXPECT_EQ(run.arguments[4].value, "");
    EXPECT_FALSE(run.arguments[4].isRepeated);
    EXPECT_FALSE(run.isWhole);
    EXPECT_TRUE(commands.at("validate").isWhole);
    EXPECT_TRUE(commands.at("build").arguments.at(0).isRepeated);
    EXPECT_EQ(commands.at("list").arguments.size(), 0U);
    EXPECT_EQ(commands.at("test").meaning, "every test (--quick: without the sanitizers)");
    EXPECT_EQ(commands.at("run").meaning, "one experiment, or every point of its sweep");
    EXPECT_EQ(DescribeListedCommand("validate"), "Check a descriptor");
}

TEST_F(CommandListTest, ProgramHasTheCommandsAndOptionsOfTheList)
{
    Names commands = kOfLauncher;
    commands.merge(Find(PrintHelp({}), R"(\n  ([a-z]+)  )"));
    EXPECT_EQ(GetNames(), commands);
    for (const ListedCommand& command : GetListedCommands())
    {
        if (kOfLauncher.count(command.name) > 0)
        {
            continue;
        }
        Names options;
        for (const ListedCommand::Argument& argument : command.arguments)
        {
            options.insert(argument.option);
        }
        options.erase("");
        Names known = FindOptions(command.name);
        if (!command.isWhole)
        {
            Names shown;
            std::set_intersection(known.begin(),
                                  known.end(),
                                  options.begin(),
                                  options.end(),
                                  std::inserter(shown, shown.end()));
            known = shown;
        }
        EXPECT_EQ(options, known) << command.name;
    }
}

TEST_F(CommandListTest, PageTellsOfEveryCommandAndOfNoOtherOption)
{
    const std::string page = ReadFile(test::GetSourceFolder() + "/doc/commands.rst");
    EXPECT_EQ(Find(page, R"(\./rails ([a-z]+))"), GetNames());
    std::map<std::string, Names> options;
    for (const ListedCommand& command : GetListedCommands())
    {
        for (const ListedCommand::Argument& argument : command.arguments)
        {
            options[command.name].insert(argument.option);
        }
    }
    for (const std::string& call : Find(page, R"(`\./rails ([^`]*)`)"))
    {
        const Names& known = options[call.substr(0, call.find(' '))];
        for (const std::string& option : Find(call, R"( \[?(--?[a-z][a-z-]*))"))
        {
            EXPECT_EQ(known.count(option), 1U) << "./rails " << call;
        }
    }
}

} // namespace ns3::rails
