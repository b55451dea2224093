// SPDX-License-Identifier: GPL-2.0-only
#include "rails-result-index.h"

#include "index-file.h"
#include "rails-output-folder.h"
#include "rails-result-reader.h"
#include "rails-sweep-folder.h"

#include "ns3/rails-quantity.h"
#include "ns3/rails-units.h"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <sqlite3.h>
#include <sstream>
#include <string_view>
#include <system_error>
#include <tuple>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;
using nlohmann::json;

/// The first columns.
const std::vector<std::string>
    kFirstColumns{"point", "folder", "in_sweep", "state", "status", "reason", "key"};
const std::vector<std::string> kArtefactColumns{"point", "file", "kind", "bytes"};
/// Limits of SQLite.
constexpr std::size_t kMostColumns = 2000;

/// \return a name in lower case, for letters that SQLite compares without case
std::string
MakeSmall(std::string name)
{
    std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return name;
}

/// \return a quantity as a number in base units (s, bit/s, B), everything else as it is
json
ToNumber(const json& value)
{
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    if (text.empty() || std::string("0123456789.").find(text.front()) == std::string::npos)
    {
        return value;
    }
    try
    {
        if (boost::algorithm::ends_with(text, "bps"))
        {
            return ParseRate(text);
        }
        if (boost::algorithm::ends_with(text, "B"))
        {
            return ParseBytes(text);
        }
        if (boost::algorithm::ends_with(text, "s"))
        {
            return static_cast<double>(ParseTime(text)) / kPicosecondsPerSecond;
        }
    }
    catch (const QuantityError&)
    {
        // A text that only looks like a quantity.
    }
    return value;
}

/// Adds the leaves of a configuration by their dotted keys; a list is one value.
void
AddLeaves(const json& config, const std::string& prefix, std::map<std::string, json>& row)
{
    for (const auto& [key, value] : config.items())
    {
        if (value.is_object())
        {
            AddLeaves(value, prefix + key + ".", row);
        }
        else
        {
            row[prefix + key] = value.is_array() ? json(value.dump()) : ToNumber(value);
        }
    }
}

/// \return a table from the text of `result.json`, `failure.json` or a table beside them
std::string
GetKind(const fs::path& file)
{
    const std::string extension = file.extension().string();
    return extension == ".csv" || extension.empty() ? file.stem().string() : extension.substr(1);
}

/// A database that is being written.
class Database
{
  public:
    explicit Database(const fs::path& path)
        : m_path(path)
    {
        MakeNewFile(path); // following no link, which SQLite does
        sqlite3* handle = nullptr;
        const int status = sqlite3_open(path.c_str(), &handle);
        m_handle.reset(handle);
        Check(status == SQLITE_OK);
        // The file is moved to its place when complete, so it needs no rollback.
        Execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA application_id = " +
                std::to_string(kIndexApplication) + "; BEGIN");
    }

    void WriteTable(const std::string& name,
                    const std::vector<std::string>& columns,
                    const std::vector<std::map<std::string, json>>& rows)
    {
        std::string list;
        std::string marks;
        for (const std::string& column : columns)
        {
            list += (list.empty() ? "" : ", ") + Quote(column);
            marks += marks.empty() ? "?" : ", ?";
        }
        Execute("CREATE TABLE " + Quote(name) + " (" + list + ")");
        sqlite3_stmt* raw = nullptr;
        const std::string text = "INSERT INTO " + Quote(name) + " VALUES (" + marks + ")";
        Check(sqlite3_prepare_v2(m_handle.get(), text.c_str(), -1, &raw, nullptr) == SQLITE_OK);
        const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw,
                                                                              sqlite3_finalize);
        for (const auto& row : rows)
        {
            int place = 0;
            for (const std::string& column : columns)
            {
                const auto found = row.find(column);
                Bind(raw, ++place, found == row.end() ? json() : found->second);
            }
            Check(sqlite3_step(raw) == SQLITE_DONE);
            sqlite3_reset(raw);
            sqlite3_clear_bindings(raw); // a row has nothing of the one before
        }
    }

    void Finish()
    {
        Execute("COMMIT");
        m_handle.reset();
    }

  private:
    static std::string Quote(const std::string& name)
    {
        std::string quoted = "\"";
        for (const char letter : name)
        {
            quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
        }
        return quoted + "\"";
    }

    void Bind(sqlite3_stmt* statement, int place, const json& value)
    {
        int status = SQLITE_OK;
        if (value.is_boolean())
        {
            status = sqlite3_bind_int(statement, place, value.get<bool>() ? 1 : 0);
        }
        else if (value.is_number_integer())
        {
            status = sqlite3_bind_int64(statement, place, value.get<int64_t>());
        }
        else if (value.is_number())
        {
            status = sqlite3_bind_double(statement, place, value.get<double>());
        }
        else if (!value.is_null())
        {
            const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
            status = sqlite3_bind_text(statement,
                                       place,
                                       text.c_str(),
                                       static_cast<int>(text.size()),
                                       SQLITE_TRANSIENT);
        }
        Check(status == SQLITE_OK);
    }

    void Execute(const std::string& command)
    {
        Check(sqlite3_exec(m_handle.get(), command.c_str(), nullptr, nullptr, nullptr) ==
              SQLITE_OK);
    }

    void Check(bool done) const
    {
        if (!done)
        {
            const bool isFull = m_handle && sqlite3_errcode(m_handle.get()) == SQLITE_FULL;
            throw OutputError(m_path,
                              std::string("the index cannot be written: ") +
                                  (m_handle ? sqlite3_errmsg(m_handle.get()) : "out of memory"),
                              isFull ? std::make_error_code(std::errc::no_space_on_device)
                                     : std::error_code());
        }
    }

    fs::path m_path;
    std::unique_ptr<sqlite3, int (*)(sqlite3*)> m_handle{nullptr, sqlite3_close};
};

