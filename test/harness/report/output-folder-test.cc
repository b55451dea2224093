// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/rails-output-folder.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
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

void
WriteInto(const OutputFolder& output, const std::string& text)
{
    std::ofstream(output.GetWorkFolder() / "result.json") << text;
}

} // namespace

class OutputFolderTest : public testing::Test
{
  protected:
    std::string GetError(bool force)
    {
        try
        {
            OutputFolder(m_target.string(), force);
        }
        catch (const OutputError& error)
        {
            return error.what();
        }
        return "";
    }

    void MakeWhole(const std::string& text)
    {
        OutputFolder output(m_target.string(), true);
        WriteInto(output, text);
        output.Commit();
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_target{m_folder.GetPath() / "out"};
};

TEST_F(OutputFolderTest, ResultAppearsWholeAtTheCommit)
{
    OutputFolder output(m_target.string(), false);
    WriteInto(output, "new");
    EXPECT_FALSE(std::filesystem::exists(m_target));
    output.Commit();
    EXPECT_EQ(ReadFile(m_target / "result.json"), "new");
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
    EXPECT_EQ(ReadFile(m_target / "result.json"), "new");
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

TEST_F(OutputFolderTest, HiddenFolderOfARunThatGoesOnIsLeftAlone)
{
    OutputFolder first(m_target.string(), false);
    WriteInto(first, "first");
    const pid_t child = fork();
    if (child == 0)
    {
        OutputFolder second(m_target.string(), false);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    first.Commit();
    EXPECT_EQ(ReadFile(m_target / "result.json"), "first");
}

TEST_F(OutputFolderTest, ResultIsReplacedByForceOnly)
{
    MakeWhole("old");
    EXPECT_NE(GetError(false).find("the folder is not empty; --force"), std::string::npos);
    EXPECT_EQ(ReadFile(m_target / "result.json"), "old");
    MakeWhole("new");
    EXPECT_EQ(ReadFile(m_target / "result.json"), "new");
    EXPECT_EQ(ListFolder(m_folder.GetPath()), FileNames{"out"});
}

TEST_F(OutputFolderTest, OldResultStaysUntilTheNewOneIsWhole)
{
    MakeWhole("old");
    {
        OutputFolder output(m_target.string(), true);
        WriteInto(output, "never");
    }
    EXPECT_EQ(ReadFile(m_target / "result.json"), "old");
}

TEST_F(OutputFolderTest, EmptyFolderIsUsed)
{
    std::filesystem::create_directory(m_target);
    EXPECT_EQ(GetError(false), "");
    OutputFolder output(m_target.string(), false);
    WriteInto(output, "new");
    output.Commit();
    EXPECT_EQ(ReadFile(m_target / "result.json"), "new");
}

TEST_F(OutputFolderTest, OtherFilesAreNeverReplaced)
{
    MakeWhole("old");
    std::ofstream(m_target / "thesis.tex") << "years of work";
    EXPECT_NE(GetError(true).find("thesis.tex"), std::string::npos);
    std::filesystem::remove(m_target / "thesis.tex");
    OutputFolder output(m_target.string(), true);
    std::ofstream(m_target / "thesis.tex") << "years of work";
    EXPECT_THROW(output.Commit(), OutputError);
    EXPECT_EQ(ReadFile(m_target / "thesis.tex"), "years of work");
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
        EXPECT_EQ(ReadFile(m_target / "result.json"), text);
        EXPECT_EQ(ReadFile(figures / "old" / "notes.txt"), "mine");
        for (const std::string& page : pages)
        {
            EXPECT_EQ(ReadFile(m_target / page), page);
        }
        EXPECT_EQ(ListFolder(m_folder.GetPath()), FileNames{"out"});
    }
    EXPECT_NE(GetError(false).find("--force"), std::string::npos);
}

TEST_F(OutputFolderTest, FileThatIsNoRegularOneIsWrittenIntoAndStaysWhatItIs)
{
    const auto real = m_folder.GetPath() / "real.csv";
    const auto link = m_folder.GetPath() / "link.csv";
    std::filesystem::create_symlink("real.csv", link);
    for (const std::string text : {"much text", "text"}) // absent first, then there
    {
        WriteFileAtOnce(link, text);
        EXPECT_TRUE(std::filesystem::is_symlink(link));
        EXPECT_EQ(ReadFile(real), text);
    }
    const auto pipe = m_folder.GetPath() / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    WriteFileAtOnce(pipe, "text");
    std::array<char, 16> read{};
    EXPECT_EQ(::read(reader, read.data(), read.size()), 4);
    EXPECT_STREQ(read.data(), "text");
    close(reader);
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
    // By a link, so that the device itself is out of danger.
    const auto full = m_folder.GetPath() / "full";
    std::filesystem::create_symlink("/dev/full", full);
    EXPECT_THROW(WriteFileAtOnce(full, "text"), OutputError);
    EXPECT_TRUE(std::filesystem::is_symlink(full));
}

TEST_F(OutputFolderTest, LinkToAFolderStaysALink)
{
    const auto real = m_folder.GetPath() / "real";
    std::filesystem::create_directory(real);
    std::filesystem::create_directory_symlink(real, m_target);
    MakeWhole("new");
    EXPECT_TRUE(std::filesystem::is_symlink(m_target));
    EXPECT_EQ(ReadFile(real / "result.json"), "new");
}

TEST_F(OutputFolderTest, SlashAtTheEndDoesNotMatter)
{
    OutputFolder output(m_target.string() + "/", false);
    WriteInto(output, "new");
    output.Commit();
    EXPECT_EQ(ReadFile(m_target / "result.json"), "new");
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
