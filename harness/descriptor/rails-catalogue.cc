// SPDX-License-Identifier: GPL-2.0-only
#include "rails-catalogue.h"

#include "component-path.h"
#include "component-registry.h"
#include "rails-key-help.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-nearest-name.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// \return meaning and source from a help string
std::string
DescribeHelp(const std::string& help)
{
    const auto [meaning, source] = KeyHelp::Split(help);
    return (meaning.empty() ? "" : Wrap(meaning, 2)) +
           (source.empty() ? "" : Wrap("Source: " + source, 2));
}

/// Writes the types of a component, a line each.
void
ListTypes(TypeId base, std::ostream& os)
{
    for (const ComponentType& type : GetComponentTypes(base))
    {
        os << "  " << std::left << std::setw(20) << type.name << ' '
           << KeyHelp::Split(GetDocumentation(type.id)).GetFirstSentence() << '\n';
    }
}

/// \return default, meaning, range and source of a key
std::string
DescribeKey(const ComponentKey& key, const nlohmann::ordered_json& defaults)
{
    const auto [meaning, source] = KeyHelp::Split(key.attribute.help);
    return "  " + key.name + ": " + FormatDefault(defaults, key) + "\n" + Wrap(meaning, 6) +
           Wrap(DescribeAllowed(key), 6) +
           (key.alias.empty() ? "" : Wrap("Other name: " + key.alias, 6)) +
           (source.empty() ? "" : Wrap("Source: " + source, 6));
}

std::string
DescribeType(TypeId id, TypeId base)
{
    std::string text = "  " + id.GetName() + "\n" + DescribeHelp(GetDocumentation(id));
    const nlohmann::ordered_json defaults = GetDefaults(id, base);
    for (const ComponentKey& key : GetComponentKeys(id))
    {
        if (!key.Is(ValueKind::Shape::Unknown))
        {
            text += "\n" + DescribeKey(key, defaults);
        }
    }
    return text;
}

std::string
DescribeComponentPath(const ComponentPath& slot)
{
    if (!HasComponentTypes(slot.base))
    {
        return slot.path + "\n" + DescribeType(slot.base, slot.base);
    }
    std::ostringstream text;
    text << slot.path << ": {type: ...}\n" << DescribeHelp(slot.meaning);
    ListTypes(slot.base, text);
    return text.str();
}

bool
EndsWithPart(const std::string& path, const std::string& end)
{
    return path == end || (path.size() > end.size() &&
                           path.compare(path.size() - end.size(), end.size(), end) == 0 &&
                           path[path.size() - end.size() - 1] == '.');
}

/// \return the help of a key in every component with this key
std::vector<std::string>
DescribeKeys(const std::string& name)
{
    std::vector<std::string> pages;
    for (const DottedKey& key : ListDottedKeys())
    {
        const std::set<std::string> paths = key.GetPaths();
        if (std::none_of(paths.begin(), paths.end(), [&name](const std::string& path) {
                return EndsWithPart(path, name);
            }))
        {
            continue;
        }
        for (const DottedKey::Owner& owner : key.owners)
        {
            const TypeId base = owner.slot.base;
            const std::string head =
                HasComponentTypes(base) ? ": {type: " + owner.type.name + "}" : "";
            pages.push_back(owner.slot.path + head + "\n" +
                            DescribeKey(owner.key, GetDefaults(owner.type.id, base)));
        }
    }
    return pages;
}

/// \return the first line of a page about an entry of a list, or of a map by names
std::string
WriteEntry(const ComponentPath& list, const std::string& keys)
{
    return list.path + (list.isNamed ? ": {NAME: {" + keys + "}}\n" : ": [{" + keys + "}]\n");
}

/// \return the help of a key, or a type, of the components of a list
std::vector<std::string>
DescribeEntryKeys(const std::string& name)
{
    std::vector<std::string> pages;
    for (const ComponentPath& list : FindEntryPaths())
    {
        for (const ComponentType& type : GetComponentTypes(list.base))
        {
            const bool typed = HasComponentTypes(list.base);
            if (typed && EndsWithPart(list.path + "." + type.name, name))
            {
                pages.push_back(WriteEntry(list, "type: " + type.name) +
                                DescribeType(type.id, list.base));
            }
            for (const ComponentKey& key : GetComponentKeys(type.id))
            {
                if (EndsWithPart(list.path + "." + key.name, name))
                {
                    const std::string head = typed ? "type: " + type.name + ", " : "";
                    const std::string& help = key.attribute.help;
                    pages.push_back(WriteEntry(list, head + key.name + ": ...") +
                                    DescribeHelp(help) + Wrap(DescribeAllowed(key), 2));
                }
            }
        }
    }
    return pages;
}

} // namespace

std::string
ListComponents()
{
    std::ostringstream text;
    for (const PlainKey& key : GetPlainKeys())
    {
        text << key.path << '\n' << Wrap(key.meaning, 2);
    }
    for (const ComponentPath& slot : FindComponentPaths())
    {
        text << slot.path << '\n' << Wrap(KeyHelp::Split(slot.meaning).GetFirstSentence(), 2);
        if (HasComponentTypes(slot.base))
        {
            ListTypes(slot.base, text);
        }
    }
    return text.str();
}

std::string
DescribeName(const std::string& name)
{
    std::vector<std::string> pages;
    std::vector<std::string> known;
    for (const PlainKey& key : GetPlainKeys())
    {
        known.push_back(key.path);
        if (EndsWithPart(key.path, name))
        {
            pages.push_back(key.path + "\n" + Wrap(key.meaning, 2));
        }
    }
    for (const ComponentPath& slot : FindComponentPaths())
    {
        known.push_back(slot.path);
        const bool type = HasComponentTypes(slot.base) && EndsWithPart(slot.path + ".type", name);
        if (EndsWithPart(slot.path, name) || type || slot.base.GetName() == name)
        {
            pages.push_back(DescribeComponentPath(slot));
        }
        if (!HasComponentTypes(slot.base))
        {
            continue;
        }
        for (const ComponentType& type : GetComponentTypes(slot.base))
        {
            known.push_back(type.name);
            if (EndsWithPart(slot.path + "." + type.name, name) || type.IsCalled(name))
            {
                pages.push_back(slot.path + ": {type: " + type.name + "}\n" +
                                DescribeType(type.id, slot.base));
            }
        }
    }
    if (pages.empty())
    {
        pages = DescribeKeys(name);
        const std::vector<std::string> more = DescribeEntryKeys(name);
        pages.insert(pages.end(), more.begin(), more.end());
    }
    if (pages.empty())
    {
        std::sort(known.begin(), known.end());
        known.erase(std::unique(known.begin(), known.end()), known.end());
        throw UnknownNameError("describe " + name + ": error: no component of this name" +
                               SuggestName(name, known));
    }
    std::string text;
    for (const std::string& page : pages)
    {
        text += (text.empty() ? "" : "\n") + page;
    }
    return text;
}

} // namespace ns3::rails
