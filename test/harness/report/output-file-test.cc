// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/output-file.h"

#include <array>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3::rails
{

class OutputFileTest : public testing::Test
{
  protected:
    /// \return a new path in a folder of its own
    std::filesystem::path GetPath(const std::string& name) const
    {
        return m_folder.GetPath() / name;
    }

    /// \return true when a check throws the message
    static bool Refuses(const std::function<void()>& check)
    {
        try
        {
            check();
        }
        catch (const OutputError& error)
        {
            EXPECT_NE(std::string(error.what()).find(": error: not ours"), std::string::npos);
            return true;
        }
        return false;
    }

    static bool RefusesInside(const std::filesystem::path& path)
    {
        return Refuses([&] { CheckReplaceable(path, RecogniseBegin("ours"), "not ours"); });
    }

    static bool RefusesNamed(const std::filesystem::path& path)
    {
        return Refuses([&] { CheckNamedFile(path, RecogniseBegin("ours"), "not ours"); });
    }

    TemporaryFolder m_folder;
};

TEST_F(OutputFileTest, LinkIsReplacedItselfAndNeverItsTarget)
{
    const auto target = m_folder.Write("bashrc", "precious");
    const auto link = GetPath("link.json");
    std::filesystem::create_symlink("bashrc", link);
    WriteFileAtOnce(link, "text");
    EXPECT_EQ(ReadFile(target), "precious");
    EXPECT_FALSE(std::filesystem::is_symlink(link));
    EXPECT_EQ(ReadFile(link), "text");
    EXPECT_EQ(ListFolder(m_folder.GetPath()), (std::vector<std::string>{"bashrc", "link.json"}));
    EXPECT_THROW(MakeNewFile(link), OutputError);
    const auto dangling = GetPath("dangling");
    std::filesystem::create_symlink("nothing", dangling);
    EXPECT_THROW(MakeNewFile(dangling), OutputError);
    EXPECT_FALSE(std::filesystem::exists(GetPath("nothing")));
}

TEST_F(OutputFileTest, NamedFileThatIsNoRegularOneIsWrittenIntoAndStaysWhatItIs)
{
    const auto real = GetPath("real.csv");
    const auto link = GetPath("link.csv");
    std::filesystem::create_symlink("real.csv", link);
    for (const std::string text : {"much text", "text"}) // absent first, then there
    {
        WriteNamedFile(link, text);
        EXPECT_TRUE(std::filesystem::is_symlink(link));
        EXPECT_EQ(ReadFile(real), text);
    }
    const auto pipe = GetPath("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    WriteNamedFile(pipe, "text");
    std::array<char, 16> read{};
    EXPECT_EQ(::read(reader, read.data(), read.size()), 4);
    EXPECT_STREQ(read.data(), "text");
    close(reader);
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
    // By a link, so that the device itself is out of danger.
    const auto full = GetPath("full");
    std::filesystem::create_symlink("/dev/full", full);
    EXPECT_THROW(WriteNamedFile(full, "text"), OutputError);
    EXPECT_TRUE(std::filesystem::is_symlink(full));
}

TEST_F(OutputFileTest, FileIsReplacedOnlyWhereItIsEmptyOrOwn)
{
    const auto ours = m_folder.Write("ours", "ours, and more");
    const auto empty = m_folder.Write("empty", "");
    const auto cut = m_folder.Write("cut", "our");
    const auto foreign = m_folder.Write("foreign", "not ours");
    for (const auto& refuses : {RefusesInside, RefusesNamed})
    {
        EXPECT_FALSE(refuses(ours));
        EXPECT_FALSE(refuses(empty));
        EXPECT_FALSE(refuses(GetPath("absent")));
        EXPECT_TRUE(refuses(foreign));
        EXPECT_TRUE(refuses(cut));
    }
    EXPECT_TRUE(Refuses([&] { CheckNamedFile(ours, nullptr, "not ours"); }));
    EXPECT_FALSE(Refuses([&] { CheckNamedFile(empty, nullptr, "not ours"); }));
}

TEST_F(OutputFileTest, LinksAndPipesAreForUsersToName)
{
    m_folder.Write("ours", "ours");
    m_folder.Write("foreign", "not ours");
    std::filesystem::create_symlink("ours", GetPath("link"));
    std::filesystem::create_symlink("foreign", GetPath("link-to-foreign"));
    ASSERT_EQ(mkfifo(GetPath("pipe").c_str(), 0600), 0);
    for (const std::string name : {"link", "pipe"})
    {
        EXPECT_TRUE(RefusesInside(GetPath(name))) << name;
        EXPECT_FALSE(RefusesNamed(GetPath(name))) << name;
    }
    EXPECT_TRUE(RefusesNamed(GetPath("link-to-foreign")));
    EXPECT_FALSE(RefusesNamed("/dev/null"));
    // What this process prints into may have something in it already.
    const int before = dup(STDOUT_FILENO);
    const int file = open(GetPath("foreign").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    dup2(file, STDOUT_FILENO);
    const bool isRefused = RefusesNamed("/dev/stdout");
    dup2(before, STDOUT_FILENO);
    close(before);
    close(file);
    EXPECT_FALSE(isRefused);
}

} // namespace ns3::rails
