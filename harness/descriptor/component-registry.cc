// SPDX-License-Identifier: GPL-2.0-only
#include "component-registry.h"

#include "ns3/component-documentation.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/rails-nearest-name.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace ns3::rails
{

namespace
{

bool
IsKey(const TypeId::AttributeInformation& attribute)
{
    constexpr uint32_t both = TypeId::ATTR_GET | TypeId::ATTR_SET;
    return (attribute.flags & both) == both && attribute.accessor->HasSetter() &&
           attribute.accessor->HasGetter() &&
           attribute.supportLevel == decltype(attribute.supportLevel)::SUPPORTED;
}

/// \return the class of objects that are aggregated with objects of a class and add keys
std::optional<TypeId>
FindCompanion(TypeId id)
{
    // Settings that a load balancer does not use, in the same section.
    return id.GetName() == "ns3::rails::Balancer"
               ? std::optional(TypeId::LookupByName("ns3::rails::FabricBalancing"))
               : std::nullopt;
}

/// Sets the aliases of keys, unless another key is declared with the name.
void
NameKeysAgain(TypeId id, std::vector<ComponentKey>& keys)
{
    const auto find = [&keys](const std::string& name) {
        return std::find_if(keys.begin(), keys.end(), [&name](const ComponentKey& key) {
            return key.name == name;
        });
    };
    for (const auto& [name, attribute] : GetAliases(id))
    {
        const std::string alias = MakeKeyName(name);
        const auto key = find(MakeKeyName(attribute));
        if (key != keys.end())
        {
            key->alias = find(alias) == keys.end() ? alias : "";
        }
    }
}

std::vector<ComponentKey>
FindComponentKeys(TypeId id)
{
    std::vector<ComponentKey> keys;
    if (id.HasParent() && id.GetParent() != id)
    {
        keys = GetComponentKeys(id.GetParent());
    }
    if (const std::optional<TypeId> companion = FindCompanion(id))
    {
        const std::vector<ComponentKey>& others = GetComponentKeys(*companion);
        keys.insert(keys.end(), others.begin(), others.end());
    }
    for (std::size_t i = 0; i < id.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation attribute = id.GetAttribute(i);
        if (IsKey(attribute))
        {
            keys.push_back({MakeKeyName(attribute.name), attribute, id, &GetValueKind(attribute)});
        }
    }
    NameKeysAgain(id, keys);
    return keys;
}

std::vector<ComponentType>
FindComponentTypes(TypeId base)
{
    std::vector<ComponentType> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId id = TypeId::GetRegistered(i);
        if ((id == base || id.IsChildOf(base)) && id.HasConstructor())
        {
            types.push_back({MakeTypeName(id.GetName(), base.GetName()), id});
        }
    }
    for (ComponentType& type : types)
    {
        const auto same = [&](const ComponentType& other) { return other.name == type.name; };
        if (std::count_if(types.begin(), types.end(), same) > 1)
        {
            type.name = type.id.GetName();
        }
    }
    std::sort(types.begin(), types.end(), [](const auto& left, const auto& right) {
        return left.name < right.name;
    });
    return types;
}

} // namespace

const std::vector<Section>&
GetSections()
{
    static const std::vector<Section> sections{
        {"topology",
         "ns3::rails::Topology",
         "The cluster: servers with their GPUs and NICs, switches and cables."},
        {"switch", "ns3::rails::SwitchProfile", ""},
        {"transport", "ns3::rails::Transport", ""},
        {"nic", "ns3::rails::NicProfile", ""},
        {"workload",
         "ns3::rails::Workload",
         "What is to be sent, from which GPU to which, and when."},
        {"balance",
         "ns3::rails::Balancer",
         "Which way it takes: over which NIC of its server, and over which path of the fabric."},
        {"engine",
         "ns3::rails::EngineChoice",
         "By what it is simulated: every frame, or flows.",
         "ns3::rails::FramesEngineChoice"},
        {"failures", "ns3::rails::FailurePlan", ""},
        {"optical", "ns3::rails::OpticalOptions", ""},
        {"watchdog", "ns3::rails::WatchdogOptions", ""},
        {"record", "ns3::rails::RecordOptions", ""},
        {"experts", "ns3::rails::ExpertStudy", "", "", ExperimentKind::ExpertStudy},
    };
    return sections;
}

