// SPDX-License-Identifier: GPL-2.0-only
#include "rails-explanation-table.h"

#include "rails-output-folder.h"
#include "rails-result-index.h"
#include "rails-result-reader.h"
#include "rails-shell-word.h"
#include "rails-summary-table.h"
#include "rails-sweep-folder.h"

#include "ns3/printable-text.h"
#include "ns3/rails-explanation.h"
#include "ns3/rails-quantity.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;
using nlohmann::json;

/// Meaning of each factor of the chain.
constexpr std::array<const char*, Explanation::kFactors.size()> kMeanings{
    "messages as they were cut and given to NICs",
    "the ways that they took through the fabric",
    "ACKs and what was sent again",
    "cables that were down or slower",
    "times in which nothing was sent, though there was something to send"};

/// \return a member of an object; null without this member or for another value
json
Get(const json& object, const std::string& key)
{
    return object.is_object() ? object.value(key, json()) : json();
}

std::string
FormatScaled(const json& number, double scale, int decimals)
{
    return number.is_number() ? FormatFixed(number.get<double>() * scale, decimals) : "-";
}

std::string
GetText(const json& object, const std::string& key)
{
    const json text = Get(object, key);
    return text.is_string() ? text.get<std::string>() : "";
}

/// \return true when only the first factor is known; the factor of repeats is missing without
/// retransmissions
bool
IsBrief(const json& explain)
{
    return !Get(Get(explain, "factors"), "routes").is_number();
}

std::string
FormatFactors(const json& result, const json& explain)
{
    constexpr double milli = 1e3;
    constexpr int decimals = 3;
    const json factors = Get(explain, "factors");
    const json times = Get(explain, "times_s");
    std::vector<std::vector<std::string>> rows{{"factor", "times", "up to [ms]", ""}};
    rows.push_back(
        {"lower bound", "", FormatScaled(Get(times, "t0"), milli, decimals), "no scheme beats it"});
    for (std::size_t i = 0; i < Explanation::kFactors.size(); ++i)
    {
        const char* factor = Explanation::kFactors[i];
        rows.push_back({factor,
                        FormatScaled(Get(factors, factor), 1, decimals),
                        FormatScaled(Get(times, "t" + std::to_string(i + 1)), milli, decimals),
                        kMeanings[i]});
    }
    rows.push_back({"product",
                    FormatScaled(Get(result, "cct_over_bound"), 1, decimals),
                    FormatScaled(Get(result, "cct_s"), milli, decimals),
                    "completion time over its lower bound"});
    return FormatTable(rows);
}

/// \return a row for each port that finished last; empty without ports
std::string
FormatShares(const json& explain)
{
    std::vector<std::vector<std::string>> rows{{"finished last [% of time]"}};
    for (const char* state : kPortStateNames)
    {
        std::string words = state;
        std::replace(words.begin(), words.end(), '_', ' ');
        rows[0].push_back(words);
    }
    rows[0].emplace_back("");
    for (const char* what : {"nic", "cable"})
    {
        const json port = Get(explain, what);
        if (!port.is_object())
        {
            continue;
        }
        rows.push_back({GetText(port, "name")});
        for (const char* state : kPortStateNames)
        {
            rows.back().push_back(FormatScaled(Get(port, state), 100, 1));
        }
        rows.back().emplace_back("");
    }
    return rows.size() > 1 ? "\n" + FormatTable(rows) : "";
}

/// Warnings of runs.
class Warnings
{
  public:
    void Add(const json& result)
    {
        ++m_runs;
        for (const json& note : Get(result, "notes"))
        {
            const std::string text = note.is_string() ? note.get<std::string>() : "";
            if (text.rfind("warning: ", 0) == 0)
            {
                ++m_counts[text];
            }
        }
    }

    /// \return a line for each warning, with its number of runs
    std::string Format() const
    {
        std::string lines;
        for (const auto& [text, count] : m_counts)
        {
            const std::string share = std::to_string(count) + " of " + std::to_string(m_runs);
            lines += (m_runs > 1 ? share + ": " : "") + MakeOneLine(text) + "\n";
        }
        return (lines.empty() ? "" : "\n") + lines;
    }

  private:
    uint64_t m_runs{0};
    std::map<std::string, uint64_t> m_counts;
};

