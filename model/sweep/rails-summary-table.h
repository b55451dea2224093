// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SUMMARY_TABLE_H
#define RAILS_SUMMARY_TABLE_H

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Name of a run and its result.json; a discarded value when it has none.
using SummaryRow = std::pair<std::string, nlohmann::json>;

/// \return the table that a run or a sweep ends with: completion time, over bound, bus bandwidth
std::string FormatSummary(const std::vector<SummaryRow>& rows);

} // namespace ns3::rails

#endif // RAILS_SUMMARY_TABLE_H
