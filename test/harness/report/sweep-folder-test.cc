// SPDX-License-Identifier: GPL-2.0-only
#include "../sweep/sweep-fixture.h"
#include "writers.h"

#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-writer.h"
#include "ns3/rails-run-keys.h"
#include "ns3/rails-sweep-folder.h"
#include "ns3/rails-version.h"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A sweep of one point, "seed=1".
class SweepFolderTest : public ExperimentTest
{
  protected:
    SweepFolderTest()
    {
        m_experiment.key = m_keys.Compute(m_experiment);
        m_sweep.Prepare();
    }

    void WriteWhole() const
    {
        Result result = MakeResult();
        result.resolvedConfig = m_experiment.resolvedConfig;
        result.key = m_experiment.key;
        result.version = GetVersionInfo();
        std::filesystem::remove_all(m_point);
        std::filesystem::create_directory(m_point);
        WriteResult(result, m_point);
    }

    void WriteFailure(const std::string& key) const
    {
        m_sweep.WriteFailure("seed=1", {{"key", key}, {"status", 3}, {"reason", "too long"}});
    }

    /// Changes result.json as if something else had written it.
    void Edit(const std::function<void(nlohmann::json&)>& edit) const
    {
        nlohmann::json json = nlohmann::json::parse(ReadFile(m_point / "result.json"));
        edit(json);
        std::ofstream(m_point / "result.json") << json.dump(2) << '\n';
    }

    PointRecord Find() const
    {
        return m_sweep.Find("seed=1", m_experiment, GetVersionInfo(), m_keys);
    }

    /// Makes the result one of something else, as that would have written it.
    void SetMaker(const VersionInfo& maker) const
    {
        WriteWhole();
        Edit([&](nlohmann::json& json) {
            json["version"] = MakeVersionJson(maker);
            json["key"] = RunKeys().Compute(m_experiment, maker);
        });
    }

    TemporaryFolder m_folder;
    SweepFolder m_sweep{m_folder.GetPath() / "out"};
    std::filesystem::path m_point{m_sweep.GetPointFolder("seed=1")};
    mutable RunKeys m_keys;
    Experiment m_experiment{Read(kSmallDescriptor + "sweep: {seed: [1]}\n").MakeExperiment(0)};
};

TEST_F(SweepFolderTest, PointWithoutAnythingIsMissing)
{
    EXPECT_EQ(Find().state, PointState::Missing);
    std::filesystem::create_directories(m_point);
    EXPECT_EQ(Find().state, PointState::Missing);
    EXPECT_TRUE(Find().json.is_null());
}

TEST_F(SweepFolderTest, WholeResultIsDone)
{
    WriteWhole();
    EXPECT_EQ(Find().state, PointState::Done);
    EXPECT_EQ(m_sweep.FindResult("seed=1", m_experiment.key), 0);
    EXPECT_FALSE(m_sweep.FindResult("seed=1", "another"));
}

TEST_F(SweepFolderTest, RecordOfItsFailureIsFailed)
{
    WriteFailure(m_experiment.key);
    EXPECT_EQ(Find().state, PointState::Failed);
    EXPECT_EQ(Find().json["reason"], "too long");
    EXPECT_EQ(m_sweep.FindEnd("seed=1", m_experiment.key), 3);
    WriteFailure("of another run");
    EXPECT_EQ(Find().state, PointState::Missing);
    EXPECT_FALSE(m_sweep.FindEnd("seed=1", m_experiment.key));
}

TEST_F(SweepFolderTest, OtherVersionsAreTold)
{
    for (const char* part : {"module", "ns3"})
    {
        WriteWhole();
        Edit([part](nlohmann::json& json) {
            json["version"][part] = "0.0.1";
            json["key"] = "what it was";
        });
        EXPECT_EQ(Find().state, PointState::OtherMaker) << part;
        EXPECT_NE(Find().maker.find("0.0.1"), std::string::npos) << Find().maker;
    }
    WriteWhole();
    Edit([](nlohmann::json& json) {
        json.erase("key"); // as before there were keys
        json.erase("version");
    });
    EXPECT_EQ(Find().state, PointState::OtherMaker);
}

