// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/generated-page.h"
#include "../../support/pages.h"
#include "../run/experiment-fixtures.h"
#include "component-places.h"

#include "ns3/component-documentation.h"
#include "ns3/component-path.h"
#include "ns3/component-registry.h"
#include "ns3/rails-key-help.h"

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

/// \return the kind and the meaning of a key, as cells of a row
std::string
MakeMeaning(const ComponentKey& key)
{
    const bool isComponent = key.Is(ValueKind::Shape::Component);
    return MakeItem(isComponent ? DescribeAllowed(key) : DescribeBriefly(key), 5) +
           MakeItem(Escape(key.attribute.help), 5);
}

/// \return a row of a table of keys
std::string
MakeRow(const ComponentKey& key, const nlohmann::ordered_json& defaults)
{
    std::string standard = FormatDefault(defaults, key);
    if (!defaults.contains(key.name))
    {
        standard = standard.substr(1, standard.size() - 2); // without parentheses
    }
    else
    {
        standard = standard == "{...}" ? "see below" : "``" + standard + "``";
    }
    const std::string alias = key.alias.empty() ? "" : " or ``" + key.alias + "``";
    return "   * - ``" + key.name + "``" + alias + "\n" + MakeItem(standard, 5) + MakeMeaning(key);
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
FindStandard(const ComponentPath& slot)
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

/// \return the keys of a type with their meanings, and nothing of its defaults
std::string
MakeMeanings(TypeId id)
{
    std::string rows;
    for (const ComponentKey& key : GetComponentKeys(id))
    {
        rows += "   * - ``" + key.name + "``\n" + MakeMeaning(key);
    }
    return ".. list-table::\n   :header-rows: 1\n   :widths: 18 28 54\n\n"
           "   * - Key\n     - Kind and range\n     - Meaning\n" +
           rows + "\n";
}

/// \return whether the types of a place differ by the defaults of their keys alone
bool
DifferByDefaults(const std::vector<ComponentType>& types)
{
    const std::string meanings = MakeMeanings(types.front().id);
    return types.size() > 2 && GetComponentKeys(types.front().id).size() > 1 &&
           std::all_of(types.begin(), types.end(), [&meanings](const ComponentType& type) {
               return MakeMeanings(type.id) == meanings;
           });
}

/// \return such types: what each is, what the keys mean, and a table of all defaults
std::string
MakeTypesByDefaults(const ComponentPath& slot, const std::string& standard)
{
    const std::vector<ComponentType>& types = GetComponentTypes(slot.base);
    std::string text;
    std::string rows;
    for (const ComponentType& type : types)
    {
        text += MakeItem("``" + type.name + "``" + (type.name == standard ? " (default)" : "") +
                             ": " + Escape(GetDocumentation(type.id)),
                         0);
        const nlohmann::ordered_json defaults = GetDefaults(type.id, slot.base);
        rows += "   ``" + type.name + "``";
        for (const ComponentKey& key : GetComponentKeys(type.id))
        {
            rows += ", " + FormatDefault(defaults, key);
        }
        rows += "\n";
    }
    std::string head = "Type";
    for (const ComponentKey& key : GetComponentKeys(types.front().id))
    {
        head += ", ``" + key.name + "``";
    }
    return text + "\n" + MakeParagraph("Keys of all types:") + MakeMeanings(types.front().id) +
           MakeParagraph("Their defaults:") + ".. csv-table::\n   :header-rows: 1\n\n   " + head +
           "\n" + rows + "\n";
}

/// \return the types of a place, those with the same keys together
std::string
MakeTypes(const ComponentPath& slot)
{
    if (DifferByDefaults(GetComponentTypes(slot.base)))
    {
        return MakeTypesByDefaults(slot, FindStandard(slot));
    }
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
                                     Escape(GetDocumentation(type->id));
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
MakePart(const ComponentPath& slot)
{
    const auto all = [](const std::string&) { return true; };
    const std::string text =
        MakeParagraph(Escape(slot.meaning)) +
        (HasComponentTypes(slot.base) ? MakeTypes(slot) : MakeTable(slot.base, slot.base, all));
    return text.substr(0, text.size() - 1);
}

} // namespace

/// The pages of the descriptor: doc/descriptor.rst and those in doc/descriptor. Which part stands
/// on which page is up to the pages.
class DescriptorPageTest : public ExperimentTest
{
  protected:
    DescriptorPageTest()
    {
        for (const std::string& path : test::ListPages())
        {
            if (path.rfind("doc/descriptor", 0) == 0)
            {
                m_pages.emplace_back(path);
            }
        }
    }

    /// Fails when a part is on no page, or not what it should be, see GeneratedPage.
    void Expect(const std::string& part, const std::string& text)
    {
        const auto page = std::find_if(m_pages.begin(), m_pages.end(), [&part](const auto& each) {
            const std::vector<std::string> parts = each.GetParts();
            return std::count(parts.begin(), parts.end(), part) > 0;
        });
        (page == m_pages.end() ? m_pages.front() : *page).Expect(part, text);
    }

    std::vector<test::GeneratedPage> m_pages;
};

TEST_F(DescriptorPageTest, EveryPlaceForComponentsHasItsTypesAndKeysAsDescribeTellsThem)
{
    for (const ComponentPath& slot : FindPlaces())
    {
        Expect(slot.path, MakePart(slot));
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
        Expect(part, MakeDefinitions(keys));
    }
}

TEST_F(DescriptorPageTest, HasNoPartOfWhatDoesNotExist)
{
    std::set<std::string> known{"top level", "sweep", "component"};
    for (const ComponentPath& slot : FindPlaces())
    {
        known.insert(slot.path);
    }
    for (const test::GeneratedPage& page : m_pages)
    {
        for (const std::string& part : page.GetParts())
        {
            EXPECT_EQ(known.erase(part), 1U) << part;
        }
    }
    EXPECT_EQ(known, std::set<std::string>());
}

TEST_F(DescriptorPageTest, TheFirstLeadsToAllOthers)
{
    ASSERT_GT(m_pages.size(), 5U);
    for (const std::string& path : test::ListPages())
    {
        if (path.rfind("doc/descriptor/", 0) == 0)
        {
            EXPECT_NE(m_pages.front().GetText().find("<" + path.substr(4) + ">`_"),
                      std::string::npos)
                << path;
        }
    }
}

} // namespace ns3::rails