/// \return the outcome of each job of a graph; empty with a single job
std::string
FormatJobs(const json& jobs)
{
    constexpr double milli = 1e3;
    constexpr int decimals = 3;
    std::vector<std::vector<std::string>> rows{
        {"job", "servers", "start [ms]", "end [ms]", "iterations", "iteration [ms]", ""}};
    for (const json& job : jobs)
    {
        rows.push_back({GetText(job, "name"),
                        std::to_string(Get(job, "servers").size()),
                        FormatScaled(Get(job, "start_s"), milli, decimals),
                        FormatScaled(Get(job, "end_s"), milli, decimals),
                        FormatScaled(Get(job, "iterations"), 1, 0),
                        FormatScaled(Get(job, "iteration_s"), milli, decimals),
                        ""});
    }
    return rows.size() > 1 ? "\n" + FormatTable(rows) : "";
}

/// Adds the factors of a chain to a row.
void
AddFactors(const json& chain, std::vector<std::string>& row)
{
    for (const char* factor : Explanation::kFactors)
    {
        row.push_back(FormatScaled(Get(Get(chain, "factors"), factor), 1, 3));
    }
}

/// \return the time of transfers on the critical path of a graph, by kind; empty if unknown or
/// without transfers
std::string
FormatTransfers(const json& explain)
{
    constexpr double milli = 1e3;
    constexpr int decimals = 3;
    std::vector<std::vector<std::string>> rows{{"transfers on the path", "number", "at best [ms]"}};
    rows[0].insert(rows[0].end(), Explanation::kFactors.begin(), Explanation::kFactors.end());
    rows[0].insert(rows[0].end(), {"took [ms]", ""});
    for (const json& kind : Get(explain, "kinds"))
    {
        const json times = Get(kind, "times_s");
        rows.push_back({GetText(kind, "name"),
                        FormatScaled(Get(kind, "transfers"), 1, 0),
                        FormatScaled(Get(times, "t0"), milli, decimals)});
        AddFactors(kind, rows.back());
        rows.back().push_back(FormatScaled(Get(times, "t5"), milli, decimals));
        rows.back().emplace_back("");
    }
    const std::string sentence = GetText(explain, "sentence");
    return (rows.size() > 1 ? "\n" + FormatTable(rows) : "") +
           (sentence.empty() ? "" : "\n" + MakeOneLine(sentence) + "\n");
}

/// \return the critical path of a graph, and the further times of its stages
std::string
FormatGraph(const json& result)
{
    constexpr double milli = 1e3;
    constexpr int decimals = 3;
    std::vector<std::vector<std::string>> rows{
        {"stage", "critical path [ms]", "busy [ms]", "exposed [ms]", ""}};
    for (const json& kind : Get(Get(result, "graph"), "kinds"))
    {
        rows.push_back({GetText(kind, "name"),
                        FormatScaled(Get(kind, "critical_s"), milli, decimals),
                        FormatScaled(Get(kind, "busy_s"), milli, decimals),
                        FormatScaled(Get(kind, "exposed_s"), milli, decimals),
                        GetText(kind, "type")});
    }
    rows.push_back({"iteration",
                    FormatScaled(Get(result, "iteration_s"), milli, decimals),
                    "",
                    "",
                    "busy and exposed: of a GPU in the mean"});
    return FormatTable(rows) + FormatJobs(Get(Get(result, "graph"), "jobs")) +
           FormatTransfers(Get(result, "explain"));
}

/// \return why a result has no explanation; empty when it has one
std::string
FindObstacle(const json& result)
{
    if (!result.is_object())
    {
        return "no result";
    }
    const int status = result.value("status", 0);
    if (status != 0)
    {
        return "did not finish (status " + std::to_string(status) + "), see its report";
    }
    if (Get(result, "graph").is_object())
    {
        return ""; // its path is known without
    }
    return Get(result, "explain").is_object() ? "" : "made without an explanation; run it again";
}

/**
 * \param folder of a sweep or of a run
 * \param isOfGraph a graph without recorded transfers
 * \return how to record the missing data
 */
std::string
MakeHint(const fs::path& folder, bool isOfGraph = false)
{
    const std::string option = " --set record.explain=true --out ";
    const std::string what = isOfGraph ? "factors of its transfers" : "other factors";
    const fs::path place = fs::absolute(folder / ".").lexically_normal().parent_path();
    for (const fs::path& sweep : {place, place.parent_path()})
    {
        try
        {
            const SweepSnapshot snapshot = SweepFolder(sweep).ReadSnapshot();
            const std::string point =
                sweep == place ? "" : " --point " + QuoteForShell(place.filename().string());
            const fs::path target = sweep.string() + "-explained";
            return "\nFor the " + what + ": " + MakeRunCommand(snapshot) + point + option +
                   QuoteForShell((sweep == place ? target : target / place.filename()).string()) +
                   "\n";
        }
        catch (const OutputError&)
        {
            // no sweep
        }
    }
    return "\nFor the " + what +
           " run its descriptor again, with the same --set options as then "
           "and" +
           option + QuoteForShell(place.string() + "-explained") + "\n";
}

