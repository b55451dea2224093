// SPDX-License-Identifier: GPL-2.0-only
#include "sweep-fixture.h"

#include "ns3/published-path.h"
#include "ns3/rails-error.h"
#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-writer.h"
#include "ns3/rails-run-keys.h"
#include "ns3/rails-version.h"
#include "ns3/sweep-lock.h"
#include "ns3/writer-identity.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using Seeds = std::vector<int>;

const ExperimentFunction kCrash = [](const Experiment&, const ProgressCallback&) -> Result {
    raise(SIGKILL);
    return {};
};

} // namespace

class SweepRunTest : public SweepRunFixture
{
  protected:
    /// Makes the point with this seed do something else.
    void SetPoint(uint64_t seed, const ExperimentFunction& other)
    {
        m_scenario = [usual = m_scenario, seed, other](const Experiment& experiment,
                                                       const ProgressCallback& progress) {
            const Result result = usual(experiment, progress);
            return experiment.seed == seed ? other(experiment, progress) : result;
        };
    }

    /// Edits the file of a result.
    void EditResult(const std::string& point, const std::function<void(nlohmann::json&)>& edit)
    {
        nlohmann::json json = GetResult(point);
        edit(json);
        std::ofstream(GetPointFolder(point) / "result.json") << json.dump(2);
    }
};

TEST_F(SweepRunTest, FailureIsRecordedWithAllThatIsKnown)
{
    SetPoint(2, [](const Experiment&, const ProgressCallback&) -> Result {
        for (int i = 1; i <= 30; ++i)
        {
            std::cerr << "line " << i << std::endl;
        }
        throw std::logic_error("a plan does not cover its demand");
    });
    EXPECT_EQ(Run(m_sweep), 4);
    const nlohmann::json failure = GetFailure("seed=2");
    EXPECT_EQ(failure["point"], "seed=2");
    EXPECT_EQ(failure["key"].get<std::string>().size(), 64U);
    EXPECT_EQ(failure["status"], 4);
    EXPECT_EQ(failure["reason"], "a plan does not cover its demand");
    EXPECT_EQ(failure["attempts"], 1);
    const std::string place =
        PublishPath(GetPointFolder("seed=2"), std::filesystem::current_path());
    EXPECT_EQ(failure["command"], "rails run test.yaml --point seed=2 --out " + place + " --force");
    ASSERT_EQ(failure["last_lines"].size(), 20U);
    EXPECT_EQ(failure["last_lines"][0], "line 12");
    EXPECT_EQ(failure["last_lines"][19], place + ": error: a plan does not cover its demand");
    EXPECT_GT(failure["wall_s"], 0);
    EXPECT_EQ(failure["seed"], 2);
    EXPECT_EQ(failure["axes"], (nlohmann::json{{"seed", "2"}}));
    EXPECT_EQ(failure["version"]["module"], GetVersionInfo().module);
    EXPECT_EQ(failure["version"]["ns3"], GetVersionInfo().ns3);
    EXPECT_EQ(failure["config"]["seed"], 2);
    EXPECT_EQ(failure["config"]["balance"]["type"], "rails");
    EXPECT_EQ(GetResult("seed=1")["status"], 0);
    EXPECT_EQ(GetResult("seed=3")["status"], 0);
    EXPECT_EQ(ListFolder(GetPointFolder("seed=2")), std::vector<std::string>{"failure.json"});
}

TEST_F(SweepRunTest, FailureOfAnyTextIsRecorded)
{
    SetPoint(2, [](const Experiment&, const ProgressCallback&) -> Result {
        throw std::runtime_error("not UTF-8: \xff\xfe \"quoted\" \\");
    });
    EXPECT_EQ(Run(m_sweep), 4);
    EXPECT_NE(GetFailure("seed=2")["reason"].get<std::string>().find("\"quoted\" \\"),
              std::string::npos);
}

TEST_F(SweepRunTest, CommandOfAFailureIsOneForWhereTheSweepBegan)
{
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(m_folder.GetPath());
    m_options.folder = "o u't";
    SetPoint(2, kCrash);
    EXPECT_EQ(Run(m_sweep), 4);
    const nlohmann::json failure = GetFailure("seed=2");
    std::filesystem::current_path(before);
    EXPECT_EQ(failure["command"],
              "rails run test.yaml --point seed=2 --out 'o u'\\''t/seed=2' --force");
}

TEST_F(SweepRunTest, TableSaysWhichRunsAreShortened)
{
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(m_output.find("shortened"), std::string::npos) << m_output;
    EditResult("seed=1", [](nlohmann::json& json) {
        json["notes"] = {"shortened: the first 4 of 92 layers",
                         "shortened: 2 of 8 micro-batches",
                         "another"};
    });
    EXPECT_EQ(Run(m_sweep), 0);
    const std::string line =
        "\n1 of 3 points: shortened, not a whole iteration: the first 4 of 92 layers, 2 of 8 "
        "micro-batches\n1 of 3 points: another\n";
    EXPECT_NE(m_output.find(line), std::string::npos) << m_output;
}

TEST_F(SweepRunTest, TableSaysOnceWhatPointsNoteWithOtherNumbers)
{
    EXPECT_EQ(Run(m_sweep), 0);
    for (const char* seed : {"1", "2"})
    {
        EditResult(std::string("seed=") + seed, [&](nlohmann::json& json) {
            json["notes"] = {std::string("frames dropped: ") + seed, "no loads: set warm_up"};
        });
    }
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_NE(m_output.find("\n2 of 3 points, each with its own numbers: frames dropped: 1\n"
                            "2 of 3 points: no loads: set warm_up\n"),
              std::string::npos)
        << m_output;
}