/// \return a path as part of a URI
std::string
EscapeForUri(const std::string& path)
{
    std::string escaped;
    for (const char letter : path)
    {
        const bool isSpecial = letter == '?' || letter == '#' || letter == '%';
        const std::string digits = "0123456789ABCDEF";
        const auto code = static_cast<unsigned char>(letter);
        escaped += isSpecial ? std::string{'%', digits[code >> 4], digits[code & 0xf]}
                             : std::string(1, letter);
    }
    return escaped;
}

/// \return a value as a cell of a CSV table; a text that a spreadsheet would compute begins with an
/// apostrophe
std::string
ToCell(const json& value)
{
    std::string text = value.is_null()     ? ""
                       : value.is_string() ? value.get<std::string>()
                                           : value.dump();
    if (value.is_string() && !text.empty() &&
        std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
    {
        text.insert(text.begin(), '\'');
    }
    if (text.find_first_of(",\"\r\n") == std::string::npos)
    {
        return text;
    }
    std::string cell = "\"";
    for (const char letter : text)
    {
        cell += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    }
    return cell + "\"";
}

/// \return the type of a column as JSON tables have it
std::string
FindType(const std::string& column, const std::vector<std::map<std::string, json>>& rows)
{
    std::string type;
    bool hasNull = false;
    for (const auto& row : rows)
    {
        const auto found = row.find(column);
        if (found == row.end() || found->second.is_null())
        {
            hasNull = true;
            continue;
        }
        const json& value = found->second;
        const std::string own = value.is_boolean()          ? "boolean"
                                : value.is_number_integer() ? "integer"
                                : value.is_number()         ? "number"
                                                            : "string";
        const bool bothNumbers =
            (type == "integer" || type == "number") && (own == "integer" || own == "number");
        type = type.empty() || type == own ? own : (bothNumbers ? "number" : "string");
    }
    if (type == "integer" && hasNull)
    {
        return "number";
    }
    if (type == "boolean" && hasNull)
    {
        return "any"; // pandas takes nothing for true in a column of the other type
    }
    return type.empty() ? "string" : type;
}

constexpr const char* kPlanningColumns = "policy,experts,gpus,planning_ns,measured_on";

/// \return true for a text that is a CSV field without quotes
bool
IsField(const json& value)
{
    constexpr std::size_t longest = 1000;
    return value.is_string() && value.get_ref<const std::string&>().size() < longest &&
           value.get_ref<const std::string&>().find_first_of(",\"\r\n") == std::string::npos;
}

} // namespace

bool
HasResultParts(const fs::path& folder)
{
    const std::vector<std::string>& parts = GetResultFiles();
    return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
        std::error_code error;
        return fs::exists(folder / part, error);
    });
}

ResultIndex::ResultIndex(const fs::path& folder)
    : m_folder(folder),
      m_columns(kFirstColumns)
{
    for (const std::string& column : kFirstColumns)
    {
        m_known.emplace(column, column);
    }
    if (!fs::is_directory(folder))
    {
        throw OutputError(folder, "no such folder");
    }
    const std::vector<std::string> own = SweepFolder(folder).ReadPoints();
    m_own.insert(own.begin(), own.end());
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    {
        const std::string name = entry.path().filename().string();
        if (name.front() != '.' && entry.is_directory())
        {
            names.push_back(name);
        }
    }
    std::sort(names.begin(), names.end());
    Read(folder, ".");
    for (const std::string& name : names)
    {
        Read(folder / name, name);
    }
}

std::size_t
ResultIndex::GetPoints() const
{
    return m_points.size();
}

