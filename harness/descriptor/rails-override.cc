// SPDX-License-Identifier: GPL-2.0-only
#include "rails-override.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return the map below a key, created if missing
YamlNode&
Descend(YamlNode& map, const std::string& key, const Place& place)
{
    YamlEntry* entry = map.Find(key);
    if (!entry)
    {
        map.entries.push_back({key, place, {}});
        entry = &map.entries.back();
        entry->value.place = place;
    }
    YamlNode& node = entry->value;
    if (node.kind == YamlNode::Kind::List)
    {
        throw DescriptorError(place, "'" + key + "' is a list; it has no keys");
    }
    if (node.kind == YamlNode::Kind::Scalar)
    {
        // The short form of a component.
        YamlNode type = std::move(node);
        node = YamlNode();
        node.place = place;
        node.entries.push_back({"type", entry->place, std::move(type)});
    }
    node.kind = YamlNode::Kind::Map;
    return node;
}

/// Values inside maps and lists are at places that name their keys.
void
NamePlaces(YamlNode& node)
{
    const auto name = [&node](YamlNode& value, const std::string& key) {
        value.place.source = node.place.source + "." + key;
        NamePlaces(value);
    };
    for (YamlEntry& entry : node.entries)
    {
        entry.place.source = node.place.source;
        name(entry.value, entry.key);
    }
    for (std::size_t i = 0; i < node.items.size(); ++i)
    {
        name(node.items[i], std::to_string(i));
    }
}

} // namespace

Override
Override::Parse(const std::string& text)
{
    const std::size_t equals = text.find('=');
    Override result;
    result.key = text.substr(0, equals);
    result.place = {"--set " + result.key, 0, 0};
    if (equals == std::string::npos)
    {
        throw DescriptorError(result.place, "expected KEY=VALUE, such as transport.mtu=1024B");
    }
    const std::vector<std::string> parts = SplitPath(result.key);
    if (std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.empty(); }))
    {
        throw DescriptorError(result.place,
                              "expected a key with points between its parts, such as "
                              "transport.mtu");
    }
    if (equals + 1 == text.size())
    {
        throw DescriptorError(result.place, "the value is missing");
    }
    result.value = ParseYaml(text.substr(equals + 1), result.place.source, false);
    NamePlaces(result.value);
    return result;
}

void
Override::Apply(YamlNode& root) const
{
    const std::vector<std::string> parts = SplitPath(key);
    YamlNode* map = &root;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
    {
        map = &Descend(*map, parts[i], place);
    }
    const std::string& last = parts.back();
    YamlEntry* entry = map->Find(last);
    const bool same =
        entry && entry->value.kind == YamlNode::Kind::Scalar && entry->value.text == value.text;
    if (last == "type" && !same)
    {
        map->entries.clear();
        map->place = place;
        entry = nullptr;
    }
    if (!entry)
    {
        map->entries.push_back({last, place, value});
        return;
    }
    entry->place = place;
    entry->value = value;
}

bool
Override::IsBefore(const Override& other) const
{
    return SplitPath(GetTarget()).size() < SplitPath(other.GetTarget()).size();
}

std::string
Override::GetTarget() const
{
    const std::string type = ".type";
    const bool onlyType =
        key.size() > type.size() && key.compare(key.size() - type.size(), type.size(), type) == 0;
    return onlyType ? key.substr(0, key.size() - type.size()) : key;
}

std::vector<std::string>
SplitPath(const std::string& path)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (begin <= path.size())
    {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        parts.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

bool
IsInside(const std::string& key, const std::string& outer)
{
    return key.size() > outer.size() && key.compare(0, outer.size(), outer) == 0 &&
           key[outer.size()] == '.';
}

} // namespace ns3::rails