TEST_F(SweepFolderTest, OtherBuildOfTheSameVersionIsTold)
{
    VersionInfo maker = GetVersionInfo();
    maker.program = "0123";
    SetMaker(maker);
    EXPECT_EQ(Find().state, PointState::OtherMaker);
    EXPECT_EQ(Find().maker, "another build of rails " + maker.module);
    maker = GetVersionInfo();
    maker.libraries["libmine.so"] = "0123";
    SetMaker(maker);
    EXPECT_EQ(Find().state, PointState::OtherMaker);
    EXPECT_EQ(Find().maker, "another library of components (libmine.so)");
    VersionInfo here = GetVersionInfo();
    here.libraries["libmine.so"] = "4567";
    EXPECT_EQ(m_sweep.Find("seed=1", m_experiment, here, m_keys).maker,
              "another build of libmine.so");
    Edit([](nlohmann::json& json) { json["key"] = "from another matrix, too"; });
    EXPECT_EQ(Find().state, PointState::OtherInput);
}

TEST_F(SweepFolderTest, PointsOfAnEarlierSweepAreThoseThatNobodyWroteDown)
{
    WriteWhole();
    EXPECT_TRUE(m_sweep.ReadPoints().empty());
    EXPECT_TRUE(m_sweep.ListEarlierPoints().empty()) << "nothing is known";
    m_sweep.WritePoints({"seed=2", "seed=3"});
    EXPECT_EQ(m_sweep.ReadPoints(), (std::vector<std::string>{"seed=2", "seed=3"}));
    EXPECT_EQ(m_sweep.ListEarlierPoints(), std::vector<std::string>{"seed=1"});
    m_sweep.WritePoints({"seed=1"});
    EXPECT_TRUE(m_sweep.ListEarlierPoints().empty());
    std::ofstream(m_sweep.GetPath() / "points.json") << "{";
    EXPECT_TRUE(m_sweep.ReadPoints().empty());
}

TEST_F(SweepFolderTest, OtherInputIsTold)
{
    WriteWhole();
    Edit([](nlohmann::json& json) { json["key"] = "with another matrix"; });
    EXPECT_EQ(Find().state, PointState::OtherInput);
}

TEST_F(SweepFolderTest, OtherConfigurationIsToldWithTheFirstDifference)
{
    WriteWhole();
    Edit([](nlohmann::json& json) {
        json["config"]["transport"]["mtu"] = "1024B";
        json["key"] = "another";
    });
    EXPECT_EQ(Find().state, PointState::OtherConfig);
    EXPECT_EQ(Find().difference, "transport.mtu: \"1024B\" there, \"4096B\" here");
    WriteWhole();
    Edit([](nlohmann::json& json) {
        json["config"]["name"] = "other";
        json["key"] = "another";
    });
    EXPECT_NE(Find().state, PointState::OtherConfig) << "the name does not count";
}

TEST_F(SweepFolderTest, CutFilesAreNotWhole)
{
    for (const char* name : {"messages.csv", "queues.csv", "links.csv", "result.json"})
    {
        WriteWhole();
        const auto size = std::filesystem::file_size(m_point / name);
        for (const auto cut : {size - 2, size / 2, size - size})
        {
            std::filesystem::resize_file(m_point / name, cut);
            EXPECT_EQ(Find().state, PointState::Missing) << name << " cut to " << cut;
        }
        WriteWhole();
        std::filesystem::remove(m_point / name);
        EXPECT_EQ(Find().state, PointState::Missing) << name;
    }
    WriteWhole();
    EXPECT_EQ(Find().state, PointState::Done);
}

TEST_F(SweepFolderTest, CutFilesGiveWayToTheRecordOfAFailure)
{
    WriteWhole();
    std::filesystem::resize_file(m_point / "messages.csv", 3);
    WriteFailure(m_experiment.key);
    EXPECT_EQ(Find().state, PointState::Failed);
}

TEST_F(SweepFolderTest, JsonThatIsNoResultIsNotWhole)
{
    const std::array<std::function<void(nlohmann::json&)>, 9> edits{
        [](nlohmann::json& json) { json = 3; },
        [](nlohmann::json& json) { json = nlohmann::json::object(); },
        [](nlohmann::json& json) { json.erase("status"); },
        [](nlohmann::json& json) { json["status"] = "0"; },
        [](nlohmann::json& json) { json["config"] = 3; },
        [](nlohmann::json& json) { json["key"] = 3; },
        [](nlohmann::json& json) { json["artefacts"] = "messages.csv"; },
        [](nlohmann::json& json) { json["artefacts"] = {1}; },
        [](nlohmann::json& json) { json["artefacts"][0]["bytes"] = 1; },
    };
    for (std::size_t i = 0; i < edits.size(); ++i)
    {
        WriteWhole();
        Edit(edits[i]);
        EXPECT_EQ(Find().state, PointState::Missing) << "edit " << i;
    }
}