TEST_F(SweepRunTest, LostProcessIsTriedOnceMore)
{
    const std::filesystem::path flag = m_folder.GetPath() / "flag";
    SetPoint(2, [flag](const Experiment&, const ProgressCallback&) -> Result {
        if (!std::filesystem::exists(flag))
        {
            std::ofstream(flag) << "x";
            raise(SIGKILL);
        }
        return MakeResult();
    });
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeSortedRuns(), (Seeds{1, 2, 2, 3}));
    EXPECT_NE(m_errors.find("seed=2: error: its process was ended: Killed; it is tried once more"),
              std::string::npos)
        << m_errors;
    EXPECT_FALSE(std::filesystem::exists(GetPointFolder("seed=2") / "failure.json"));
    EXPECT_EQ(ListFolder(m_options.folder), kFilesOfThreeSeeds);
}

TEST_F(SweepRunTest, ProcessThatIsLostAgainAndAgainIsRecorded)
{
    SetPoint(2, kCrash);
    EXPECT_EQ(Run(m_sweep), 4);
    EXPECT_EQ(TakeSortedRuns(), (Seeds{1, 2, 2, 3}));
    EXPECT_EQ(GetFailure("seed=2")["attempts"], 2);
    EXPECT_EQ(GetFailure("seed=2")["status"], 4);
    EXPECT_EQ(GetFailure("seed=2")["reason"], "its process was ended: Killed");
    EXPECT_EQ(RunWith([](RunOptions& options) { options.retries = 0; }, m_sweep), 4);
    EXPECT_EQ(TakeRuns(), Seeds{2});
    EXPECT_EQ(GetFailure("seed=2")["attempts"], 1);
}

TEST_F(SweepRunTest, TimeLimitIsNotTriedAgain)
{
    SetPoint(2, [](const Experiment&, const ProgressCallback&) -> Result {
        std::this_thread::sleep_for(std::chrono::seconds(20));
        return MakeResult();
    });
    m_options.limits.seconds = 0.5;
    EXPECT_EQ(Run(m_sweep), 3);
    EXPECT_EQ(TakeSortedRuns(), (Seeds{1, 2, 3}));
    EXPECT_EQ(GetFailure("seed=2")["reason"], "time limit of 0.5 s");
    EXPECT_EQ(GetFailure("seed=2")["status"], 3);
    EXPECT_EQ(GetFailure("seed=2")["attempts"], 1);
    EXPECT_GE(GetFailure("seed=2")["wall_s"], 0.5);
    EXPECT_EQ(ListFolder(m_options.folder), kFilesOfThreeSeeds);
}

TEST_F(SweepRunTest, MemoryLimitIsNotTriedAgain)
{
    if (test::IsSanitized())
    {
        GTEST_SKIP() << "limits of memory cannot be looked at under AddressSanitizer";
    }
    SetPoint(2, [](const Experiment&, const ProgressCallback&) -> Result {
        std::vector<std::vector<char>> all;
        for (int i = 0; i < 4000; ++i)
        {
            all.emplace_back(100'000, 'x'); // in pieces too small to be told apart from others
        }
        return MakeResult();
    });
    m_options.limits.memoryBytes = 100 << 20;
    EXPECT_EQ(Run(m_sweep), 3);
    EXPECT_EQ(TakeSortedRuns(), (Seeds{1, 2, 3}));
    EXPECT_EQ(GetFailure("seed=2")["reason"], "out of memory (memory limit of 100 MiB)");
    EXPECT_EQ(GetFailure("seed=2")["status"], 3);
    EXPECT_EQ(GetFailure("seed=2")["attempts"], 1);
}

TEST_F(SweepRunTest, OnlyFailedPointsAreRunOnRequest)
{
    const ExperimentFunction good = m_scenario;
    SetPoint(2, kCrash);
    SetPoint(3, [](const Experiment&, const ProgressCallback&) {
        Result result = MakeResult();
        result.status = RunStatus::NotFinished;
        result.report = "stuck";
        return result;
    });
    EXPECT_EQ(Run(m_sweep), 4);
    std::filesystem::remove_all(GetPointFolder("seed=1"));
    TakeRuns();
    m_scenario = good;
    EXPECT_EQ(RunWith([](RunOptions& options) { options.onlyFailed = true; }, m_sweep), 0);
    EXPECT_EQ(TakeSortedRuns(), (Seeds{2, 3}));
    EXPECT_FALSE(std::filesystem::exists(GetPointFolder("seed=2") / "failure.json"));
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{1});
}

TEST_F(SweepRunTest, FailedPointIsTriedAgainByTheNextSweep)
{
    const ExperimentFunction good = m_scenario;
    SetPoint(2, kCrash);
    EXPECT_EQ(Run(m_sweep), 4);
    TakeRuns();
    m_scenario = good;
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{2});
    EXPECT_FALSE(std::filesystem::exists(GetPointFolder("seed=2") / "failure.json"));
}

