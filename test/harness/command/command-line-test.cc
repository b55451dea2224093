// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/rails-command-line.h"
#include "ns3/rails-goal-export.h"
#include "ns3/rails-trace-export.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <unistd.h>
#include <vector>

namespace ns3::rails
{

class CommandLineTest : public ExperimentTest
{
  protected:
    int Run(std::vector<std::string> words)
    {
        CommandHooks hooks;
        hooks.check = CheckExperiment;
        hooks.exportGoal = ExportGoal;
        hooks.exportTrace = ExportTrace;
        hooks.run.simulate = [](const Experiment&, const ProgressCallback&) {
            return MakeResult();
        };
        words.insert(words.begin(), "rails-experiment");
        std::vector<char*> argv;
        for (std::string& word : words)
        {
            argv.push_back(word.data());
        }
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int status = RunCommandLine(static_cast<int>(argv.size()), argv.data(), hooks);
        m_output = testing::internal::GetCapturedStdout();
        m_errors = testing::internal::GetCapturedStderr();
        return status;
    }

    TemporaryFolder m_folder;
    std::string m_file{m_folder.Write("small.yaml", kSmallDescriptor)};
    std::string m_out{(m_folder.GetPath() / "out").string()};
    std::string m_output;
    std::string m_errors;
};

TEST_F(CommandLineTest, RunWritesTheResult)
{
    EXPECT_EQ(Run({"run", m_file, "--out", m_out, "--set", "seed=3", "--set", "switch.alpha=2"}), 0)
        << m_errors;
    const auto json = nlohmann::json::parse(ReadFile(m_out + "/result.json"));
    EXPECT_EQ(json["seed"], 3);
    EXPECT_EQ(json["config"]["switch"]["alpha"], 2);
    EXPECT_EQ(Run({"run", m_file, "--out", m_out}), 2);
    EXPECT_EQ(Run({"run", m_file, "--out", m_out, "--force"}), 0);
}

TEST_F(CommandLineTest, GoalWritesAGraph)
{
    const std::string graph =
        m_folder.Write("graph.yaml",
                       "topology: {type: rail, domains: 2, gpus_per_domain: 1}\nbalance: rails\n"
                       "workload: {type: graph, stages: [{type: compute, time: 3us}, {type: send, "
                       "bytes: 10B}]}\n");
    EXPECT_EQ(Run({"goal", graph}), 0) << m_errors;
    EXPECT_NE(m_output.find("num_ranks 2"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("calc 3000"), std::string::npos) << m_output;
    const std::string file = (m_folder.GetPath() / "graph.goal").string();
    EXPECT_EQ(Run({"goal", graph, "--out", file}), 0) << m_errors;
    EXPECT_EQ(Run({"goal", graph, "--set", "workload={type: goal, path: " + file + "}"}), 0)
        << m_errors;
    EXPECT_NE(m_output.find("send 10b to 1"), std::string::npos) << m_output;
    EXPECT_EQ(Run({"goal", m_file}), 2);
    EXPECT_NE(m_errors.find("phases end for all GPUs at once"), std::string::npos) << m_errors;
    EXPECT_EQ(Run({"goal", graph, "--set", "sweep.seed=[1, 2]"}), 2);
    EXPECT_NE(m_errors.find("a sweep has several graphs"), std::string::npos) << m_errors;
    EXPECT_EQ(Run({"goal", graph, "--limit", "1"}), 2);
    EXPECT_EQ(Run({"goal", m_folder.Write("study.yaml", "experts: {policy: plain-ep}\n")}), 2);
    EXPECT_NE(m_errors.find("a study of policies has no graph"), std::string::npos) << m_errors;
}

TEST_F(CommandLineTest, TraceWritesCountsThatTheLoadTraceReads)
{
    const std::string study = m_folder.Write(
        "study.yaml",
        "experts: {policy: plain-ep, gpus: 2, gpus_per_server: 2, tokens: 10, layers: 2, "
        "microbatches: 1, model: {type: mixtral-8x7b, experts: 4}, load: {type: synthetic}}\n");
    const std::string file = (m_folder.GetPath() / "counts.csv").string();
    EXPECT_EQ(Run({"trace", study, "--iterations", "3,20", "--out", file}), 0) << m_errors;
    const std::string written = ReadFile(file);
    EXPECT_EQ(written.find("iteration,layer,microbatch,rank,e0,e1,e2,e3\n3,0,0,0,"), 0U) << written;
    EXPECT_EQ(std::count(written.begin(), written.end(), '\n'), 9);
    EXPECT_NE(written.find("\n20,1,0,1,"), std::string::npos) << written;
    // Read again, its counts are the same; the trace has two iterations, by their order.
    const std::string again = "experts.load={type: trace, path: " + file + "}";
    EXPECT_EQ(Run({"trace", study, "--set", again, "--iterations", "0,1"}), 0) << m_errors;
    const auto find = [](const std::string& text, const std::string& place) {
        const std::size_t at = text.find('\n' + place) + 1 + place.size();
        return text.substr(at, text.find('\n', at) - at);
    };
    EXPECT_EQ(find(m_output, "0,0,0,0,"), find(written, "3,0,0,0,"));
    EXPECT_EQ(find(m_output, "1,1,0,1,"), find(written, "20,1,0,1,"));
    EXPECT_EQ(Run({"trace", m_file}), 2);
    EXPECT_NE(m_errors.find("a trace is written of a study"), std::string::npos) << m_errors;
}

TEST_F(CommandLineTest, ExpertsWritesItsDescriptorAndReplacesNobodys)
{
    const std::vector<std::string> question{"experts", "--policy", "llep", "--gpus", "8"};
    const auto ask = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words = question;
        words.insert(words.end(), more.begin(), more.end());
        return Run(words);
    };
    EXPECT_EQ(ask({"--print"}), 0) << m_errors;
    const std::string text = m_output;
    EXPECT_NE(text.find("{type: llep}"), std::string::npos) << text;
    const std::string own = m_folder.Write("out.yaml", "mine\n");
    EXPECT_EQ(ask({"--out", m_out}), 2);
    EXPECT_NE(m_errors.find("another descriptor is there"), std::string::npos) << m_errors;
    EXPECT_EQ(ReadFile(own), "mine\n");
    EXPECT_FALSE(std::filesystem::exists(m_out));
    EXPECT_EQ(ask({"--out", own}), 2);
    EXPECT_NE(m_errors.find("it is a file"), std::string::npos) << m_errors;
    EXPECT_EQ(ask({"--out", m_out, "--force"}), 0) << m_errors;
    EXPECT_EQ(ReadFile(own), text);
    EXPECT_EQ(ask({"--out", m_out}), 0) << m_errors; // the same question goes on
    EXPECT_EQ(ask({"--trace", own, "--load", "w1"}), 2);
}

TEST_F(CommandLineTest, StudiesAndSimulationsHaveFoldersOfTheirOwn)
{
    const std::vector<std::string> sweep{"run",
                                         m_file,
                                         "--out",
                                         m_out,
                                         "--set",
                                         "sweep.seed=[1, 2]"};
    const std::vector<std::string>
        study{"experts", "--policy", "llep", "--gpus", "8", "--seeds", "2", "--out", m_out};
    const auto add = [](std::vector<std::string> words, const std::string& word) {
        words.push_back(word);
        return words;
    };
    EXPECT_EQ(Run(sweep), 0) << m_errors;
    const std::string before = ReadFile(m_out + "/points.json");
    for (const std::vector<std::string>& words : {study, add(study, "--force")})
    {
        EXPECT_EQ(Run(words), 2);
        EXPECT_NE(m_errors.find("the folder holds results of simulations, and studies"),
                  std::string::npos)
            << m_errors;
    }
    EXPECT_EQ(ReadFile(m_out + "/points.json"), before);
    EXPECT_FALSE(std::filesystem::exists(m_out + ".yaml"));
    EXPECT_EQ(Run(sweep), 0) << m_errors;

    std::filesystem::remove_all(m_out);
    EXPECT_EQ(Run(study), 0) << m_errors;
    for (const std::vector<std::string>& words :
         {sweep, add(sweep, "--force"), add(sweep, "--dry-run")})
    {
        EXPECT_EQ(Run(words), 2);
        EXPECT_NE(m_errors.find("the folder holds results of studies"), std::string::npos)
            << m_errors;
    }
    EXPECT_EQ(Run(study), 0) << m_errors;
}

TEST_F(CommandLineTest, UnknownOptionsAreNamedAndNotTheirValues)
{
    EXPECT_EQ(Run({"run", m_file, "--seeds", "3"}), 2);
    EXPECT_EQ(m_errors.find("run: error: unknown option --seeds; "), 0U) << m_errors;
    EXPECT_NE(m_errors.find("--set sweep.repeat=3"), std::string::npos) << m_errors;
    EXPECT_EQ(Run({"sweep", "--seeds=3", m_file}), 2);
    EXPECT_NE(m_errors.find("sweep.repeat"), std::string::npos) << m_errors;
    EXPECT_EQ(Run({"validate", m_file, "--prnt"}), 2);
    EXPECT_NE(m_errors.find("unknown option --prnt; did you mean '--print'?"), std::string::npos)
        << m_errors;
    EXPECT_EQ(Run({"run", m_file, "-k", "2"}), 2);
    EXPECT_NE(m_errors.find("unknown option -k"), std::string::npos) << m_errors;
    EXPECT_EQ(Run({"run", m_file, "--dry-run", "-j2", "--set", "seed=3", "--out=" + m_out}), 0)
        << m_errors;
}

TEST_F(CommandLineTest, WrongArgumentsAreToldWithTheirCommand)
{
    EXPECT_EQ(Run({"sweep", m_file, "-j", "0"}), 2);
    EXPECT_EQ(m_errors,
              "sweep: error: -j: Value 0 not in range 1 to 4096\n"
              "./rails sweep --help tells all of it\n");
    EXPECT_EQ(Run({"run"}), 2);
    EXPECT_EQ(m_errors.find("run: error: FILE is required\n"), 0U) << m_errors;
}

TEST_F(CommandLineTest, NumbersOfAStudyAreRefusedWithTheirRange)
{
    EXPECT_EQ(Run({"experts", "--slots", "-1", "--print"}), 2);
    EXPECT_NE(m_errors.find("--slots: '-1' is out of range or no count; allowed: 0 to "),
              std::string::npos)
        << m_errors;
    EXPECT_EQ(Run({"experts", "--gpus", "0", "--print"}), 2);
    EXPECT_NE(m_errors.find("--gpus: '0' is out of range or no count; allowed: 1 to 65536\n"),
              std::string::npos)
        << m_errors;
    EXPECT_EQ(Run({"experts", "--top-k", "many", "--print"}), 2);
    EXPECT_NE(m_errors.find("--top-k: 'many'"), std::string::npos) << m_errors;
}

TEST_F(CommandLineTest, UnknownCommandsAreLikeThoseOfWhoeverCalled)
{
    EXPECT_EQ(Run({"runn"}), 2);
    EXPECT_NE(m_errors.find("unknown command 'runn'; did you mean 'run'?"), std::string::npos)
        << m_errors;
    EXPECT_EQ(Run({"plott"}), 2);
    EXPECT_EQ(m_errors.find("did you mean"), std::string::npos) << m_errors;
    setenv("RAILS_LAUNCHER", "./rails", 1);
    EXPECT_EQ(Run({"plott"}), 2);
    unsetenv("RAILS_LAUNCHER");
    EXPECT_NE(m_errors.find("unknown command 'plott'; did you mean 'plot'?"), std::string::npos)
        << m_errors;
}

TEST_F(CommandLineTest, CostPrintsATableOrItsPrices)
{
    EXPECT_EQ(Run({"cost", "fat-tree", "mixnet", "--rate", "400Gbps", "--servers", "256"}), 0)
        << m_errors;
    EXPECT_NE(m_output.find("256 servers, 2048 GPUs; 6 of 8"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("26986496"), std::string::npos) << m_output;
    EXPECT_EQ(Run({"cost", "mixnet", "--optical-nics", "4"}), 0) << m_errors;
    EXPECT_NE(m_output.find("4 of 8"), std::string::npos) << m_output;
    EXPECT_EQ(Run({"cost", "--print"}), 0) << m_errors;
    const std::string own = m_folder.Write("prices.yaml", m_output);
    EXPECT_EQ(Run({"cost", "--prices", own}), 0) << m_errors;
    EXPECT_EQ(Run({"cost", "--prices", own, "--print"}), 2);
    EXPECT_EQ(Run({"cost", "fat-tree-3to1"}), 2);
    EXPECT_EQ(m_errors.find("fat-tree-3to1: error: no source counts"), 0U) << m_errors;
    EXPECT_EQ(Run({"cost", "--servers", "0"}), 2);
    EXPECT_EQ(Run({"cost", "--prices", "no/such.yaml"}), 2);
    EXPECT_EQ(m_errors, "no/such.yaml: error: no such file\n");
    EXPECT_EQ(Run({"cost", m_file}), 0) << m_errors;
    EXPECT_NE(m_output.find("2 servers, 4 GPUs; counted from the wiring"), std::string::npos)
        << m_output;
    EXPECT_EQ(Run({"cost", m_file, "--rule", "mixnet"}), 0) << m_errors;
    EXPECT_NE(m_output.find("9529.00"), std::string::npos) << m_output;
    EXPECT_EQ(Run({"cost", m_file, "--servers", "128"}), 2);
    EXPECT_EQ(Run({"cost", m_file, "--rule", "paper"}), 2);
    EXPECT_EQ(Run({"cost", "fat-tree", "--rule", "wiring"}), 2);
    const std::string json = m_folder.Write("cost.json", "");
    EXPECT_EQ(Run({"cost", m_file, "--json", json}), 0) << m_errors;
    EXPECT_NE(m_output.find("counted from the wiring"), std::string::npos) << m_output;
    EXPECT_EQ(nlohmann::json::parse(ReadFile(json)).at("rule"), "wiring");
    EXPECT_EQ(Run({"cost", "--print", "--json", json}), 2);
}

TEST_F(CommandLineTest, FilesOfOthersAreNotReplaced)
{
    EXPECT_EQ(Run({"run", m_file, "--out", m_out}), 0) << m_errors;
    const std::string graph =
        m_folder.Write("graph.yaml",
                       "topology: {type: rail, domains: 2, gpus_per_domain: 1}\nbalance: rails\n"
                       "workload: {type: graph, stages: [{type: compute, time: 3us}]}\n");
    const std::string study = m_folder.Write(
        "study.yaml",
        "experts: {policy: plain-ep, gpus: 2, gpus_per_server: 2, tokens: 10, layers: 1, "
        "microbatches: 1, model: {type: mixtral-8x7b, experts: 4}, load: {type: synthetic}}\n");
    const std::string file = m_folder.Write("mine", "precious");
    const std::vector<std::vector<std::string>> commands{{"index", m_out, "--csv"},
                                                         {"index", m_out, "--json"},
                                                         {"cost", "--json"},
                                                         {"goal", graph, "--out"},
                                                         {"trace", study, "--out"},
                                                         {"new"}};
    for (std::vector<std::string> command : commands)
    {
        const bool hasForce = command.size() == 1 || command.back() == "--out";
        command.push_back(file);
        EXPECT_EQ(Run(command), 2) << command[0];
        EXPECT_EQ(m_errors.find(file + ": error: it is "), 0U) << m_errors;
        EXPECT_EQ(ReadFile(file), "precious") << command[0];
        EXPECT_EQ(ListFolder(m_out).size(), 4U) << "no index.sqlite is made of it, " << m_errors;
        if (hasForce)
        {
            command.emplace_back("--force");
            EXPECT_EQ(Run(command), 0) << m_errors;
            EXPECT_NE(ReadFile(file), "precious");
        }
        else // what it wrote itself
        {
            command.back() =
                (m_folder.GetPath() / (command[0] + command[command.size() - 2])).string();
            EXPECT_EQ(Run(command), 0) << m_errors;
            EXPECT_EQ(Run(command), 0) << m_errors;
            std::filesystem::remove(m_out + "/index.sqlite");
        }
        m_folder.Write("mine", "precious");
    }
    std::ofstream(m_out + "/index.sqlite") << "my precious index";
    EXPECT_EQ(Run({"index", m_out}), 2);
    EXPECT_EQ(ReadFile(m_out + "/index.sqlite"), "my precious index");
}

TEST_F(CommandLineTest, FileOptionStandsForRun)
{
    EXPECT_EQ(Run({"--file=" + m_file, "--out", m_out}), 0) << m_errors;
    EXPECT_TRUE(std::filesystem::exists(m_out + "/result.json"));
    EXPECT_EQ(Run({"--force", "--file", m_file, "--out", m_out}), 0) << m_errors;
}

TEST_F(CommandLineTest, SweepRunsInProcesses)
{
    EXPECT_EQ(Run({"run", m_file, "-j", "2", "--out", m_out, "--set", "sweep.seed=[1, 2]"}), 0);
    EXPECT_EQ(
        ListFolder(m_out),
        (std::vector<std::string>{".rails", "index.sqlite", "points.json", "seed=1", "seed=2"}));
}

TEST_F(CommandLineTest, ValidateRunsAndWritesNothing)
{
    EXPECT_EQ(Run({"validate", m_file, "--set", "sweep.seed=[1, 2]"}), 0);
    EXPECT_EQ(m_output, m_file + ": valid, 2 points\n");
    EXPECT_EQ(ListFolder(m_folder.GetPath()), std::vector<std::string>{"small.yaml"});
}

TEST_F(CommandLineTest, ValidatePrintsTheWholeConfiguration)
{
    EXPECT_EQ(Run({"validate", m_file, "--print"}), 0);
    EXPECT_EQ(nlohmann::json::parse(m_output)["switch"]["buffer"], "64MiB");
}

TEST_F(CommandLineTest, WarningsGoToStandardErrorAndChangeNoStatus)
{
    const std::string file =
        m_folder.Write("spray.yaml",
                       "topology: {type: leaf-spine, domains: 8, leaf_ports: 4, spines: 2}\n"
                       "workload: {type: all-to-all, matrix: uniform}\n"
                       "balance: {type: ecmp, host: spray}\n");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"validate", file}, {"run", file, "--out", m_out}})
    {
        EXPECT_EQ(Run(words), 0);
        EXPECT_EQ(m_errors.find(file + ":3:23: warning: "), 0U) << m_errors;
        EXPECT_NE(m_errors.find("set transport.loss_recovery to selective-repeat"),
                  std::string::npos)
            << m_errors;
    }
}

