// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/component-path.h"
#include "ns3/rails-command-line.h"
#include "ns3/rails-command-list.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

/// \return what the program prints
std::string
RunProgram(std::vector<std::string> words)
{
    words.insert(words.begin(), "rails-experiment");
    std::vector<char*> argv;
    for (std::string& word : words)
    {
        argv.push_back(word.data());
    }
    testing::internal::CaptureStdout();
    const int status = RunCommandLine(static_cast<int>(argv.size()), argv.data(), {});
    const std::string output = testing::internal::GetCapturedStdout();
    EXPECT_EQ(status, 0);
    return output;
}

bool
HasShell(const std::string& shell)
{
    return std::system(("command -v " + shell + " >/dev/null 2>&1").c_str()) == 0;
}

using Words = std::vector<std::string>;

} // namespace

/// In a real shell, of which the parameter is the name.
class ShellCompletionTest : public ExperimentTest, public testing::WithParamInterface<std::string>
{
  protected:
    void SetUp() override
    {
        if (!HasShell(GetParam()))
        {
            GTEST_SKIP() << "THERE IS NO " << GetParam() << " HERE: its completion is not tested";
        }
        m_folder.Write("completion", RunProgram({"completion", GetParam()}));
        m_folder.Write("one.yaml", "");
        m_folder.Write("two.yml", "");
        m_folder.Write("other.txt", "");
        std::filesystem::create_directory(m_folder.GetPath() / "folder");
    }

    /// \return the lines that a script of the shell prints, sorted
    std::set<std::string> RunScript(const std::string& script) const
    {
        const std::string path = m_folder.Write("script", script);
        const std::string command = "cd '" + m_folder.GetPath().string() + "' && " + GetParam() +
                                    (GetParam() == "zsh" ? " -f" : " --norc") + " '" + path +
                                    "' 2>&1";
        std::FILE* pipe = popen(command.c_str(), "r");
        std::string output;
        std::array<char, 4096> part;
        while (std::fgets(part.data(), part.size(), pipe))
        {
            output += part.data();
        }
        pclose(pipe);
        std::set<std::string> lines;
        std::istringstream stream(output);
        for (std::string line; std::getline(stream, line);)
        {
            lines.insert(line);
        }
        return lines;
    }

    /**
     * \param words of the command line, the last one being typed
     * \return what the shell's own function makes of it
     */
    std::set<std::string> Complete(const Words& words) const
    {
        return GetParam() == "zsh" ? CompleteInZsh(words) : CompleteInBash(words);
    }

    TemporaryFolder m_folder;

  private:
    std::set<std::string> CompleteInBash(const Words& words) const
    {
        // Bash cuts words at "=" before it calls the function.
        std::string array;
        std::size_t count = 0;
        std::string kept; // what bash keeps of the word that is typed
        for (const std::string& word : words)
        {
            std::size_t begin = 0;
            for (;;)
            {
                const std::size_t equals = word.find('=', begin);
                const std::string part = word.substr(begin, equals - begin);
                if (!part.empty() || word.empty())
                {
                    array += " '" + part + "'";
                    ++count;
                }
                if (equals == std::string::npos)
                {
                    break;
                }
                array += " '='";
                ++count;
                begin = equals + 1;
            }
            kept = word.substr(0, begin);
        }
        const std::set<std::string> replies =
            RunScript("source ./completion\nCOMP_WORDS=(" + array +
                      ")\nCOMP_CWORD=" + std::to_string(count - 1) +
                      "\n_rails\n((${#COMPREPLY[@]})) && printf '%s\\n' \"${COMPREPLY[@]}\"\n");
        std::set<std::string> whole;
        for (const std::string& reply : replies)
        {
            whole.insert(kept + reply);
        }
        return whole;
    }

    std::set<std::string> CompleteInZsh(const Words& words) const
    {
        std::string array;
        for (const std::string& word : words)
        {
            array += " '" + word + "'";
        }
        // The functions of the completion system, which works only while a line is edited.
        return RunScript("compdef() { :; }\n"
                         "compadd() { while [[ $1 != -- ]]; do shift; done; shift\n"
                         "  for w in \"$@\"; do [[ $w == ${PREFIX}* ]] && print -r -- $w; done }\n"
                         "_files() { case \"$*\" in\n"
                         "  -/) print -l -- *(/) ;;\n"
                         "  -g*) eval \"print -l -- $2 *(/)\" ;;\n"
                         "  *) print -l -- * ;;\n"
                         "  esac }\n"
                         "source ./completion\nwords=(" +
                         array + ")\nCURRENT=" + std::to_string(words.size()) +
                         "\nPREFIX=${words[-1]}\n_rails\n");
    }
};

