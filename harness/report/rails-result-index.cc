// SPDX-License-Identifier: GPL-2.0-only
#include "rails-result-index.h"

#include "rails-output-folder.h"
#include "rails-result-writer.h"
#include "rails-sweep-folder.h"

#include "ns3/rails-quantity.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <sqlite3.h>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;
using nlohmann::json;

/// Columns that stand at the beginning.
const std::vector<std::string>
    kFirstColumns{"point", "folder", "in_sweep", "state", "status", "reason", "key"};
const std::vector<std::string> kArtefactColumns{"point", "file", "kind", "bytes"};

bool
EndsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
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
        if (EndsWith(text, "bps"))
        {
            return ParseRate(text);
        }
        if (EndsWith(text, "B"))
        {
            return ParseBytes(text);
        }
        if (EndsWith(text, "s"))
        {
            constexpr double picoseconds = 1e12;
            return static_cast<double>(ParseTime(text)) / picoseconds;
        }
    }
    catch (const QuantityError&)
    {
        // A text that only looks like one.
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
        sqlite3* handle = nullptr;
        const int status = sqlite3_open(path.c_str(), &handle);
        m_handle.reset(handle);
        Check(status == SQLITE_OK);
        // It takes its place in one step when it is whole, so nothing is to be undone in it.
        Execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
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

/// \return a value as a cell of a CSV table
std::string
ToCell(const json& value)
{
    const std::string text = value.is_null()     ? ""
                             : value.is_string() ? value.get<std::string>()
                                                 : value.dump();
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
      m_columns(kFirstColumns),
      m_known(kFirstColumns.begin(), kFirstColumns.end())
{
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

const std::vector<std::string>&
ResultIndex::GetDamaged() const
{
    return m_damaged;
}

void
ResultIndex::Read(const fs::path& folder, const std::string& name)
{
    json result = ReadResultJson(folder);
    const bool isWhole = !result.is_discarded();
    if (!isWhole)
    {
        result = ReadFailureJson(folder);
    }
    if (!result.is_object())
    {
        if (HasResultParts(folder))
        {
            m_damaged.push_back(name);
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
    row["folder"] = folder.string();
    row["in_sweep"] = m_own.empty() || m_own.count(name) > 0;
    row["state"] = isWhole && result.value("status", 0) == 0 ? "done" : "failed";
    row["reason"] = result.value(isWhole ? "report" : "reason", json());
    for (const json& artefact : result.value("artefacts", json::array()))
    {
        const std::string file = artefact.value("file", "");
        m_artefacts.push_back({{"point", name},
                               {"file", file},
                               {"kind", GetKind(file)},
                               {"bytes", artefact.value("bytes", uintmax_t{0})}});
    }
    AddColumns(row);
    m_points.push_back(std::move(row));
}

void
ResultIndex::AddColumns(const Row& row)
{
    for (const auto& [column, value] : row)
    {
        if (m_known.insert(column).second)
        {
            m_columns.push_back(column);
        }
    }
}

void
ResultIndex::WriteDatabase() const
{
    const fs::path path = m_folder / "index.sqlite";
    OutputFolder::RemoveLeftovers(path);
    const fs::path fresh = MakePartialPath(path);
    std::error_code error;
    fs::remove(fresh, error);
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
        fs::remove(fresh, error);
        throw;
    }
}

std::map<std::string, double>
ReadRunTimes(const fs::path& database)
{
    std::map<std::string, double> times;
    sqlite3* handle = nullptr;
    // Nobody changes an index, so there is nothing to lock on a network file system.
    const std::string uri = "file:" + EscapeForUri(database.string()) + "?immutable=1";
    const int opened =
        sqlite3_open_v2(uri.c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closer(handle, sqlite3_close);
    const char* query = "SELECT point, wall_s FROM points WHERE status = 0 AND wall_s > 0";
    sqlite3_stmt* raw = nullptr;
    if (opened == SQLITE_OK && sqlite3_prepare_v2(handle, query, -1, &raw, nullptr) == SQLITE_OK)
    {
        const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw,
                                                                              sqlite3_finalize);
        while (sqlite3_step(raw) == SQLITE_ROW)
        {
            const unsigned char* point = sqlite3_column_text(raw, 0);
            times[reinterpret_cast<const char*>(point)] = sqlite3_column_double(raw, 1);
        }
    }
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
    WriteFileAtOnce(file, text.str());
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
    WriteFileAtOnce(file, table.dump() + "\n");
}

} // namespace ns3::rails
