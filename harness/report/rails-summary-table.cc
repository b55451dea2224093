// SPDX-License-Identifier: GPL-2.0-only
#include "rails-summary-table.h"

#include "ns3/printable-text.h"
#include "ns3/rails-quantity.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Number format of a column.
enum class Form
{
    Fixed,     //!< with Metric::decimals
    Time,      //!< ms, with three significant digits
    ShortTime, //!< like Time; us if all are below 1 ms
    OverBound, //!< normalized CCT, possibly by different lower bounds
    Memory     //!< GB; MB if all are below 1 GB
};

/// Condition for a column.
enum class Shown
{
    Always,
    IfKnown, //!< if a run has the figure
    IfNotZero
};

/// A figure of result.json as a column.
struct Metric
{
    const char* key;
    const char* title;
    double scale;
    int decimals;
    Shown shown{Shown::Always};
    bool isCount{false}; //!< also of runs that did not end well; has no mean
    Form form{Form::Fixed};
};

using Metrics = std::vector<Metric>;

constexpr Metric kCompletion{"cct_s", "cct", 1e3, 0, Shown::Always, false, Form::ShortTime};
constexpr Metric kIteration{"iteration_s", "iteration", 1e3, 0, Shown::Always, false, Form::Time};
constexpr Metric
    kSomeIteration{"iteration_s", "iteration", 1e3, 0, Shown::IfKnown, false, Form::Time};
constexpr Metric kWhole{"whole_iteration_s", "whole", 1e3, 0, Shown::IfKnown, false, Form::Time};
constexpr Metric kAge{"load_first_iteration", "age", 1, 0, Shown::IfKnown};
constexpr Metric kTokens{"tokens_per_s", "tokens/s", 1, 0, Shown::IfKnown};
constexpr Metric kDropped{"expert_dropped_share", "dropped [%]", 100, 1, Shown::IfNotZero};
constexpr Metric
    kOverBound{"cct_over_bound", "over bound", 1, 3, Shown::Always, false, Form::OverBound};
constexpr double kSameBound = 1.01; // bounds that differ by no more count as one

/// \return the columns
const Metrics&
GetMetrics(SummaryTopic topic)
{
    static const Metrics simulations{kCompletion,
                                     kSomeIteration,
                                     kWhole,
                                     kTokens,
                                     kDropped,
                                     kOverBound,
                                     {"cct_increase", "increase [%]", 100, 2, Shown::IfKnown},
                                     {"busbw_Bps", "busbw [GB/s]", 1e-9, 2, Shown::IfKnown},
                                     {"pfc_pauses", "pauses", 1, 0, Shown::IfKnown, true}};
    static const Metrics trainings{
        kAge,
        kIteration,
        {"iteration_with_moves_s", "with moves", 1e3, 0, Shown::IfKnown, false, Form::Time},
        kWhole,
        kTokens,
        kDropped,
        kOverBound,
        {"expert_max_over_mean", "max/mean", 1, 3},
        {"expert_slots_per_layer", "slots a layer", 1, 0, Shown::IfNotZero},
        {"expert_slots_shared", "slots shared", 1, 0, Shown::IfNotZero},
        {"expert_memory_bytes", "experts", 1e-9, 1, Shown::IfKnown, false, Form::Memory},
        {"memory_bytes", "memory", 1e-9, 1, Shown::Always, false, Form::Memory},
        {"pfc_pauses", "pauses", 1, 0, Shown::IfKnown, true}};
    static const Metrics studies{
        kAge,
        {"max_over_mean_before", "before", 1, 3, Shown::IfKnown},
        {"max_over_mean", "max/mean", 1, 3, Shown::IfKnown},
        {"max_over_mean_worst", "worst", 1, 3, Shown::IfKnown},
        {"copies", "copies", 1, 1, Shown::IfKnown},
        {"copies_from_one_gpu", "from one", 1, 0, Shown::IfKnown},
        {"replica_bytes", "replicas [GB]", 1e-9, 3, Shown::IfKnown},
        {"bytes_inside", "inside [GB]", 1e-9, 3, Shown::IfKnown},
        {"bytes_across", "across [GB]", 1e-9, 3, Shown::IfKnown},
        {"move_bytes_inside", "moves inside [GB]", 1e-9, 3, Shown::IfNotZero},
        {"move_bytes_across", "moves across [GB]", 1e-9, 3, Shown::IfNotZero},
        {"placements", "placed anew", 1, 2, Shown::IfNotZero},
        {"dropped_share", "dropped [%]", 100, 1, Shown::IfNotZero},
        {"local_share", "local [%]", 100, 1, Shown::IfKnown},
        {"slots_per_layer", "slots a layer", 1, 0, Shown::IfKnown},
        {"slots_shared", "slots shared", 1, 0, Shown::IfKnown},
        {"expert_memory_bytes", "experts [GB]", 1e-9, 3, Shown::IfKnown},
        {"planning_s", "plan [us]", 1e6, 0, Shown::IfKnown},
        {"planning_measured_s", "here [us]", 1e6, 0, Shown::IfKnown}};
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
    // A run that failed early has no figures to recognise its topic by.
    return json.value("engine", "") == "experts"   ? SummaryTopic::Study
           : json.contains("expert_max_over_mean") ? SummaryTopic::Training
                                                   : SummaryTopic::Traffic;
}