const std::vector<PlainKey>&
GetPlainKeys()
{
    static const std::vector<PlainKey> keys{
        {"name",
         "Name of the experiment, and of its folder in results/ (letters, digits, '-', '_', '.'; "
         "at most 100); by default the name of the descriptor's file."},
        {"seed",
         "All random numbers of a run follow from it (count, 0 to 4294967295); by default 1."},
        {"sweep",
         "What is varied: a key from the top (transport.mtu), or a whole component (balance), with "
         "the list of its values, is an axis of a grid. Every combination is a point with a result "
         "of its own; the last axis varies fastest. {label: X, value: Y} is the value Y, which "
         "tables, figures and folders call X; a component has its label among its keys. The keys "
         "zip, points, repeat and baseline have meanings of their own."},
        {"sweep.zip",
         "Keys with lists of values that go together: the first of each, the second of each, and "
         "so on (lists of equal length). A map is one axis of the grid, a list of maps several."},
        {"sweep.points",
         "Points that are not in the grid, a list: each a map of keys and the values they have in "
         "this point; added to those of the grid."},
        {"sweep.repeat",
         "With how many seeds every point is run (count, 1 to 100000): the descriptor's seed and "
         "those after it; by default its seed alone."},
        {"sweep.baseline",
         "With which value others are compared along an axis, a map of axes and labels (balance: "
         "ecmp): in the table at the end, by compare --by and in reports."},
        {"component.label",
         "In any component: what tables and figures call it, in a sweep folders too (a text in one "
         "line, at most 60 bytes). It changes no result, and is no part of what a result is known "
         "by."},
    };
    return keys;
}

TypeId
GetSectionBase(const Section& section)
{
    return TypeId::LookupByName(section.base);
}

std::optional<TypeId>
GetSectionStandard(const Section& section)
{
    return section.standard.empty() ? std::nullopt
                                    : std::optional(TypeId::LookupByName(section.standard));
}

const std::vector<ComponentKey>&
GetComponentKeys(TypeId id)
{
    static std::map<TypeId, std::vector<ComponentKey>> known;
    const auto found = known.find(id);
    return found != known.end() ? found->second : known[id] = FindComponentKeys(id);
}

Ptr<Object>
CreateComponent(TypeId id)
{
    ObjectFactory factory;
    factory.SetTypeId(id);
    const Ptr<Object> component = factory.Create<Object>();
    for (TypeId parent = id; parent != Object::GetTypeId(); parent = parent.GetParent())
    {
        if (const std::optional<TypeId> companion = FindCompanion(parent))
        {
            component->AggregateObject(CreateComponent(*companion));
        }
    }
    return component;
}

Ptr<Object>
GetHolder(const Object& component, const ComponentKey& key)
{
    return component.GetObject<Object>(key.owner);
}

bool
ComponentType::IsCalled(const std::string& text) const
{
    return text == name || text == id.GetName() || (!text.empty() && text == GetFormerName(id));
}

const std::vector<ComponentType>&
GetComponentTypes(TypeId base)
{
    // A library loaded later adds classes; former lists are kept, as callers may hold references.
    static std::map<std::pair<TypeId, uint16_t>, std::vector<ComponentType>> known;
    const std::pair<TypeId, uint16_t> key{base, TypeId::GetRegisteredN()};
    const auto found = known.find(key);
    return found != known.end() ? found->second : known[key] = FindComponentTypes(base);
}

std::vector<std::string>
GetComponentTypeNames(TypeId base)
{
    std::vector<std::string> names;
    for (const ComponentType& type : GetComponentTypes(base))
    {
        names.push_back(type.name);
    }
    return names;
}

std::string
SuggestType(const std::string& name, TypeId base)
{
    return SuggestName(name, GetComponentTypeNames(base)) + "; one of your own needs --with DIR";
}

bool
HasComponentTypes(TypeId base)
{
    const std::vector<ComponentType>& types = GetComponentTypes(base);
    return types.size() != 1 || types.front().id != base;
}

std::string
GetComponentTypeName(TypeId id, TypeId base)
{
    for (const ComponentType& type : GetComponentTypes(base))
    {
        if (type.id == id)
        {
            return type.name;
        }
    }
    return id.GetName();
}

} // namespace ns3::rails
