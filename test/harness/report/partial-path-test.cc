// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"
#include "writers.h"

#include "ns3/partial-path.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

class PartialPathTest : public testing::Test
{
  protected:
    /// \return how many there are for a place
    std::size_t Count(const std::string& place) const
    {
        return FindPartialPaths(m_folder.GetPath() / place).size();
    }

    TemporaryFolder m_folder;
};

TEST_F(PartialPathTest, NameIsHiddenAndAnotherOneEachTime)
{
    const auto place = m_folder.GetPath() / "out";
    const auto one = MakePartialPath(place);
    EXPECT_NE(one, MakePartialPath(place));
    EXPECT_EQ(one.parent_path(), m_folder.GetPath());
    EXPECT_EQ(one.filename().string().front(), '.');
    EXPECT_TRUE(FindWriter(one));
    EXPECT_TRUE(*FindWriter(one) == WriterIdentity::OfThisProcess());
    std::ofstream(one).put('x');
    std::ofstream(MakeFormerPath(MakePartialPath(place))).put('x');
    EXPECT_EQ(Count("out"), 2U);
}

TEST_F(PartialPathTest, NamesAreFoundExactly)
{
    const std::string end = MakePartialPath("x").filename().string().substr(2); // ".partial-..."
    const std::string cut = end.substr(0, end.size() - 1);
    for (const std::string& name : {std::string(".out.partial-host-1-2"),
                                    ".out-2" + end,
                                    ".out" + end + "0",
                                    ".out" + end + ".old.old",
                                    ".out" + cut,
                                    ".out" + cut + "g",
                                    "out" + end})
    {
        m_folder.Write(name, "");
    }
    EXPECT_EQ(Count("out"), 0U);
    EXPECT_EQ(Count("out-2"), 1U);
    EXPECT_FALSE(FindWriter("out" + end));
    EXPECT_FALSE(FindWriter(".partial-" + end.substr(9)));
    // A place whose own name looks like such a name.
    m_folder.Write("." + ("out" + end) + end, "");
    EXPECT_EQ(Count("out"), 0U);
    EXPECT_EQ(Count("out" + end), 1U);
    EXPECT_FALSE(HasFormerPaths(m_folder.GetPath()));
    m_folder.Write(".out" + end + ".old", "");
    EXPECT_TRUE(HasFormerPaths(m_folder.GetPath()));
    EXPECT_EQ(Count("out"), 1U);
}

TEST_F(PartialPathTest, NamesFitAFileSystem)
{
    const std::string name(213, 'x'); // the longest name of a point
    const auto hidden = MakeFormerPath(MakePartialPath(m_folder.GetPath() / name));
    constexpr std::size_t longestNumbers = 10 + 20; // of a process, and of its start
    EXPECT_LE(hidden.filename().string().size() + longestNumbers - 2, 255U);
    std::ofstream(hidden).put('x');
    EXPECT_EQ(Count(name), 1U);
    EXPECT_EQ(Count(name.substr(1) + "y"), 0U);
}

TEST_F(PartialPathTest, OnlyThoseOfDeadProcessesAreRemoved)
{
    const auto place = m_folder.GetPath() / "out";
    const auto dead = MakePathOf(MakeDeadWriter(), place);
    const auto living = MakePathOf(WriterIdentity::OfThisProcess(), place);
    const auto unknown = MakePathOf(MakeUnknownWriter(), place);
    for (const auto& path : {dead, living, unknown})
    {
        std::ofstream(path).put('x');
    }
    RemoveDeadPartials(place);
    EXPECT_FALSE(std::filesystem::exists(dead));
    EXPECT_TRUE(std::filesystem::exists(living));
    EXPECT_TRUE(std::filesystem::exists(unknown));
}

} // namespace ns3::rails