bool
HasEndedWell(const nlohmann::json& json)
{
    return json.is_object() && json.value("status", 0) == 0;
}

/// \return true when a run ended well and the figure is defined for it
bool
HasMetric(const nlohmann::json& json, const Metric& metric)
{
    const auto found = json.is_object() ? json.find(metric.key) : json.end();
    return (HasEndedWell(json) || metric.isCount) && found != json.end() && found->is_number();
}

double
GetMetric(const nlohmann::json& json, const Metric& metric)
{
    return json[metric.key].get<double>();
}

/// A column in a table: its heading, and the format of its cells.
struct Column
{
    Metric metric;
    std::string title;

    std::string Format(double number) const
    {
        const double shown = number * metric.scale;
        const bool isTime = metric.form == Form::Time || metric.form == Form::ShortTime;
        return isTime ? FormatSignificant(shown) : FormatFixed(shown, metric.decimals);
    }
};

/**
 * \param largest the largest number in the column
 * \param ownBounds whether the runs have lower bounds that differ
 */
Column
MakeColumn(Metric metric, double largest, bool ownBounds)
{
    std::string title = metric.title;
    if (metric.form == Form::ShortTime && largest > 0 && largest < 1e-3)
    {
        metric.scale *= 1e3;
        title += " [us]";
    }
    else if (metric.form == Form::Time || metric.form == Form::ShortTime)
    {
        title += " [ms]";
    }
    else if (metric.form == Form::OverBound && ownBounds)
    {
        title = "over own bound";
    }
    else if (metric.form == Form::Memory)
    {
        const bool isSmall = largest > 0 && largest < 1e9;
        metric.scale = isSmall ? 1e-6 : 1e-9;
        title += isSmall ? " [MB]" : " [GB]";
    }
    return {metric, title};
}

/// \return a note on a table whose rows have different lower bounds
std::string
ExplainBounds(const std::vector<Column>& columns)
{
    const bool isOwn = std::any_of(columns.begin(), columns.end(), [](const Column& column) {
        return column.metric.form == Form::OverBound && column.title != column.metric.title;
    });
    return isOwn ? "over own bound: the lower bounds differ, so its rows do not compare; compare "
                   "the times\n"
                 : "";
}

/// \return a text that is equal for runs that differ only in the seed
std::string
GetCase(const nlohmann::json& json)
{
    nlohmann::json config =
        json.is_object() ? json.value("config", nlohmann::json()) : nlohmann::json();
    if (config.is_object())
    {
        config.erase("name");
        config.erase("seed");
    }
    return config.dump();
}

/// \return the number by which runs are compared: a time, of studies a load; none without one
std::optional<double>
GetCompared(const nlohmann::json& json)
{
    for (const char* key : {"max_over_mean", "iteration_s", "cct_s"})
    {
        const Metric metric{key, "", 1, 0};
        if (HasMetric(json, metric))
        {
            return GetMetric(json, metric);
        }
    }
    return std::nullopt;
}

/// Adds the titles of baselines that are not there yet.
void
AddTitles(const std::vector<SummaryBaseline>& baselines, std::vector<std::string>& titles)
{
    for (const SummaryBaseline& baseline : baselines)
    {
        if (std::find(titles.begin(), titles.end(), baseline.title) == titles.end())
        {
            titles.push_back(baseline.title);
        }
    }
}

/// \return the name of the row or group that is compared with under a title; empty without one
std::string
FindBaseline(const std::vector<SummaryBaseline>& baselines, const std::string& title)
{
    const auto found = std::find_if(baselines.begin(), baselines.end(), [&](const auto& baseline) {
        return baseline.title == title;
    });
    return found == baselines.end() ? "" : found->name;
}

