// SPDX-License-Identifier: GPL-2.0-only
#include "key-rule.h"

#include "rails-error.h"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

namespace ns3::rails
{

void
KeyRule::Check(const std::set<std::string>& given) const
{
    const auto isGiven = [&given](const std::string& key) { return given.count(key) > 0; };
    const auto complain = [](const std::string& text, const std::string& named, bool isThere) {
        throw ConfigurationError(isThere ? named : "",
                                 boost::algorithm::replace_all_copy(text, "%", named));
    };
    if ((!with.empty() && std::none_of(with.begin(), with.end(), isGiven)) ||
        std::any_of(without.begin(), without.end(), isGiven))
    {
        return;
    }
    std::vector<std::string> found;
    std::vector<std::string> missing;
    for (const std::string& key : keys)
    {
        (isGiven(key) ? found : missing).push_back(key);
    }
    switch (demand)
    {
    case Demand::All:
        if (!missing.empty())
        {
            complain(message, missing.front(), false);
        }
        break;
    case Demand::OneOf:
        if (found.empty())
        {
            complain(message, missing.front(), false);
        }
        if (found.size() > 1)
        {
            complain(excess, found[1], true);
        }
        break;
    case Demand::None:
        if (!found.empty())
        {
            complain(message, found.front(), true);
        }
        break;
    }
}

std::vector<KeyRule>
KeyRules::GetKeyRules() const
{
    return {};
}

void
KeyRules::CheckValues() const
{
}

} // namespace ns3::rails
