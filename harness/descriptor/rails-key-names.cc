// SPDX-License-Identifier: GPL-2.0-only
#include "rails-key-names.h"

#include "component-path.h"
#include "component-registry.h"
#include "rails-entry-form.h"
#include "rails-sweep.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

const std::string kSweep = "sweep";

/// The possible components at a path of a descriptor.
struct Level
{
    std::vector<TypeId> bases; //!< of the components
    bool isList{false};        //!< a list of them, or a map by names of the user's own
};

/// The keys that a component can have.
using Keys = std::vector<const ComponentKey*>;

/// \param node the component; its type, if any, determines the keys
Keys
ListKeys(const Level& level, const YamlNode* node)
{
    const YamlEntry* type = node ? node->Find("type") : nullptr;
    Keys all;
    Keys own;
    for (const TypeId& base : level.bases)
    {
        for (const ComponentType& known : GetComponentTypes(base))
        {
            const bool isOwn = type && known.IsCalled(type->value.text);
            for (const ComponentKey& key : GetComponentKeys(known.id))
            {
                all.push_back(&key);
                if (isOwn)
                {
                    own.push_back(&key);
                }
            }
        }
    }
    return own.empty() ? all : own;
}

/// \return the declared name of a key
std::string
FindDeclaredName(const Keys& keys, const std::string& name)
{
    std::string declared = name;
    for (const ComponentKey* key : keys)
    {
        if (key->name == name)
        {
            return name;
        }
        if (key->alias == name)
        {
            declared = key->name;
        }
    }
    return declared;
}

/// \return the possible components below a key
Level
Enter(const Keys& keys, const std::string& name)
{
    Level inner;
    for (const ComponentKey* key : keys)
    {
        const bool isList = key->Is(ValueKind::Shape::ComponentList);
        if (key->name != name || (!isList && !key->Is(ValueKind::Shape::Component)))
        {
            continue;
        }
        const TypeId base =
            isList ? GetListChecker(key->attribute).GetBase() : GetInnerBase(key->attribute);
        if (std::find(inner.bases.begin(), inner.bases.end(), base) == inner.bases.end())
        {
            inner.bases.push_back(base);
        }
        inner.isList = isList;
    }
    return inner;
}

/**
 * Puts declared names into a dotted path.
 * \param [in,out] path from the top of a descriptor
 * \return the possible components there
 */
Level
FollowPath(std::string& path)
{
    Level level;
    std::string declared;
    for (const std::string& part : SplitPath(path))
    {
        if (declared.empty())
        {
            declared = part;
            for (const Section& section : GetSections())
            {
                if (section.name == part)
                {
                    level.bases.push_back(GetSectionBase(section));
                }
            }
            continue;
        }
        declared += '.';
        if (level.isList)
        {
            declared += part;
            level.isList = false;
            continue;
        }
        const Keys keys = ListKeys(level, nullptr);
        const std::string name = FindDeclaredName(keys, part);
        declared += name;
        level = Enter(keys, name);
    }
    path = declared;
    return level;
}

/// Renames the keys of a map. \param getName gives the declared name of a key
template <typename T>
void
Rename(YamlNode& map, DiagnosticList& diagnostics, const T& getName)
{
    std::map<std::string, YamlEntry> known; // by declared names, as they were typed
    std::vector<YamlEntry> entries;
    for (YamlEntry& entry : map.entries)
    {
        const std::string name = getName(entry.key);
        const auto [first, isNew] = known.emplace(name, YamlEntry{entry.key, entry.place, {}});
        if (!isNew)
        {
            diagnostics.Add(entry.place,
                            "'" + entry.key + "' and '" + first->second.key + "' at " +
                                first->second.place.ToString() +
                                " are two names of one key: take one of them away");
            continue;
        }
        entry.key = name;
        entries.push_back(std::move(entry));
    }
    map.entries = std::move(entries);
}

void
NameValue(const Level& level, YamlNode& node, DiagnosticList& diagnostics)
{
    if (level.bases.empty())
    {
        return;
    }
    for (YamlNode& item : node.items)
    {
        NameValue({level.bases, false}, item, diagnostics);
    }
    if (level.isList)
    {
        for (YamlEntry& entry : node.entries)
        {
            NameValue({level.bases, false}, entry.value, diagnostics);
        }
        return;
    }
    const Keys keys = ListKeys(level, &node);
    Rename(node, diagnostics, [&](const std::string& key) { return FindDeclaredName(keys, key); });
    for (YamlEntry& entry : node.entries)
    {
        // {label: X, value: Y} is Y.
        const bool isWhole = entry.key == "value" && node.Find("label");
        NameValue(isWhole ? level : Enter(keys, entry.key), entry.value, diagnostics);
    }
}

/// \param [in,out] map of dotted keys \param isAxes their values are lists of values
void
NamePaths(YamlNode& map, bool isAxes, DiagnosticList& diagnostics)
{
    Rename(map, diagnostics, [](const std::string& key) { return UseDeclaredNames(key); });
    for (YamlEntry& entry : map.entries)
    {
        const Level level = FollowPath(entry.key);
        if (!isAxes)
        {
            NameValue(level, entry.value, diagnostics);
            continue;
        }
        for (YamlNode& item : entry.value.items)
        {
            NameValue(level, item, diagnostics);
        }
    }
}

void
NameSweep(YamlNode& sweep, DiagnosticList& diagnostics)
{
    NamePaths(sweep, true, diagnostics); // its own keys are no sections
    for (const std::string key : {kSweepZip, kSweepPoints, kSweepBaseline})
    {
        YamlEntry* entry = sweep.Find(key);
        if (!entry)
        {
            continue;
        }
        const bool isAxes = key == kSweepZip;
        NamePaths(entry->value, isAxes, diagnostics);
        for (YamlNode& item : entry->value.items)
        {
            NamePaths(item, isAxes, diagnostics);
        }
    }
}

} // namespace

std::string
UseDeclaredNames(const std::string& path)
{
    std::string declared = path;
    FollowPath(declared);
    return declared;
}

void
UseDeclaredNames(YamlNode& root, DiagnosticList& diagnostics)
{
    for (YamlEntry& entry : root.entries)
    {
        if (entry.key == kSweep)
        {
            NameSweep(entry.value, diagnostics);
            continue;
        }
        std::string path = entry.key;
        NameValue(FollowPath(path), entry.value, diagnostics);
    }
}

void
UseDeclaredNames(Override& set, DiagnosticList& diagnostics)
{
    if (set.key == kSweep)
    {
        NameSweep(set.value, diagnostics);
        return;
    }
    if (!IsInside(set.key, kSweep))
    {
        NameValue(FollowPath(set.key), set.value, diagnostics);
        return;
    }
    const std::string start = kSweep + ".";
    YamlNode sweep;
    sweep.kind = YamlNode::Kind::Map;
    sweep.entries.push_back({set.key.substr(start.size()), set.place, std::move(set.value)});
    NameSweep(sweep, diagnostics);
    set.key = start + sweep.entries.front().key;
    set.value = std::move(sweep.entries.front().value);
}

} // namespace ns3::rails
