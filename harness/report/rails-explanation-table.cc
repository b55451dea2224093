// SPDX-License-Identifier: GPL-2.0-only
#include "rails-explanation-table.h"

#include "rails-explanation.h"
#include "rails-output-folder.h"
#include "rails-result-index.h"
#include "rails-result-writer.h"
#include "rails-shell-word.h"
#include "rails-summary-table.h"
#include "rails-sweep-folder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <vector>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;
using nlohmann::json;

/// What each factor of the chain stands for.
constexpr std::array<const char*, Explanation::kFactors.size()> kMeanings{
    "messages as they were cut and given to NICs",
    "the ways that they took through the fabric",
    "ACKs and what was sent again",
    "cables that were down or slower",
    "times in which nothing was sent, though there was something to send"};

/// \return a member of an object; null when it is not one or has none
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

/// \return true when only the first factor is known
bool
IsBrief(const json& explain)
{
    const json factors = Get(explain, "factors");
    return std::any_of(Explanation::kFactors.begin() + 1,
                       Explanation::kFactors.end(),
                       [&](const char* factor) { return !Get(factors, factor).is_number(); });
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

/// \return what the ports that finished last did, a row each; empty when none is known
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

/// \return what became of each job of a graph; empty where there is one alone
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

/// \return the critical path of a graph, and what its stages took besides
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
    return FormatTable(rows) + FormatJobs(Get(Get(result, "graph"), "jobs"));
}

/// \return why a result has nothing to tell; empty when it has
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
        return "a graph: explain its folder alone";
    }
    return Get(result, "explain").is_object() ? "" : "made without an explanation; run it again";
}

/**
 * \param folder of a sweep or of a run
 * \return how to get what is only recorded on request
 */
std::string
MakeHint(const fs::path& folder)
{
    const std::string option = " --set record.explain=true --out ";
    const fs::path place = fs::absolute(folder / ".").lexically_normal().parent_path();
    for (const fs::path& sweep : {place, place.parent_path()})
    {
        try
        {
            const json options = SweepFolder(sweep).ReadSnapshot().options;
            const std::string point =
                sweep == place ? "" : " --point " + QuoteForShell(place.filename().string());
            const fs::path target = sweep.string() + "-explained";
            return "\nFor the other factors: " + GetText(options, "command") + point + option +
                   QuoteForShell((sweep == place ? target : target / place.filename()).string()) +
                   "\n";
        }
        catch (const OutputError&)
        {
            // no sweep
        }
    }
    return "\nFor the other factors run its descriptor again, with the same --set options as then "
           "and" +
           option + QuoteForShell(place.string() + "-explained") + "\n";
}

std::string
ExplainRun(const fs::path& folder, const json& result)
{
    const std::string obstacle = FindObstacle(result);
    if (result.value("status", 0) != 0)
    {
        const std::string report = GetText(result, "report");
        return folder.string() + ": " + obstacle + (report.empty() ? "" : ":\n" + report) + "\n";
    }
    if (Get(result, "graph").is_object())
    {
        return FormatGraph(result);
    }
    if (!obstacle.empty())
    {
        throw OutputError(folder, obstacle);
    }
    const json explain = result.at("explain");
    std::string text = FormatFactors(result, explain) + FormatShares(explain);
    const std::string sentence = GetText(explain, "sentence");
    text += sentence.empty() ? "" : "\n" + sentence + "\n";
    return text + (IsBrief(explain) ? MakeHint(folder) : "");
}

/// \return names of the folders of points: those of the sweep in their order, then earlier ones
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

ExplainedResults
ExplainSweep(const SweepFolder& folder)
{
    std::vector<std::vector<std::string>> rows{{"run", "over bound"}};
    rows[0].insert(rows[0].end(), Explanation::kFactors.begin(), Explanation::kFactors.end());
    rows[0].emplace_back("");
    const std::vector<std::string> names = ListPoints(folder);
    const std::vector<std::string> earlier = folder.ListEarlierPoints();
    bool hasBrief = false;
    std::vector<std::string> damaged;
    for (const std::string& name : names)
    {
        const json result = ReadResultJson(folder.GetPointFolder(name));
        const json explain = Get(result, "explain");
        std::string remark = FindObstacle(result);
        const json failure =
            result.is_object() ? json() : ReadFailureJson(folder.GetPointFolder(name));
        if (failure.is_object())
        {
            remark = "failed: " + GetText(failure, "reason");
        }
        else if (!result.is_object() && HasResultParts(folder.GetPointFolder(name)))
        {
            damaged.push_back(name);
            remark = "damaged";
        }
        hasBrief = hasBrief || (remark.empty() && IsBrief(explain));
        if (std::binary_search(earlier.begin(), earlier.end(), name))
        {
            remark += (remark.empty() ? "" : ", ") + std::string("of an earlier sweep");
        }
        rows.push_back({name, FormatScaled(Get(result, "cct_over_bound"), 1, 3)});
        for (const char* factor : Explanation::kFactors)
        {
            rows.back().push_back(FormatScaled(Get(Get(explain, "factors"), factor), 1, 3));
        }
        rows.back().push_back(remark);
    }
    if (names.empty())
    {
        throw OutputError(folder.GetPath(), "there is no result in it");
    }
    return {FormatTable(rows) + (hasBrief ? MakeHint(folder.GetPath()) : ""), damaged};
}

} // namespace

ExplainedResults
ExplainResults(const fs::path& folder)
{
    std::error_code error;
    if (!fs::is_directory(folder, error))
    {
        throw OutputError(folder, "no such folder");
    }
    const json result = ReadResultJson(folder);
    if (result.is_object())
    {
        return {ExplainRun(folder, result), {}};
    }
    if (fs::exists(folder / "result.json", error))
    {
        throw OutputError(folder, "its result is damaged (a file is missing, cut or no JSON)");
    }
    return ExplainSweep(SweepFolder(folder));
}

} // namespace ns3::rails