std::string
ExplainRun(const fs::path& folder, const json& result)
{
    const std::string obstacle = FindObstacle(result);
    Warnings warnings;
    warnings.Add(result);
    if (result.value("status", 0) != 0)
    {
        const std::string report = GetText(result, "report");
        return folder.string() + ": " + obstacle + (report.empty() ? "" : ":\n" + report) + "\n";
    }
    if (Get(result, "graph").is_object())
    {
        const bool isBrief = !Get(result, "explain").is_object();
        return FormatGraph(result) + warnings.Format() + (isBrief ? MakeHint(folder, true) : "");
    }
    if (!obstacle.empty())
    {
        throw OutputError(folder, obstacle);
    }
    const json explain = result.at("explain");
    std::string text = FormatFactors(result, explain) + FormatShares(explain);
    const std::string sentence = GetText(explain, "sentence");
    text += sentence.empty() ? "" : "\n" + MakeOneLine(sentence) + "\n";
    return text + warnings.Format() + (IsBrief(explain) ? MakeHint(folder) : "");
}

/// \return names of point folders: points of the sweep in order, then earlier points
std::vector<std::string>
ListPoints(const SweepFolder& folder)
{
    std::vector<std::string> names = folder.ReadPoints();
    const std::vector<std::string> earlier = folder.ListEarlierPoints();
    names.insert(names.end(), earlier.begin(), earlier.end());
    if (names.empty())
    {
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder.GetPath(), error))
        {
            if (fs::exists(entry.path() / "result.json", error))
            {
                names.push_back(entry.path().filename().string());
            }
        }
        std::sort(names.begin(), names.end());
    }
    return names;
}

/// Rows of points; graphs have a separate table, as their times differ.
class SweepTables
{
  public:
    /**
     * \param name of a point
     * \param result of it
     * \param obstacle why it has no explanation, or empty
     * \param isEarlier whether it belongs to an earlier sweep
     */
    void Add(const std::string& name,
             const json& result,
             const std::string& obstacle,
             bool isEarlier)
    {
        const json explain = Get(result, "explain");
        const bool isOfGraph = Get(result, "graph").is_object();
        (isOfGraph ? m_lacksTransfers : m_lacksFactors) |= obstacle.empty() && IsBrief(explain);
        m_hasGraphs = m_hasGraphs || isOfGraph;
        Row& row = m_rows.emplace_back();
        row.isOfGraph = isOfGraph;
        row.hasNothing = !isOfGraph && !obstacle.empty();
        if (isOfGraph)
        {
            row.times = {FormatScaled(Get(result, "iteration_s"), 1e3, 3),
                         FormatOverBest(Get(explain, "times_s"))};
        }
        else
        {
            row.times = {FormatScaled(Get(result, "cct_over_bound"), 1, 3)};
        }
        row.name = name;
        m_warnings.Add(result);
        AddFactors(explain, row.factors);
        row.remark = isOfGraph && obstacle.empty() ? FormatLargest(explain) : obstacle;
        row.remark += !isEarlier           ? ""
                      : row.remark.empty() ? "of an earlier sweep"
                                           : ", of an earlier sweep";
    }

    /// \param folder of the sweep
    std::string Format(const fs::path& folder) const
    {
        const std::string phases = FormatRows(false);
        const std::string graphs = FormatRows(true);
        return phases + (phases.empty() || graphs.empty() ? "" : "\n") + graphs +
               m_warnings.Format() +
               (m_lacksFactors || m_lacksTransfers ? MakeHint(folder, !m_lacksFactors) : "");
    }

  private:
    static std::string FormatOverBest(const json& times)
    {
        const json best = Get(times, "t0");
        const json took = Get(times, "t5");
        const bool isKnown = best.is_number() && took.is_number() && best.get<double>() > 0;
        return isKnown ? FormatFixed(took.get<double>() / best.get<double>(), 3) : "-";
    }