TEST_P(ShellCompletionTest, CommandsAreThoseOfTheProgramAndOfTheLauncher)
{
    for (const std::string program : {"rails", "./rails"})
    {
        const std::set<std::string> commands = Complete({program, ""});
        for (const std::string command : {"run", "describe", "plot", "reproduce"})
        {
            EXPECT_EQ(commands.count(command), 1U) << command;
        }
    }
    EXPECT_EQ(Complete({"rails", "desc"}), std::set<std::string>{"describe"});
}

TEST_P(ShellCompletionTest, OptionsAreThoseOfTheCommand)
{
    const std::set<std::string> options = Complete({"rails", "run", "x.yaml", "--"});
    EXPECT_EQ(options.count("--set"), 1U);
    EXPECT_EQ(options.count("--out"), 1U);
    EXPECT_EQ(options.count("--print"), 0U);
    EXPECT_EQ(Complete({"rails", "validate", "--pr"}), std::set<std::string>{"--print"});
    EXPECT_EQ(Complete({"rails", "plot", "--w"}), (std::set<std::string>{"--where", "--width"}));
    EXPECT_EQ(Complete({"rails", "plot", "x", "--format", ""}),
              (std::set<std::string>{"pdf", "svg", "png"}));
    EXPECT_EQ(Complete({"rails", "report", "--a"}), std::set<std::string>{"--all"});
    EXPECT_EQ(Complete({"rails", "compare", "x", "--b"}),
              (std::set<std::string>{"--by", "--baseline"}));
}

TEST_P(ShellCompletionTest, ComparisonIsByAKeyAndOfThoseWithAValue)
{
    EXPECT_EQ(Complete({"rails", "compare", "x", "--by", "balan"}).count("balance"), 1U);
    EXPECT_EQ(Complete({"rails", "compare", "x", "--by", "transport.mt"}),
              std::set<std::string>{"transport.mtu"});
    EXPECT_EQ(Complete({"rails", "compare", "x", "--where", "balance=rail-s"}),
              std::set<std::string>{"balance=rail-source"});
    for (const char* command : {"explain", "build"})
    {
        EXPECT_EQ(Complete({"rails", command, "f"}).count("folder"), 1U) << command;
    }
}

TEST_P(ShellCompletionTest, NamesAreDescribed)
{
    EXPECT_EQ(Complete({"rails", "describe", "dcq"}), std::set<std::string>{"dcqcn"});
    const std::set<std::string> names = Complete({"rails", "describe", "watchdog"});
    EXPECT_EQ(names.count("watchdog"), 1U);
    EXPECT_EQ(names.count("watchdog.storm_after"), 1U);
}

TEST_P(ShellCompletionTest, KeysAreCompletedPointByPoint)
{
    EXPECT_EQ(Complete({"rails", "run", "x.yaml", "--set", "bal"}),
              (std::set<std::string>{"balance.", "balance="}));
    EXPECT_EQ(Complete({"rails", "run", "--set", "watchdog."}),
              (std::set<std::string>{"watchdog.deadlock_after=",
                                     "watchdog.no_progress_after=",
                                     "watchdog.storm_after="}));
    EXPECT_EQ(Complete({"rails", "plot", "results", "--where", "transport.m"}),
              std::set<std::string>{"transport.mtu="});
}

TEST_P(ShellCompletionTest, WordsAndSwitchesAreCompletedBehindTheirKey)
{
    EXPECT_EQ(Complete({"./rails", "run", "x.yaml", "--set", "balance.type=rail"}),
              (std::set<std::string>{"balance.type=rail-destination",
                                     "balance.type=rail-source",
                                     "balance.type=rails",
                                     "balance.type=rails-plus",
                                     "balance.type=rails-plus-row"}));
    EXPECT_EQ(Complete({"rails", "run", "--set", "switch.pfc="}),
              (std::set<std::string>{"switch.pfc=false", "switch.pfc=true"}));
    EXPECT_EQ(Complete({"rails", "run", "--set", "balance.tie="}),
              (std::set<std::string>{"balance.tie=lowest", "balance.tie=rotated"}));
    EXPECT_EQ(Complete({"rails", "run", "--set", "balance=even"}),
              std::set<std::string>{"balance=even-split"});
    EXPECT_EQ(Complete({"rails", "run", "--set", "balance.chunk="}),
              (std::set<std::string>{"balance.chunk=automatic", "balance.chunk=whole"}));
    EXPECT_TRUE(Complete({"rails", "run", "--set", "transport.mtu="}).empty());
    EXPECT_EQ(Complete({"rails", "run", "--set=balance.tie=l"}),
              std::set<std::string>{"--set=balance.tie=lowest"});
}

TEST_P(ShellCompletionTest, OneSetAfterAnotherIsCompleted)
{
    EXPECT_EQ(Complete({"rails", "run", "--set", "switch.pfc=true", "--set", "balance.t"}),
              (std::set<std::string>{"balance.tie=", "balance.type="}));
    EXPECT_EQ(Complete({"rails", "validate", "--set", "switch.pfc=true", "one"}),
              GetParam() == "bash" ? std::set<std::string>{"one.yaml"}
                                   : (std::set<std::string>{"folder", "one.yaml", "two.yml"}));
}