TEST_F(CommandLineTest, BadDescriptorIsStatusTwoAndWritesNothing)
{
    const std::string bad = m_folder.Write("bad.yaml", kSmallDescriptor + "seed: 010\n");
    for (const std::string command : {"run", "validate"})
    {
        EXPECT_EQ(Run({command, bad}), 2);
        EXPECT_EQ(m_errors.find(bad + ":4:7: error: '010'"), 0U) << m_errors;
        EXPECT_EQ(m_output, "");
    }
    EXPECT_EQ(Run({"run", m_file, "--set", "seed=1s", "--out", m_out}), 2);
    EXPECT_EQ(m_errors.find("--set seed: error: "), 0U) << m_errors;
    EXPECT_FALSE(std::filesystem::exists(m_out));
}

TEST_F(CommandLineTest, MissingEmptyAndUnreadableFilesAreStatusTwo)
{
    EXPECT_EQ(Run({"run", "no/such.yaml"}), 2);
    EXPECT_EQ(m_errors, "no/such.yaml: error: no such file\n");
    EXPECT_EQ(Run({"run", m_folder.GetPath().string()}), 2);
    EXPECT_EQ(Run({"validate", m_folder.Write("empty.yaml", "")}), 2);
    EXPECT_EQ(Run({"validate", m_folder.Write("noise.yaml", "\x7f\x45LF\xff\xfe\0\0\1")}), 2);
    EXPECT_EQ(Run({"validate", ""}), 2);
}

