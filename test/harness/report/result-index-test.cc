// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/source-folder.h"
#include "../sweep/sweep-fixture.h"

#include "ns3/index-file.h"
#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-index.h"
#include "ns3/rails-result-writer.h"
#include "ns3/rails-run-size.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sqlite3.h>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace ns3::rails
{

namespace
{

using nlohmann::json;

/// \return the rows of a query, by column; numbers as numbers
std::vector<json>
Query(const std::filesystem::path& file, const std::string& query)
{
    sqlite3* handle = nullptr;
    EXPECT_EQ(sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closer(handle, sqlite3_close);
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(handle, query.c_str(), -1, &statement, nullptr), SQLITE_OK)
        << sqlite3_errmsg(handle);
    std::vector<json> rows;
    while (statement && sqlite3_step(statement) == SQLITE_ROW)
    {
        json row = json::object();
        for (int i = 0; i < sqlite3_column_count(statement); ++i)
        {
            const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
            json& value = row[sqlite3_column_name(statement, i)];
            switch (sqlite3_column_type(statement, i))
            {
            case SQLITE_INTEGER:
                value = sqlite3_column_int64(statement, i);
                break;
            case SQLITE_FLOAT:
                value = sqlite3_column_double(statement, i);
                break;
            case SQLITE_TEXT:
                value = text;
                break;
            default:
                break;
            }
        }
        rows.push_back(row);
    }
    sqlite3_finalize(statement);
    return rows;
}

/// \return the records of a CSV table; cells may be quoted
std::vector<std::vector<std::string>>
ReadTable(const std::filesystem::path& file)
{
    std::vector<std::vector<std::string>> records{{""}};
    bool isQuoted = false;
    const std::string text = ReadFile(file);
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        std::string& cell = records.back().back();
        if (text[i] == '"' && isQuoted && i + 1 < text.size() && text[i + 1] == '"')
        {
            cell += text[i++];
        }
        else if (text[i] == '"')
        {
            isQuoted = !isQuoted;
        }
        else if (text[i] == ',' && !isQuoted)
        {
            records.back().emplace_back();
        }
        else if (text[i] == '\n' && !isQuoted)
        {
            records.push_back({""});
        }
        else
        {
            cell += text[i];
        }
    }
    records.pop_back(); // behind the last end of a line
    return records;
}

} // namespace

/// An index of two points that are done and one that failed.
class ResultIndexTest : public SweepRunFixture
{
  protected:
    void RunSome()
    {
        m_scenario = [](const Experiment& experiment, const ProgressCallback&) -> Result {
            if (experiment.seed == 2)
            {
                throw std::logic_error("a \"quoted\", broken\tplan");
            }
            return MakeResult();
        };
        EXPECT_EQ(Run(kSmallDescriptor + "sweep: {balance: [{type: rails, chunk: 4MB}, {type: "
                                         "least-outstanding, chunk: whole}], "
                                         "seed: [1, 2]}\n"),
                  4);
    }

    std::filesystem::path GetDatabase() const
    {
        return GetPointFolder("index.sqlite");
    }

