// SPDX-License-Identifier: GPL-2.0-only
#include "rails-summary-table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

namespace ns3::rails
{

namespace
{

/// A figure of result.json as a column.
struct Metric
{
    const char* key;
    const char* title;
    double scale;
    int decimals;
    bool isOptional{false}; //!< the column is there only where a run has it
    bool isCount{false};    //!< a run that did not end well has it too; means say nothing
};

using Metrics = std::vector<Metric>;

/// \return the columns
const Metrics&
GetMetrics(SummaryTopic topic)
{
    static const Metrics simulations{{"cct_s", "cct [ms]", 1e3, 3},
                                     {"cct_over_bound", "over bound", 1, 3},
                                     {"cct_increase", "increase [%]", 100, 2, true},
                                     {"busbw_Bps", "busbw [GB/s]", 1e-9, 2},
                                     {"pfc_pauses", "pauses", 1, 0, false, true}};
    // A policy of experts changes what is to be moved, and so the bound.
    static const Metrics trainings{{"iteration_s", "iteration [ms]", 1e3, 3},
                                   {"cct_over_bound", "over own bound", 1, 3},
                                   {"expert_max_over_mean", "max/mean", 1, 3},
                                   {"memory_bytes", "memory [GB]", 1e-9, 1},
                                   {"pfc_pauses", "pauses", 1, 0, false, true}};
    static const Metrics studies{{"max_over_mean_before", "before", 1, 3, true},
                                 {"max_over_mean", "max/mean", 1, 3, true},
                                 {"max_over_mean_worst", "worst", 1, 3, true},
                                 {"copies", "copies", 1, 1, true},
                                 {"copies_from_one_gpu", "from one", 1, 0, true},
                                 {"replica_bytes", "replicas [GB]", 1e-9, 3, true},
                                 {"bytes_inside", "inside [GB]", 1e-9, 3, true},
                                 {"bytes_across", "across [GB]", 1e-9, 3, true},
                                 {"local_share", "local [%]", 100, 1, true},
                                 {"planning_s", "plan [us]", 1e6, 0, true},
                                 {"planning_measured_s", "here [us]", 1e6, 0, true}};
    switch (topic)
    {
    case SummaryTopic::Study:
        return studies;
    case SummaryTopic::Training:
        return trainings;
    default:
        return simulations;
    }
}

SummaryTopic
GetSummaryTopic(const nlohmann::json& json)
{
    if (!json.is_object())
    {
        return SummaryTopic::Traffic;
    }
    // One that failed early has no figures to be known by.
    return json.value("engine", "") == "experts"   ? SummaryTopic::Study
           : json.contains("expert_max_over_mean") ? SummaryTopic::Training
                                                   : SummaryTopic::Traffic;
}

bool
HasEndedWell(const nlohmann::json& json)
{
    return json.is_object() && json.value("status", 0) == 0;
}

/// \return true when a run has a figure: it ended well, and the figure is defined for it
bool
HasMetric(const nlohmann::json& json, const Metric& metric)
{
    const auto found = json.is_object() ? json.find(metric.key) : json.end();
    return (HasEndedWell(json) || metric.isCount) && found != json.end() && found->is_number();
}

double
GetMetric(const nlohmann::json& json, const Metric& metric)
{
    return json[metric.key].get<double>() * metric.scale;
}

std::vector<std::string>
MakeCells(const SummaryRow& row, const Metrics& shown)
{
    const nlohmann::json& json = row.json;
    std::vector<std::string> cells{row.name};
    for (const Metric& metric : shown)
    {
        cells.push_back(
            HasMetric(json, metric) ? FormatFixed(GetMetric(json, metric), metric.decimals) : "-");
    }
    std::string remark = "no result";
    if (json.is_object())
    {
        const int status = json.value("status", 0);
        remark = status == 0 ? "" : "status " + std::to_string(status);
    }
    cells.push_back(remark + (remark.empty() || row.remark.empty() ? "" : ", ") + row.remark);
    return cells;
}

double
GetMean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double
GetSampleDeviation(const std::vector<double>& values)
{
    const double mean = GetMean(values);
    double sum = 0;
    for (const double value : values)
    {
        sum += (value - mean) * (value - mean);
    }
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

} // namespace

std::string
FormatFixed(double number, int decimals)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(decimals) << number;
    return text.str();
}

std::string
FormatTable(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& cells : rows)
    {
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            widths[i] = std::max(widths[i], cells[i].size());
        }
    }
    std::ostringstream text;
    for (const auto& cells : rows)
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

