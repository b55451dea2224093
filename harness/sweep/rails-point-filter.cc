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

/// \return the values of all keys: "transport.mtu", and of "balance" its type and its label
std::map<std::string, std::set<std::string>>
ListValues(const nlohmann::json& config,
           const std::map<std::string, std::string>& axes,
           const std::map<std::string, std::string>& labels)
{
    std::map<std::string, std::set<std::string>> values;
    const nlohmann::json flat = config.flatten();
    for (const auto& [pointer, value] : flat.items())
    {
        std::string key = pointer.substr(1);
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
    for (const auto* names : {&axes, &labels})
    {
        for (const auto& [key, label] : *names)
        {
            values[key].insert(label);
        }
    }
    return values;
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
        m_conditions.push_back(
            {UseDeclaredNames(condition.substr(0, equals)), condition.substr(equals + 1), {}});
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
    return Accepts(nlohmann::json::parse(experiment.effective),
                   {experiment.axes.begin(), experiment.axes.end()},
                   experiment.labels);
}

bool
PointFilter::Accepts(const nlohmann::json& config,
                     const std::map<std::string, std::string>& axes,
                     const std::map<std::string, std::string>& labels)
{
    const std::map<std::string, std::set<std::string>> values = ListValues(config, axes, labels);
    for (const auto& [key, texts] : values)
    {
        m_keys.insert(key);
    }
    bool accepted = true;
    for (Condition& condition : m_conditions)
    {
        const auto found = values.find(condition.key);
        const bool holds = found != values.end() && found->second.count(condition.value) > 0;
        if (found != values.end())
        {
            condition.seen.insert(found->second.begin(), found->second.end());
        }
        accepted = accepted && holds;
    }
    return accepted;
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
        if (condition.seen.count(condition.value) == 0)
        {
            return place + "no point has the value '" + condition.value + "'; there are " +
                   JoinNames({condition.seen.begin(), condition.seen.end()});
        }
    }
    return "--where: error: no point has all these values together";
}

} // namespace ns3::rails