    /// \return a database that some commands have made
    std::filesystem::path Make(const std::string& commands) const
    {
        const std::filesystem::path file = m_folder.GetPath() / "made.sqlite";
        std::filesystem::remove(file);
        sqlite3* handle = nullptr;
        EXPECT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(handle, commands.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(handle);
        sqlite3_close(handle);
        return file;
    }
};

TEST_F(ResultIndexTest, EveryPointIsARow)
{
    RunSome();
    const std::vector<json> rows = Query(GetDatabase(), "SELECT * FROM points ORDER BY point");
    ASSERT_EQ(rows.size(), 4U);
    const json& good = rows[2];
    EXPECT_EQ(good["point"], "balance=rails,seed=1");
    EXPECT_EQ(good["folder"], "balance=rails,seed=1");
    EXPECT_EQ(good["state"], "done");
    EXPECT_EQ(good["status"], 0);
    EXPECT_TRUE(good["reason"].is_null());
    EXPECT_EQ(good["key"], GetResult("balance=rails,seed=1")["key"]);
    EXPECT_DOUBLE_EQ(good["cct_s"].get<double>(), 2e-6);
    const json& failed = rows[3];
    EXPECT_EQ(failed["point"], "balance=rails,seed=2");
    EXPECT_EQ(failed["state"], "failed");
    EXPECT_EQ(failed["status"], 4);
    EXPECT_EQ(failed["reason"], "a \"quoted\", broken\tplan");
    EXPECT_TRUE(failed["cct_s"].is_null());
    EXPECT_EQ(failed["balance.type"], "rails") << "parameters of a failed point are known too";
    EXPECT_EQ(failed["seed"], 2);
}

TEST_F(ResultIndexTest, QueryOfTheManualLeavesOutWhatDidNotEndWell)
{
    m_scenario = [](const Experiment& experiment, const ProgressCallback&) -> Result {
        Result result = MakeResult();
        result.cct = static_cast<TimePs>(1'000'000 * experiment.seed);
        result.status = experiment.seed == 3   ? RunStatus::NotFinished
                        : experiment.seed == 4 ? RunStatus::InvariantBroken
                                               : RunStatus::Done;
        return result;
    };
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {balance: [rails, even-split], seed: [1, 2, 3, 4]}\n"),
              4);
    const std::string manual = ReadFile(test::GetSourceFolder() + "/doc/sweeps.rst");
    const std::size_t begin = manual.find("'SELECT") + 1;
    const std::string query = manual.substr(begin, manual.find('\'', begin) - begin);
    const std::vector<json> rows = Query(GetDatabase(), query);
    ASSERT_EQ(rows.size(), 2U) << query;
    for (const json& row : rows)
    {
        EXPECT_DOUBLE_EQ(row["avg(cct_over_bound)"].get<double>(), 1.5) << row;
    }
    const json unfinished = Query(GetDatabase(), "SELECT * FROM points WHERE status = 3").at(0);
    for (const char* column : {"cct_s", "cct_over_bound", "algbw_Bps", "busbw_Bps"})
    {
        EXPECT_TRUE(unfinished[column].is_null()) << column;
    }
}