TEST_F(CommandLineTest, OutputThatCannotBeWrittenIsStatusTwo)
{
    EXPECT_EQ(Run({"run", m_file, "--out", "/proc/rails"}), 2);
    EXPECT_NE(m_errors.find("/proc/rails: error: "), std::string::npos) << m_errors;
    EXPECT_EQ(Run({"run", m_file, "--out", m_file}), 2);
    EXPECT_EQ(Run({"run", m_file, "--out", "/proc/rails", "--set", "sweep.seed=[1, 2]"}), 2);
    EXPECT_NE(m_errors.find("/proc/rails: error: "), std::string::npos) << m_errors;
}

TEST_F(CommandLineTest, PathsThatNoFileCanHaveAreStatusTwoWithPlaceAndRemedy)
{
    const std::filesystem::path folder = m_folder.GetPath().lexically_normal();
    const std::string loop = (folder / "loop").string();
    std::filesystem::create_symlink("loop", loop);
    const std::string tooLong = (folder / std::string(300, 'x')).string();
    const auto expect = [&](const std::string& place, const std::string& remedy) {
        EXPECT_NE(m_errors.find(place + ": error: "), std::string::npos) << m_errors;
        EXPECT_NE(m_errors.find(remedy), std::string::npos) << m_errors;
    };
    for (const auto& [path, remedy] :
         {std::pair{loop, "link that leads to itself"}, {tooLong, "choose a shorter name"}})
    {
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"index", path},
              {"new", path},
              {"experts", "--gpus", "8", "--policy", "plain-ep", "--out", path},
              {"run", m_file, "--out", path}})
        {
            EXPECT_EQ(Run(words), 2) << words.front() << m_errors;
            expect(path, words.front() == "run" ? "" : remedy);
        }
    }

    const std::string sweep =
        m_folder.Write("sweep.yaml", kSmallDescriptor + "sweep:\n  seed: [1]\n");
    ASSERT_EQ(Run({"sweep", sweep, "--out", m_out, "-j", "1"}), 0) << m_errors;
    std::filesystem::remove(m_out + "/index.sqlite");
    std::filesystem::create_directory(m_out + "/index.sqlite");
    EXPECT_EQ(Run({"index", m_out}), 2);
    expect(m_out + "/index.sqlite", "rename it");
    std::filesystem::remove(m_out + "/index.sqlite");
    std::filesystem::create_symlink("x", m_out + "/x");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"index", m_out}, {"sweep", sweep, "--out", m_out, "-j", "1"}})
    {
        EXPECT_EQ(Run(words), 2) << words.front();
        expect(m_out + "/x", "link that leads to itself");
    }
}

