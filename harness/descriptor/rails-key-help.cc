// SPDX-License-Identifier: GPL-2.0-only
#include "rails-key-help.h"

#include "component-path.h"
#include "rails-effective-config.h"

#include "ns3/rails-nearest-name.h"
#include "ns3/rails-quantity.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

namespace ns3::rails
{

KeyHelp
KeyHelp::Split(const std::string& help)
{
    const std::size_t open = help.rfind(". (");
    if (open == std::string::npos || help.back() != ')')
    {
        return {help, ""};
    }
    return {help.substr(0, open + 1), help.substr(open + 3, help.size() - open - 4)};
}

std::string
KeyHelp::GetFirstSentence() const
{
    return meaning.substr(0, std::min(meaning.find(". "), meaning.size() - 1) + 1);
}

std::string
Wrap(const std::string& text, std::size_t indent, std::size_t width)
{
    std::istringstream words(text);
    std::ostringstream wrapped;
    std::size_t column = width;
    for (std::string word; words >> word;)
    {
        if (column + 1 + word.size() > width)
        {
            wrapped << (wrapped.tellp() > 0 ? "\n" : "") << std::string(indent, ' ') << word;
            column = indent + word.size();
        }
        else
        {
            wrapped << ' ' << word;
            column += 1 + word.size();
        }
    }
    wrapped << '\n';
    return wrapped.str();
}

std::string
DescribeBriefly(const ComponentKey& key)
{
    std::string kind = key.kind->GetName(key.attribute);
    kind = kind.substr(0, kind.find(" ("));
    const std::string range = key.kind->DescribeRange(key.attribute);
    return kind + (range.empty() ? "" : ": " + range);
}

std::string
DescribeAllowed(const ComponentKey& key)
{
    if (!key.Is(ValueKind::Shape::Component))
    {
        return key.kind->DescribeAllowed(key.attribute);
    }
    const TypeId base = GetInnerBase(key.attribute);
    std::vector<std::string> names;
    if (HasComponentTypes(base))
    {
        for (const ComponentType& type : GetComponentTypes(base))
        {
            names.push_back(type.name);
        }
        return "component of type " + JoinNames(names);
    }
    for (const ComponentKey& inner : GetComponentKeys(base))
    {
        names.push_back(inner.name);
    }
    return "component: " + JoinNames(names);
}

nlohmann::ordered_json
GetDefaults(TypeId id, TypeId base)
{
    return DescribeComponent(*CreateComponent(id), base);
}

std::string
FormatDefault(const nlohmann::ordered_json& defaults, const ComponentKey& key)
{
    if (!defaults.contains(key.name))
    {
        return key.Is(ValueKind::Shape::Component) && !key.IsOptional() ? "(required)" : "(none)";
    }
    const nlohmann::ordered_json& value = defaults.at(key.name);
    if (key.Is(ValueKind::Shape::Component))
    {
        return value.contains("type") ? value.at("type").get<std::string>() : "{...}";
    }
    if (value.is_string())
    {
        const auto text = value.get<std::string>();
        return text.empty() ? "\"\"" : text;
    }
    return value.is_number_float() ? FormatNumber(value.get<double>()) : value.dump();
}

} // namespace ns3::rails
