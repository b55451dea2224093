// SPDX-License-Identifier: GPL-2.0-only
#include "rails-entry-form.h"

#include "ns3/key-rule.h"
#include "ns3/rails-nearest-name.h"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// \return "compute: TIME" or "dispatch"; only the type without a short form
std::string
DescribeForm(const ComponentType& type)
{
    const ComponentKey* only = FindOnlyKey(type.id);
    if (!only)
    {
        return type.name;
    }
    const std::string kind = only->kind->GetName(only->attribute);
    return type.name + ": " + boost::algorithm::to_upper_copy(kind.substr(0, kind.find(' ')));
}

/// \return "phase (dispatch, compute: TIME)", "failure (a map of at, link, ...)"
std::string
DescribeForms(const std::string& noun, TypeId base)
{
    std::vector<std::string> forms;
    if (!HasComponentTypes(base))
    {
        for (const ComponentKey& key : GetComponentKeys(base))
        {
            forms.push_back(key.name);
        }
        return noun + " (a map of " + JoinNames(forms) + ")";
    }
    for (const ComponentType& type : GetComponentTypes(base))
    {
        forms.push_back(DescribeForm(type));
    }
    return noun + " (" + JoinNames(forms) + ")";
}

const ComponentType&
FindType(const ComponentListChecker& checker, const std::string& name, const Place& place)
{
    const std::vector<ComponentType>& types = GetComponentTypes(checker.GetBase());
    for (const ComponentType& type : types)
    {
        if (type.IsCalled(name))
        {
            return type;
        }
    }
    throw DescriptorError(place,
                          "unknown " + checker.GetNoun() + " '" + name + "'" +
                              SuggestType(name, checker.GetBase()));
}

YamlNode
MakeMap(const YamlNode& node, const std::string& type)
{
    YamlNode map;
    map.kind = YamlNode::Kind::Map;
    map.place = node.place;
    YamlNode name;
    name.kind = YamlNode::Kind::Scalar;
    name.place = node.place;
    name.text = type;
    map.entries.push_back({"type", node.place, std::move(name)});
    return map;
}

} // namespace

const ComponentListChecker&
GetListChecker(const TypeId::AttributeInformation& attribute)
{
    return dynamic_cast<const ComponentListChecker&>(*attribute.checker);
}

const ComponentKey*
FindOnlyKey(TypeId type)
{
    const std::vector<ComponentKey>& keys = GetComponentKeys(type);
    return keys.size() == 1 ? &keys.front() : nullptr;
}

bool
NeedsKeys(TypeId type)
{
    const Ptr<Object> component = CreateComponent(type);
    const auto* rules = dynamic_cast<const KeyRules*>(PeekPointer(component));
    if (!rules)
    {
        return false;
    }
    const std::vector<KeyRule> all = rules->GetKeyRules();
    return std::any_of(all.begin(), all.end(), [](const KeyRule& rule) {
        return rule.demand != KeyRule::Demand::None && rule.with.empty();
    });
}

std::string
DescribeExpectedList(const ComponentListChecker& checker)
{
    const std::string nouns = checker.GetNoun() + "s";
    if (checker.IsNamed())
    {
        return "a map of " + nouns + " by their names";
    }
    const TypeId base = checker.GetBase();
    return "a list of " + (HasComponentTypes(base) ? DescribeForms(nouns, base) : nouns);
}

YamlNode
ExpandEntry(const ComponentListChecker& checker, const YamlNode& node)
{
    const TypeId base = checker.GetBase();
    const bool isMap = node.kind == YamlNode::Kind::Map;
    if (isMap && (!HasComponentTypes(base) || node.Find("type")))
    {
        return node;
    }
    if (HasComponentTypes(base) && node.kind == YamlNode::Kind::Scalar)
    {
        return MakeMap(node, FindType(checker, node.text, node.place).name);
    }
    if (!isMap || node.entries.size() != 1)
    {
        throw DescriptorError(node.place,
                              "expected a " + DescribeForms(checker.GetNoun(), base) + ", found " +
                                  node.Describe());
    }
    const YamlEntry& entry = node.entries.front();
    const ComponentType& type = FindType(checker, entry.key, node.place);
    const ComponentKey* only = FindOnlyKey(type.id);
    if (!only)
    {
        throw DescriptorError(entry.value.place,
                              "'" + type.name + "' has " +
                                  (GetComponentKeys(type.id).empty()
                                       ? "no keys; write " + type.name + " alone"
                                       : "several keys; write {type: " + type.name + ", ...}"));
    }
    YamlNode map = MakeMap(node, type.name);
    map.entries.push_back({only->name, entry.place, entry.value});
    return map;
}

nlohmann::ordered_json
ShortenEntry(TypeId type, nlohmann::ordered_json keys)
{
    if (!keys.contains("type"))
    {
        return keys;
    }
    if (keys.size() == 1)
    {
        return keys.at("type");
    }
    const ComponentKey* only = FindOnlyKey(type);
    if (!only)
    {
        return keys;
    }
    nlohmann::ordered_json entry = nlohmann::ordered_json::object();
    entry[keys.at("type").get<std::string>()] = keys.at(only->name);
    return entry;
}

} // namespace ns3::rails