TEST_F(CommandLineTest, WrongUsageIsStatusTwo)
{
    EXPECT_EQ(Run({}), 2);
    EXPECT_EQ(Run({"run"}), 2);
    EXPECT_EQ(Run({"run", m_file, m_file}), 2);
    EXPECT_EQ(Run({"run", m_file, "-j", "0"}), 2);
    EXPECT_EQ(Run({"run", m_file, "-j", "many"}), 2);
    EXPECT_EQ(Run({"run", m_file, "--frce"}), 2);
    EXPECT_EQ(Run({"describe"}), 2);
    EXPECT_EQ(Run({"runn", m_file}), 2);
    EXPECT_NE(m_errors.find("did you mean 'run'?"), std::string::npos) << m_errors;
}

TEST_F(CommandLineTest, HelpIsStatusZero)
{
    EXPECT_EQ(Run({"--help"}), 0);
    EXPECT_NE(m_output.find("validate"), std::string::npos);
    EXPECT_EQ(Run({"run", "--help"}), 0);
    EXPECT_NE(m_output.find("--set"), std::string::npos);
}

TEST_F(CommandLineTest, ListAndDescribePrint)
{
    EXPECT_EQ(Run({"list"}), 0);
    EXPECT_NE(m_output.find("rail-source"), std::string::npos);
    EXPECT_EQ(Run({"describe", "dcqcn"}), 0);
    EXPECT_NE(m_output.find("alpha_timer"), std::string::npos);
    EXPECT_EQ(Run({"describe", "dcqnc"}), 2);
    EXPECT_NE(m_errors.find("did you mean 'dcqcn'?"), std::string::npos) << m_errors;
}

