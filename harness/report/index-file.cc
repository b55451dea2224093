// SPDX-License-Identifier: GPL-2.0-only
#include "index-file.h"

#include "output-file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <sqlite3.h>
#include <string_view>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;

bool
HasApplication(const fs::path& file)
{
    constexpr std::string_view form("SQLite format 3\0", 16);
    constexpr std::size_t place = 68; // of the number in the file, the highest byte first
    std::array<char, place + 4> begin{};
    std::ifstream stream(file, std::ios::binary);
    stream.read(begin.data(), begin.size());
    uint32_t number = 0;
    std::for_each(begin.begin() + place, begin.end(), [&number](char byte) {
        number = number << 8 | static_cast<unsigned char>(byte);
    });
    return stream && std::string_view(begin.data(), form.size()) == form &&
           number == kIndexApplication;
}

/// \return true for an index of earlier versions, which had no number: it has the tables of one
bool
HasTables(const fs::path& file)
{
    sqlite3* handle = nullptr;
    const int opened = sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closer(handle, sqlite3_close);
    const char* query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND "
                        "(name = 'artefacts' OR name = 'points' AND sql LIKE "
                        "'CREATE TABLE \"points\" (\"point\", \"folder\", %')";
    sqlite3_stmt* raw = nullptr;
    if (opened != SQLITE_OK || sqlite3_prepare_v2(handle, query, -1, &raw, nullptr) != SQLITE_OK)
    {
        return false;
    }
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
    return sqlite3_step(raw) == SQLITE_ROW && sqlite3_column_int(raw, 0) == 2;
}

} // namespace

void
CheckIndexFile(const fs::path& folder)
{
    CheckReplaceable(
        folder / "index.sqlite",
        [](const fs::path& file) { return HasApplication(file) || HasTables(file); },
        "it is no index of results, and not replaced: rename it, or choose another folder");
}

} // namespace ns3::rails