TEST_F(SweepFolderTest, ForgottenRunsAreMissing)
{
    WriteWhole();
    m_sweep.Forget("seed=1", "another");
    EXPECT_EQ(Find().state, PointState::Done);
    m_sweep.Forget("seed=1", m_experiment.key);
    EXPECT_EQ(Find().state, PointState::Missing);
    WriteFailure(m_experiment.key);
    EXPECT_EQ(Find().state, PointState::Failed);
    m_sweep.Forget("seed=1", m_experiment.key);
    EXPECT_EQ(Find().state, PointState::Missing);
}

TEST_F(SweepFolderTest, SnapshotComesBack)
{
    m_sweep.WriteSnapshot(
        {"/a/b.yaml", "text: \"x\"\n", {"a=b", "c=d e"}, "name", 7, {{"processes", 3}}});
    const SweepSnapshot snapshot = m_sweep.ReadSnapshot();
    EXPECT_EQ(snapshot.source, "/a/b.yaml");
    EXPECT_EQ(snapshot.text, "text: \"x\"\n");
    EXPECT_EQ(snapshot.sets, (std::vector<std::string>{"a=b", "c=d e"}));
    EXPECT_EQ(snapshot.name, "name");
    EXPECT_EQ(snapshot.options["processes"], 3);
    EXPECT_THROW(SweepFolder(m_folder.GetPath() / "none").ReadSnapshot(), OutputError);
}

TEST_F(SweepFolderTest, WhatAKilledProcessLeftIsNotInTheWay)
{
    const auto leave = [](const std::filesystem::path& place) {
        return MakePathOf(MakeDeadWriter(), place);
    };
    std::filesystem::create_directories(m_point);
    const std::filesystem::path snapshot = leave(m_sweep.GetStateFolder() / "sweep.json");
    const std::filesystem::path failure = leave(m_point / "failure.json");
    const std::filesystem::path index = leave(m_sweep.GetPath() / "index.sqlite");
    const std::filesystem::path work = leave(m_point);
    for (const auto& path : {snapshot, failure, index})
    {
        std::ofstream(path) << "half";
    }
    std::filesystem::create_directory(work);

    RunOptions options;
    options.folder = m_sweep.GetPath().string();
    testing::internal::CaptureStdout();
    const int status = RunDescriptor(
        Read(kSmallDescriptor + "sweep: {seed: [1]}\n"),
        options,
        {[](const Experiment&, const ProgressCallback&) { return MakeResult(); }, {}});
    testing::internal::GetCapturedStdout();
    EXPECT_EQ(status, 0);
    for (const auto& path : {snapshot, failure, index, work})
    {
        EXPECT_FALSE(std::filesystem::exists(path)) << path;
    }
}

TEST_F(SweepFolderTest, ProcessWithTheNumberOfAKilledOneIsNotTakenForIt)
{
    WriterIdentity writer = WriterIdentity::OfThisProcess();
    --writer.start;
    const std::filesystem::path left = MakePathOf(writer, m_point);
    std::filesystem::create_directories(left);
    EXPECT_FALSE(OutputFolder::IsBeingWritten(m_point));
    OutputFolder::Recover(m_point);
    EXPECT_FALSE(std::filesystem::exists(left));
    const OutputFolder own(m_point.string(), true);
    EXPECT_TRUE(OutputFolder::IsBeingWritten(m_point));
    OutputFolder::Recover(m_point);
    EXPECT_TRUE(std::filesystem::exists(own.GetWorkFolder()));
}

TEST_F(SweepFolderTest, PointsThatWereJustBeingReplacedArePutBack)
{
    WriteWhole();
    EXPECT_FALSE(m_sweep.IsInterrupted());
    const auto former = MakeFormerPath(MakePathOf(MakeDeadWriter(), m_point));
    std::filesystem::rename(m_point, former);
    EXPECT_TRUE(m_sweep.IsInterrupted());
    EXPECT_EQ(Find().state, PointState::Missing);
    m_sweep.Recover({"seed=1", "seed=2"});
    EXPECT_EQ(Find().state, PointState::Done);
    EXPECT_FALSE(m_sweep.IsInterrupted());
}