void
ResultIndex::Read(const fs::path& folder, const std::string& name)
{
    std::string fault;
    json result = ReadResultJson(folder, fault);
    const bool isWhole = !result.is_discarded();
    if (!isWhole)
    {
        result = ReadFailureJson(folder);
    }
    if (!result.is_object())
    {
        if (HasResultParts(folder))
        {
            m_damaged.emplace(name, fault);
        }
        return;
    }
    Row row;
    AddLeaves(result.value("config", json::object()), "", row);
    const json labels = result.value("labels", json::object());
    for (const auto& [key, label] : labels.items())
    {
        row["label." + key] = label;
    }
    for (const auto& [key, value] : result.items())
    {
        if (!value.is_structured())
        {
            row[key] = value;
        }
    }
    row["config"] = result.value("config", json::object()).dump();
    row["version"] = result.value("version", json::object()).dump();
    row["point"] = name;
    row["folder"] = name; // as seen from the index, which may be handed around
    row["in_sweep"] = m_own.empty() || m_own.count(name) > 0;
    row["state"] = isWhole && result.value("status", 0) == 0 ? "done" : "failed";
    row["reason"] = result.value(isWhole ? "report" : "reason", json());
    if (const std::string excess = AddColumns(row); !excess.empty())
    {
        m_damaged.emplace(name, excess);
        return;
    }
    for (const json& artefact : isWhole ? result.value("artefacts", json::array()) : json())
    {
        const std::string file = artefact.at("file");
        m_artefacts.push_back({{"point", name},
                               {"file", file},
                               {"kind", GetKind(file)},
                               {"bytes", artefact.at("bytes")}});
    }
    m_points.push_back(std::move(row));
}

/// \return why a row does not fit into the table; empty when it does
std::string
ResultIndex::AddColumns(const Row& row)
{
    std::map<std::string, std::string> fresh;
    for (const auto& [column, value] : row)
    {
        const std::string small = MakeSmall(column);
        const auto known = m_known.find(small);
        if (known == m_known.end() ? !fresh.emplace(small, column).second : known->second != column)
        {
            return "a key differs from another one in capital letters alone (" + column + ")";
        }
    }
    if (m_columns.size() + fresh.size() > kMostColumns)
    {
        return "with its keys the table has more than " + std::to_string(kMostColumns) + " columns";
    }
    for (const auto& [column, value] : row)
    {
        if (m_known.emplace(MakeSmall(column), column).second)
        {
            m_columns.push_back(column);
        }
    }
    return "";
}

void
ResultIndex::WriteDatabase() const
{
    const fs::path path = m_folder / "index.sqlite";
    CheckIndexFile(m_folder);
    RemoveDeadPartials(path);
    const fs::path fresh = MakePartialPath(path);
    try
    {
        Database database(fresh);
        database.WriteTable("points", m_columns, m_points);
        database.WriteTable("artefacts", kArtefactColumns, m_artefacts);
        database.Finish();
        fs::rename(fresh, path);
    }
    catch (...)
    {
        std::error_code ignored;
        fs::remove(fresh, ignored);
        throw;
    }
}

std::map<std::string, double>
ReadRunTimes(const fs::path& database, std::string& fault)
{
    std::map<std::string, double> times;
    fault.clear();
    std::error_code error;
    if (!fs::exists(database, error))
    {
        return times;
    }
    if (!fs::is_regular_file(database, error))
    {
        fault = "it is a folder, a pipe or a device";
        return times;
    }
    sqlite3* handle = nullptr;
    // An index never changes, so it needs no lock on a network file system.
    const std::string uri = "file:" + EscapeForUri(database.string()) + "?immutable=1";
    const int opened =
        sqlite3_open_v2(uri.c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closer(handle, sqlite3_close);
    // An untrusted database can compute without end and return values of any size: limit both.
    constexpr int mostSteps = 5'000'000;
    constexpr int longestValue = 1 << 20;
    constexpr std::size_t mostRows = 10'000;
    sqlite3_progress_handler(
        handle,
        mostSteps,
        [](void*) { return 1; },
        nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longestValue);
    const auto read = [&](const char* query, const std::function<bool(sqlite3_stmt*)>& take) {
        sqlite3_stmt* raw = nullptr;
        int status =
            opened == SQLITE_OK ? sqlite3_prepare_v2(handle, query, -1, &raw, nullptr) : opened;
        const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw,
                                                                              sqlite3_finalize);
        while (status == SQLITE_OK || status == SQLITE_ROW)
        {
            status = sqlite3_step(raw);
            if (status == SQLITE_ROW && !take(raw))
            {
                return;
            }
        }
        fault = status == SQLITE_DONE ? fault : "it is no index of ours, or damaged";
    };
    bool isTable = false; // with a place in the file: neither a view nor what a module makes up
    read("SELECT 1 FROM sqlite_master WHERE name = 'points' AND type = 'table' AND rootpage > 0",
         [&isTable](sqlite3_stmt*) { return isTable = true; });
    if (!isTable)
    {
        fault = "it is no index of ours, or damaged";
        return times;
    }
    std::size_t rows = 0;
    read("SELECT point, wall_s FROM points WHERE status = 0 AND wall_s > 0",
         [&](sqlite3_stmt* row) {
             if (sqlite3_column_type(row, 0) == SQLITE_TEXT &&
                 sqlite3_column_type(row, 1) == SQLITE_FLOAT)
             {
                 const unsigned char* point = sqlite3_column_text(row, 0);
                 times[reinterpret_cast<const char*>(point)] = sqlite3_column_double(row, 1);
             }
             return ++rows < mostRows;
         });
    return times;
}