TEST_F(CommandLineTest, RunWithoutASweepObeysTheOptionsThatChoosePoints)
{
    EXPECT_EQ(Run({"run", m_file, "--out", m_out}), 0) << m_errors;
    const std::string before = ReadFile(m_out + "/result.json");
    for (const std::string command : {"run", "sweep"})
    {
        const std::vector<std::string> other{command, m_file, "--set", "seed=9", "--out", m_out};
        const auto runWith = [&](const std::vector<std::string>& words) {
            std::vector<std::string> all = other;
            all.insert(all.end(), words.begin(), words.end());
            const int status = Run(all);
            EXPECT_EQ(ReadFile(m_out + "/result.json"), before) << command << ' ' << words[0];
            return status;
        };
        EXPECT_EQ(runWith({"--dry-run", "--force"}), 0) << m_errors;
        EXPECT_NE(m_output.find("run     small"), std::string::npos) << m_output;
        EXPECT_EQ(runWith({"--dry-run"}), 2) << "as without --dry-run";
        EXPECT_NE(m_errors.find("--force"), std::string::npos) << m_errors;
        EXPECT_EQ(runWith({"--where", "balance=ecmp", "--force"}), 2);
        EXPECT_EQ(m_errors,
                  "--where balance: error: no point has the value 'ecmp'; there are rails\n");
        EXPECT_EQ(runWith({"--only-failed", "--force"}), 0) << m_errors;
        EXPECT_EQ(runWith({"--point", "seed=9", "--force"}), 2);
        EXPECT_EQ(m_errors, "--point seed=9: error: the descriptor has no sweep\n");
    }
    EXPECT_EQ(Run({"run", m_file, "--where", "balance=rails", "--out", m_out, "--force"}), 0);
}

