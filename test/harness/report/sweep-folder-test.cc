// SPDX-License-Identifier: GPL-2.0-only
#include "../sweep/sweep-fixture.h"

#include "ns3/rails-output-folder.h"
#include "ns3/rails-run-keys.h"
#include "ns3/rails-sweep-folder.h"
#include "ns3/rails-version.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <unistd.h>
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
        result.effective = m_experiment.effective;
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
    // A number that no process has.
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    const std::string end = std::string(".partial-") + host.data() + "-999999999-1";
    std::filesystem::create_directories(m_point);
    const std::filesystem::path snapshot = m_sweep.GetStateFolder() / (".sweep.json" + end);
    const std::filesystem::path failure = m_point / (".failure.json" + end);
    const std::filesystem::path index = m_sweep.GetPath() / (".index.sqlite" + end);
    const std::filesystem::path work = m_sweep.GetPath() / (".seed=1" + end);
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
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    // After a restart of the machine, process 1 is another one.
    const std::filesystem::path left =
        m_sweep.GetPath() / (std::string(".seed=1.partial-") + host.data() + "-1-999");
    std::filesystem::create_directory(left);
    EXPECT_FALSE(OutputFolder::IsBeingWritten(m_point));
    OutputFolder::RemoveLeftovers(m_point);
    EXPECT_FALSE(std::filesystem::exists(left));
    const OutputFolder own(m_point.string(), true);
    EXPECT_TRUE(OutputFolder::IsBeingWritten(m_point));
    OutputFolder::RemoveLeftovers(m_point);
    EXPECT_TRUE(std::filesystem::exists(own.GetWorkFolder()));
}

TEST_F(SweepFolderTest, HiddenNamesFitAFileSystemOnAnyMachine)
{
    const std::string name(213, 'x'); // the longest name of a point
    const std::string hidden = MakePartialPath(m_sweep.GetPath() / name).filename().string();
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    constexpr std::size_t longestHost = 64;
    EXPECT_LE(hidden.size() - std::string(host.data()).size() + longestHost, 255U);
    EXPECT_NE(hidden,
              MakePartialPath(m_sweep.GetPath() / (name.substr(1) + "y")).filename().string());
}

} // namespace ns3::rails
