// SPDX-License-Identifier: GPL-2.0-only
#include "rails-json-parts.h"

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
MakeQuantitySchema(Dimension dimension, bool withZero, const std::string& word)
{
    const std::string pattern = MakeQuantityPattern(dimension, withZero);
    const std::string expected = "expected " + DescribeDimension(dimension);
    if (word.empty())
    {
        return {{"type", "string"}, {"pattern", pattern}, {"patternErrorMessage", expected}};
    }
    return {{"type", "string"},
            {"pattern", "^" + word + "$|" + pattern},
            {"patternErrorMessage", expected + ", or the word '" + word + "'"},
            {"examples", {word}}};
}

} // namespace ns3::rails