TEST_F(CommandLineTest, RunReplacesNothingUnlessItIsToldTo)
{
    EXPECT_EQ(Run({"run", m_file, "--out", m_out}), 0) << m_errors;
    auto json = nlohmann::json::parse(ReadFile(m_out + "/result.json"));
    json["key"] = "from another matrix";
    std::ofstream(m_out + "/result.json") << json;
    const std::string before = ReadFile(m_out + "/result.json");
    for (const char* option : {"--any-version", "--where=balance=rails", "-j2"})
    {
        EXPECT_EQ(Run({"run", m_file, "--out", m_out, option}), 2) << option;
        EXPECT_NE(m_errors.find("--force replaces"), std::string::npos) << m_errors;
        EXPECT_EQ(ReadFile(m_out + "/result.json"), before) << option;
    }
    EXPECT_EQ(Run({"run", m_file, "--out", m_out, "--only-failed"}), 0) << "it has not";
    EXPECT_EQ(ReadFile(m_out + "/result.json"), before);
    json["version"]["module"] = "0.0.1";
    std::ofstream(m_out + "/result.json") << json;
    EXPECT_EQ(Run({"run", m_file, "--out", m_out, "--any-version"}), 0);
    EXPECT_NE(m_output.find("has its result already"), std::string::npos) << m_output;
    EXPECT_EQ(Run({"sweep", m_file, "--out", m_out}), 0) << "a sweep goes on with what is old";
    EXPECT_NE(m_output.find("1 point made by rails 0.0.1"), std::string::npos) << m_output;
    EXPECT_NE(nlohmann::json::parse(ReadFile(m_out + "/result.json"))["version"]["module"],
              "0.0.1");
}

TEST_F(CommandLineTest, OptionsOfProcessesAreRefusedForOneRun)
{
    const std::vector<std::vector<std::string>> given{{"--time-limit", "1h"},
                                                      {"--memory-limit", "1GB"},
                                                      {"--retries", "2"},
                                                      {"--launcher", "slurm"},
                                                      {"--partition", "p"},
                                                      {"--slurm-option=--account=a"},
                                                      {"--at-once", "2"},
                                                      {"--chunk-time", "1min"}};
    for (const std::vector<std::string>& words : given)
    {
        std::vector<std::string> all{"run", m_file, "--out", m_out, "--force"};
        all.insert(all.end(), words.begin(), words.end());
        const std::string option = words[0].substr(0, words[0].find('='));
        EXPECT_EQ(Run(all), 2) << option;
        EXPECT_EQ(m_errors,
                  option + ": error: this is for the processes of a sweep; the descriptor has no "
                           "sweep\n");
        all.insert(all.end(), {"--set", "sweep.seed=[1, 2]", "--point", "seed=1"});
        EXPECT_EQ(Run(all), 2) << option;
        EXPECT_FALSE(std::filesystem::exists(m_out));
    }
}

TEST_F(CommandLineTest, NothingRunsWhenOneOfSeveralDescriptorsCannot)
{
    const std::string sweep = m_folder.Write("sweep.yaml", kSmallDescriptor + "sweep: {repeat: 2}");
    EXPECT_EQ(Run({"sweep", sweep, m_file, "--time-limit", "1h", "--out", m_out}), 2);
    EXPECT_NE(m_errors.find("--time-limit: error: "), std::string::npos) << m_errors;
    EXPECT_FALSE(std::filesystem::exists(m_out));
    const std::string bad = m_folder.Write("bad.yaml", kSmallDescriptor + "seed: 010\n");
    EXPECT_EQ(Run({"sweep", sweep, bad, "--out", m_out}), 2);
    EXPECT_FALSE(std::filesystem::exists(m_out));
}

