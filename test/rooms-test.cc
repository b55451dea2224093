// SPDX-License-Identifier: GPL-2.0-only
#include "support/generated-page.h"
#include "support/pages.h"
#include "support/sanitized.h"
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
#include <vector>

namespace ns3::rails::test
{

namespace
{

namespace fs = std::filesystem;

using Names = std::set<std::string>;

/// A folder.
struct Room
{
    std::string folder;
    std::string holds; //!< what belongs there, in a line
    Names allowed;     //!< the folders that it may include besides itself: all stand above it
};

/// The folders, as doc/development.rst shows them.
const std::vector<Room> kRooms{
    {"model/base",
     "units, quantities, errors, hashes, CSV, random bits, the shape of a cluster",
     {}},
    {"model/max-min", "max-min fair rates of flows that share links", {}},
    {"model/wiring",
     "the cluster as data: servers, switches, cables; routing; what fails when",
     {"model/base"}},
    {"model/topology",
     "lays a wiring: rails, trees, leaves and spines, what servers look like inside",
     {"model/base", "model/wiring"}},
    {"model/message",
     "a message, the service that moves it, the engine behind it: the seam",
     {"model/base"}},
    {"model/flow",
     "the engine of flows: which cables they take, how fast each may be",
     {"model/base", "model/max-min", "model/wiring", "model/message"}},
    {"model/fabric",
     "frames, ports, cables, switches, buffers, marking",
     {"model/base", "model/wiring"}},
    {"model/balance",
     "which way a frame takes, chosen by hosts or switches",
     {"model/base", "model/wiring", "model/fabric"}},
    {"model/host",
     "servers with NVLink and NICs; queue pairs, congestion control, loss recovery; the engine "
     "that moves frames",
     {"model/base", "model/wiring", "model/message", "model/fabric", "model/balance"}},
    {"model/collective/matrix",
     "who is in a group with whom; how much each GPU has for each other",
     {"model/base"}},
    {"model/collective/balancer",
     "which NIC carries which piece",
     {"model/base", "model/collective/matrix"}},
    {"model/collective/algorithm",
     "collectives: which way the parts of a buffer take in a group",
     {"model/base", "model/max-min", "model/collective/matrix"}},
    {"model/collective/workload",
     "what is to be moved when: phases and their matrices",
     {"model/base", "model/collective/matrix", "model/collective/algorithm"}},
    {"model/collective/bound",
     "how fast it could be at best",
     {"model/base", "model/wiring", "model/collective/matrix", "model/collective/workload"}},
    {"model/collective/exchange",
     "plans each phase and posts its messages",
     {"model/base",
      "model/wiring",
      "model/message",
      "model/collective/matrix",
      "model/collective/balancer",
      "model/collective/workload"}},
    {"model/graph",
     "what GPUs do when one waits for another: computing, transfers, barriers",
     {"model/base",
      "model/message",
      "model/collective/matrix",
      "model/collective/balancer",
      "model/collective/algorithm",
      "model/collective/workload",
      "model/collective/bound",
      "model/collective/exchange"}},
    {"model/workload",
     "what GPUs are to do, as keys say it: makes programs",
     {"model/base",
      "model/collective/matrix",
      "model/collective/algorithm",
      "model/collective/workload",
      "model/graph"}},
    {"model/placement/plan",
     "token counts; what a policy of experts is told, and what it answers",
     {"model/base"}},
    {"model/placement/solver",
     "loads split exactly: flows, linear programs, graphs",
     {"model/base", "model/placement/plan"}},
    {"model/placement/policy",
     "the policies: which GPU computes which tokens",
     {"model/base", "model/placement/plan", "model/placement/solver"}},
    {"model/moe/model", "models, and who of the GPUs has which part of one", {"model/base"}},
    {"model/moe/load",
     "how many tokens go to which expert",
     {"model/base", "model/collective/matrix", "model/moe/model"}},
    {"model/moe/plan",
     "a training in plain numbers; schedules of its pipeline",
     {"model/base",
      "model/collective/algorithm",
      "model/placement/plan",
      "model/moe/model",
      "model/moe/load"}},
    {"model/moe/routing",
     "where the tokens of a training go, with a policy or without",
     {"model/base",
      "model/collective/matrix",
      "model/collective/algorithm",
      "model/graph",
      "model/placement/plan",
      "model/placement/solver",
      "model/moe/model",
      "model/moe/load",
      "model/moe/plan"}},
    {"model/moe/transfer",
     "what the GPUs of a training send each other: a class for each kind of traffic",
     {"model/base",
      "model/collective/matrix",
      "model/collective/algorithm",
      "model/graph",
      "model/placement/plan",
      "model/moe/model",
      "model/moe/load",
      "model/moe/plan",
      "model/moe/routing"}},
    {"model/moe/training",
     "operations of slots, the program of a training, its keys",
     {"model/base",
      "model/collective/matrix",
      "model/collective/algorithm",
      "model/graph",
      "model/placement/plan",
      "model/moe/model",
      "model/moe/load",
      "model/moe/plan",
      "model/moe/routing",
      "model/moe/transfer",
      "model/workload"}},
    {"model/optical", "circuits, and who gets them", {"model/base", "model/wiring"}},
    {"model/run",
     "a cluster of either engine that does something, with failures, circuits and a watchdog",
     {"model/base",
      "model/optical",
      "model/wiring",
      "model/message",
      "model/collective/balancer",
      "model/collective/bound",
      "model/collective/exchange",
      "model/graph",
      "model/workload"}},
    {"model/run/frames",
     "what of a run only the engine of frames knows: recording, watching, explaining",
     {"model/base",
      "model/wiring",
      "model/fabric",
      "model/balance",
      "model/host",
      "model/collective/bound",
      "model/collective/exchange",
      "model/graph",
      "model/run"}},
    {"model/run/flow",
     "what of a run only the engine of flows knows",
     {"model/base",
      "model/wiring",
      "model/fabric",
      "model/balance",
      "model/host",
      "model/flow",
      "model/collective/exchange",
      "model/graph",
      "model/run"}},
    {"helper",
     "what a user of ns-3 types: topologies, servers, what they do",
     {"model/base",
      "model/wiring",
      "model/topology",
      "model/message",
      "model/host",
      "model/collective/balancer",
      "model/graph",
      "model/workload",
      "model/run",
      "model/run/frames"}},
    {"harness/descriptor",
     "YAML to objects, and back: keys, their help, sweeps, JSON Schema",
     {"model/base"}},
    {"harness/report",
     "what a run leaves: files, tables, the index",
     {"model/base",
      "model/message",
      "model/collective/exchange",
      "model/graph",
      "model/run",
      "harness/descriptor"}},
    {"harness/timeline",
     "what happened when in a run, to look at",
     {"model/base",
      "model/wiring",
      "model/fabric",
      "model/host",
      "model/collective/exchange",
      "model/graph",
      "model/run",
      "harness/report"}},
    {"harness/run",
     "one run, from a descriptor to its result; checks, studies of experts",
     {"model/base",
      "model/placement/plan",
      "model/placement/policy",
      "model/moe/model",
      "model/moe/load",
      "model/moe/routing",
      "model/moe/training",
      "model/optical",
      "model/wiring",
      "model/collective/matrix",
      "model/collective/bound",
      "model/graph",
      "model/workload",
      "model/run",
      "model/topology",
      "harness/descriptor",
      "harness/report",
      "harness/timeline"}},
    {"harness/sweep",
     "many runs: points, processes, Slurm",
     {"model/base", "harness/descriptor", "harness/report", "harness/run"}},
    {"harness/cost",
     "what a fabric costs: prices, rules of counting",
     {"model/base", "harness/descriptor", "harness/report", "harness/run"}},
    {"harness/command",
     "the command line",
     {"model/base",
      "model/collective/matrix",
      "harness/descriptor",
      "harness/report",
      "harness/run",
      "harness/sweep",
      "harness/cost"}},
    {"harness", "the program", {"harness/run", "harness/command"}},
};

/// Headers that may be included from elsewhere, too.
const std::map<std::string, Names> kExceptions{
    // What every engine reads of servers and switches: what payload weighs on a wire, when messages
    // are posted, how many subflows a message has.
    {"model/run",
     {"frame-settings.h",
      "rails-transport.h",
      "nic-profile.h",
      "path-selector.h",
      "fabric-balancing.h"}},
    {"harness/run",
     {"rails-transport.h", "nic-profile.h", "switch-profile.h", "fabric-balancing.h"}},
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
    const auto found = std::find_if(kRooms.begin(), kRooms.end(), [&room](const Room& each) {
        return each.folder == room;
    });
    return found == kRooms.end() ? nullptr : &found->allowed;
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
    RAILS_LONG_CASE();
    EXPECT_EQ(FindForbidden(ReadUnits()), std::vector<std::string>());
}

TEST(Rooms, TheTableNamesEveryFolderAndNoneBeforeItsTurn)
{
    RAILS_LONG_CASE();
    Names rooms;
    for (const auto& [name, unit] : ReadUnits())
    {
        rooms.insert(unit.room);
    }
    Names known;
    for (const Room& room : kRooms)
    {
        EXPECT_TRUE(
            std::includes(known.begin(), known.end(), room.allowed.begin(), room.allowed.end()))
            << room.folder;
        known.insert(room.folder);
    }
    EXPECT_EQ(rooms, known);
}

TEST(Rooms, TheTableIsThatOfThePage)
{
    std::string table = ".. list-table::\n"
                        "   :header-rows: 1\n"
                        "   :widths: 25 40 35\n\n"
                        "   * - Folder\n"
                        "     - What belongs there\n"
                        "     - Includes\n";
    for (const Room& room : kRooms)
    {
        std::string includes;
        for (const auto& [folder, holds, allowed] : kRooms) // in the order of the table
        {
            if (room.allowed.count(folder) > 0)
            {
                includes += (includes.empty() ? "" : ", ") + folder.substr(folder.rfind('/') + 1);
            }
        }
        table += "   * - ``" + room.folder + "``\n     - " + room.holds + "\n     -" +
                 (includes.empty() ? "" : " " + includes) + "\n";
    }
    GeneratedPage("doc/development.rst").Expect("folders", table);
}

TEST(Rooms, TheDrawingHasThem)
{
    const std::string drawing = ReadPage("doc/figures/layers.svg");
    for (const Room& room : kRooms)
    {
        const std::string name = room.folder.substr(room.folder.rfind('/') + 1);
        EXPECT_TRUE(std::regex_search(drawing, std::regex("\\b" + name + "\\b"))) << room.folder;
    }
}

TEST(Rooms, TheOverviewHasThem)
{
    std::string table = ".. list-table::\n"
                        "   :widths: 30 70\n\n";
    for (const Room& room : kRooms)
    {
        table += "   * - ``" + room.folder + "``\n     - " + room.holds + "\n";
    }
    GeneratedPage("doc/rails.rst").Expect("folders", table);
}

TEST(Rooms, NoFilesIncludeEachOtherInACircle)
{
    RAILS_LONG_CASE();
    EXPECT_EQ(FindCircles(ReadUnits()), Names());
}

TEST(Rooms, NothingBelowTheSeamOrAboveItNamesAnEngine)
{
    for (const auto& [room, holds, allowed] : kRooms)
    {
        const bool isEngine = room == "model/fabric" || room == "model/balance" ||
                              room == "model/host" || room == "helper" ||
                              room == "model/run/frames" || room == "model/run/flow" ||
                              room == "harness/timeline";
        EXPECT_EQ(allowed.count("model/host") == 0,
                  !isEngine || room == "model/fabric" || room == "model/balance" ||
                      room == "model/host")
            << room;
    }
}

TEST(Rooms, GraphsKnowNothingOfWhatTheyAreUsedFor)
{
    const std::regex words("expert|token|moe|dispatch|combine|gate\\b", std::regex::icase);
    std::size_t files = 0;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(GetSourceFolder()) / "model/graph"))
    {
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);)
        {
            EXPECT_FALSE(std::regex_search(line, words)) << entry.path().string() << ": " << line;
        }
        ++files;
    }
    EXPECT_GT(files, 10U);
    EXPECT_TRUE(std::regex_search("MoeMatrixSource", words));
}

TEST(Rooms, WhatIsLookedForIsFound)
{
    RAILS_LONG_CASE();
    std::map<std::string, Unit> units = ReadUnits();
    units.at("balancer").includes.insert("rdma-nic");
    units.at("rails-wiring").includes.insert("run-experiment");
    EXPECT_EQ(FindForbidden(units),
              (std::vector<std::string>{
                  "model/collective/balancer/balancer includes model/host/rdma-nic",
                  "model/wiring/rails-wiring includes harness/run/run-experiment"}));
    EXPECT_EQ(FindCircles(units).count("rails-wiring"), 1U);
}

} // namespace

} // namespace ns3::rails::test
