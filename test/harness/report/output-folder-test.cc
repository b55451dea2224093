// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"
#include "writers.h"

#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-reader.h"
#include "ns3/rails-result-writer.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ns3::rails
{

namespace
{

using FileNames = std::vector<std::string>;

/// Writes a result into a folder.
void
WriteInto(const std::filesystem::path& folder, const std::string& name, const FileNames& files)
{
    nlohmann::json json{{"name", name},
                        {"status", 0},
                        {"config", nlohmann::json::object()},
                        {"fingerprint", ""},
                        {"cct_s", nullptr},
                        {"artefacts", nlohmann::json::array()}};
    for (const std::string& file : files)
    {
        std::ofstream(folder / file) << name;
        json["artefacts"].push_back({{"file", file}, {"bytes", name.size()}});
    }
    std::ofstream(folder / "result.json") << json.dump(2);
}

void
WriteInto(const OutputFolder& output, const std::string& name, const FileNames& files = {})
{
    WriteInto(output.GetWorkFolder(), name, files);
}

} // namespace

class OutputFolderTest : public testing::Test
{
  protected:
    std::string GetError(bool force, bool isPoint = false)
    {
        try
        {
            OutputFolder(m_target.string(), force, isPoint);
        }
        catch (const OutputError& error)
        {
            return error.what();
        }
        return "";
    }

    void MakeWhole(const std::string& name, const FileNames& files = {})
    {
        OutputFolder output(m_target.string(), true);
        WriteInto(output, name, files);
        output.Commit();
    }

    /// \return name of the result that is in the target
    std::string GetName() const
    {
        const nlohmann::json json = ReadResultJson(m_target);
        return json.is_object() ? json.value("name", "") : "";
    }

    /// Writes a file of a user into the target, or a folder below it.
    void WriteNote(const std::string& name) const
    {
        std::filesystem::create_directories((m_target / name).parent_path());
        std::ofstream(m_target / name) << "mine";
    }

    /// Makes the folder of a result that a process was writing.
    std::filesystem::path LeavePartial(const WriterIdentity& writer, const std::string& name) const
    {
        const std::filesystem::path path = MakePathOf(writer, m_target);
        std::filesystem::create_directories(path);
        if (!name.empty())
        {
            WriteInto(path, name, {"links.csv"});
        }
        return path;
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_target{m_folder.GetPath().lexically_normal() / "out"};
};

TEST_F(OutputFolderTest, ResultAppearsWholeAtTheCommit)
{
    OutputFolder output(m_target.string(), false);
    WriteInto(output, "new");
    EXPECT_FALSE(std::filesystem::exists(m_target));
    output.Commit();
    EXPECT_EQ(GetName(), "new");
    EXPECT_EQ(ListFolder(m_folder.GetPath()), FileNames{"out"});
}

TEST_F(OutputFolderTest, NothingIsLeftWithoutACommit)
{
    {
        OutputFolder output(m_target.string(), false);
        WriteInto(output, "never");
    }
    EXPECT_EQ(ListFolder(m_folder.GetPath()), FileNames{});
}

TEST_F(OutputFolderTest, FoldersOnTheWayAreMade)
{
    m_target = m_folder.GetPath() / "a" / "b" / "out";
    MakeWhole("new");
    EXPECT_EQ(GetName(), "new");
}

TEST_F(OutputFolderTest, KilledRunLeavesTheResultAbsentAndTheNextOneCleansUp)
{
    const pid_t child = fork();
    if (child == 0)
    {
        OutputFolder output(m_target.string(), false);
        WriteInto(output, "half");
        raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_FALSE(std::filesystem::exists(m_target));
    EXPECT_EQ(ListFolder(m_folder.GetPath()).size(), 1U);
    MakeWhole("new");
    EXPECT_EQ(ListFolder(m_folder.GetPath()), FileNames{"out"});
}

TEST_F(OutputFolderTest, SecondWriterIsRefusedAndLearnsWhoWrites)
{
    OutputFolder first(m_target.string(), false);
    WriteInto(first, "first");
    const std::string writer = "another run is writing this result (process " +
                               std::to_string(getpid()) + " on this machine)";
    EXPECT_NE(GetError(true).find(writer + "; wait until it has ended"), std::string::npos)
        << GetError(true);
    EXPECT_EQ(GetError(true, true), "") << "a sweep comes back to it later";
    EXPECT_EQ(ListFolder(m_folder.GetPath()).size(), 1U) << "that of the first";
    first.Commit();
    EXPECT_EQ(GetName(), "first");
    EXPECT_EQ(GetError(true), "");
}

TEST_F(OutputFolderTest, WriterThatCannotBeSeenIsLeftAloneAndTheRemedyIsSaid)
{
    MakeWhole("old");
    const auto unknown = LeavePartial(MakeUnknownWriter(), "");
    const std::string error = GetError(true);
    EXPECT_NE(error.find("(a process on another machine or in another container); when it has "
                         "ended, remove " +
                         unknown.string()),
              std::string::npos)
        << error;
    EXPECT_TRUE(std::filesystem::exists(unknown));
    EXPECT_EQ(GetError(true, true), "") << "a sweep has a lock, and goes on on another machine";
    EXPECT_TRUE(std::filesystem::exists(unknown));
    std::filesystem::remove(unknown);
    EXPECT_EQ(GetError(true), "");
    // What it was replacing is not put back under its hands.
    const auto former = MakeFormerPath(unknown);
    std::filesystem::rename(m_target, former);
    EXPECT_NE(GetError(true).find("rename " + former.string() + " to " + m_target.string()),
              std::string::npos)
        << GetError(true);
    EXPECT_TRUE(std::filesystem::exists(former / "result.json"));
    EXPECT_FALSE(std::filesystem::exists(m_target));
}

TEST_F(OutputFolderTest, ResultThatWasJustBeingReplacedIsPutBackBeforeAnythingIsRemoved)
{
    MakeWhole("old", {"links.csv"});
    WriteNote("figures/note.txt");
    const auto work = LeavePartial(MakeDeadWriter(), "new");
    std::filesystem::rename(m_target, MakeFormerPath(work));
    OutputFolder::Recover(m_target);
    EXPECT_EQ(GetName(), "old");
    EXPECT_EQ(ReadFile(m_target / "figures" / "note.txt"), "mine");
    EXPECT_EQ(ListFolder(m_folder.GetPath()), FileNames{"out"});
    // The same with the new one in its place: what came to the old one meanwhile is taken over.
    std::filesystem::rename(m_target, MakeFormerPath(work));
    LeavePartial(MakeDeadWriter(), "new");
    std::filesystem::rename(work, m_target);
    OutputFolder::Recover(m_target);
    EXPECT_EQ(GetName(), "new");
    EXPECT_EQ(ReadFile(m_target / "figures" / "note.txt"), "mine");
    EXPECT_EQ(ListFolder(m_folder.GetPath()), FileNames{"out"});
}

TEST_F(OutputFolderTest, ResultIsNotPutBackOverSomethingElse)
{
    MakeWhole("old");
    const auto former = MakeFormerPath(MakePathOf(MakeDeadWriter(), m_target));
    std::filesystem::rename(m_target, former);
    WriteNote("notes.txt");
    EXPECT_NE(GetError(true).find("the earlier result, which is in " + former.string()),
              std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(former / "result.json"));
    EXPECT_EQ(ReadFile(m_target / "notes.txt"), "mine");
    std::ofstream(m_target / "result.json") << R"({"status": 0, "config": {}, "reason": "cut"})";
    EXPECT_NE(GetError(true, true).find("the earlier result"), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(former / "result.json"));
    std::filesystem::remove(m_target / "notes.txt");
    std::filesystem::remove(m_target / "result.json");
    EXPECT_NE(GetError(false).find("--force"), std::string::npos);
    EXPECT_EQ(GetName(), "old") << "into the empty folder";
}

TEST_F(OutputFolderTest, HalfAResultOfADeadProcessIsRemoved)
{
    MakeWhole("old");
    const auto work = LeavePartial(MakeDeadWriter(), "");
    std::ofstream(work / "messages.csv") << "half";
    OutputFolder::Recover(m_target);
    EXPECT_EQ(ListFolder(m_folder.GetPath()), FileNames{"out"});
    EXPECT_EQ(ListFolder(m_target), FileNames{"result.json"});
}

TEST_F(OutputFolderTest, ResultIsReplacedByForceOnly)
{
    MakeWhole("old");
    EXPECT_NE(GetError(false).find("the folder is not empty; --force"), std::string::npos);
    EXPECT_EQ(GetName(), "old");
    MakeWhole("new");
    EXPECT_EQ(GetName(), "new");
    EXPECT_EQ(ListFolder(m_folder.GetPath()), FileNames{"out"});
}

TEST_F(OutputFolderTest, OldResultStaysUntilTheNewOneIsWhole)
{
    MakeWhole("old");
    {
        OutputFolder output(m_target.string(), true);
        WriteInto(output, "never");
    }
    EXPECT_EQ(GetName(), "old");
}

TEST_F(OutputFolderTest, EmptyFolderIsUsed)
{
    std::filesystem::create_directory(m_target);
    EXPECT_EQ(GetError(false), "");
    OutputFolder output(m_target.string(), false);
    WriteInto(output, "new");
    output.Commit();
    EXPECT_EQ(GetName(), "new");
}

TEST_F(OutputFolderTest, OnlyWhatAResultListsIsReplaced)
{
    MakeWhole("old", {"links.csv", "n0.pcap"});
    WriteNote("thesis.tex");
    WriteNote("notes/2026/plan.txt");
    std::filesystem::create_symlink("nowhere", m_target / "link");
    ASSERT_EQ(mkfifo((m_target / "pipe").c_str(), 0600), 0);
    MakeWhole("new", {"queues.csv"});
    EXPECT_EQ(GetName(), "new");
    EXPECT_EQ(ListFolder(m_target),
              (FileNames{"link", "notes", "pipe", "queues.csv", "result.json", "thesis.tex"}));
    EXPECT_EQ(ReadFile(m_target / "thesis.tex"), "mine");
    EXPECT_EQ(ReadFile(m_target / "notes" / "2026" / "plan.txt"), "mine");
    EXPECT_EQ(std::filesystem::read_symlink(m_target / "link"), "nowhere");
    EXPECT_TRUE(std::filesystem::is_fifo(m_target / "pipe"));
    EXPECT_EQ(ListFolder(m_folder.GetPath()), FileNames{"out"});
}

TEST_F(OutputFolderTest, ForeignFileWithTheNameOfAResultsIsRefusedByItsName)
{
    const auto isRefused = [this](const std::string& name) {
        const bool isNamed = GetError(true).find("(" + name + ")") != std::string::npos;
        return isNamed && std::filesystem::exists(m_target / name);
    };
    WriteNote("links.csv"); // without any result
    EXPECT_TRUE(isRefused("links.csv"));
    std::filesystem::remove_all(m_target);
    WriteNote("captures.pcap/2024/thesis.tex");
    EXPECT_TRUE(isRefused("captures.pcap"));
    std::filesystem::remove_all(m_target);
    WriteNote("result.json");
    EXPECT_TRUE(isRefused("result.json"));
    std::filesystem::remove_all(m_target);

    MakeWhole("old", {"links.csv"});
    for (const std::string name : {"production.pcap", "messages.csv", "plans.csv/deep"})
    {
        WriteNote(name);
        const std::string top = std::filesystem::path(name).begin()->string();
        EXPECT_TRUE(isRefused(top));
        std::filesystem::remove_all(m_target / top);
    }
    WriteNote("links.csv"); // as the result lists it, but for what is in it
    std::ofstream(m_target / "links.csv") << "longer than the result says";
    EXPECT_TRUE(isRefused("links.csv"));
    EXPECT_EQ(GetError(true, true), "") << "a damaged point of a sweep is run again";
    std::filesystem::remove(m_target / "links.csv");
    std::filesystem::create_directory(m_target / "links.csv");
    EXPECT_TRUE(isRefused("links.csv"));
    EXPECT_NE(GetError(true, true), "");
    EXPECT_EQ(GetName(), "");
}

TEST_F(OutputFolderTest, ResultThatListsOtherPlacesTakesNothingFromThere)
{
    const std::string precious = m_folder.Write("precious", "mine");
    MakeWhole("old");
    nlohmann::json json = nlohmann::json::parse(ReadFile(m_target / "result.json"));
    json["artefacts"] = {{{"file", "../precious"}, {"bytes", 4}},
                         {{"file", precious}, {"bytes", 4}},
                         {{"file", ".."}, {"bytes", 4096}},
                         {{"file", 7}},
                         "text"};
    std::ofstream(m_target / "result.json") << json.dump();
    MakeWhole("new");
    EXPECT_EQ(ReadFile(precious), "mine");
    EXPECT_EQ(ListFolder(m_target), FileNames{"result.json"});
}

TEST_F(OutputFolderTest, WhatComesWhileARunGoesOnIsKeptOrRefused)
{
    MakeWhole("old");
    {
        OutputFolder output(m_target.string(), true);
        WriteInto(output, "new", {"links.csv"});
        WriteNote("notes.txt");
        output.Commit();
    }
    EXPECT_EQ(GetName(), "new");
    EXPECT_EQ(ReadFile(m_target / "notes.txt"), "mine");
    OutputFolder output(m_target.string(), true);
    WriteInto(output, "newer", {"queues.csv"});
    WriteNote("queues.csv");
    EXPECT_THROW(output.Commit(), OutputError);
    EXPECT_EQ(ReadFile(m_target / "queues.csv"), "mine");
    EXPECT_EQ(GetName(), "new");
}

TEST_F(OutputFolderTest, WhatAnInterruptedRunWroteGoesAndIsNotPutInPlace)
{
    MakeWhole("old");
    OutputFolder output(m_target.string(), true);
    WriteInto(output, "new");
    OutputFolder::RemovePartial(m_target.string());
    EXPECT_FALSE(std::filesystem::exists(output.GetWorkFolder()));
    EXPECT_THROW(output.Commit(false), OutputError);
    EXPECT_EQ(GetName(), "old");
    EXPECT_EQ(ListFolder(m_folder.GetPath()), FileNames{"out"});
}

TEST_F(OutputFolderTest, PointThatIsALinkIsRefused)
{
    const auto real = m_folder.GetPath() / "real";
    std::filesystem::create_directory(real);
    std::filesystem::create_directory_symlink(real, m_target);
    EXPECT_NE(GetError(true, true).find("it is a link"), std::string::npos);
}

TEST_F(OutputFolderTest, WhatRailsMadeOfAResultIsNotInTheWayAndStays)
{
    const std::vector<std::string> pages{"index.sqlite", "report-balance.html", "report.html"};
    const auto figures = m_target / "figures";
    std::filesystem::create_directories(figures / "old");
    std::ofstream(figures / "old" / "notes.txt") << "mine";
    for (const std::string& page : pages)
    {
        std::ofstream(m_target / page) << page;
    }
    EXPECT_EQ(GetError(false), "");
    for (const std::string text : {"first", "second"})
    {
        MakeWhole(text);
        EXPECT_EQ(GetName(), text);
        EXPECT_EQ(ReadFile(figures / "old" / "notes.txt"), "mine");
        for (const std::string& page : pages)
        {
            EXPECT_EQ(ReadFile(m_target / page), page);
        }
        EXPECT_EQ(ListFolder(m_folder.GetPath()), FileNames{"out"});
    }
    EXPECT_NE(GetError(false).find("--force"), std::string::npos);
}

TEST_F(OutputFolderTest, LinkToAFolderStaysALink)
{
    const auto real = m_folder.GetPath() / "real";
    std::filesystem::create_directory(real);
    std::filesystem::create_directory_symlink(real, m_target);
    MakeWhole("new");
    EXPECT_TRUE(std::filesystem::is_symlink(m_target));
    EXPECT_EQ(GetName(), "new");
}

TEST_F(OutputFolderTest, SlashAtTheEndDoesNotMatter)
{
    OutputFolder output(m_target.string() + "/", false);
    WriteInto(output, "new");
    output.Commit();
    EXPECT_EQ(GetName(), "new");
}

TEST_F(OutputFolderTest, PlaceThatCannotTakeAResultIsRefused)
{
    std::ofstream(m_target) << "a file";
    EXPECT_NE(GetError(false).find("this is a file"), std::string::npos);
    m_target = m_target / "below";
    EXPECT_NE(GetError(false), "");
    m_target = "/proc/rails";
    EXPECT_NE(GetError(false).find("/proc/rails: error: "), std::string::npos);
}

} // namespace ns3::rails
