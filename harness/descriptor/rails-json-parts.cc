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
    const Json quantity{{"type", "string"},
                        {"pattern", MakeQuantityPattern(dimension, withZero)},
                        {"patternErrorMessage", "expected " + DescribeDimension(dimension)}};
    return word.empty() ? quantity : MakeAnyOf({{{"const", word}}, quantity});
}

} // namespace ns3::rails
