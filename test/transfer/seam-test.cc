// SPDX-License-Identifier: GPL-2.0-only
#include "../support/source-folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

namespace fs = std::filesystem;

/// \return the headers of some folders of the model, by name
std::set<std::string>
FindHeaders(const std::vector<std::string>& folders)
{
    std::set<std::string> headers;
    for (const std::string& folder : folders)
    {
        for (const fs::directory_entry& entry :
             fs::directory_iterator(fs::path(GetSourceFolder()) / "model" / folder))
        {
            if (entry.path().extension() == ".h")
            {
                headers.insert(entry.path().filename().string());
            }
        }
    }
    return headers;
}

/// \return "FILE includes HEADER" for the files of a folder that include one of some headers
std::vector<std::string>
FindIncludes(const std::string& folder, const std::set<std::string>& headers)
{
    static const std::regex include(R"re(#include "(ns3/)?([^"]+)")re");
    std::vector<std::string> found;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(GetSourceFolder()) / "model" / folder))
    {
        std::ifstream file(entry.path());
        for (std::string line; entry.is_regular_file() && std::getline(file, line);)
        {
            std::smatch match;
            if (std::regex_search(line, match, include) && headers.count(match[2]) > 0)
            {
                found.push_back(folder + "/" + entry.path().filename().string() + " includes " +
                                match[2].str());
            }
        }
    }
    return found;
}

/// Folders of the engine that moves frames.
const std::vector<std::string> kFrames{"fabric", "host", "balance", "experiment/frames"};

TEST(Seam, WhatIsBelowOrAboveItNamesNoEngine)
{
    const std::set<std::string> frames = FindHeaders(kFrames);
    ASSERT_EQ(frames.count("frame-engine.h"), 1U);
    for (const char* folder : {"base", "wiring", "transfer", "collective"})
    {
        EXPECT_EQ(FindIncludes(folder, frames), std::vector<std::string>()) << folder;
    }
}

TEST(Seam, TheHarnessNamesItInItsFramesFolderAlone)
{
    std::set<std::string> frames = FindHeaders(kFrames);
    frames.erase("rails-transport.h"); // the section: what a payload weighs on a wire
    for (const char* folder : {"experiment", "sweep", "command"})
    {
        EXPECT_EQ(FindIncludes(folder, frames), std::vector<std::string>()) << folder;
    }
}

TEST(Seam, WhatIsLookedForWouldBeFound)
{
    EXPECT_FALSE(FindIncludes("host", FindHeaders({"fabric"})).empty());
    EXPECT_FALSE(FindIncludes("experiment/frames", FindHeaders({"host"})).empty());
}

} // namespace

} // namespace ns3::rails::test