    /// \return the factors that cost most time, by kind, above a threshold
    static std::string FormatLargest(const json& explain)
    {
        constexpr std::size_t kMost = 3;
        std::vector<std::pair<double, std::string>> found; // time lost, and the factor
        for (const json& kind : Get(explain, "kinds"))
        {
            const json times = Get(kind, "times_s");
            double before = Get(times, "t0").is_number() ? Get(times, "t0").get<double>() : 0;
            for (std::size_t i = 0; i < Explanation::kFactors.size(); ++i)
            {
                const json time = Get(times, "t" + std::to_string(i + 1));
                const json factor = Get(Get(kind, "factors"), Explanation::kFactors[i]);
                if (!time.is_number() || !factor.is_number())
                {
                    continue;
                }
                if (factor.get<double>() >= Explanation::kNotable)
                {
                    found.emplace_back(time.get<double>() - before,
                                       GetText(kind, "name") + " " + Explanation::kFactors[i] +
                                           " " + FormatFixed(factor.get<double>(), 2));
                }
                before = time.get<double>();
            }
        }
        std::stable_sort(found.begin(), found.end(), [](const auto& one, const auto& other) {
            return one.first > other.first;
        });
        std::string text;
        for (std::size_t i = 0; i < std::min(kMost, found.size()); ++i)
        {
            text += (i > 0 ? ", " : "") + found[i].second;
        }
        return text;
    }

    struct Row
    {
        std::string name;
        bool isOfGraph{false};
        bool hasNothing{false}; // so that it may have been a graph
        std::vector<std::string> times;
        std::vector<std::string> factors;
        std::string remark;
    };

    /// \return the table of graphs or of other runs; empty without rows
    std::string FormatRows(bool ofGraphs) const
    {
        std::vector<std::vector<std::string>> rows(1, {"run", "over bound"});
        if (ofGraphs)
        {
            rows[0] = {"run", "iteration [ms]", "path over best"};
        }
        const std::size_t times = rows[0].size() - 1;
        rows[0].insert(rows[0].end(), Explanation::kFactors.begin(), Explanation::kFactors.end());
        rows[0].emplace_back("");
        for (const Row& row : m_rows)
        {
            if ((row.isOfGraph || (row.hasNothing && m_hasGraphs)) != ofGraphs)
            {
                continue;
            }
            std::vector<std::string> cells{row.name};
            cells.insert(cells.end(), row.times.begin(), row.times.end());
            cells.resize(1 + times, "-");
            cells.insert(cells.end(), row.factors.begin(), row.factors.end());
            cells.push_back(row.remark);
            rows.push_back(std::move(cells));
        }
        return rows.size() > 1 ? FormatTable(rows) : "";
    }

    std::vector<Row> m_rows;
    Warnings m_warnings;
    bool m_hasGraphs{false};
    bool m_lacksFactors{false};
    bool m_lacksTransfers{false};
};

ExplainedResults
ExplainSweep(const SweepFolder& folder, const std::function<bool(const json&)>& accepts)
{
    SweepTables tables;
    const std::vector<std::string> names = ListPoints(folder);
    const std::vector<std::string> earlier = folder.ListEarlierPoints();
    std::map<std::string, std::string> damaged;
    for (const std::string& name : names)
    {
        std::string fault;
        const json result = ReadResultJson(folder.GetPointFolder(name), fault);
        const json failure =
            result.is_object() ? json() : ReadFailureJson(folder.GetPointFolder(name));
        const json& known = result.is_object() ? result : failure;
        if (accepts && !(known.is_object() && accepts(known)))
        {
            continue;
        }
        std::string remark = FindObstacle(result);
        if (failure.is_object())
        {
            remark = "failed: " + GetText(failure, "reason");
        }
        else if (!result.is_object() && HasResultParts(folder.GetPointFolder(name)))
        {
            damaged.emplace(name, fault);
            remark = "damaged";
        }
        const bool isEarlier = std::binary_search(earlier.begin(), earlier.end(), name);
        tables.Add(name, result, remark, isEarlier);
    }
    if (names.empty())
    {
        throw OutputError(folder.GetPath(),
                          "there is no result in it; expected the folder of a run or of a sweep");
    }
    return {tables.Format(folder.GetPath()), damaged};
}

} // namespace

ExplainedResults
ExplainResults(const fs::path& folder, const std::function<bool(const json&)>& accepts)
{
    std::error_code error;
    if (!fs::is_directory(folder, error))
    {
        throw OutputError(folder, "no such folder");
    }
    std::string fault;
    const json result = ReadResultJson(folder, fault);
    if (result.is_object())
    {
        return {accepts && !accepts(result) ? "" : ExplainRun(folder, result), {}};
    }
    if (fs::exists(folder / "result.json", error))
    {
        throw OutputError(folder, "its result is damaged: " + fault);
    }
    return ExplainSweep(SweepFolder(folder), accepts);
}

} // namespace ns3::rails