TEST_F(CommandLineTest, DescriptorsThatWouldWriteIntoOnePlaceAreRefusedAndNothingRuns)
{
    const std::string other =
        m_folder.Write("other.yaml", "name: small\n" + kSmallDescriptor + "seed: 7\n");
    EXPECT_EQ(Run({"sweep", m_file, other, "--out", m_out, "--force"}), 2);
    EXPECT_EQ(m_errors,
              other + ": error: its results would replace those of " + m_file + " in " + m_out +
                  "/small; give one of them another 'name', or run each by itself with an --out "
                  "of its own\n");
    EXPECT_FALSE(std::filesystem::exists(m_out));
    const std::string sweep =
        m_folder.Write("sweep.yaml", "name: small\n" + kSmallDescriptor + "sweep: {seed: [1, 2]}");
    const std::string rest =
        m_folder.Write("rest.yaml", "name: small\n" + kSmallDescriptor + "sweep: {seed: [2, 3]}");
    EXPECT_EQ(Run({"sweep", sweep, m_file, "--out", m_out}), 2) << "a sweep and a single run";
    EXPECT_EQ(Run({"sweep", sweep, rest, "--out", m_out}), 2) << "one point is in both";
    EXPECT_FALSE(std::filesystem::exists(m_out));
    m_folder.Write("rest.yaml", "name: small\n" + kSmallDescriptor + "sweep: {seed: [3, 4]}");
    EXPECT_EQ(Run({"sweep", sweep, rest, "--out", m_out}), 0) << m_errors;
}

TEST_F(CommandLineTest, PointAloneObeysTheOptionsThatChoosePoints)
{
    const std::vector<std::string>
        point{"run", m_file, "--set", "sweep.seed=[1, 2]", "--out", m_out, "--point", "seed=2"};
    EXPECT_EQ(Run(point), 0) << m_errors;
    const std::string before = ReadFile(m_out + "/result.json");
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"--dry-run"},
                                               {"--only-failed"},
                                               {"--where", "seed=1"}})
    {
        std::vector<std::string> all = point;
        all.emplace_back("--force");
        all.insert(all.end(), words.begin(), words.end());
        EXPECT_EQ(Run(all), words[0] == "--where" ? 2 : 0) << m_errors;
        EXPECT_EQ(ReadFile(m_out + "/result.json"), before) << words[0];
    }
}

TEST_F(CommandLineTest, ResumeAndCancelTakeNoOtherOptions)
{
    EXPECT_EQ(Run({"run", m_file, "--set", "sweep.seed=[1, 2]", "--out", m_out}), 0) << m_errors;
    std::filesystem::remove_all(m_out + "/seed=2");
    for (const std::string command : {"--resume", "--cancel"})
    {
        for (const std::vector<std::string>& words :
             std::vector<std::vector<std::string>>{{"--dry-run"},
                                                   {"--where", "seed=1"},
                                                   {"--force"},
                                                   {"--set", "seed=1"}})
        {
            std::vector<std::string> all{"sweep", command, m_out};
            all.insert(all.end(), words.begin(), words.end());
            EXPECT_EQ(Run(all), 2) << command << ' ' << words[0];
            EXPECT_EQ(m_errors.find(words[0] + ": error: not with " + command), 0U) << m_errors;
            EXPECT_FALSE(std::filesystem::exists(m_out + "/seed=2"));
        }
    }
    EXPECT_EQ(Run({"sweep", "--resume", m_out}), 0) << m_errors;
    EXPECT_TRUE(std::filesystem::exists(m_out + "/seed=2"));
}

TEST_F(CommandLineTest, MemoryLimitThatCannotBiteIsRefused)
{
    for (const char* limit : {"1", "1000000", "1B", "1023KiB"})
    {
        EXPECT_EQ(Run({"run",
                       m_file,
                       "--set",
                       "sweep.seed=[1]",
                       "--out",
                       m_out,
                       "--memory-limit",
                       limit}),
                  2)
            << limit;
        EXPECT_NE(m_errors.find("--memory-limit"), std::string::npos) << m_errors;
        EXPECT_FALSE(std::filesystem::exists(m_out));
    }
}

TEST_F(CommandLineTest, IndexNamesDamagedPoints)
{
    EXPECT_EQ(Run({"run", m_file, "--set", "sweep.seed=[1, 2, 3]", "--out", m_out}), 0);
    std::filesystem::resize_file(m_out + "/seed=1/links.csv", 3);
    std::ofstream(m_out + "/seed=3/result.json") << "{";
    EXPECT_EQ(Run({"index", m_out}), 2);
    EXPECT_EQ(m_output, "1 point: " + m_out + "/index.sqlite\n");
    EXPECT_EQ(m_errors,
              m_out + ": error: 2 points are damaged and not in the index: seed=1 (links.csv is "
                      "missing, cut or no file), seed=3 (result.json is cut or no JSON); remove "
                      "their folders, and the sweep runs them again\n");
}