TEST_F(SweepFolderTest, WhatNoSweepHasWrittenIsNotReplaced)
{
    const auto getError = [this] {
        try
        {
            m_sweep.Prepare();
        }
        catch (const OutputError& error)
        {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::filesystem::path points = m_sweep.GetPath() / "points.json";
    std::filesystem::remove(m_sweep.GetStateFolder());
    for (const std::string text : {R"({"my": "points of interest"})", R"(["here", "there"])", "x"})
    {
        std::ofstream(points) << text;
        EXPECT_EQ(getError().find(points.string() + ": error: no sweep has written it"), 0U)
            << text;
        EXPECT_EQ(ReadFile(points), text);
    }
    EXPECT_FALSE(std::filesystem::exists(m_sweep.GetStateFolder()));
    WriteWhole();
    m_sweep.WritePoints({"seed=9", "seed=1"});
    EXPECT_EQ(getError(), "") << "one of the points is there";
    m_sweep.WriteSnapshot({"a.yaml", "text", {}, "name", 1, {}});
    std::ofstream(points) << "cut";
    EXPECT_EQ(getError(), "") << "a sweep was started here";

    const std::filesystem::path index = m_sweep.GetPath() / "index.sqlite";
    std::ofstream(index) << "my precious index";
    EXPECT_EQ(getError().find(index.string() + ": error: it is no index of results"), 0U);
    std::filesystem::remove(index);
    std::filesystem::create_symlink(points, index);
    EXPECT_EQ(getError().find(index.string() + ": error: it is no index of results"), 0U);
}

TEST_F(SweepFolderTest, NothingIsWrittenThroughLinks)
{
    const auto elsewhere = m_folder.GetPath() / "elsewhere";
    std::filesystem::create_directories(elsewhere);
    std::filesystem::remove(m_sweep.GetStateFolder());
    std::filesystem::create_directory_symlink(elsewhere, m_sweep.GetStateFolder());
    EXPECT_THROW(m_sweep.Prepare(), OutputError);
    EXPECT_THROW(m_sweep.ReadSnapshot(), OutputError);
    std::filesystem::remove(m_sweep.GetStateFolder());
    m_sweep.Prepare();
    std::filesystem::create_directory_symlink(elsewhere, m_sweep.GetStateFolder() / "slurm");
    EXPECT_THROW(m_sweep.Prepare(), OutputError);
    std::filesystem::remove(m_sweep.GetStateFolder() / "slurm");
    std::filesystem::create_directory_symlink(elsewhere, m_point);
    EXPECT_THROW(WriteFailure(m_experiment.key), OutputError);
    EXPECT_THROW(m_sweep.Forget("seed=1", m_experiment.key), OutputError);
    for (const std::string file : {"points.json", ".rails/sizes.json", ".rails/sweep.json"})
    {
        std::ofstream(elsewhere / "bashrc") << "precious";
        std::filesystem::remove(m_sweep.GetPath() / file);
        std::filesystem::create_symlink(elsewhere / "bashrc", m_sweep.GetPath() / file);
        m_sweep.WritePoints({});
        m_sweep.WriteSizes({});
        m_sweep.WriteSnapshot({});
        EXPECT_EQ(ReadFile(elsewhere / "bashrc"), "precious") << file;
    }
    EXPECT_EQ(ListFolder(elsewhere), std::vector<std::string>{"bashrc"});
}

TEST_F(SweepFolderTest, ForgottenResultIsPutAside)
{
    WriteWhole();
    const std::string before = ReadFile(m_point / "result.json");
    m_sweep.Forget("seed=1", m_experiment.key);
    EXPECT_EQ(ReadFile(m_point / "earlier-result.json"), before);
    WriteWhole();
    std::ofstream(m_point / "earlier-result.json") << "mine";
    EXPECT_THROW(m_sweep.Forget("seed=1", m_experiment.key), OutputError);
    EXPECT_EQ(ReadFile(m_point / "earlier-result.json"), "mine");
}

} // namespace ns3::rails