std::string
FormatSummary(const std::vector<SummaryRow>& rows, SummaryTopic topic)
{
    for (const SummaryRow& row : rows)
    {
        topic = std::max(topic, GetSummaryTopic(row.json));
    }
    Metrics shown;
    std::vector<std::vector<std::string>> table{{"run"}};
    for (const Metric& metric : GetMetrics(topic))
    {
        const auto has = [&](const SummaryRow& row) { return HasMetric(row.json, metric); };
        if (!metric.isOptional || std::any_of(rows.begin(), rows.end(), has))
        {
            shown.push_back(metric);
            table[0].emplace_back(metric.title);
        }
    }
    table[0].emplace_back();
    for (const SummaryRow& row : rows)
    {
        table.push_back(MakeCells(row, shown));
    }
    return FormatTable(table);
}

SeedMeans::SeedMeans(SummaryTopic topic)
    : m_topic(topic)
{
}

void
SeedMeans::Add(const std::string& group, const nlohmann::json& json, bool isOther)
{
    const auto [known, isNew] = m_known.emplace(group, m_groups.size());
    if (isNew)
    {
        m_groups.push_back({group, 0, 0, 0, {}});
    }
    Group& found = m_groups[known->second];
    ++found.runs;
    found.done += HasEndedWell(json) ? 1 : 0;
    found.others += HasEndedWell(json) && isOther ? 1 : 0;
    m_topic = std::max(m_topic, GetSummaryTopic(json));
    for (const Metric& metric : GetMetrics(GetSummaryTopic(json)))
    {
        if (HasMetric(json, metric))
        {
            found.values[metric.key].push_back(GetMetric(json, metric));
        }
    }
}

std::string
SeedMeans::Format() const
{
    constexpr std::size_t most = 60;
    if (std::all_of(m_groups.begin(), m_groups.end(), [](const Group& group) {
            return group.runs < 2;
        }))
    {
        return "";
    }
    std::vector<std::vector<std::string>> table{{"mean over seeds", "n"}};
    Metrics shown;
    for (const Metric& metric : GetMetrics(m_topic))
    {
        const auto has = [&](const Group& group) { return group.values.count(metric.key) > 0; };
        if (!metric.isCount &&
            (!metric.isOptional || std::any_of(m_groups.begin(), m_groups.end(), has)))
        {
            shown.push_back(metric);
            table[0].insert(table[0].end(), {metric.title, "sd"});
        }
    }
    table[0].emplace_back("");
    for (std::size_t g = 0; g < std::min(most, m_groups.size()); ++g)
    {
        const Group& group = m_groups[g];
        std::vector<std::string> cells{group.name.empty() ? "all" : group.name,
                                       std::to_string(group.done)};
        for (const Metric& metric : shown)
        {
            const auto found = group.values.find(metric.key);
            const std::vector<double> values =
                found == group.values.end() ? std::vector<double>() : found->second;
            cells.push_back(values.empty() ? "-" : FormatFixed(GetMean(values), metric.decimals));
            cells.push_back(
                values.size() < 2 ? "-" : FormatFixed(GetSampleDeviation(values), metric.decimals));
        }
        const std::size_t lost = group.runs - group.done;
        const std::string others =
            group.others > 0 ? std::to_string(group.others) + " made by another program" : "";
        const std::string losses = lost > 0 ? std::to_string(lost) + " without a good result" : "";
        cells.push_back(others + (others.empty() || losses.empty() ? "" : ", ") + losses);
        table.push_back(std::move(cells));
    }
    return "\n" + FormatTable(table) +
           (m_groups.size() > most
                ? "and " + std::to_string(m_groups.size() - most) + " more, see index.sqlite\n"
                : "") +
           "n: runs that ended well, sd: their sample standard deviation\n";
}

} // namespace ns3::rails
