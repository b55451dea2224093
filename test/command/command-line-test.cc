// SPDX-License-Identifier: GPL-2.0-only
#include "../experiment/experiment-fixtures.h"

#include "ns3/rails-command-line.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
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
        hooks.run.scenario = [](const Experiment&, const ProgressCallback&) {
            return MakeResult();
        };
        hooks.bench = [this](const std::string& jsonFile) {
            m_benchFile = jsonFile;
            return 0;
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
    std::string m_benchFile;
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

TEST_F(CommandLineTest, FileOptionStandsForRun)
{
    EXPECT_EQ(Run({"--file=" + m_file, "--out", m_out}), 0) << m_errors;
    EXPECT_TRUE(std::filesystem::exists(m_out + "/result.json"));
    EXPECT_EQ(Run({"--force", "--file", m_file, "--out", m_out}), 0) << m_errors;
}

TEST_F(CommandLineTest, SweepRunsInProcesses)
{
    EXPECT_EQ(Run({"run", m_file, "-j", "2", "--out", m_out, "--set", "sweep.seed=[1, 2]"}), 0);
    EXPECT_EQ(ListFolder(m_out),
              (std::vector<std::string>{".rails", "index.sqlite", "seed=1", "seed=2"}));
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

TEST_F(CommandLineTest, BenchGetsItsFile)
{
    EXPECT_EQ(Run({"bench", "--json", "figures.json"}), 0);
    EXPECT_EQ(m_benchFile, "figures.json");
}

} // namespace ns3::rails