TEST_P(ShellCompletionTest, FilesAndFoldersFitTheArgument)
{
    EXPECT_EQ(Complete({"rails", "validate", ""}),
              (std::set<std::string>{"folder", "one.yaml", "two.yml"}));
    EXPECT_EQ(Complete({"rails", "run", "x.yaml", "--out", ""}), std::set<std::string>{"folder"});
    EXPECT_EQ(Complete({"rails", "plot", ""}), std::set<std::string>{"folder"});
    EXPECT_EQ(Complete({"rails", "bench", "--json", ""}).count("other.txt"), 1U);
    EXPECT_EQ(Complete({"rails", "bench", ""}),
              (std::set<std::string>{"estimates", "generated", "planners", "recomputed"}));
    EXPECT_EQ(Complete({"rails", "bench", "g"}), std::set<std::string>{"generated"});
    EXPECT_EQ(Complete({"rails", "compare", "results", ""}), std::set<std::string>{"folder"});
}

TEST_P(ShellCompletionTest, TypesAndShellsAreWords)
{
    EXPECT_EQ(Complete({"rails", "new", "--topology", "fat"}), std::set<std::string>{"fat-tree"});
    EXPECT_EQ(Complete({"rails", "completion", ""}), (std::set<std::string>{"bash", "zsh"}));
}

TEST_P(ShellCompletionTest, ValuesOfStudiesAndCostsAreWords)
{
    EXPECT_EQ(Complete({"rails", "experts", "--load", "no-"}), std::set<std::string>{"no-aux"});
    EXPECT_EQ(Complete({"rails", "experts", "--load", "w2"}),
              (std::set<std::string>{"w2", "w2-corrected"}));
    EXPECT_EQ(Complete({"rails", "experts", "--policy", "ep"}),
              (std::set<std::string>{"epic", "eplb"}));
    EXPECT_EQ(Complete({"rails", "experts", "--model", "mixtral-8x7"}),
              std::set<std::string>{"mixtral-8x7b"});
    EXPECT_EQ(Complete({"rails", "cost", "--rule", ""}),
              (std::set<std::string>{"mixnet", "wiring"}));
    EXPECT_EQ(Complete({"rails", "cost", "--rate", "8"}), std::set<std::string>{"800Gbps"});
    EXPECT_EQ(Complete({"rails", "cost", "fat-tree", "o"}).count("one.yaml"), 1U);
    EXPECT_EQ(Complete({"rails", "cost", "mixnet-"}).count("mixnet-used-ports"), 1U);
}

INSTANTIATE_TEST_SUITE_P(Shells,
                         ShellCompletionTest,
                         testing::Values("bash", "zsh"),
                         [](const auto& info) { return info.param; });

class ShellCompletion : public ExperimentTest
{
};

TEST_F(ShellCompletion, KnowsEveryDottedKey)
{
    const std::string script = RunProgram({"completion", "bash"});
    const std::size_t begin = script.find("_rails_keys='") + 13;
    const std::string keys = " " + script.substr(begin, script.find('\'', begin) - begin) + " ";
    for (const DottedKey& key : ListDottedKeys())
    {
        // What has no types can only be set key by key.
        const ComponentKey& first = key.owners.front().key;
        const bool inner = first.Is(ValueKind::Shape::Component) &&
                           !HasComponentTypes(GetInnerBase(first.attribute));
        for (const std::string& path : key.GetPaths())
        {
            EXPECT_EQ(keys.find(" " + path + " ") != std::string::npos, !inner) << path;
        }
    }
    EXPECT_NE(keys.find(" topology.gpus_per_server "), std::string::npos);
}

TEST_F(ShellCompletion, KnowsEveryListedCommandOnce)
{
    const std::string script = RunProgram({"completion", "bash"});
    const std::size_t begin = script.find("_rails_commands='") + 17;
    std::istringstream words(script.substr(begin, script.find('\'', begin) - begin));
    std::multiset<std::string> commands;
    for (std::string word; words >> word;)
    {
        commands.insert(word);
    }
    std::set<std::string> listed;
    for (const ListedCommand& command : GetListedCommands())
    {
        listed.insert(command.name);
    }
    EXPECT_EQ(commands, std::multiset<std::string>(listed.begin(), listed.end()));
}

TEST_F(ShellCompletion, UnknownShellIsBadUsage)
{
    std::string program = "rails-experiment";
    std::string command = "completion";
    std::string shell = "fish";
    std::array<char*, 3> argv{program.data(), command.data(), shell.data()};
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    EXPECT_EQ(RunCommandLine(3, argv.data(), {}), 2);
    testing::internal::GetCapturedStdout();
    EXPECT_NE(testing::internal::GetCapturedStderr().find("fish"), std::string::npos);
}

} // namespace ns3::rails