TEST_F(SweepRunTest, OnlyChosenPointsAreRun)
{
    EXPECT_EQ(RunWith([](RunOptions& options) { options.where = {"seed=3"}; }, m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{3});
    EXPECT_EQ(RunWith([](RunOptions& options) { options.where = {"seed=4"}; }, m_sweep), 2);
    EXPECT_NE(m_errors.find("there are 1, 2, 3"), std::string::npos) << m_errors;
}

TEST_F(SweepRunTest, DryRunTellsAndWritesNothing)
{
    m_size = [](const Experiment&) { return RunSize{"frames", 1}; };
    const auto dry = [](RunOptions& options) { options.dryRun = true; };
    EXPECT_EQ(RunWith(dry, m_sweep), 0);
    EXPECT_FALSE(std::filesystem::exists(m_options.folder));
    EXPECT_NE(m_output.find("run     seed=1"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("3 of 3 points would be run"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("a rough guess"), std::string::npos) << m_output;

    EXPECT_EQ(Run(m_sweep), 0);
    std::filesystem::remove_all(GetPointFolder("seed=2"));
    TakeRuns();
    const auto before = std::filesystem::last_write_time(m_options.folder);
    const std::vector<std::string> content = ListFolder(m_options.folder);
    EXPECT_EQ(RunWith(dry, m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{});
    EXPECT_EQ(ListFolder(m_options.folder), content);
    EXPECT_EQ(std::filesystem::last_write_time(m_options.folder), before);
    EXPECT_NE(m_output.find("cached  seed=1"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("run     seed=2"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("1 of 3 points would be run"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("from 2 earlier runs"), std::string::npos) << m_output;
}

TEST_F(SweepRunTest, WhatTakesMoreMemoryThanThereIsIsNotBegun)
{
    m_size = [](const Experiment& experiment) {
        const double bytes = experiment.seed == 2 ? 1e18 : 1e6;
        return RunSize{"frames", 1, "", bytes, "topology", "take fewer GPUs"};
    };
    EXPECT_EQ(RunWith([](RunOptions& options) { options.dryRun = true; }, m_sweep), 0);
    EXPECT_NE(m_output.find("run     seed=1  (0.5 s to 2.0 s, 1 MiB)\n"), std::string::npos)
        << m_output;
    EXPECT_NE(m_output.find("run     seed=2  (0.5 s to 2.0 s, 931322575 GiB; the run takes about "
                            "931322575 GiB of memory, and there is "),
              std::string::npos)
        << m_output;
    EXPECT_EQ(Run(m_sweep), 2);
    EXPECT_EQ(TakeRuns(), (Seeds{1, 3}));
    EXPECT_NE(m_errors.find("test.yaml:1:1: error: the run takes about"), std::string::npos)
        << m_errors;
    EXPECT_NE(m_errors.find(": take fewer GPUs"), std::string::npos) << m_errors;
    EXPECT_EQ(GetFailure("seed=2")["status"], 2);
    EXPECT_EQ(RunWith([](RunOptions& options) { options.anyMemory = true; }, m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{2});
    m_options.folder = (m_folder.GetPath() / "alone").string();
    EXPECT_EQ(Run(kSmallDescriptor + "seed: 2\n"), 2);
    EXPECT_FALSE(std::filesystem::exists(m_options.folder));
}

TEST_F(SweepRunTest, EstimateLearnsFromEarlierPointsOfItsFolderAndOfNoOther)
{
    m_size = [](const Experiment&) { return RunSize{"frames", 1}; };
    EXPECT_EQ(Run(m_sweep), 0);
    m_options.dryRun = true;
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {seed: [3, 4, 5]}\n"), 0);
    EXPECT_NE(m_output.find("from 3 earlier runs"), std::string::npos) << m_output;
    std::ofstream(GetPointFolder("index.sqlite")) << "no index";
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {seed: [3, 4, 5]}\n"), 0);
    EXPECT_NE(m_output.find("from 1 earlier run)"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("index.sqlite: not used for expected times: it is no index of ours"),
              std::string::npos)
        << m_output;
    m_options.folder = (m_folder.GetPath() / "other").string();
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_NE(m_output.find("a rough guess"), std::string::npos) << m_output;
}

TEST_F(SweepRunTest, EstimateLearnsFromItsOwnPoints)
{
    m_size = [](const Experiment&) { return RunSize{"flow", 1e12}; };
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_NE(m_output.find("seed=1"), std::string::npos) << m_output;
    std::filesystem::remove_all(GetPointFolder("seed=2"));
    m_options.dryRun = true;
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_NE(m_output.find("cached  seed=1"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("from 2 earlier runs"), std::string::npos) << m_output;
}

TEST_F(SweepRunTest, LongestPointsAreRunFirst)
{
    m_options.processes = 1;
    m_size = [](const Experiment& experiment) {
        const auto effective = nlohmann::json::parse(experiment.resolvedConfig);
        return RunSize{"frames", effective["topology"]["domains"].get<double>()};
    };
    m_scenario = [this](const Experiment& experiment, const ProgressCallback&) {
        Experiment noted;
        noted.seed = nlohmann::json::parse(experiment.resolvedConfig)["topology"]["domains"];
        Note(noted);
        return MakeResult();
    };
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {topology.domains: [3, 8, 2, 5]}\n"), 0);
    EXPECT_EQ(TakeRuns(), (Seeds{8, 5, 3, 2}));
}

TEST_F(SweepRunTest, ResultsOfAnotherVersionAreRunAgainOrKeptOnRequest)
{
    EXPECT_EQ(Run(m_sweep), 0);
    TakeRuns();
    EditResult("seed=2", [](nlohmann::json& json) {
        json["version"]["module"] = "0.0.1";
        json["key"] = std::string(64, '0');
    });
    EXPECT_EQ(RunWith([](RunOptions& options) { options.anyVersion = true; }, m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{});
    EXPECT_NE(m_output.find("1 point made by rails 0.0.1"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("taken as they are (--any-version)"), std::string::npos) << m_output;
    EXPECT_EQ(GetResult("seed=2")["version"]["module"], "0.0.1");

    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{2});
    EXPECT_NE(m_output.find("run again (--any-version keeps them)"), std::string::npos) << m_output;
    EXPECT_EQ(GetResult("seed=2")["version"]["module"], GetVersionInfo().module);
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(m_output.find("made by"), std::string::npos) << m_output;
}

TEST_F(SweepRunTest, ResultsOfAnotherBuildAreRunAgainOrKeptOnRequest)
{
    const auto setBuild = [this](const std::string& point, const std::string& library) {
        EditResult(point, [&](nlohmann::json& json) {
            VersionInfo maker = GetVersionInfo();
            (library.empty() ? maker.program : maker.libraries[library]) = "0123";
            json["version"] = MakeVersionJson(maker);
            const Descriptor descriptor = Read(m_sweep);
            for (std::size_t i = 0; i < descriptor.GetPointCount(); ++i)
            {
                if (descriptor.GetPointName(i) == point)
                {
                    json["key"] = RunKeys().Compute(descriptor.MakeExperiment(i), maker);
                }
            }
        });
    };
    EXPECT_EQ(Run(m_sweep), 0);
    TakeRuns();
    setBuild("seed=2", "");
    setBuild("seed=3", "libmine.so");
    const std::string own = "another build of rails " + GetVersionInfo().module;
    m_options.anyVersion = true;
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{});
    const std::string mine = "another library of components (libmine.so)";
    for (const std::string& maker : {own, mine})
    {
        EXPECT_NE(m_output.find("1 point made by " + maker), std::string::npos) << m_output;
        EXPECT_NE(m_output.find("  by " + maker + "\n"), std::string::npos) << "in the table";
        EXPECT_NE(m_output.find("1 of 3 points are by " + maker), std::string::npos)
            << "at the end";
    }
    EXPECT_NE(m_output.find("taken as they are (--any-version)"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("  2 made by another program\n"), std::string::npos) << "in the means";

    m_options.anyVersion = false;
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {seed: [1, 2, 3, 4]}\n"), 0);
    EXPECT_EQ(TakeSortedRuns(), (Seeds{2, 3, 4}));
    EXPECT_NE(m_output.find("1 point made by " + own), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("run again (--any-version keeps them)"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("  run again, was by " + own), std::string::npos) << "in the table";
    EXPECT_NE(m_output.find("1 of 4 points were run again: they had been made by " + own),
              std::string::npos)
        << "at the end";
    EXPECT_EQ(GetResult("seed=2")["version"]["program"], GetVersionInfo().program);
    EXPECT_FALSE(GetResult("seed=3")["version"].contains("libraries"));
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{});
    EXPECT_EQ(m_output.find("another build"), std::string::npos) << m_output;
}

TEST_F(SweepRunTest, OnlyFailedPointsAreRunWhateverMadeThemFailAndWhateverIsForced)
{
    const ExperimentFunction good = m_scenario;
    SetPoint(2, kCrash);
    EXPECT_EQ(Run(m_sweep), 4);
    nlohmann::json failure = GetFailure("seed=2");
    failure["key"] = "of a program with a fault that is mended now";
    std::ofstream(GetPointFolder("seed=2") / "failure.json") << failure;
    TakeRuns();
    m_scenario = good;
    m_options.onlyFailed = true;
    m_options.force = true;
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{2});
}

TEST_F(SweepRunTest, TableEndsWithMeansOverSeeds)
{
    m_scenario = [](const Experiment& experiment, const ProgressCallback&) {
        Result result = MakeResult();
        result.cct = static_cast<TimePs>(1'000'000'000 * experiment.seed);
        return result;
    };
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {balance: [rails, even-split], seed: [1, 2, 3]}\n"),
              0);
    EXPECT_NE(m_output.find("balance=rails,seed=2 "), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("mean over seeds     n  cct [ms]    sd"), std::string::npos)
        << m_output;
    EXPECT_NE(m_output.find("balance=rails       3      2.00  1.00"), std::string::npos)
        << m_output;
    EXPECT_NE(m_output.find("balance=even-split  3      2.00  1.00"), std::string::npos)
        << m_output;
    m_options.folder += "-1";
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {balance: [rails, even-split]}\n"), 0);
    EXPECT_EQ(m_output.find("mean over seeds"), std::string::npos) << m_output;
}

TEST_F(SweepRunTest, ResultsAreFoundUnderOtherLabels)
{
    const auto makeSweep = [](const std::string& even, const std::string& whole) {
        return kSmallDescriptor + "sweep: {balance: [{type: even-split, label: " + even +
               "}, {type: rails, chunk: whole, label: " + whole + "}], seed: [1, 2]}\n";
    };
    EXPECT_EQ(Run(makeSweep("even", "all at once")), 0);
    EXPECT_EQ(TakeRuns().size(), 4U);
    const nlohmann::json before = GetResult("balance=even,seed=1");
    EXPECT_EQ(before["labels"], (nlohmann::json{{"balance", "even"}}));
    // Nothing happens when it is only asked what would be.
    const std::string after = makeSweep("all at once", "Even split");
    EXPECT_EQ(RunWith([](RunOptions& options) { options.dryRun = true; }, after), 0);
    EXPECT_NE(m_output.find("0 of 4 points would be run"), std::string::npos) << m_output;
    EXPECT_EQ(GetResult("balance=even,seed=1"), before);
    // One name goes, one comes, and one is that of another point now.
    EXPECT_EQ(Run(after), 0);
    EXPECT_TRUE(TakeRuns().empty());
    EXPECT_NE(m_output.find("4 points in folders with names of before"), std::string::npos)
        << m_output;
    const nlohmann::json moved = GetResult("balance=all-at-once,seed=1");
    EXPECT_EQ(moved["labels"], (nlohmann::json{{"balance", "all at once"}}));
    EXPECT_EQ(moved["axes"], (nlohmann::json{{"balance", "all-at-once"}, {"seed", "1"}}));
    for (const char* same : {"key", "fingerprint", "config", "cct_s", "artefacts"})
    {
        EXPECT_EQ(moved[same], before[same]) << same;
    }
    EXPECT_FALSE(std::filesystem::exists(GetPointFolder("balance=even,seed=1")));
    EXPECT_EQ(m_output.find("earlier sweep"), std::string::npos) << m_output;
    // Names that change places.
    EXPECT_EQ(Run(makeSweep("Even split", "all at once")), 0);
    EXPECT_TRUE(TakeRuns().empty());
    EXPECT_EQ(GetResult("balance=Even-split,seed=2")["config"]["balance"]["type"], "even-split");
    EXPECT_EQ(GetResult("balance=all-at-once,seed=2")["config"]["balance"]["type"], "rails");
    EXPECT_EQ(ListFolder(m_options.folder),
              (std::vector<std::string>{".rails",
                                        "balance=Even-split,seed=1",
                                        "balance=Even-split,seed=2",
                                        "balance=all-at-once,seed=1",
                                        "balance=all-at-once,seed=2",
                                        "index.sqlite",
                                        "points.json"}));
}

TEST_F(SweepRunTest, ResultsAreFoundUnderOtherLabelsInAnyOrderOfThePoints)
{
    const std::string even = "{type: even-split, label: ours}";
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {balance: [" + even + "]}\n"), 0);
    // The first of the points was called what the second one is called now.
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {balance: [{type: even-split, label: before}, "
                                     "{type: rails, label: ours}]}\n"),
              0);
    EXPECT_EQ(TakeRuns().size(), 2U);
    EXPECT_EQ(GetResult("balance=before")["config"]["balance"]["type"], "even-split");
    EXPECT_EQ(GetResult("balance=ours")["config"]["balance"]["type"], "rails");
}

TEST_F(SweepRunTest, ConflictOfAChosenPointNamesTheWholeSweepAsARemedy)
{
    const auto makeSweep = [](const std::string& even, const std::string& whole) {
        return kSmallDescriptor + "sweep: {balance: [{type: even-split, label: " + even +
               "}, {type: rails, label: " + whole + "}]}\n";
    };
    EXPECT_EQ(Run(makeSweep("one", "other")), 0);
    m_options.where = {"balance=one"};
    const std::string swapped = makeSweep("other", "one");
    const std::string remedy = "--force replaces it; where labels have changed places, the whole "
                               "sweep gives all folders their names";
    EXPECT_EQ(Run(swapped), 2);
    EXPECT_NE(m_errors.find(remedy), std::string::npos) << m_errors;
    m_options.where.clear();
    TakeRuns();
    EXPECT_EQ(Run(swapped), 0);
    EXPECT_TRUE(TakeRuns().empty());
}

TEST_F(SweepRunTest, SecondSweepInAFolderIsRefusedWhileTheFirstIsAtWork)
{
    RAILS_LONG_CASE();
    const std::string sweep = kSmallDescriptor + "sweep: {seed: [1, 2]}\n";
    EXPECT_EQ(Run(sweep), 0);
    TakeRuns();
    {
        const SweepLock lock{SweepFolder(m_options.folder)};
        EXPECT_EQ(Run(kSmallDescriptor + "sweep: {seed: [1, 3]}\n"), 2);
        EXPECT_NE(m_errors.find(m_options.folder +
                                ": error: another sweep is at work in this "
                                "folder (process " +
                                std::to_string(getpid()) + " on this machine"),
                  std::string::npos)
            << m_errors;
        EXPECT_NE(m_errors.find("or choose another folder with --out"), std::string::npos);
    }
    EXPECT_TRUE(TakeRuns().empty());
    EXPECT_EQ(Run(sweep), 0); // it is free again
    {
        const SweepLock one{SweepFolder(m_options.folder), true};
        const SweepLock other{SweepFolder(m_options.folder), true};
        EXPECT_EQ(Run(sweep), 2) << "whoever collects keeps others from running points";
    }
}

TEST_F(SweepRunTest, LockFollowsNoLinkAndReplacesNoOtherFile)
{
    const SweepFolder folder(m_options.folder);
    folder.Prepare();
    const std::filesystem::path lock = folder.GetStateFolder() / "lock";
    const std::string bashrc = m_folder.Write("bashrc", "precious");
    std::filesystem::create_symlink(bashrc, lock);
    EXPECT_THROW(SweepLock{folder}, OutputError);
    std::filesystem::remove(lock);
    std::filesystem::create_hard_link(bashrc, lock);
    EXPECT_THROW(SweepLock{folder}, OutputError);
    EXPECT_EQ(ReadFile(bashrc), "precious");
    for (const std::string& own : {std::string("process 12 on host\n"), ReadFile("/dev/null")})
    {
        std::filesystem::remove(lock);
        std::ofstream(lock) << own;
        {
            const SweepLock taken{folder};
        }
        EXPECT_EQ(ReadFile(lock), WriterIdentity::OfThisProcess().ToText() + "\n");
    }
}

TEST_F(SweepRunTest, SweepThatGivesPointsOtherNamesIsRefusedWhileSomebodyCollects)
{
    RAILS_LONG_CASE();
    const auto makeSweep = [](const std::string& label) {
        return kSmallDescriptor + "sweep: {balance: [{type: rails, label: " + label +
               "}, even-split]}\n";
    };
    EXPECT_EQ(Run(makeSweep("one")), 0);
    TakeRuns();
    m_options.slurm.isUsed = true;
    const SweepLock collector{SweepFolder(m_options.folder), true};
    EXPECT_EQ(Run(makeSweep("other")), 2);
    EXPECT_NE(m_errors.find("another sweep is at work in this folder"), std::string::npos)
        << m_errors;
    EXPECT_TRUE(std::filesystem::exists(GetPointFolder("balance=one")));
    EXPECT_EQ(Run(makeSweep("one")), 0) << "all points are there: Slurm is not asked";
    EXPECT_TRUE(TakeRuns().empty());
}

TEST_F(SweepRunTest, FolderWithoutResultIsNotInTheWayOfAnotherLabel)
{
    const auto makeSweep = [](const std::string& label) {
        return kSmallDescriptor + "sweep: {balance: [{type: rails, label: " + label + "}]}\n";
    };
    EXPECT_EQ(Run(makeSweep("one")), 0);
    const std::filesystem::path other = GetPointFolder("balance=other");
    std::filesystem::create_directory(other);
    std::ofstream(other / "failure.json") << R"({"key": "another", "status": 4})";
    EXPECT_EQ(Run(makeSweep("other")), 0);
    EXPECT_EQ(TakeRuns().size(), 1U);
    EXPECT_EQ(GetResult("balance=other")["labels"], (nlohmann::json{{"balance", "other"}}));
    EXPECT_EQ(ListFolder(GetPointFolder("balance=one")),
              (std::vector<std::string>{"failure.json"}));
}

TEST_F(SweepRunTest, FolderThatWasPutAsideWhenRenamingWasEndedIsFound)
{
    const auto makeSweep = [](const std::string& even, const std::string& whole) {
        return kSmallDescriptor + "sweep: {balance: [{type: even-split, label: " + even +
               "}, {type: rails, label: " + whole + "}]}\n";
    };
    EXPECT_EQ(Run(makeSweep("one", "two")), 0);
    std::filesystem::rename(GetPointFolder("balance=one"), GetPointFolder("balance=one,aside"));
    EXPECT_EQ(Run(makeSweep("two", "one")), 0);
    EXPECT_EQ(TakeRuns().size(), 2U);
    EXPECT_EQ(GetResult("balance=two")["config"]["balance"]["type"], "even-split");
    EXPECT_EQ(ListFolder(m_options.folder),
              (std::vector<std::string>{".rails",
                                        "balance=one",
                                        "balance=two",
                                        "index.sqlite",
                                        "points.json"}));
    // A name that is taken is not used again.
    std::filesystem::create_directory(GetPointFolder("balance=two,aside"));
    EXPECT_EQ(Run(makeSweep("one", "two")), 0);
    EXPECT_TRUE(TakeRuns().empty());
}

TEST_F(SweepRunTest, ResultsAreFoundWhereTheNameOfAValueHasGrown)
{
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {balance: [{type: rails, chunk: 1MB}]}\n"), 0);
    EXPECT_EQ(TakeRuns().size(), 1U);
    EXPECT_EQ(Run(kSmallDescriptor +
                  "sweep: {balance: [{type: rails, chunk: 1MB}, {type: rails, chunk: 2MB}]}\n"),
              0);
    EXPECT_EQ(TakeRuns().size(), 1U);
    EXPECT_TRUE(GetResult("balance=rails+chunk-1MB").is_object());
}

TEST_F(SweepRunTest, LabelInOneNameAloneIsBroughtUpToDateInTheResult)
{
    const auto makeSweep = [](const std::string& label) {
        return kSmallDescriptor + "sweep: {balance: [{type: rails, label: " + label + "}]}\n";
    };
    EXPECT_EQ(Run(makeSweep("a b")), 0);
    EXPECT_EQ(Run(makeSweep("a+b")), 0);
    EXPECT_EQ(Run(makeSweep("a (b")), 0);
    EXPECT_EQ(TakeRuns().size(), 1U);
    EXPECT_EQ(GetResult("balance=a--b")["labels"], (nlohmann::json{{"balance", "a (b"}}));
    EXPECT_EQ(Run(makeSweep("a-(b")), 0);
    EXPECT_EQ(GetResult("balance=a--b")["labels"], (nlohmann::json{{"balance", "a-(b"}}));
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {balance: [rails]}\n"), 0);
    EXPECT_FALSE(GetResult("balance=rails").contains("labels"));
    EXPECT_EQ(TakeRuns(), Seeds());
}

TEST_F(SweepRunTest, TableHasRatiosToTheBaselineOfTheSweep)
{
    m_scenario = [](const Experiment& experiment, const ProgressCallback&) {
        Result result = MakeResult();
        const bool isOurs = experiment.labels.count("balance") > 0;
        result.cct = static_cast<TimePs>(1'000'000'000) * (isOurs ? 2 : 3);
        return result;
    };
    EXPECT_EQ(Run(kSmallDescriptor +
                  "sweep: {balance: [{type: rails, label: ours}, even-split], seed: [1, 2], "
                  "baseline: {balance: ours}}\n"),
              0);
    EXPECT_NE(m_output.find("  over ours\n"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("      1.500\n"), std::string::npos) << m_output;
    const nlohmann::json snapshot = nlohmann::json::parse(
        ReadFile(std::filesystem::path(m_options.folder) / ".rails" / "sweep.json"));
    EXPECT_EQ(snapshot["baseline"], (nlohmann::json{{"balance", "ours"}}));
}

TEST_F(SweepRunTest, PointsOfAnEarlierSweepAreNamedAndNotCounted)
{
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {seed: [1, 2]}\n"), 0);
    EXPECT_EQ(m_output.find("earlier"), std::string::npos) << m_output;
    EXPECT_EQ(RunWith([](RunOptions& options) { options.where = {"seed=3"}; },
                      kSmallDescriptor + "sweep: {seed: [2, 3, 4]}\n"),
              0);
    EXPECT_EQ(nlohmann::json::parse(ReadFile(GetPointFolder("points.json"))),
              (nlohmann::json{"seed=2", "seed=3", "seed=4"}))
        << "those that were not asked for belong to the sweep too";
    EXPECT_NE(m_output.find("of an earlier sweep, not counted"), std::string::npos) << m_output;
    EXPECT_NE(m_output.find("1 result of an earlier sweep in the folder"), std::string::npos)
        << m_output;
    EXPECT_EQ(m_output.find("mean over seeds"), std::string::npos) << "there is but one";
    m_options.dryRun = true;
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_NE(ReadFile(GetPointFolder("points.json")).find("seed=4"), std::string::npos);
}

TEST_F(SweepRunTest, DamagedResultsAreRunAgain)
{
    const std::vector<std::pair<const char*, const char*>> damages{
        {"status", R"("done")"},
        {"status", "null"},
        {"config", "[]"},
        {"cct_s", R"("fast")"},
        {"busbw_Bps", "[1]"},
        {"pfc_pauses", "[1]"},
        {"frames", R"("many")"},
        {"wall_s", "{}"},
        {"key", "7"},
        {"notes", R"(["a", 3])"},
        {"report", "1"},
        {"artefacts", R"([{"file": 1}])"},
        {"artefacts", "[null]"},
        {"artefacts", R"({"a": 1})"}};
    EXPECT_EQ(Run(m_sweep), 0);
    TakeRuns();
    for (const auto& [key, value] : damages)
    {
        EditResult("seed=2", [&, &name = key, &text = value](nlohmann::json& json) {
            json[name] = nlohmann::json::parse(text);
        });
        EXPECT_EQ(Run(m_sweep), 0) << key << ' ' << value;
        EXPECT_EQ(TakeRuns(), Seeds{2}) << key << ' ' << value;
    }
    std::filesystem::remove(GetPointFolder("seed=2") / "result.json");
    for (const char* failure : {"{", "[]", R"({"reason": 3, "status": 4})", R"({"status": "x"})"})
    {
        std::ofstream(GetPointFolder("seed=2") / "failure.json") << failure;
        EXPECT_EQ(RunWith([](RunOptions& options) { options.dryRun = true; }, m_sweep), 0);
        EXPECT_NE(m_output.find("1 of 3 points would be run"), std::string::npos) << m_output;
    }
}

TEST_F(SweepRunTest, ResultsFromAnotherInputAreRunAgainAndTold)
{
    EXPECT_EQ(Run(m_sweep), 0);
    TakeRuns();
    EditResult("seed=2", [](nlohmann::json& json) { json["key"] = std::string(64, '0'); });
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{2});
    EXPECT_NE(m_output.find("1 point made from files that have changed since: run again"),
              std::string::npos)
        << m_output;
}

TEST_F(SweepRunTest, PointWhoseForcedRunFailsHasFailedAndTheEarlierResultIsPutAside)
{
    EXPECT_EQ(Run(m_sweep), 0);
    const std::string before = ReadFile(GetPointFolder("seed=2") / "result.json");
    const ExperimentFunction good = m_scenario;
    SetPoint(2, [](const Experiment&, const ProgressCallback&) -> Result {
        throw std::logic_error("no longer");
    });
    EXPECT_EQ(RunWith([](RunOptions& options) { options.force = true; }, m_sweep), 4);
    EXPECT_EQ(GetFailure("seed=2")["reason"], "no longer");
    EXPECT_TRUE(GetResult("seed=2").is_discarded());
    EXPECT_EQ(ReadFile(GetPointFolder("seed=2") / "earlier-result.json"), before);
    EXPECT_NE(m_output.find("3 points: 2 done, 1 failed or missing"), std::string::npos)
        << m_output;
    TakeRuns();
    m_scenario = good;
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{2});
    EXPECT_EQ(GetResult("seed=2")["status"], 0);
    EXPECT_FALSE(std::filesystem::exists(GetPointFolder("seed=2") / "earlier-result.json"));
}

TEST_F(SweepRunTest, PointThatIsRunAgainForAnotherBuildAndFailsHasFailed)
{
    EXPECT_EQ(Run(m_sweep), 0);
    EditResult("seed=2", [](nlohmann::json& json) { json["key"] = std::string(64, '0'); });
    SetPoint(2, kCrash);
    EXPECT_EQ(Run(m_sweep), 4);
    EXPECT_TRUE(GetResult("seed=2").is_discarded());
    EXPECT_EQ(GetFailure("seed=2")["status"], 4);
}

TEST_F(SweepRunTest, ReportsAndIndexesInTheFolderOfAPointAreNotInTheWay)
{
    EXPECT_EQ(Run(m_sweep), 0);
    std::ofstream(GetPointFolder("seed=2") / "report.html") << "page";
    std::ofstream(GetPointFolder("seed=2") / "index.sqlite") << "table";
    m_options.force = true;
    EXPECT_EQ(Run(m_sweep), 0) << m_errors;
    EXPECT_EQ(ReadFile(GetPointFolder("seed=2") / "report.html"), "page");
}

TEST_F(SweepRunTest, FullDiskStopsTheSweepAndIsSaid)
{
    m_options.processes = 1;
    const ExperimentFunction good = m_scenario;
    const auto checkFull = [this] {
        EXPECT_EQ(TakeRuns(), (Seeds{1, 2}));
        EXPECT_NE(m_errors.find("error: no space is left on the disk; results that were whole are, "
                                "and 2 points were not run"),
                  std::string::npos)
            << m_errors;
        EXPECT_EQ(GetResult("seed=1")["status"], 0);
        EXPECT_FALSE(std::filesystem::exists(GetPointFolder("seed=2") / "failure.json"));
    };
    SetPoint(2, [this](const Experiment&, const ProgressCallback&) -> Result {
        throw OutputError(GetPointFolder("seed=2"),
                          "cannot be written",
                          std::make_error_code(std::errc::no_space_on_device));
    });
    const ExperimentFunction full = m_scenario;
    EXPECT_EQ(Run(m_sweep), 3);
    checkFull();
    m_scenario = good;
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeSortedRuns(), (Seeds{2, 3}));
    // The same with results that are to be replaced.
    m_scenario = full;
    EXPECT_EQ(RunWith([](RunOptions& options) { options.force = true; }, m_sweep), 3);
    checkFull();
    EXPECT_EQ(GetResult("seed=2")["status"], 0);
    EXPECT_EQ(GetResult("seed=3")["status"], 0);
}

TEST_F(SweepRunTest, StatusOfAPointThatAnotherSweepEndedCounts)
{
    RAILS_LONG_CASE();
    // While seed 1 runs, somebody else ends seed 2 badly.
    m_options.processes = 1;
    m_scenario = [this](const Experiment& experiment, const ProgressCallback&) {
        Note(experiment);
        Result result = MakeResult();
        if (experiment.seed == 2)
        {
            result.status = RunStatus::NotFinished;
            result.report = "stuck";
        }
        if (experiment.seed == 1 && !std::filesystem::exists(GetPointFolder("seed=2")))
        {
            RunOptions other = m_options;
            other.where = {"seed=2"};
            RunDescriptor(Read(m_sweep), other, {m_scenario, nullptr});
        }
        return result;
    };
    EXPECT_EQ(Run(m_sweep), 3);
    EXPECT_EQ(TakeRuns(), (Seeds{1, 2, 3}));
}

TEST_F(SweepRunTest, PointThatAnotherProcessRunsIsWaitedForAndNotRunTwice)
{
    std::filesystem::create_directories(m_options.folder);
    const pid_t other = fork();
    if (other == 0)
    {
        // As another sweep: it writes the result of seed 2 for a while.
        RunOptions options = m_options;
        options.where = {"seed=2"};
        const ExperimentFunction slow = [](const Experiment&, const ProgressCallback&) {
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
            return MakeResult();
        };
        testing::internal::CaptureStdout();
        _exit(RunDescriptor(Read(m_sweep), options, {slow, nullptr}));
    }
    while (!OutputFolder::IsBeingWritten(GetPointFolder("seed=2")))
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeSortedRuns(), (Seeds{1, 3}));
    int status = -1;
    waitpid(other, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(GetResult("seed=2")["status"], 0);
}

TEST_F(SweepRunTest, InterruptEndsWhatRunsAndKeepsWhatIsDone)
{
    m_options.processes = 1;
    const auto before = std::signal(SIGINT, SIG_DFL); // tests in the background have it ignored
    const pid_t sweep = getpid();
    const ExperimentFunction good = m_scenario;
    SetPoint(2, [sweep](const Experiment&, const ProgressCallback&) -> Result {
        kill(sweep, SIGINT);
        std::this_thread::sleep_for(std::chrono::seconds(20));
        return MakeResult();
    });
    EXPECT_EQ(Run(m_sweep), 128 + SIGINT);
    EXPECT_NE(m_errors.find("interrupted (Interrupt); "), std::string::npos) << m_errors;
    EXPECT_NE(m_errors.find(" of 3 points have ended and stay in " + m_options.folder),
              std::string::npos)
        << m_errors;
    EXPECT_NE(m_errors.find("; the same command goes on with the points that are missing, and so "
                            "does 'rails sweep --resume " +
                            m_options.folder + "'"),
              std::string::npos)
        << m_errors;
    EXPECT_EQ(ListFolder(m_options.folder),
              (std::vector<std::string>{".rails", "index.sqlite", "points.json", "seed=1"}));
    TakeRuns();
    m_scenario = good;
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeSortedRuns(), (Seeds{2, 3}));
    std::signal(SIGINT, before);
}

TEST_F(SweepRunTest, PointIsRepeatedAloneIntoItsFolder)
{
    const ExperimentFunction good = m_scenario;
    SetPoint(2, kCrash);
    EXPECT_EQ(Run(m_sweep), 4);
    TakeRuns();
    m_scenario = good;
    const auto alone = [this](RunOptions& options) {
        options.isAlone = true;
        options.force = true;
        options.points = {"seed=2"};
        options.folder = GetPointFolder("seed=2").string();
    };
    EXPECT_EQ(RunWith(alone, m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{2});
    EXPECT_FALSE(std::filesystem::exists(GetPointFolder("seed=2") / "failure.json"));
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(TakeRuns(), Seeds{}) << "the sweep is complete";
}

TEST_F(SweepRunTest, SweepsAtOnceShareTheWork)
{
    RAILS_LONG_CASE();
    // Few and short: who waits for two seconds gives up, and the machine may be busy.
    constexpr std::size_t points = 5;
    const std::string text = kSmallDescriptor + "sweep: {repeat: 5}\n";
    m_scenario = [usual = m_scenario](const Experiment& experiment,
                                      const ProgressCallback& progress) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return usual(experiment, progress);
    };
    const Descriptor descriptor = Read(text);
    constexpr std::size_t rounds = 3;
    std::size_t runs = 0;
    for (std::size_t round = 0; round < rounds; ++round)
    {
        m_options.folder = (m_folder.GetPath() / ("out" + std::to_string(round))).string();
        std::vector<pid_t> sweeps;
        for (int i = 0; i < 3; ++i)
        {
            sweeps.push_back(fork());
            if (sweeps.back() == 0)
            {
                testing::internal::CaptureStdout();
                _exit(RunDescriptor(descriptor, m_options, {m_scenario, nullptr}));
            }
        }
        for (const pid_t sweep : sweeps)
        {
            int status = -1;
            waitpid(sweep, &status, 0);
            EXPECT_EQ(status, 0);
        }
        runs += TakeRuns().size();
        EXPECT_EQ(ListFolder(m_options.folder).size(), points + 3)
            << ".rails, index.sqlite, points.json";
    }
    // Of sweeps that begin the same point at the same moment one yields; one that is a moment late
    // may run what has just ended once more: how often depends on how busy the machine is (26 %
    // were seen beside a build). Sweeps that share nothing would run each point three times.
    EXPECT_GE(runs, rounds * points);
    EXPECT_LE(runs, rounds * points * 3 / 2);
}

} // namespace ns3::rails