std::string
FormatRatioOf(const std::optional<double>& value, const std::optional<double>& base)
{
    return value && base && *base > 0 ? FormatFixed(*value / *base, 3) : "-";
}

std::vector<std::string>
MakeCells(const SummaryRow& row,
          const std::vector<Column>& shown,
          const std::vector<std::string>& ratios)
{
    const nlohmann::json& json = row.json;
    std::vector<std::string> cells{row.name};
    for (const Column& column : shown)
    {
        cells.push_back(
            HasMetric(json, column.metric) ? column.Format(GetMetric(json, column.metric)) : "-");
    }
    cells.insert(cells.end(), ratios.begin(), ratios.end());
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
GetLargest(const std::vector<double>& values)
{
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

/**
 * \param topic of the table
 * \param ownBounds whether the runs have lower bounds that differ
 * \param list the numbers below a metric
 * \return the topic's columns whose condition holds for these numbers
 */
std::vector<Column>
ChooseColumns(SummaryTopic topic,
              bool ownBounds,
              const std::function<std::vector<double>(const Metric&)>& list)
{
    std::vector<Column> columns;
    for (const Metric& metric : GetMetrics(topic))
    {
        const std::vector<double> numbers = list(metric);
        const bool isShown =
            metric.shown == Shown::Always || (metric.shown == Shown::IfKnown && !numbers.empty()) ||
            std::any_of(numbers.begin(), numbers.end(), [](double number) { return number != 0; });
        if (isShown)
        {
            columns.push_back(MakeColumn(metric, GetLargest(numbers), ownBounds));
        }
    }
    return columns;
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
FormatSignificant(double number)
{
    constexpr int digits = 3;
    if (number == 0 || !std::isfinite(number))
    {
        return FormatFixed(number, 0);
    }
    std::ostringstream rounded; // 9.996 is 10.0, of another power of ten
    rounded << std::scientific << std::setprecision(digits - 1) << number;
    const std::string text = rounded.str();
    const int exponent = std::stoi(text.substr(text.find('e') + 1));
    return FormatFixed(number, std::max(0, digits - 1 - exponent));
}

void
BoundComparison::Add(const std::string& runCase, const nlohmann::json& json)
{
    const auto bound = json.is_object() ? json.find("lower_bound_s") : json.end();
    if (HasEndedWell(json) && bound != json.end() && bound->is_number() && bound->get<double>() > 0)
    {
        m_bounds[json.value("seed", uint64_t{1})][runCase].push_back(bound->get<double>());
    }
}

bool
BoundComparison::Differ() const
{
    std::set<std::string> all;
    std::set<std::string> together; // with another case at some seed
    std::vector<double> everything;
    std::vector<std::vector<double>> compared;
    for (const auto& [seed, cases] : m_bounds)
    {
        compared.emplace_back();
        for (const auto& [name, bounds] : cases)
        {
            all.insert(name);
            compared.back().insert(compared.back().end(), bounds.begin(), bounds.end());
            if (cases.size() > 1)
            {
                together.insert(name);
            }
        }
        everything.insert(everything.end(), compared.back().begin(), compared.back().end());
    }
    if (all.size() > 1 && together.size() < all.size())
    {
        compared.push_back(std::move(everything));
    }
    return std::any_of(compared.begin(), compared.end(), [](const std::vector<double>& bounds) {
        const auto [low, high] = std::minmax_element(bounds.begin(), bounds.end());
        return *high > kSameBound * *low;
    });
}

std::string
FormatTable(std::vector<std::vector<std::string>> rows)
{
    constexpr std::size_t longestCell = 400;
    std::vector<std::size_t> widths(rows.front().size());
    for (auto& cells : rows)
    {
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            cells[i] = MakeOneLine(cells[i], longestCell);
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
    BoundComparison bounds;
    for (const SummaryRow& row : rows)
    {
        topic = std::max(topic, GetSummaryTopic(row.json));
        bounds.Add(GetCase(row.json), row.json);
    }
    const std::vector<Column> shown =
        ChooseColumns(topic, bounds.Differ(), [&rows](const Metric& metric) {
            std::vector<double> values;
            for (const SummaryRow& row : rows)
            {
                if (HasMetric(row.json, metric))
                {
                    values.push_back(GetMetric(row.json, metric));
                }
            }
            return values;
        });
    std::vector<std::vector<std::string>> table{{"run"}};
    for (const Column& column : shown)
    {
        table[0].push_back(column.title);
    }
    std::vector<std::string> baselines;
    std::map<std::string, std::optional<double>> compared;
    for (const SummaryRow& row : rows)
    {
        AddTitles(row.baselines, baselines);
        compared[row.name] = GetCompared(row.json);
    }
    table[0].insert(table[0].end(), baselines.begin(), baselines.end());
    table[0].emplace_back();
    for (const SummaryRow& row : rows)
    {
        std::vector<std::string> ratios;
        for (const std::string& title : baselines)
        {
            const auto base = compared.find(FindBaseline(row.baselines, title));
            ratios.push_back(FormatRatioOf(compared[row.name],
                                           base == compared.end() ? std::nullopt : base->second));
        }
        table.push_back(MakeCells(row, shown, ratios));
    }
    return FormatTable(table) + ExplainBounds(shown);
}

SeedMeans::SeedMeans(SummaryTopic topic)
    : m_topic(topic)
{
}

void
SeedMeans::Add(const std::string& group,
               const nlohmann::json& json,
               bool isOther,
               const std::vector<SummaryBaseline>& baselines)
{
    const auto [known, isNew] = m_known.emplace(group, m_groups.size());
    if (isNew)
    {
        m_groups.push_back({group, 0, 0, 0, {}, {}, baselines});
    }
    Group& found = m_groups[known->second];
    ++found.runs;
    found.done += HasEndedWell(json) ? 1 : 0;
    found.others += HasEndedWell(json) && isOther ? 1 : 0;
    m_topic = std::max(m_topic, GetSummaryTopic(json));
    m_bounds.Add(group, json);
    if (const std::optional<double> value = GetCompared(json))
    {
        found.compared[json.value("seed", uint64_t{1})] = *value;
    }
    for (const Metric& metric : GetMetrics(GetSummaryTopic(json)))
    {
        if (HasMetric(json, metric))
        {
            found.values[metric.key].push_back(GetMetric(json, metric));
        }
    }
}

std::vector<std::string>
SeedMeans::ListBaselines() const
{
    std::vector<std::string> titles;
    for (const Group& group : m_groups)
    {
        AddTitles(group.baselines, titles);
    }
    return titles;
}

std::string
SeedMeans::FormatRatio(const Group& group, const std::string& title) const
{
    const auto base = m_known.find(FindBaseline(group.baselines, title));
    if (base == m_known.end())
    {
        return "-";
    }
    const std::map<uint64_t, double>& others = m_groups[base->second].compared;
    double own = 0;
    double other = 0;
    for (const auto& [seed, value] : group.compared)
    {
        const auto same = others.find(seed);
        own += same == others.end() ? 0 : value;
        other += same == others.end() ? 0 : same->second;
    }
    return FormatRatioOf(own, other);
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
    std::vector<Column> shown =
        ChooseColumns(m_topic, m_bounds.Differ(), [this](const Metric& metric) {
            std::vector<double> means;
            for (const Group& group : m_groups)
            {
                const auto found = group.values.find(metric.key);
                if (found != group.values.end())
                {
                    means.push_back(GetMean(found->second));
                }
            }
            return means;
        });
    shown.erase(std::remove_if(shown.begin(),
                               shown.end(),
                               [](const Column& column) { return column.metric.isCount; }),
                shown.end());
    std::vector<std::vector<std::string>> table{{"mean over seeds", "n"}};
    for (const Column& column : shown)
    {
        table[0].insert(table[0].end(), {column.title, "sd"});
    }
    const std::vector<std::string> baselines = ListBaselines();
    table[0].insert(table[0].end(), baselines.begin(), baselines.end());
    table[0].emplace_back("");
    for (std::size_t g = 0; g < std::min(most, m_groups.size()); ++g)
    {
        const Group& group = m_groups[g];
        std::vector<std::string> cells{group.name.empty() ? "all" : group.name,
                                       std::to_string(group.done)};
        for (const Column& column : shown)
        {
            const auto found = group.values.find(column.metric.key);
            const std::vector<double> values =
                found == group.values.end() ? std::vector<double>() : found->second;
            cells.push_back(values.empty() ? "-" : column.Format(GetMean(values)));
            cells.push_back(values.size() < 2 ? "-" : column.Format(GetSampleDeviation(values)));
        }
        for (const std::string& title : baselines)
        {
            cells.push_back(FormatRatio(group, title));
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
           "n: runs that ended well, sd: their sample standard deviation\n" + ExplainBounds(shown);
}

} // namespace ns3::rails
