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

std::vector<std::string>
MakeCells(const SummaryRow& row)
{
    const auto& [name, json] = row;
    if (json.is_discarded())
    {
        return {name, "-", "-", "-", "-", "no result"};
    }
    const int status = json.value("status", 0);
    return {name,
            FormatFixed(json.value("cct_s", 0.0) * 1e3, 3),
            FormatFixed(json.value("cct_over_bound", 0.0), 3),
            FormatFixed(json.value("busbw_Bps", 0.0) / 1e9, 2),
            std::to_string(json.value("pfc_pauses", std::uint64_t{0})),
            status == 0 ? "" : "status " + std::to_string(status)};
}

} // namespace

std::string
FormatSummary(const std::vector<SummaryRow>& rows)
{
    std::vector<std::vector<std::string>> table{
        {"run", "cct [ms]", "over bound", "busbw [GB/s]", "pauses", ""}};
    for (const SummaryRow& row : rows)
    {
        table.push_back(MakeCells(row));
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
