// SPDX-License-Identifier: GPL-2.0-only
#include "support/source-folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

namespace fs = std::filesystem;

using Names = std::set<std::string>;

/// The folders, and those that each may include besides itself: all of them stand above it.
const std::vector<std::pair<std::string, Names>> kRooms{
    {"model/base", {}},
    {"model/wiring", {"model/base"}},
    {"model/transfer", {"model/base"}},
    // what moves frames
    {"model/fabric", {"model/base", "model/wiring"}},
    {"model/balance", {"model/base", "model/wiring", "model/fabric"}},
    {"model/host",
     {"model/base", "model/wiring", "model/transfer", "model/fabric", "model/balance"}},
    // what is to be sent, on which rail: no engine
    {"model/collective/matrix", {"model/base"}},
    {"model/collective/planner", {"model/base", "model/collective/matrix"}},
    {"model/collective/workload", {"model/base", "model/collective/matrix"}},
    {"model/collective/bound",
     {"model/base", "model/wiring", "model/collective/matrix", "model/collective/workload"}},
    {"model/collective/exchange",
     {"model/base",
      "model/wiring",
      "model/transfer",
      "model/collective/matrix",
      "model/collective/planner",
      "model/collective/workload"}},
    {"helper", {"model/base", "model/wiring", "model/fabric", "model/host"}},
    // the harness
    {"harness/descriptor", {"model/base"}},
    {"harness/report",
     {"model/base", "model/transfer", "model/collective/exchange", "harness/descriptor"}},
    {"harness/run",
     {"model/base",
      "model/wiring",
      "model/transfer",
      "model/collective/planner",
      "model/collective/workload",
      "model/collective/bound",
      "model/collective/exchange",
      "helper",
      "harness/descriptor",
      "harness/report"}},
    {"harness/run/frames",
     {"model/base",
      "model/wiring",
      "model/fabric",
      "model/balance",
      "model/host",
      "model/collective/planner",
      "model/collective/bound",
      "model/collective/exchange",
      "helper",
      "harness/descriptor",
      "harness/report",
      "harness/run"}},
    {"harness/sweep", {"model/base", "harness/descriptor", "harness/report", "harness/run"}},
    {"harness/command",
     {"model/base", "harness/descriptor", "harness/report", "harness/run", "harness/sweep"}},
    {"harness", {"harness/run", "harness/command"}}, // the program
};

/// Headers that may be included from elsewhere, too.
const std::map<std::string, Names> kExceptions{
    {"harness/run", {"rails-transport.h"}}, // a section: what payload weighs on a wire
};

/// A file of a folder, without its ending, and the own headers that it includes.
struct Unit
{
    std::string room;
    std::string name;
    Names includes;
};

/// \return every pair of files below model, helper and harness by name
std::map<std::string, Unit>
ReadUnits()
{
    static const std::regex include(R"re(^#include "(ns3/)?([^"/]+)\.h")re");
    const fs::path root = GetSourceFolder();
    std::map<std::string, Unit> units;
    for (const char* folder : {"model", "helper", "harness"})
    {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder))
        {
            const fs::path& path = entry.path();
            if (path.extension() != ".h" && path.extension() != ".cc")
            {
                continue;
            }
            const std::string name = path.stem().string();
            Unit& unit = units[name];
            unit.room = fs::relative(path.parent_path(), root).generic_string();
            unit.name = name;
            std::ifstream file(path);
            for (std::string line; std::getline(file, line);)
            {
                std::smatch match;
                if (std::regex_search(line, match, include) && match[2] != name)
                {
                    unit.includes.insert(match[2]);
                }
            }
        }
    }
    return units;
}

const Names*
FindAllowed(const std::string& room)
{
    const auto found = std::find_if(kRooms.begin(), kRooms.end(), [&room](const auto& each) {
        return each.first == room;
    });
    return found == kRooms.end() ? nullptr : &found->second;
}

/// \return "ROOM/FILE includes ROOM/FILE" for what no room allows
std::vector<std::string>
FindForbidden(const std::map<std::string, Unit>& units)
{
    std::vector<std::string> found;
    for (const auto& [name, unit] : units)
    {
        const Names* allowed = FindAllowed(unit.room);
        const auto exceptions = kExceptions.find(unit.room);
        for (const std::string& include : unit.includes)
        {
            const auto other = units.find(include);
            if (other == units.end() || other->second.room == unit.room ||
                (allowed && allowed->count(other->second.room) > 0) ||
                (exceptions != kExceptions.end() && exceptions->second.count(include + ".h") > 0))
            {
                continue;
            }
            found.push_back(unit.room + "/" + name + " includes " + other->second.room + "/" +
                            include);
        }
    }
    return found;
}

/// \return the units between two of a circle, or in one
Names
FindCircles(const std::map<std::string, Unit>& units)
{
    // What leads to none of those left, or is led to by none of them, is in no circle.
    Names left;
    for (const auto& [name, unit] : units)
    {
        left.insert(name);
    }
    const auto leadsOn = [&](const std::string& from) {
        const Names& includes = units.at(from).includes;
        return std::any_of(includes.begin(), includes.end(), [&](const std::string& each) {
            return left.count(each) > 0;
        });
    };
    const auto isLedTo = [&](const std::string& to) {
        return std::any_of(left.begin(), left.end(), [&](const std::string& each) {
            return units.at(each).includes.count(to) > 0;
        });
    };
    for (bool shrinks = true; shrinks;)
    {
        shrinks = false;
        for (auto name = left.begin(); name != left.end();)
        {
            const bool stays = leadsOn(*name) && isLedTo(*name);
            shrinks = shrinks || !stays;
            name = stays ? std::next(name) : left.erase(name);
        }
    }
    return left;
}

TEST(Rooms, EachIncludesOnlyWhatStandsAboveItInTheTable)
{
    EXPECT_EQ(FindForbidden(ReadUnits()), std::vector<std::string>());
}

TEST(Rooms, TheTableNamesEveryFolderAndNoneBeforeItsTurn)
{
    Names rooms;
    for (const auto& [name, unit] : ReadUnits())
    {
        rooms.insert(unit.room);
    }
    Names known;
    for (const auto& [room, allowed] : kRooms)
    {
        EXPECT_TRUE(std::includes(known.begin(), known.end(), allowed.begin(), allowed.end()))
            << room;
        known.insert(room);
    }
    EXPECT_EQ(rooms, known);
}

TEST(Rooms, NoFilesIncludeEachOtherInACircle)
{
    EXPECT_EQ(FindCircles(ReadUnits()), Names());
}

TEST(Rooms, NothingBelowTheSeamOrAboveItNamesAnEngine)
{
    for (const auto& [room, allowed] : kRooms)
    {
        const bool isEngine = room == "model/fabric" || room == "model/balance" ||
                              room == "model/host" || room == "helper" ||
                              room == "harness/run/frames";
        EXPECT_EQ(allowed.count("model/host") == 0,
                  !isEngine || room == "model/fabric" || room == "model/balance" ||
                      room == "model/host")
            << room;
    }
}

TEST(Rooms, WhatIsLookedForIsFound)
{
    std::map<std::string, Unit> units = ReadUnits();
    units.at("planner").includes.insert("rdma-nic");
    units.at("rails-wiring").includes.insert("rails-scenario");
    EXPECT_EQ(FindForbidden(units),
              (std::vector<std::string>{
                  "model/collective/planner/planner includes model/host/rdma-nic",
                  "model/wiring/rails-wiring includes harness/run/rails-scenario"}));
    EXPECT_EQ(FindCircles(units).count("rails-wiring"), 1U);
}

} // namespace

} // namespace ns3::rails::test
