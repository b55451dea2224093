// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/generated-page.h"
#include "../run/experiment-fixtures.h"
#include "component-places.h"

#include "ns3/rails-about.h"
#include "ns3/rails-key-help.h"
#include "ns3/rails-schema.h"
#include "ns3/rails-slot.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr std::size_t kWidth = 100;

/// \return a text of which reStructuredText makes the same
std::string
Escape(const std::string& text)
{
    return std::regex_replace(text, std::regex(R"(\*)"), R"(\*)");
}

/// \return a paragraph
std::string
MakeParagraph(const std::string& text)
{
    return Wrap(text, 0, kWidth) + "\n";
}

/// \return an item of a list, its mark at a column
std::string
MakeItem(const std::string& text, std::size_t column, char mark = '-')
{
    std::string item = Wrap(text, column + 2, kWidth);
    item[column] = mark;
    return item;
}

/// \return keys and what they mean, of those that belong to no component
std::string
MakeDefinitions(const std::vector<std::pair<std::string, PlainKey>>& keys)
{
    std::string text;
    for (const auto& [name, key] : keys)
    {
        text += "``" + name + "``\n" + Wrap(Escape(key.meaning), 4, kWidth) + "\n";
    }
    return text.substr(0, text.size() - 1);
}

/// \return a row of a table of keys
std::string
MakeRow(const ComponentKey& key, const nlohmann::ordered_json& defaults)
{
    const bool isComponent = key.Is(ValueKind::Shape::Component);
    std::string standard = FormatDefault(defaults, key);
    if (!defaults.contains(key.name))
    {
        standard = standard.substr(1, standard.size() - 2); // without parentheses
    }
    else
    {
        standard = standard == "{...}" ? "see below" : "``" + standard + "``";
    }
    return "   * - ``" + key.name + "``\n" + MakeItem(standard, 5) +
           MakeItem(isComponent ? DescribeAllowed(key) : DescribeBriefly(key), 5) +
           MakeItem(Escape(key.attribute.help), 5);
}

/**
 * \param id a class
 * \param base the class of all of its place
 * \param listed whether a key is in the table
 * \return a table of its keys, empty when there are none
 */
std::string
MakeTable(TypeId id, TypeId base, const std::function<bool(const std::string& name)>& listed)
{
    const nlohmann::ordered_json defaults = GetDefaults(id, base);
    std::string rows;
    for (const ComponentKey& key : GetComponentKeys(id))
    {
        if (!key.Is(ValueKind::Shape::Unknown) && listed(key.name))
        {
            rows += MakeRow(key, defaults);
        }
    }
    return rows.empty() ? ""
                        : ".. list-table::\n   :header-rows: 1\n   :widths: 18 14 22 46\n\n"
                          "   * - Key\n     - Default\n     - Kind and range\n     - Meaning\n" +
                              rows + "\n";
}

/// \return the type that a place has when a descriptor names none, empty without one
std::string
FindStandard(const Slot& slot)
{
    for (const Section& section : GetSections())
    {
        if (const auto id = GetSectionStandard(section); id && section.name == slot.path)
        {
            return GetComponentTypeName(*id, slot.base);
        }
    }
    for (const DottedKey& key : ListDottedKeys())
    {
        if (key.path == slot.path)
        {
            const DottedKey::Owner& owner = key.owners.front();
            const nlohmann::ordered_json defaults = GetDefaults(owner.type.id, owner.slot.base);
            const bool isOne = defaults.contains(owner.key.name) &&
                               defaults.at(owner.key.name).is_object(); // and no list of them
            return isOne ? defaults.at(owner.key.name).value("type", "") : "";
        }
    }
    return "";
}

/// \return the types of a place, those with the same keys together
std::string
MakeTypes(const Slot& slot)
{
    std::set<std::string> common; // keys that all types have from their base
    for (const ComponentKey& key : GetComponentKeys(slot.base))
    {
        common.insert(key.name);
    }
    const auto isCommon = [&common](const std::string& name) { return common.count(name) > 0; };
    const auto isOwn = [&common](const std::string& name) { return common.count(name) == 0; };
    const std::vector<ComponentType>& types = GetComponentTypes(slot.base);
    std::string text = common.empty() ? ""
                                      : MakeParagraph("Keys of all types:") +
                                            MakeTable(types.front().id, slot.base, isCommon);
    std::vector<std::pair<std::string, std::vector<const ComponentType*>>> groups; // by table
    for (const ComponentType& type : types)
    {
        const std::string table = MakeTable(type.id, slot.base, isOwn);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& each) {
            return each.first == table;
        });
        if (group == groups.end())
        {
            group = groups.insert(groups.end(), {table, {}});
        }
        group->second.push_back(&type);
    }
    const std::string standard = FindStandard(slot);
    for (const auto& [table, members] : groups)
    {
        for (const ComponentType* type : members)
        {
            const std::string what = "``" + type->name + "``" +
                                     (type->name == standard ? " (default)" : "") + ": " +
                                     Escape(GetAbout(type->id));
            text += members.size() > 1 ? MakeItem(what, 0) : Wrap(what, 0, kWidth);
        }
        const std::string none = std::string(members.size() > 1 ? "They have" : "It has") +
                                 (common.empty() ? " no keys." : " no other keys.");
        text += "\n" + (table.empty() ? MakeParagraph(none) : table);
    }
    return text;
}

/// \return the part of the page on a place for components
std::string
MakePart(const Slot& slot)
{
    const auto all = [](const std::string&) { return true; };
    const std::string text =
        MakeParagraph(Escape(slot.meaning)) +
        (HasComponentTypes(slot.base) ? MakeTypes(slot) : MakeTable(slot.base, slot.base, all));
    return text.substr(0, text.size() - 1);
}

} // namespace

/// The page doc/descriptor.rst.
class DescriptorPageTest : public ExperimentTest
{
  protected:
    test::GeneratedPage m_page{"doc/descriptor.rst"};
};

TEST_F(DescriptorPageTest, EveryPlaceForComponentsHasItsTypesAndKeysAsDescribeTellsThem)
{
    for (const Slot& slot : FindPlaces())
    {
        m_page.Expect(slot.path, MakePart(slot));
    }
}

TEST_F(DescriptorPageTest, KeysOutsideOfComponentsAreThere)
{
    std::map<std::string, std::vector<std::pair<std::string, PlainKey>>> parts;
    for (const PlainKey& key : GetPlainKeys())
    {
        const std::size_t point = key.path.rfind('.');
        const bool isTop = point == std::string::npos;
        parts[isTop ? "top level" : key.path.substr(0, point)].emplace_back(
            isTop ? key.path : key.path.substr(point + 1),
            key);
    }
    for (const auto& [part, keys] : parts)
    {
        m_page.Expect(part, MakeDefinitions(keys));
    }
}

TEST_F(DescriptorPageTest, HasNoPartOfWhatDoesNotExist)
{
    std::set<std::string> known{"top level", "sweep", "component"};
    for (const Slot& slot : FindPlaces())
    {
        known.insert(slot.path);
    }
    for (const std::string& part : m_page.GetParts())
    {
        EXPECT_EQ(known.erase(part), 1U) << part;
    }
    EXPECT_EQ(known, std::set<std::string>());
}

} // namespace ns3::rails
