// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/published-path.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{
namespace
{

namespace fs = std::filesystem;

/// A home with a folder of results, and a disk beside it.
class PublishedPathTest : public testing::Test
{
  protected:
    PublishedPathTest()
        : m_former(std::getenv("HOME") ? std::getenv("HOME") : "")
    {
        fs::create_directories(m_home / "results");
        fs::create_directories(m_disk);
        setenv("HOME", m_home.c_str(), 1);
    }

    ~PublishedPathTest() override
    {
        setenv("HOME", m_former.c_str(), 1);
    }

    /// A file as a folder names it, and that name taken back.
    std::string Name(const fs::path& file, const fs::path& folder) const
    {
        const std::string name = PublishPath(file, folder);
        EXPECT_EQ(ResolvePath(name, folder), file.string());
        return name;
    }

    const TemporaryFolder m_folder;
    const fs::path m_home = (m_folder.GetPath() / "home/ada").lexically_normal();
    const fs::path m_disk = (m_folder.GetPath() / "disk/ada").lexically_normal();

  private:
    const std::string m_former;
};

TEST_F(PublishedPathTest, FilesAreNamedFromTheFolderThatNamesThem)
{
    EXPECT_EQ(Name(m_home / "square.csv", m_home / "results"), "../square.csv");
    EXPECT_EQ(Name(m_home / "results/square.csv", m_home / "results"), "square.csv");
}

TEST_F(PublishedPathTest, FilesOfAHomeThatTheFolderIsNotInAreNamedFromIt)
{
    EXPECT_EQ(Name(m_home / "square.csv", m_disk), "~/square.csv");
}

TEST_F(PublishedPathTest, TextsNameWhatExistsWithoutAWayToIt)
{
    m_folder.Write("home/ada/square.csv", "1\n");
    const std::string file = (m_home / "square.csv").string();
    EXPECT_EQ(PublishText("rails run '" + file + "' --out=" + file + ":3, (" + file + ")", m_disk),
              "rails run '~/square.csv' --out=~/square.csv:3, (~/square.csv)");
}

TEST_F(PublishedPathTest, TextsNameWhatIsNotMadeYetByItsFolder)
{
    EXPECT_EQ(PublishText("--out " + (m_home / "results/seed=1").string(), m_disk),
              "--out ~/results/seed=1");
}

TEST_F(PublishedPathTest, TextsKeepWhatIsNoPath)
{
    const std::string text = " 3 / 4 of /nothing/here or /nothing, and/or  1/2=3 --x=4 ";
    EXPECT_EQ(PublishText(text, m_disk), text);
    EXPECT_EQ(PublishText("", m_disk), "");
}

} // namespace
} // namespace ns3::rails
