// SPDX-License-Identifier: GPL-2.0-only
#include "rails-json-parts.h"

#include <boost/algorithm/string/join.hpp>
#include <nlohmann/json.hpp>
#include <utility>

namespace ns3::rails
{

using Json = nlohmann::ordered_json;

Json
MakeAnyOf(std::vector<Json> choices)
{
    if (choices.size() == 1)
    {
        return std::move(choices.front());
    }
    return {{"anyOf", std::move(choices)}};
}

Json
MakeCondition(Json condition, Json consequence)
{
    return {{"if", std::move(condition)}, {"then", std::move(consequence)}};
}

Json
MakeChoice(Json condition, Json form, Json otherForm)
{
    Json choice = MakeCondition(std::move(condition), std::move(form));
    choice["else"] = std::move(otherForm);
    return choice;
}

Json
MakeListSchema(Json items)
{
    return {{"type", "array"}, {"items", std::move(items)}};
}

Json
MakeTextSchema()
{
    return {{"type", {"string", "number", "boolean"}}};
}

Json
MakeWordSchema(const std::vector<std::string>& words)
{
    return {{"enum", words}};
}

Json
MakeCountSchema(uint64_t least, uint64_t most)
{
    return {{"type", "integer"}, {"minimum", least}, {"maximum", most}};
}

Json
MakeQuantitySchema(Dimension dimension, bool withZero, const std::vector<std::string>& words)
{
    const std::string pattern = MakeQuantityPattern(dimension, withZero);
    const std::string expected = "expected " + DescribeDimension(dimension);
    if (words.empty())
    {
        return {{"type", "string"}, {"pattern", pattern}, {"patternErrorMessage", expected}};
    }
    const std::string either = boost::algorithm::join(words, "$|^");
    const std::string named = boost::algorithm::join(words, "' or '");
    return {{"type", "string"},
            {"pattern", "^" + either + "$|" + pattern},
            {"patternErrorMessage", expected + ", or the word '" + named + "'"},
            {"examples", words}};
}

} // namespace ns3::rails
