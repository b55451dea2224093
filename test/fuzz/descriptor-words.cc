// SPDX-License-Identifier: GPL-2.0-only

// Prints what descriptors are made of, as a dictionary of libFuzzer: sections, types, keys, words
// and units as this build knows them, and YAML's own marks.

#include "ns3/component-registry.h"
#include "ns3/pointer.h"
#include "ns3/rails-entry-form.h"
#include "ns3/rails-quantity.h"

#include <iostream>
#include <set>
#include <sstream>
#include <string>

namespace
{

using namespace ns3;
using namespace ns3::rails;

/// Adds the words of the components of a base, and of those inside them, unless it is known.
void
AddComponents(TypeId base, std::set<TypeId>& known, std::set<std::string>& words)
{
    if (!known.insert(base).second)
    {
        return; // components may hold others of their own base
    }
    const bool hasTypes = HasComponentTypes(base);
    for (const ComponentType& type : GetComponentTypes(base))
    {
        if (hasTypes)
        {
            words.insert(type.name);
        }
        for (const ComponentKey& key : GetComponentKeys(type.id))
        {
            words.insert(key.name);
            words.insert(key.alias.empty() ? key.name : key.alias);
            const auto valueWords = key.kind->GetWords(key.attribute);
            words.insert(valueWords.begin(), valueWords.end());
            if (key.Is(ValueKind::Shape::Component))
            {
                const auto& checker = dynamic_cast<const PointerChecker&>(*key.attribute.checker);
                AddComponents(checker.GetPointeeTypeId(), known, words);
            }
            else if (key.Is(ValueKind::Shape::ComponentList))
            {
                AddComponents(GetListChecker(key.attribute).GetBase(), known, words);
            }
        }
    }
}

} // namespace

int
main()
{
    std::set<std::string> words{"type",
                                "true",
                                "false",
                                "null",
                                "sweep.",
                                "--set ",
                                "\n--set ",
                                ": ",
                                ", ",
                                "- ",
                                "[",
                                "]",
                                "{",
                                "}",
                                "? ",
                                "&a ",
                                "*a",
                                "<<: ",
                                "|\n",
                                ">-\n",
                                "---\n",
                                "...\n",
                                "#",
                                "!!int",
                                "%YAML 1.2\n",
                                "\n  ",
                                "1e308",
                                "-1",
                                "0.5",
                                ".nan",
                                "18446744073709551615"};
    std::set<TypeId> known;
    for (const Section& section : GetSections())
    {
        words.insert(section.name);
        words.insert(section.name + ".");
        AddComponents(GetSectionBase(section), known, words);
    }
    for (const PlainKey& key : GetPlainKeys())
    {
        words.insert(key.path);
        words.insert(key.path.substr(key.path.rfind('.') + 1));
    }
    for (const Dimension dimension : {Dimension::Time, Dimension::Rate, Dimension::Bytes})
    {
        std::istringstream units(DimensionUnits(dimension));
        for (std::string unit; std::getline(units >> std::ws, unit, ',');)
        {
            words.insert(unit);
            words.insert("1" + unit);
        }
    }
    words.erase("");
    for (const std::string& word : words)
    {
        std::string escaped;
        for (const char letter : word)
        {
            escaped += letter == '\n' ? "\\x0a" : std::string(1, letter);
        }
        std::cout << '"' << escaped << "\"\n";
    }
}
