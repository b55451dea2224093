// SPDX-License-Identifier: GPL-2.0-only
#include "component-path.h"

#include "rails-entry-form.h"

#include "ns3/component-documentation.h"
#include "ns3/pointer.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace ns3::rails
{

namespace
{

/**
 * Adds the components in the keys of a component, recursively.
 * \param around bases of the enclosing components
 */
void
AddInnerPaths(const ComponentPath& outer,
              std::vector<TypeId> around,
              std::vector<ComponentPath>& slots)
{
    around.push_back(outer.base);
    for (const ComponentType& type : GetComponentTypes(outer.base))
    {
        for (const ComponentKey& key : GetComponentKeys(type.id))
        {
            if (!key.Is(ValueKind::Shape::Component))
            {
                continue;
            }
            const ComponentPath slot{outer.path + "." + key.name,
                                     GetInnerBase(key.attribute),
                                     key.attribute.help};
            const bool known =
                std::any_of(slots.begin(), slots.end(), [&](const ComponentPath& other) {
                    return other.path == slot.path && other.base == slot.base;
                });
            if (!known && std::find(around.begin(), around.end(), slot.base) == around.end())
            {
                slots.push_back(slot);
                AddInnerPaths(slot, around, slots);
            }
        }
    }
}

} // namespace

std::vector<ComponentPath>
FindComponentPaths()
{
    std::vector<ComponentPath> slots;
    for (const Section& section : GetSections())
    {
        const TypeId base = GetSectionBase(section);
        const ComponentPath slot{section.name,
                                 base,
                                 section.meaning.empty() ? GetDocumentation(base)
                                                         : section.meaning};
        slots.push_back(slot);
        AddInnerPaths(slot, {}, slots);
    }
    return slots;
}

std::vector<ComponentPath>
FindEntryPaths()
{
    std::vector<ComponentPath> slots;
    for (const DottedKey& key : ListDottedKeys())
    {
        const ComponentKey& first = key.owners.front().key;
        if (first.Is(ValueKind::Shape::ComponentList))
        {
            const TypeId::AttributeInformation& attribute = first.attribute;
            const ComponentListChecker& checker = GetListChecker(attribute);
            const ComponentPath slot{key.path,
                                     checker.GetBase(),
                                     attribute.help,
                                     checker.IsNamed()};
            slots.push_back(slot);
            AddInnerPaths(slot, {}, slots);
        }
    }
    return slots;
}

std::set<std::string>
DottedKey::GetPaths() const
{
    std::set<std::string> paths{path};
    for (const auto& [slot, type, key] : owners)
    {
        if (!key.alias.empty())
        {
            paths.insert(slot.path + "." + key.alias);
        }
    }
    return paths;
}

std::vector<DottedKey>
ListDottedKeys()
{
    std::vector<DottedKey> keys;
    std::map<std::string, std::size_t> known; // by path
    for (const ComponentPath& slot : FindComponentPaths())
    {
        for (const ComponentType& type : GetComponentTypes(slot.base))
        {
            for (const ComponentKey& key : GetComponentKeys(type.id))
            {
                if (key.Is(ValueKind::Shape::Unknown))
                {
                    continue;
                }
                const std::string path = slot.path + "." + key.name;
                if (known.emplace(path, keys.size()).second)
                {
                    keys.push_back({path, {}});
                }
                keys[known.at(path)].owners.push_back({slot, type, key});
            }
        }
    }
    return keys;
}

TypeId
GetInnerBase(const TypeId::AttributeInformation& attribute)
{
    return dynamic_cast<const PointerChecker&>(*attribute.checker).GetPointeeTypeId();
}

} // namespace ns3::rails
