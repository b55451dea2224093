// SPDX-License-Identifier: GPL-2.0-only
#include "rails-point-filter.h"

#include "ns3/rails-key-names.h"
#include "ns3/rails-nearest-name.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

namespace ns3::rails
{

namespace
{

/// \return the values of all keys: "transport.mtu", and of "balance" its type
std::map<std::string, std::set<std::string>>
ListValues(const nlohmann::json& config)
{
    std::map<std::string, std::set<std::string>> values;
    const nlohmann::json flat = config.flatten();
    for (const auto& [pointer, value] : flat.items())
    {
        std::string key = pointer.empty() ? pointer : pointer.substr(1); // of an empty object
        std::replace(key.begin(), key.end(), '/', '.');
        const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        values[key].insert(text);
        const std::string type = ".type";
        if (key.size() > type.size() &&
            key.compare(key.size() - type.size(), type.size(), type) == 0)
        {
            values[key.substr(0, key.size() - type.size())].insert(text);
        }
    }
    return values;
}

std::string
RemoveBlanks(std::string text)
{
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
}

} // namespace

PointFilter::PointFilter(const std::vector<std::string>& conditions)
{
    for (const std::string& condition : conditions)
    {
        const std::size_t equals = condition.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == condition.size())
        {
            throw PlanError("--where " + condition +
                            ": error: expected KEY=VALUE, such as balance=rails");
        }
        m_conditions.push_back({UseDeclaredNames(condition.substr(0, equals)),
                                condition.substr(equals + 1),
                                Match::None,
                                {}});
    }
}

bool
PointFilter::IsEmpty() const
{
    return m_conditions.empty();
}

bool
PointFilter::Accepts(const Experiment& experiment)
{
    return Accepts(nlohmann::json::parse(experiment.resolvedConfig),
                   {experiment.axes.begin(), experiment.axes.end()},
                   experiment.labels);
}

bool
PointFilter::Accepts(const nlohmann::json& config,
                     const std::map<std::string, std::string>& axes,
                     const std::map<std::string, std::string>& labels)
{
    const std::vector<Match> matches = FindMatches(config, axes, labels);
    bool accepted = true;
    for (std::size_t i = 0; i < matches.size(); ++i)
    {
        accepted = accepted && matches[i] != Match::None && matches[i] == m_conditions[i].best;
    }
    return accepted;
}

void
PointFilter::Learn(const Experiment& experiment)
{
    Learn(nlohmann::json::parse(experiment.resolvedConfig),
          {experiment.axes.begin(), experiment.axes.end()},
          experiment.labels);
}

void
PointFilter::Learn(const nlohmann::json& config,
                   const std::map<std::string, std::string>& axes,
                   const std::map<std::string, std::string>& labels)
{
    FindMatches(config, axes, labels);
}

std::vector<PointFilter::Match>
PointFilter::FindMatches(const nlohmann::json& config,
                         const std::map<std::string, std::string>& axes,
                         const std::map<std::string, std::string>& labels)
{
    std::map<std::string, std::set<std::string>> values = ListValues(config);
    std::map<std::string, std::set<std::string>> names;
    for (const auto* more : {&axes, &labels})
    {
        for (const auto& [key, label] : *more)
        {
            names[key].insert(label);
            values[key].insert(label);
        }
    }
    for (const auto& [key, texts] : values)
    {
        m_keys.insert(key);
    }
    std::vector<Match> matches;
    for (Condition& condition : m_conditions)
    {
        const std::set<std::string>& known = values[condition.key];
        condition.seen.insert(known.begin(), known.end());
        const auto isSame = [&](const std::string& text) {
            return RemoveBlanks(text) == RemoveBlanks(condition.value);
        };
        const Match match = names[condition.key].count(condition.value) > 0   ? Match::Label
                            : known.count(condition.value) > 0                ? Match::Value
                            : std::any_of(known.begin(), known.end(), isSame) ? Match::Blanks
                                                                              : Match::None;
        condition.best = std::max(condition.best, match);
        matches.push_back(match);
    }
    return matches;
}

std::string
PointFilter::DescribeFailure() const
{
    for (const Condition& condition : m_conditions)
    {
        const std::string place = "--where " + condition.key + ": error: ";
        if (condition.seen.empty())
        {
            return place + "no point has such a key" +
                   SuggestName(condition.key, {m_keys.begin(), m_keys.end()});
        }
        if (condition.best == Match::None)
        {
            return place + "no point has the value '" + condition.value + "'; there are " +
                   JoinNames({condition.seen.begin(), condition.seen.end()});
        }
    }
    return "--where: error: no point has all these values together";
}

} // namespace ns3::rails
