// SPDX-License-Identifier: GPL-2.0-only
#include "rails-catalogue.h"

#include "rails-attribute-range.h"
#include "rails-effective-config.h"
#include "rails-nearest-name.h"
#include "rails-quantity.h"
#include "rails-schema.h"
#include "rails-value-codec.h"

#include "ns3/object-factory.h"
#include "ns3/pointer.h"

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// A place in a descriptor where a component belongs.
struct Slot
{
    std::string path; //!< "transport.congestion_control"
    TypeId base;
};

/// Adds the components that the keys of some component hold, and those inside them.
void
AddInnerSlots(const std::string& path, TypeId base, std::vector<Slot>& slots)
{
    for (const ComponentType& type : GetComponentTypes(base))
    {
        for (const ComponentKey& key : GetComponentKeys(type.id))
        {
            if (GetValueKind(key.attribute) != ValueKind::Component)
            {
                continue;
            }
            const Slot slot{
                path + "." + key.name,
                dynamic_cast<const PointerChecker&>(*key.attribute.checker).GetPointeeTypeId()};
            // A component that can hold its like ends here too.
            const bool known = std::any_of(slots.begin(), slots.end(), [&](const Slot& other) {
                return other.base == slot.base;
            });
            if (!known)
            {
                slots.push_back(slot);
                AddInnerSlots(slot.path, slot.base, slots);
            }
        }
    }
}

std::vector<Slot>
FindSlots()
{
    std::vector<Slot> slots;
    for (const Section& section : GetSections())
    {
        const TypeId base = GetSectionBase(section);
        slots.push_back({section.name, base});
        AddInnerSlots(section.name, base, slots);
    }
    return slots;
}

/// Top-level keys that are no components, and what they mean.
const std::vector<std::pair<std::string, std::string>>&
GetPlainKeys()
{
    static const std::vector<std::pair<std::string, std::string>> keys{
        {"name",
         "Name of the experiment, and of its folder in results/ (letters, digits, '-', '_', '.'); "
         "by default the name of the descriptor's file."},
        {"seed",
         "All random numbers of a run follow from it (count, 0 to 4294967295); by default 1."},
        {"sweep",
         "Axes of a grid: a key from the top (transport.mtu), or a whole component (balance), with "
         "the list of its values. Every combination is a point with a result of its own; the last "
         "axis varies fastest."},
    };
    return keys;
}

