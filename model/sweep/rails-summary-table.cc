// SPDX-License-Identifier: GPL-2.0-only
#include "rails-summary-table.h"

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <sstream>

namespace ns3::rails
{

namespace
{

std::string
FormatFixed(double number, int decimals)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(decimals) << number;
    return text.str();
}

constexpr std::ptrdiff_t kIncreaseColumn = 3; // behind "over bound"

bool
HasIncrease(const SummaryRow& row)
{
    return row.second.is_object() && row.second.contains("cct_increase") &&
           row.second["cct_increase"].is_number();
}

std::vector<std::string>
MakeCells(const SummaryRow& row, bool withIncrease)
{
    const auto& [name, json] = row;
    std::vector<std::string> cells{name, "-", "-", "-", "-", "no result"};
    if (!json.is_discarded())
    {
        const int status = json.value("status", 0);
        cells = {name,
                 FormatFixed(json.value("cct_s", 0.0) * 1e3, 3),
                 FormatFixed(json.value("cct_over_bound", 0.0), 3),
                 FormatFixed(json.value("busbw_Bps", 0.0) / 1e9, 2),
                 std::to_string(json.value("pfc_pauses", std::uint64_t{0})),
                 status == 0 ? "" : "status " + std::to_string(status)};
    }
    if (withIncrease)
    {
        const bool known = HasIncrease(row);
        cells.insert(cells.begin() + kIncreaseColumn,
                     known ? FormatFixed(json["cct_increase"].get<double>() * 100, 2) : "-");
    }
    return cells;
}

} // namespace

std::string
FormatSummary(const std::vector<SummaryRow>& rows)
{
    const bool withIncrease = std::any_of(rows.begin(), rows.end(), HasIncrease);
    std::vector<std::vector<std::string>> table{
        {"run", "cct [ms]", "over bound", "busbw [GB/s]", "pauses", ""}};
    if (withIncrease)
    {
        table[0].insert(table[0].begin() + kIncreaseColumn, "increase [%]");
    }
    for (const SummaryRow& row : rows)
    {
        table.push_back(MakeCells(row, withIncrease));
    }
    std::vector<std::size_t> widths(table[0].size());
    for (const auto& cells : table)
    {
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            widths[i] = std::max(widths[i], cells[i].size());
        }
    }
    std::ostringstream text;
    for (const auto& cells : table)
    {
        std::ostringstream line;
        line << std::left << std::setw(static_cast<int>(widths[0])) << cells[0] << std::right;
        for (std::size_t i = 1; i + 1 < cells.size(); ++i)
        {
            line << "  " << std::setw(static_cast<int>(widths[i])) << cells[i];
        }
        text << line.str() << (cells.back().empty() ? "" : "  " + cells.back()) << '\n';
    }
    return text.str();
}

} // namespace ns3::rails
