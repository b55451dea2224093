// SPDX-License-Identifier: GPL-2.0-only
#include "sweep-fixture.h"

#include "ns3/rails-error.h"
#include "ns3/rails-result-reader.h"
#include "ns3/rails-runner.h"

#include <csignal>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Runs descriptors with a made-up simulate instead of a simulation.
class RunnerTest : public ExperimentTest
{
  protected:
    /// Takes what is printed while it runs.
    int Run(const std::string& text, bool force = false, const std::vector<std::string>& sets = {})
    {
        RunOptions options;
        options.folder = m_target.string();
        options.processes = 2;
        options.force = force;
        const Descriptor descriptor = Read(text, sets);
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int status = RunDescriptor(descriptor, options, {m_scenario, nullptr});
        m_output = testing::internal::GetCapturedStdout();
        m_errors = testing::internal::GetCapturedStderr();
        return status;
    }

    nlohmann::json GetResult(const std::string& point = "") const
    {
        return ReadResultJson(m_target / point);
    }

    /// Appends a line to a file, across processes.
    void Count() const
    {
        std::ofstream(m_folder.GetPath() / "runs", std::ios::app) << "x";
    }

    std::size_t GetRuns() const
    {
        return ReadFile(m_folder.GetPath() / "runs").size();
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_target{m_folder.GetPath() / "out"};
    ExperimentFunction m_scenario{[this](const Experiment& experiment, const ProgressCallback&) {
        Count();
        Result result = MakeResult();
        result.cct = static_cast<TimePs>(1'000'000 * experiment.seed);
        return result;
    }};
    std::string m_output;
    std::string m_errors;
    const std::string m_sweep{kSmallDescriptor + "sweep: {seed: [1, 2, 3]}\n"};
};

TEST_F(RunnerTest, SingleRunLeavesItsResultAndASummary)
{
    EXPECT_EQ(Run(kSmallDescriptor + "seed: 5\n"), 0);
    EXPECT_EQ(GetResult()["seed"], 5);
    EXPECT_EQ(GetResult()["name"], "test");
    EXPECT_EQ(GetResult()["config"]["balance"]["type"], "rails");
    EXPECT_GT(GetResult()["peak_rss_bytes"], 0);
    EXPECT_NE(m_output.find("cct [us]"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("5.000"), std::string::npos) << m_output; // over bound
    EXPECT_EQ(m_errors, "");
}

TEST_F(RunnerTest, SingleRunIsNotRepeatedIntoItsFolderWithoutForce)
{
    EXPECT_EQ(Run(kSmallDescriptor), 0);
    EXPECT_EQ(Run(kSmallDescriptor), 2);
    EXPECT_NE(m_errors.find("--force"), std::string::npos);
    EXPECT_EQ(Run(kSmallDescriptor, true), 0);
    EXPECT_EQ(GetRuns(), 2U);
}

TEST_F(RunnerTest, SweepLeavesAResultPerPoint)
{
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(ListFolder(m_target), kFilesOfThreeSeeds);
    EXPECT_EQ(GetResult("seed=3")["seed"], 3);
    EXPECT_EQ(GetResult("seed=3")["axes"]["seed"], "3");
    EXPECT_NE(m_output.find("seed=2"), std::string::npos) << m_output;
    EXPECT_EQ(m_errors, "");
}

TEST_F(RunnerTest, SweepSkipsPointsWhoseResultIsWhole)
{
    EXPECT_EQ(Run(m_sweep), 0);
    std::filesystem::remove_all(m_target / "seed=2");
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(GetRuns(), 4U);
    EXPECT_NE(m_output.find("2 of 3 points had their result already"), std::string::npos);
    EXPECT_EQ(Run(m_sweep, true), 0);
    EXPECT_EQ(GetRuns(), 7U);
}

TEST_F(RunnerTest, SweepMayGrow)
{
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(Run(m_sweep, false, {"sweep.seed=[1, 2, 3, 4]"}), 0);
    EXPECT_EQ(GetRuns(), 4U);
}

TEST_F(RunnerTest, ResultsOfAnotherConfigurationAreNotTakenForTheSweeps)
{
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(Run(m_sweep, false, {"transport.mtu=1024B"}), 2);
    EXPECT_NE(m_errors.find("transport.mtu: \"4096B\" there, \"1024B\" here"), std::string::npos)
        << m_errors;
    EXPECT_EQ(GetRuns(), 3U);
    EXPECT_EQ(Run(m_sweep, true, {"transport.mtu=1024B"}), 0);
    EXPECT_EQ(GetResult("seed=1")["config"]["transport"]["mtu"], "1024B");
}

TEST_F(RunnerTest, SweepEndsWithTheHighestStatusOfItsPoints)
{
    m_scenario = [](const Experiment& experiment, const ProgressCallback&) {
        Result result = MakeResult();
        if (experiment.seed == 2)
        {
            result.status = RunStatus::NotFinished;
            result.report = "queue pair 3 is stuck";
        }
        return result;
    };
    EXPECT_EQ(Run(m_sweep), 3);
    EXPECT_NE(m_errors.find("seed=2: error: queue pair 3 is stuck"), std::string::npos) << m_errors;
    EXPECT_NE(m_output.find("status 3"), std::string::npos) << m_output;
    EXPECT_EQ(GetResult("seed=2")["status"], 3);
    EXPECT_EQ(GetResult("seed=3")["status"], 0);
    EXPECT_EQ(Run(m_sweep), 3) << "the status of a point that is skipped counts";
}

TEST_F(RunnerTest, PointThatCrashesDoesNotTakeTheOthersWithIt)
{
    m_scenario = [](const Experiment& experiment, const ProgressCallback&) {
        if (experiment.seed == 1)
        {
            raise(SIGKILL);
        }
        return MakeResult();
    };
    EXPECT_EQ(Run(m_sweep), 4);
    EXPECT_NE(m_errors.find("seed=1: error: its process was ended: Killed"), std::string::npos)
        << m_errors;
    EXPECT_TRUE(GetResult("seed=1").is_discarded());
    EXPECT_EQ(GetResult("seed=3")["status"], 0);
    EXPECT_NE(m_output.find("no result"), std::string::npos) << m_output;
}

TEST_F(RunnerTest, StudiesThatAllFailLeaveNoTableOfNetworks)
{
    m_scenario = [](const Experiment&, const ProgressCallback&) -> Result {
        throw std::runtime_error("no such plan");
    };
    const std::string studies = "experts: {model: gpt-32x1.3b, gpus: 8}\n";
    EXPECT_EQ(Run(studies + "sweep: {seed: [1, 2]}\n"), 4);
    EXPECT_NE(m_output.find("seed=1  no result\n"), std::string::npos) << m_output;
    for (const std::string column : {"cct", "bound", "busbw", "pauses"})
    {
        EXPECT_EQ(m_output.find(column), std::string::npos) << m_output;
    }
}

TEST_F(RunnerTest, ConfigurationErrorOfARunIsPlacedInTheDescriptor)
{
    m_scenario = [](const Experiment&, const ProgressCallback&) -> Result {
        throw ConfigurationError("switch.headroom", "it does not fit into the buffer");
    };
    EXPECT_EQ(Run(kSmallDescriptor + "switch:\n  headroom: 1MB\n"), 2);
    EXPECT_EQ(m_errors, "test.yaml:5:3: error: it does not fit into the buffer\n");
    EXPECT_FALSE(std::filesystem::exists(m_target));
}

TEST_F(RunnerTest, ExceptionOfARunIsABrokenInvariant)
{
    m_scenario = [](const Experiment&, const ProgressCallback&) -> Result {
        throw std::logic_error("a plan does not cover its demand");
    };
    EXPECT_EQ(Run(kSmallDescriptor), 4);
    EXPECT_NE(m_errors.find("error: a plan does not cover its demand"), std::string::npos);
}

TEST_F(RunnerTest, SweepIsRefusedInTheFolderOfASingleRun)
{
    EXPECT_EQ(Run(kSmallDescriptor), 0);
    EXPECT_EQ(Run(m_sweep), 2);
    EXPECT_NE(m_errors.find("the result of a single run"), std::string::npos) << m_errors;
}

} // namespace ns3::rails