TEST_F(CommandLineTest, IndexOfAFolderWithoutResultsIsRefusedAndNotWritten)
{
    std::filesystem::create_directories(m_out + "/notes");
    EXPECT_EQ(Run({"index", m_out}), 2);
    EXPECT_EQ(m_errors,
              m_out + ": error: no result in it; expected the folder of a sweep or of a run\n");
    EXPECT_FALSE(std::filesystem::exists(m_out + "/index.sqlite"));
}

TEST_F(CommandLineTest, ExplainNeedsAFolderWithResults)
{
    EXPECT_EQ(Run({"explain"}), 2);
    EXPECT_EQ(Run({"explain", m_out}), 2);
    EXPECT_EQ(m_errors, m_out + ": error: no such folder\n");
    EXPECT_EQ(Run({"run", m_file, "--set", "sweep.seed=[1, 2]", "--out", m_out}), 0);
    EXPECT_EQ(Run({"explain", m_out}), 0);
    EXPECT_NE(m_output.find("seed=2"), std::string::npos) << m_output;
}

TEST_F(CommandLineTest, ExplainTellsOfChosenPoints)
{
    EXPECT_EQ(Run({"run", m_file, "--set", "sweep.seed=[1, 2, 3]", "--out", m_out}), 0);
    EXPECT_EQ(Run({"explain", m_out, "--where", "seed=2"}), 0);
    EXPECT_NE(m_output.find("seed=2"), std::string::npos) << m_output;
    EXPECT_EQ(m_output.find("seed=1"), std::string::npos) << m_output;
    for (const std::string& folder : {m_out, m_out + "/seed=2"})
    {
        EXPECT_EQ(Run({"explain", folder, "--where", "seed=4"}), 2);
        EXPECT_NE(m_errors.find("no point has the value '4'"), std::string::npos) << m_errors;
    }
}

TEST_F(CommandLineTest, ExplainNamesDamagedPoints)
{
    EXPECT_EQ(Run({"run", m_file, "--set", "sweep.seed=[1, 2, 3]", "--out", m_out}), 0);
    std::filesystem::resize_file(m_out + "/seed=1/links.csv", 3);
    std::ofstream(m_out + "/seed=3/result.json") << "{";
    EXPECT_EQ(Run({"explain", m_out}), 2);
    EXPECT_NE(m_output.find("seed=2"), std::string::npos) << m_output;
    EXPECT_EQ(m_errors,
              m_out + ": error: 2 points are damaged and not explained: seed=1 (links.csv is "
                      "missing, cut or no file), seed=3 (result.json is cut or no JSON); remove "
                      "their folders, and the sweep runs them again\n");
}

TEST_F(CommandLineTest, OutputOnAFullDiskIsStatusTwo)
{
    const std::string sweep = m_folder.Write("sweep.yaml", kSmallDescriptor + "sweep: {repeat: 2}");
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"--help"},
                                               {"list"},
                                               {"new"},
                                               {"schema"},
                                               {"describe", "dcqcn"},
                                               {"completion", "bash"},
                                               {"validate", m_file},
                                               {"validate", m_file, "--print"},
                                               {"run", m_file, "--out", m_out},
                                               {"sweep", sweep, "--dry-run"},
                                               {"sweep", sweep, "--out", m_out + "-sweep"}})
    {
        std::cout.flush();
        const int usual = dup(STDOUT_FILENO);
        const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
        ASSERT_GE(full, 0);
        const int status = [&] {
            testing::internal::CaptureStderr();
            dup2(full, STDOUT_FILENO);
            std::vector<std::string> copies = words;
            std::string name = "rails-experiment";
            std::vector<char*> argv{name.data()};
            for (std::string& word : copies)
            {
                argv.push_back(word.data());
            }
            CommandHooks hooks;
            hooks.check = CheckExperiment;
            hooks.run.simulate = [](const Experiment&, const ProgressCallback&) {
                return MakeResult();
            };
            return RunCommandLine(static_cast<int>(argv.size()), argv.data(), hooks);
        }();
        std::cout.clear();
        std::cout.flush();
        dup2(usual, STDOUT_FILENO);
        std::cout.clear();
        close(usual);
        close(full);
        EXPECT_EQ(status, 2) << words[0];
        const std::string errors = testing::internal::GetCapturedStderr();
        EXPECT_EQ(errors.find("standard output: error: "), 0U) << words[0] << ": " << errors;
        EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << words[0] << ": " << errors;
        EXPECT_EQ(errors.find("No space left on device") == std::string::npos,
                  words[0] == "run" || words[0] == "sweep")
            << words[0] << ": " << errors;
    }
}

} // namespace ns3::rails