TEST_F(ResultIndexTest, QuantitiesAreNumbersInBaseUnits)
{
    RunSome();
    const json row = Query(GetDatabase(), "SELECT * FROM points ORDER BY point").at(2);
    EXPECT_EQ(row["transport.mtu"], 4096);
    EXPECT_EQ(row["topology.nic_rate"], 400'000'000'000);
    EXPECT_DOUBLE_EQ(row["topology.link_delay"].get<double>(), 500e-9);
    EXPECT_EQ(row["topology.domains"], 2);
    EXPECT_EQ(row["balance.chunk"], 4'000'000);
    EXPECT_EQ(row["balance.type"], "rails");
    EXPECT_EQ(json::parse(row["config"].get<std::string>()),
              GetResult("balance=rails,seed=1")["config"]);
    const json whole = Query(GetDatabase(), "SELECT * FROM points ORDER BY point").at(0);
    EXPECT_EQ(whole["balance.chunk"], "whole");
}

TEST_F(ResultIndexTest, EveryScalarOfAResultIsThere)
{
    RunSome();
    const json row = Query(GetDatabase(), "SELECT * FROM points ORDER BY point").at(2);
    const json result = GetResult("balance=rails,seed=1");
    for (const auto& [key, value] : result.items())
    {
        if (value.is_number())
        {
            EXPECT_DOUBLE_EQ(row.at(key).get<double>(), value.get<double>()) << key;
        }
        else if (value.is_string())
        {
            EXPECT_EQ(row.at(key), value) << key;
        }
    }
}

TEST_F(ResultIndexTest, ArtefactsAreThoseOnTheDisk)
{
    RunSome();
    const std::vector<json> rows = Query(GetDatabase(), "SELECT * FROM artefacts");
    EXPECT_EQ(rows.size(), 6U);
    std::set<std::string> kinds;
    for (const json& row : rows)
    {
        const auto file = GetPointFolder(row["point"]) / row["file"].get<std::string>();
        EXPECT_EQ(row["bytes"].get<uint64_t>(), std::filesystem::file_size(file)) << file;
        kinds.insert(row["kind"].get<std::string>());
    }
    EXPECT_EQ(kinds, (std::set<std::string>{"messages", "queues", "links"}));
}

TEST_F(ResultIndexTest, IndexMadeAgainIsTheSame)
{
    RunSome();
    const std::string before = ReadFile(GetDatabase());
    std::filesystem::remove(GetDatabase());
    const ResultIndex index(m_options.folder);
    EXPECT_EQ(index.GetPoints(), 4U);
    index.WriteDatabase();
    EXPECT_EQ(ReadFile(GetDatabase()), before);
    index.WriteDatabase();
    EXPECT_EQ(ReadFile(GetDatabase()), before);
    EXPECT_EQ(ListFolder(m_options.folder).size(), 7U)
        << "four points, .rails, index.sqlite, points.json";
}

TEST_F(ResultIndexTest, IndexIsKnownByItsNumberAndOneOfEarlierVersionsByItsTables)
{
    RunSome();
    const auto execute = [this](const std::string& commands) {
        sqlite3* handle = nullptr;
        sqlite3_open(GetDatabase().c_str(), &handle);
        EXPECT_EQ(sqlite3_exec(handle, commands.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(handle);
    };
    execute("DROP TABLE artefacts");
    EXPECT_NO_THROW(CheckIndexFile(m_options.folder));
    execute("PRAGMA application_id = 0");
    EXPECT_THROW(CheckIndexFile(m_options.folder), OutputError);
    execute("CREATE TABLE artefacts (point)");
    EXPECT_NO_THROW(CheckIndexFile(m_options.folder));
    execute("DROP TABLE points; CREATE TABLE points (x, y)");
    EXPECT_THROW(CheckIndexFile(m_options.folder), OutputError);
    execute("DROP TABLE points; CREATE VIEW points AS SELECT * FROM artefacts");
    EXPECT_THROW(CheckIndexFile(m_options.folder), OutputError);
    std::ofstream(GetDatabase()) << "SQLite format 3";
    EXPECT_THROW(CheckIndexFile(m_options.folder), OutputError);
}

TEST_F(ResultIndexTest, HiddenFoldersAndHalfResultsAreNotPoints)
{
    RunSome();
    std::filesystem::copy(GetPointFolder("balance=rails,seed=1"),
                          GetPointFolder(".balance=rails,seed=9.partial-x-1"));
    std::filesystem::resize_file(GetPointFolder("balance=rails,seed=1") / "links.csv", 5);
    std::filesystem::create_directory(GetPointFolder("empty"));
    std::ofstream(GetPointFolder("file")) << "x";
    EXPECT_EQ(ResultIndex(m_options.folder).GetPoints(), 3U);
    EXPECT_EQ(ResultIndex(m_options.folder).GetDamaged(),
              (std::map<std::string, std::string>{
                  {"balance=rails,seed=1", "links.csv is missing, cut or no file"}}));
}

TEST_F(ResultIndexTest, PointsOfAnEarlierSweepAreMarked)
{
    EXPECT_EQ(Run(m_sweep), 0);
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {seed: [2, 5]}\n"), 0);
    const std::vector<json> rows =
        Query(GetDatabase(), "SELECT point, in_sweep FROM points ORDER BY point");
    std::map<std::string, int> marks;
    for (const json& row : rows)
    {
        marks[row["point"]] = row["in_sweep"];
    }
    EXPECT_EQ(
        marks,
        (std::map<std::string, int>{{"seed=1", 0}, {"seed=2", 1}, {"seed=3", 0}, {"seed=5", 1}}));
    std::filesystem::remove(GetPointFolder("points.json"));
    ResultIndex(m_options.folder).WriteDatabase();
    EXPECT_EQ(Query(GetDatabase(), "SELECT * FROM points WHERE in_sweep").size(), 4U);
}

TEST_F(ResultIndexTest, TablesAgree)
{
    RunSome();
    const ResultIndex index(m_options.folder);
    const auto csvFile = m_folder.GetPath() / "table.csv";
    const auto jsonFile = m_folder.GetPath() / "table.json";
    index.WriteCsv(csvFile);
    index.WriteTableJson(jsonFile);
    const std::vector<json> rows = Query(GetDatabase(), "SELECT * FROM points ORDER BY point");
    const auto cells = ReadTable(csvFile);
    const json table = json::parse(ReadFile(jsonFile));
    ASSERT_EQ(cells.size(), rows.size() + 1);
    ASSERT_EQ(table["data"].size(), rows.size());
    EXPECT_EQ(table["schema"]["fields"].size(), cells[0].size());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        ASSERT_EQ(cells[i + 1].size(), cells[0].size());
        EXPECT_EQ(rows[i].size(), cells[0].size());
        for (std::size_t c = 0; c < cells[0].size(); ++c)
        {
            const std::string& column = cells[0][c];
            EXPECT_EQ(table["schema"]["fields"][c]["name"], column);
            const json& value = rows[i].at(column);
            const json other = table["data"][i].value(column, json());
            const std::string& cell = cells[i + 1][c];
            if (value.is_null())
            {
                EXPECT_EQ(cell, "") << column;
                EXPECT_TRUE(other.is_null()) << column;
            }
            else if (value.is_number() && !other.is_boolean())
            {
                EXPECT_DOUBLE_EQ(std::stod(cell), value.get<double>()) << column;
                EXPECT_DOUBLE_EQ(other.get<double>(), value.get<double>()) << column;
            }
            else if (value.is_number())
            {
                EXPECT_EQ(cell, other.get<bool>() ? "true" : "false") << column;
                EXPECT_EQ(value, other.get<bool>() ? 1 : 0) << column;
            }
            else
            {
                EXPECT_EQ(cell, value.get<std::string>()) << column;
                EXPECT_EQ(other, value) << column;
            }
        }
    }
}

TEST_F(ResultIndexTest, PlanningTimesAreMeansOfStudiesThatEndedWell)
{
    const auto file = m_folder.GetPath() / "planning.csv";
    RunSome();
    EXPECT_THROW(ResultIndex(m_options.folder).WritePlanning(file), OutputError) << "no study";
    const auto add = [&](const std::string& point, double seconds, int status) {
        json result = GetResult("balance=rails,seed=1");
        result["status"] = status;
        result["planning_policy"] = "eplb slots=2";
        result["planning_experts"] = 16;
        result["planning_gpus"] = 8;
        result["planning_each_s"] = seconds;
        result["planning_measured_on"] = "an EPYC on 2026-11-30";
        const auto folder = GetPointFolder(point);
        std::filesystem::copy(GetPointFolder("balance=rails,seed=1"), folder);
        std::ofstream(folder / "result.json") << result;
    };
    add("a", 1e-6, 0);
    add("b", 4e-6, 0);
    add("c", 100, 4);
    add("d", std::numeric_limits<double>::quiet_NaN(), 0); // null: nothing was planned
    ResultIndex(m_options.folder).WritePlanning(file);
    EXPECT_EQ(ReadFile(file),
              "policy,experts,gpus,planning_ns,measured_on\n"
              "eplb slots=2,16,8,2500,an EPYC on 2026-11-30\n");
}

TEST_F(ResultIndexTest, ColumnWithGapsIsNoBooleanAndNoInteger)
{
    // Types that a reader gives to a column must have room for "nothing".
    EXPECT_EQ(Run(kSmallDescriptor + "sweep: {transport.congestion_control: [none, dcqcn]}\n"), 0);
    const auto file = m_folder.GetPath() / "table.json";
    ResultIndex(m_options.folder).WriteTableJson(file);
    const json table = json::parse(ReadFile(file));
    std::size_t gaps = 0;
    for (const json& field : table["schema"]["fields"])
    {
        for (const json& row : table["data"])
        {
            if (row.value(field["name"], json()).is_null())
            {
                ++gaps;
                EXPECT_NE(field["type"], "boolean") << field;
                EXPECT_NE(field["type"], "integer") << field;
            }
        }
    }
    EXPECT_GT(gaps, 3U) << "nothing was looked at";
}

TEST_F(ResultIndexTest, RunTimesAreReadFromAnyName)
{
    m_options.folder = (m_folder.GetPath() / "a?b#c%20 d'").string();
    EXPECT_EQ(Run(m_sweep), 0);
    std::string fault = "former";
    const auto times = ReadRunTimes(GetDatabase(), fault);
    EXPECT_EQ(fault, "");
    ASSERT_EQ(times.size(), 3U);
    EXPECT_GT(times.at("seed=1"), 0);
    EXPECT_TRUE(ReadRunTimes(m_folder.GetPath() / "none.sqlite", fault).empty());
    EXPECT_EQ(fault, "");
    std::ofstream(m_folder.GetPath() / "bad.sqlite") << "no database";
    EXPECT_TRUE(ReadRunTimes(m_folder.GetPath() / "bad.sqlite", fault).empty());
    EXPECT_EQ(fault, "it is no index of ours, or damaged");
}

TEST_F(ResultIndexTest, RunTimesComeFromATableAlone)
{
    const std::string endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) ";
    const std::string damaged = "it is no index of ours, or damaged";
    std::string fault;
    for (const std::string& made :
         {"CREATE VIEW points AS " + endless +
              "SELECT 'a' AS point, 1.0 AS wall_s, 0 AS status "
              "FROM c WHERE x > 1",
          std::string("CREATE VIEW points AS SELECT 'a' AS point, 1.0 AS wall_s, 0 AS status"),
          std::string("CREATE TABLE points (point)")})
    {
        EXPECT_TRUE(ReadRunTimes(Make(made), fault).empty()) << made;
        EXPECT_EQ(fault, damaged) << made;
    }
    const std::string table = "CREATE TABLE points (point, wall_s, status);";
    const auto times = ReadRunTimes(Make(table + "INSERT INTO points VALUES (NULL, 1.0, 0), "
                                                 "('a', 'x', 0), (x'00', 2.0, 0), ('b', 3.0, 0)"),
                                    fault);
    EXPECT_EQ(times, (std::map<std::string, double>{{"b", 3.0}}));
    EXPECT_EQ(fault, "");
    EXPECT_TRUE(
        ReadRunTimes(Make("CREATE TABLE points (point, status, wall_s AS "
                          "(length(hex(zeroblob(600000)))));INSERT INTO points VALUES ('a', 0)"),
                     fault)
            .empty());
    EXPECT_EQ(fault, damaged);
    EXPECT_EQ(ReadRunTimes(Make(table + "INSERT INTO points " + endless +
                                "SELECT x || random(), 1.0, 0 FROM c LIMIT 20000"),
                           fault)
                  .size(),
              10000U);
    const auto pipe = m_folder.GetPath() / "pipe.sqlite";
    EXPECT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_TRUE(ReadRunTimes(pipe, fault).empty());
    EXPECT_EQ(fault, "it is a folder, a pipe or a device");
}

TEST_F(ResultIndexTest, PointWithKeysThatMakeNoColumnsIsLeftOut)
{
    EXPECT_EQ(Run(m_sweep), 0);
    const auto add = [this](const std::string& point, const json& more) {
        json result = GetResult(point);
        result.update(more);
        std::ofstream(GetPointFolder(point) / "result.json") << result.dump();
    };
    json many;
    for (int i = 0; i < 1990; ++i)
    {
        many["key" + std::to_string(i)] = i;
    }
    add("seed=1", many);
    add("seed=2", {{"CCT_S", 1}});
    const ResultIndex index(m_options.folder);
    EXPECT_EQ(index.GetPoints(), 1U);
    EXPECT_EQ(index.GetDamaged(),
              (std::map<std::string, std::string>{
                  {"seed=1", "with its keys the table has more than 2000 columns"},
                  {"seed=2", "a key differs from another one in capital letters alone (cct_s)"}}));
    index.WriteDatabase();
    EXPECT_EQ(Query(GetDatabase(), "SELECT point FROM points").size(), 1U);
}

TEST_F(ResultIndexTest, TextsOfACsvAreNoFormulas)
{
    EXPECT_EQ(Run(kSmallDescriptor +
                  "sweep: {balance: [{type: rails, label: '=cmd|x'}, {type: "
                  "least-outstanding, label: '-rf'}, {type: rails, chunk: 1MB, label: a+b}]}\n"),
              0);
    const ResultIndex index(m_options.folder);
    const auto file = m_folder.GetPath() / "table.csv";
    index.WriteCsv(file);
    const auto cells = ReadTable(file);
    const auto column = std::find(cells[0].begin(), cells[0].end(), "label.balance");
    ASSERT_NE(column, cells[0].end());
    std::set<std::string> labels;
    for (std::size_t i = 1; i < cells.size(); ++i)
    {
        labels.insert(cells[i][static_cast<std::size_t>(column - cells[0].begin())]);
    }
    EXPECT_EQ(labels, (std::set<std::string>{"'=cmd|x", "'-rf", "a+b"}));
}

TEST_F(ResultIndexTest, FolderThatIsNotThereIsRefused)
{
    EXPECT_THROW(ResultIndex(m_folder.GetPath() / "none"), OutputError);
}

} // namespace ns3::rails