std::string
Wrap(const std::string& text, std::size_t indent)
{
    constexpr std::size_t width = 96;
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

/// Cuts "Meaning. (Source)" in two.
std::pair<std::string, std::string>
SplitHelp(const std::string& help)
{
    const std::size_t open = help.rfind(". (");
    if (open == std::string::npos || help.back() != ')')
    {
        return {help, ""};
    }
    return {help.substr(0, open + 1), help.substr(open + 3, help.size() - open - 4)};
}

std::vector<std::string>
GetKeyNames(TypeId id)
{
    std::vector<std::string> names;
    for (const ComponentKey& key : GetComponentKeys(id))
    {
        names.push_back(key.name);
    }
    return names;
}

/// \return one line about a class
std::string
Summarise(TypeId id)
{
    const std::string about = SplitHelp(GetAbout(id)).first;
    if (!about.empty())
    {
        return about;
    }
    const std::vector<std::string> names = GetKeyNames(id);
    return names.empty() ? "no keys" : "keys: " + JoinNames(names);
}

/// \return units and range: "time (ps, ns, us, ms, s), at least 1ns"
std::string
DescribeAllowed(const TypeId::AttributeInformation& attribute)
{
    const std::string range = DescribeRange(attribute);
    switch (GetValueKind(attribute))
    {
    case ValueKind::Switch:
    case ValueKind::Word:
        return DescribeKind(attribute) + ": " + range;
    case ValueKind::Component: {
        const TypeId base =
            dynamic_cast<const PointerChecker&>(*attribute.checker).GetPointeeTypeId();
        if (!HasComponentTypes(base))
        {
            return "component: " + JoinNames(GetKeyNames(base));
        }
        std::vector<std::string> names;
        for (const ComponentType& type : GetComponentTypes(base))
        {
            names.push_back(type.name);
        }
        return "component of type " + JoinNames(names);
    }
    default:
        return DescribeKind(attribute) + (range.empty() ? "" : "; " + range);
    }
}

/// \return the default of a key for people
std::string
FormatDefault(const nlohmann::ordered_json& defaults, const ComponentKey& key)
{
    if (!defaults.contains(key.name))
    {
        return "(required)";
    }
    const nlohmann::ordered_json& value = defaults.at(key.name);
    if (value.is_object())
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

/// \return default, meaning, range and source of a key
std::string
DescribeKey(const ComponentKey& key, const nlohmann::ordered_json& defaults)
{
    const auto [meaning, source] = SplitHelp(key.attribute.help);
    return "  " + key.name + ": " + FormatDefault(defaults, key) + "\n" + Wrap(meaning, 6) +
           Wrap(DescribeAllowed(key.attribute), 6) +
           (source.empty() ? "" : Wrap("Source: " + source, 6));
}

/// \return the keys of a component that nothing was said about
nlohmann::ordered_json
GetDefaults(TypeId id, TypeId base)
{
    ObjectFactory factory;
    factory.SetTypeId(id);
    return DescribeComponent(*factory.Create<Object>(), base);
}

std::string
DescribeType(TypeId id, TypeId base)
{
    std::string text = "  " + id.GetName() + "\n";
    const auto [about, source] = SplitHelp(GetAbout(id));
    if (!about.empty())
    {
        text += Wrap(about, 2);
    }
    if (!source.empty())
    {
        text += Wrap("Source: " + source, 2);
    }
    const nlohmann::ordered_json defaults = GetDefaults(id, base);
    for (const ComponentKey& key : GetComponentKeys(id))
    {
        if (GetValueKind(key.attribute) != ValueKind::Unknown)
        {
            text += "\n" + DescribeKey(key, defaults);
        }
    }
    return text;
}

std::string
DescribeSlot(const Slot& slot)
{
    if (!HasComponentTypes(slot.base))
    {
        return slot.path + "\n" + DescribeType(slot.base, slot.base);
    }
    std::ostringstream text;
    text << slot.path << ": {type: ...}\n";
    for (const ComponentType& type : GetComponentTypes(slot.base))
    {
        text << "  " << std::left << std::setw(20) << type.name << ' ' << Summarise(type.id)
             << '\n';
    }
    return text.str();
}

bool
EndsWithPart(const std::string& path, const std::string& end)
{
    return path == end || (path.size() > end.size() &&
                           path.compare(path.size() - end.size(), end.size(), end) == 0 &&
                           path[path.size() - end.size() - 1] == '.');
}

/// \return what is known of a key in every component that has it
std::vector<std::string>
DescribeKeys(const std::string& name)
{
    std::vector<std::string> pages;
    for (const Slot& slot : FindSlots())
    {
        for (const ComponentType& type : GetComponentTypes(slot.base))
        {
            for (const ComponentKey& key : GetComponentKeys(type.id))
            {
                if (EndsWithPart(slot.path + "." + key.name, name))
                {
                    const std::string head =
                        HasComponentTypes(slot.base) ? ": {type: " + type.name + "}" : "";
                    pages.push_back(slot.path + head + "\n" +
                                    DescribeKey(key, GetDefaults(type.id, slot.base)));
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
    for (const auto& [key, meaning] : GetPlainKeys())
    {
        text << key << '\n' << Wrap(meaning, 2);
    }
    for (const Slot& slot : FindSlots())
    {
        text << slot.path << '\n';
        if (!HasComponentTypes(slot.base))
        {
            text << Wrap(Summarise(slot.base), 2);
            continue;
        }
        for (const ComponentType& type : GetComponentTypes(slot.base))
        {
            text << "  " << std::left << std::setw(20) << type.name << ' ' << Summarise(type.id)
                 << '\n';
        }
    }
    return text.str();
}

std::string
DescribeName(const std::string& name)
{
    std::vector<std::string> pages;
    std::vector<std::string> known;
    for (const auto& [key, meaning] : GetPlainKeys())
    {
        known.push_back(key);
        if (key == name)
        {
            pages.push_back(key + "\n" + Wrap(meaning, 2));
        }
    }
    for (const Slot& slot : FindSlots())
    {
        known.push_back(slot.path);
        if (EndsWithPart(slot.path, name) || slot.base.GetName() == name)
        {
            pages.push_back(DescribeSlot(slot));
        }
        if (!HasComponentTypes(slot.base))
        {
            continue;
        }
        for (const ComponentType& type : GetComponentTypes(slot.base))
        {
            known.push_back(type.name);
            if (EndsWithPart(slot.path + "." + type.name, name) || type.id.GetName() == name)
            {
                pages.push_back(slot.path + ": {type: " + type.name + "}\n" +
                                DescribeType(type.id, slot.base));
            }
        }
    }
    if (pages.empty())
    {
        pages = DescribeKeys(name);
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