void
ResultIndex::WriteCsv(const fs::path& file) const
{
    std::ostringstream text;
    const auto write = [&](const std::function<json(const std::string&)>& getValue) {
        for (std::size_t i = 0; i < m_columns.size(); ++i)
        {
            text << (i == 0 ? "" : ",") << ToCell(getValue(m_columns[i]));
        }
        text << '\n';
    };
    write([](const std::string& column) { return json(column); });
    for (const Row& row : m_points)
    {
        write([&](const std::string& column) {
            const auto found = row.find(column);
            return found == row.end() ? json() : found->second;
        });
    }
    WriteNamedFile(file, text.str());
}

void
ResultIndex::WriteTableJson(const fs::path& file) const
{
    nlohmann::ordered_json table;
    table["schema"]["fields"] = nlohmann::ordered_json::array();
    for (const std::string& column : m_columns)
    {
        table["schema"]["fields"].push_back(
            {{"name", column}, {"type", FindType(column, m_points)}});
    }
    table["schema"]["primaryKey"] = {"point"};
    table["schema"]["pandas_version"] = "1.4.0"; // of the form of such tables
    table["data"] = m_points;
    // Names of folders need not be UTF-8.
    WriteNamedFile(file,
                   table.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                       "\n");
}

void
ResultIndex::WritePlanning(const fs::path& file) const
{
    constexpr double ns = 1e9;
    constexpr double most = 1e6; // seconds

    /// Studies of a policy that differ only in loads and seeds.
    struct Measured
    {
        double seconds{0};
        int64_t studies{0};
        std::string where;
    };

    std::map<std::tuple<std::string, uint64_t, uint64_t>, Measured> all;
    for (const Row& row : m_points)
    {
        const auto get = [&row](const char* column) {
            const auto found = row.find(column);
            return found == row.end() ? json() : found->second;
        };
        const json seconds = get("planning_each_s");
        const json experts = get("planning_experts");
        const json gpus = get("planning_gpus");
        if (IsField(get("planning_policy")) && IsField(get("planning_measured_on")) &&
            seconds.is_number() && experts.is_number_unsigned() && gpus.is_number_unsigned() &&
            get("status") == 0)
        {
            Measured& measured = all[{get("planning_policy").get<std::string>(), experts, gpus}];
            measured.seconds += std::clamp(seconds.get<double>(), 0.0, most);
            ++measured.studies;
            measured.where = get("planning_measured_on").get<std::string>();
        }
    }
    if (all.empty())
    {
        throw OutputError(m_folder,
                          "no study in it that ended well and in which a policy of experts planned "
                          "something; ./rails experts makes some (with warm_up for a policy that "
                          "places experts between iterations)");
    }
    std::ostringstream text;
    text << kPlanningColumns << '\n';
    for (const auto& [key, measured] : all)
    {
        const auto& [policy, experts, gpus] = key;
        text << policy << ',' << experts << ',' << gpus << ','
             << std::llround(measured.seconds / static_cast<double>(measured.studies) * ns) << ','
             << measured.where << '\n';
    }
    WriteNamedFile(file, text.str());
}

void
CheckIndexTables(const fs::path& csvFile, const fs::path& jsonFile, const fs::path& planningFile)
{
    const std::string message = "it is no table of results, and not replaced: name another file";
    std::string columns;
    for (const std::string& column : kFirstColumns)
    {
        columns += (columns.empty() ? "" : ",") + column;
    }
    CheckNamedFile(csvFile, RecogniseBegin(columns), message);
    CheckNamedFile(planningFile, RecogniseBegin(kPlanningColumns), message);
    CheckNamedFile(jsonFile, RecogniseBegin(R"({"schema":{"fields":[{"name":"point")"), message);
}

} // namespace ns3::rails
