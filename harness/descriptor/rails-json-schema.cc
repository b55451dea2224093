// SPDX-License-Identifier: GPL-2.0-only
#include "rails-json-schema.h"

#include "component-path.h"
#include "component-registry.h"
#include "rails-entry-form.h"
#include "rails-json-parts.h"
#include "rails-key-help.h"

#include "ns3/component-documentation.h"
#include "ns3/key-rule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr const char* kDefinitions = "#/$defs/";

Json
Refer(const std::string& definition)
{
    return {{"$ref", kDefinitions + definition}};
}

/// A schema for one key of a map.
Json
ForKey(const std::string& key, Json schema)
{
    return {{"properties", {{key, std::move(schema)}}}};
}

/// A map that has all of some keys.
Json
HasKeys(const std::vector<std::string>& keys)
{
    return {{"type", "object"}, {"required", keys}};
}

Json
MakeMap(Json properties)
{
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"additionalProperties", false}};
}

/// A schema of a value that may have a label: it is met by the value itself.
Json
WithLabel(const Json& schema)
{
    Json labelled = MakeMap({{"label", Refer("label")}, {"value", schema}});
    return {{"if", HasKeys({"label", "value"})}, {"then", std::move(labelled)}, {"else", schema}};
}

/// A map that does not have both of two keys, which are one by two names.
Json
HasNotBoth(const std::string& key, const std::string& other)
{
    return {{"not", {{"required", {key, other}}}}};
}

/// A map that has one of some keys, or more.
Json
HasAnyKey(const std::vector<std::string>& keys)
{
    std::vector<Json> choices;
    for (const std::string& key : keys)
    {
        choices.push_back(HasKeys({key}));
    }
    return MakeAnyOf(std::move(choices));
}

Json
MakeRule(const KeyRule& rule)
{
    Json demand;
    switch (rule.demand)
    {
    case KeyRule::Demand::All:
        demand = {{"required", rule.keys}};
        break;
    case KeyRule::Demand::OneOf:
        for (const std::string& key : rule.keys)
        {
            demand["oneOf"].push_back(HasKeys({key}));
        }
        break;
    case KeyRule::Demand::None:
        demand = {{"not", HasAnyKey(rule.keys)}};
        break;
    }
    if (!rule.without.empty())
    {
        demand = MakeCondition({{"not", HasAnyKey(rule.without)}}, std::move(demand));
    }
    if (!rule.with.empty())
    {
        demand = MakeCondition(HasAnyKey(rule.with), std::move(demand));
    }
    return demand;
}

/// \return the paths of components and of lists of components
std::vector<ComponentPath>
FindAllComponentPaths()
{
    std::vector<ComponentPath> slots = FindComponentPaths();
    const std::vector<ComponentPath> entries = FindEntryPaths();
    slots.insert(slots.end(), entries.begin(), entries.end());
    return slots;
}

/// Puts the schemas of the components together.
class SchemaMaker
{
  public:
    Json Make();

  private:
    /// A component on the way from the top of a descriptor to one that must be given.
    struct Step
    {
        std::string key;
        std::string path;
        TypeId base;
        std::optional<TypeId> standard; //!< what it is when its type is not given
        TypeId type;                    //!< the type that leads on; not of the last step
    };

    using Way = std::vector<Step>;

    void NameDefinitions();
    void AddDefinitions();
    void AddSweep();
    static Json MakeLabel();
    Json MakeSectionMap() const;
    Json MakeSlot(TypeId base) const;
    Json MakeType(const ComponentType& type, TypeId base) const;
    Json MakeKey(const ComponentKey& key, const Json& defaults) const;
    Json MakeValue(const ComponentKey& key, const Json& defaults) const;
    Json MakeComponentValue(TypeId base, const std::optional<TypeId>& standard) const;
    Json MakeComponents(const ComponentListChecker& checker) const;
    Json MakeEntry(TypeId base) const;
    Json MakeTypeName(TypeId base) const;

    std::string GetTypeDefinition(const ComponentType& type, TypeId base) const;
    static std::vector<std::string> GetNames(const ComponentType& type);
    static std::optional<TypeId> FindStandard(const ComponentKey& key, const Json& defaults);

    std::vector<Way> FindRequiredWays(const Section& section) const;
    void FindRequiredWays(Way way, std::vector<Way>& found) const;
    static Json HasType(const Step& step);
    static Json RequireRest(const Way& way, std::size_t step);
    static std::vector<std::string> GetKeysFrom(const Way& way, std::size_t step);
    static Json GivesAny(const std::vector<std::string>& keys);
    Json MakeKindCondition() const;
    Json MakeRequirements() const;
    Json MakeSweepRequirements() const;

    std::map<TypeId, std::string> m_names; //!< of the definitions of slots, by base
    Json m_definitions = Json::object();
    Json m_sweptKeys = Json::object(); //!< schema of a value by dotted key
};

Json
SchemaMaker::Make()
{
    NameDefinitions();
    AddDefinitions();
    AddSweep();
    Json schema{
        {"$schema", "https://json-schema.org/draft/2020-12/schema"},
        {"description", "Experiment for ./rails run. Made by ./rails schema."},
    };
    schema.update(MakeSectionMap());
    schema["allOf"] = {MakeKindCondition()};
    m_definitions["label"] = MakeLabel();
    schema["$defs"] = m_definitions;
    return schema;
}

void
SchemaMaker::NameDefinitions()
{
    for (const ComponentPath& slot : FindAllComponentPaths())
    {
        m_names.emplace(slot.base, slot.path);
    }
}

void
SchemaMaker::AddDefinitions()
{
    for (const ComponentPath& slot : FindAllComponentPaths())
    {
        const std::string& name = m_names.at(slot.base);
        if (m_definitions.contains(name))
        {
            continue;
        }
        m_definitions[name] = MakeSlot(slot.base);
        for (const ComponentType& type : GetComponentTypes(slot.base))
        {
            m_definitions[GetTypeDefinition(type, slot.base)] = MakeType(type, slot.base);
        }
    }
}

Json
SchemaMaker::MakeSectionMap() const
{
    Json properties = Json::object();
    std::map<std::string, Json> plain;
    plain["name"] = MakeTextSchema();
    plain["name"]["pattern"] = "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$";
    plain["seed"] = MakeCountSchema(0, std::numeric_limits<uint32_t>::max());
    plain["seed"]["default"] = 1;
    plain["sweep"] = Refer("sweep");
    for (const PlainKey& key : GetPlainKeys())
    {
        const auto schema = plain.find(key.path);
        if (schema != plain.end())
        {
            properties[key.path] = {{"description", key.meaning}};
            properties[key.path].update(schema->second);
        }
    }
    for (const Section& section : GetSections())
    {
        const TypeId base = GetSectionBase(section);
        properties[section.name] = {
            {"description", section.meaning.empty() ? GetDocumentation(base) : section.meaning}};
        properties[section.name].update(MakeComponentValue(base, GetSectionStandard(section)));
    }
    return MakeMap(std::move(properties));
}

/// \return the schema of a component whatever its type; it does not say what must be given
Json
SchemaMaker::MakeSlot(TypeId base) const
{
    if (!HasComponentTypes(base))
    {
        return Refer(GetTypeDefinition(GetComponentTypes(base).front(), base));
    }
    Json map{{"type", "object"}, {"properties", {{"type", MakeTypeName(base)}}}};
    for (const ComponentType& type : GetComponentTypes(base))
    {
        Json isType = ForKey("type", MakeWordSchema(GetNames(type)));
        isType["required"] = {"type"};
        map["allOf"].push_back(
            MakeCondition(std::move(isType), Refer(GetTypeDefinition(type, base))));
    }
    return MakeChoice({{"type", "object"}}, std::move(map), MakeTypeName(base));
}

/// \return the schema of the name of a type
Json
SchemaMaker::MakeTypeName(TypeId base) const
{
    Json words{{"enum", Json::array()}, {"enumDescriptions", Json::array()}};
    Json former = Json::array();
    std::string ids;
    for (const ComponentType& type : GetComponentTypes(base))
    {
        words["enum"].push_back(type.name);
        words["enumDescriptions"].push_back(GetDocumentation(type.id));
        ids += (ids.empty() ? "" : "|") + type.id.GetName();
        if (const std::string name = GetFormerName(type.id); !name.empty())
        {
            former.push_back(name);
        }
    }
    // Names as ns-3 has them, and former ones, are accepted but not proposed.
    Json name = MakeChoice({{"type", "string"}, {"pattern", "^ns3::"}},
                           {{"pattern", "^(" + ids + ")$"}},
                           std::move(words));
    return former.empty() ? name
                          : MakeChoice({{"enum", former}}, {{"type", "string"}}, std::move(name));
}

Json
SchemaMaker::MakeType(const ComponentType& type, TypeId base) const
{
    Json properties = Json::object();
    if (HasComponentTypes(base))
    {
        properties["type"] = true; // checked before
    }
    properties["label"] = Refer("label");
    Json apart = Json::array();
    const Json defaults = GetDefaults(type.id, base);
    for (const ComponentKey& key : GetComponentKeys(type.id))
    {
        if (key.Is(ValueKind::Shape::Unknown))
        {
            continue;
        }
        properties[key.name] = MakeKey(key, defaults);
        if (!key.alias.empty())
        {
            Json other = properties[key.name];
            other["description"] =
                "Another name of " + key.name + ". " + other["description"].get<std::string>();
            properties[key.alias] = std::move(other);
            apart.push_back(HasNotBoth(key.name, key.alias));
        }
    }
    Json schema{{"description", GetDocumentation(type.id)}};
    schema.update(MakeMap(std::move(properties)));
    if (!apart.empty())
    {
        schema["allOf"] = std::move(apart);
    }
    const Ptr<Object> component = CreateComponent(type.id);
    if (const auto* rules = dynamic_cast<const KeyRules*>(PeekPointer(component)))
    {
        for (const KeyRule& rule : rules->GetKeyRules())
        {
            schema["allOf"].push_back(MakeRule(rule));
        }
    }
    return schema;
}

Json
SchemaMaker::MakeKey(const ComponentKey& key, const Json& defaults) const
{
    const auto [meaning, source] = KeyHelp::Split(key.attribute.help);
    Json schema{{"description",
                 meaning + "\n\n" + DescribeAllowed(key) +
                     "\n\nDefault: " + FormatDefault(defaults, key) +
                     (source.empty() ? "" : "\n\nSource: " + source)}};
    schema.update(MakeValue(key, defaults));
    if (!key.Is(ValueKind::Shape::Component) && defaults.contains(key.name))
    {
        schema["default"] = defaults.at(key.name);
    }
    return schema;
}

Json
SchemaMaker::MakeValue(const ComponentKey& key, const Json& defaults) const
{
    switch (key.kind->GetShape())
    {
    case ValueKind::Shape::Component:
        return MakeComponentValue(GetInnerBase(key.attribute), FindStandard(key, defaults));
    case ValueKind::Shape::ComponentList:
        return MakeComponents(GetListChecker(key.attribute));
    default:
        return key.kind->MakeSchema(key.attribute);
    }
}

/// \param standard type of the component when none is given
Json
SchemaMaker::MakeComponentValue(TypeId base, const std::optional<TypeId>& standard) const
{
    Json schema = Refer(m_names.at(base));
    if (HasComponentTypes(base) && standard)
    {
        const ComponentType type{GetComponentTypeName(*standard, base), *standard};
        schema["if"] = {{"type", "object"}, {"not", {{"required", {"type"}}}}};
        schema["then"] = Refer(GetTypeDefinition(type, base));
    }
    return schema;
}

Json
SchemaMaker::MakeComponents(const ComponentListChecker& checker) const
{
    const TypeId base = checker.GetBase();
    if (!checker.IsNamed())
    {
        return MakeListSchema(MakeEntry(base));
    }
    Json component = MakeComponentValue(base, std::nullopt);
    if (HasComponentTypes(base))
    {
        component["allOf"] = {MakeCondition({{"type", "object"}}, HasKeys({"type"}))};
    }
    return {{"type", "object"}, {"additionalProperties", std::move(component)}};
}

/// \return the schema of a component of a list, in its shorter forms too
Json
SchemaMaker::MakeEntry(TypeId base) const
{
    if (!HasComponentTypes(base))
    {
        return Refer(m_names.at(base));
    }
    std::vector<std::string> words;
    Json timed = Json::object();
    for (const ComponentType& type : GetComponentTypes(base))
    {
        if (!NeedsKeys(type.id))
        {
            words.push_back(type.name);
        }
        if (const ComponentKey* only = FindOnlyKey(type.id))
        {
            timed[type.name] = Refer(GetTypeDefinition(type, base) + "/properties/" + only->name);
        }
    }
    Json shortForm = MakeMap(std::move(timed));
    shortForm["minProperties"] = 1;
    shortForm["maxProperties"] = 1;
    Json longForm = Refer(m_names.at(base));
    return MakeChoice({{"type", "string"}},
                      MakeWordSchema(words),
                      MakeChoice(HasKeys({"type"}), std::move(longForm), std::move(shortForm)));
}

std::string
SchemaMaker::GetTypeDefinition(const ComponentType& type, TypeId base) const
{
    return m_names.at(base) + "=" + type.name;
}

std::vector<std::string>
SchemaMaker::GetNames(const ComponentType& type)
{
    std::vector<std::string> names{type.name};
    if (type.id.GetName() != type.name)
    {
        names.push_back(type.id.GetName());
    }
    if (const std::string former = GetFormerName(type.id); !former.empty())
    {
        names.push_back(former);
    }
    return names;
}

std::optional<TypeId>
SchemaMaker::FindStandard(const ComponentKey& key, const Json& defaults)
{
    const TypeId base = GetInnerBase(key.attribute);
    if (!HasComponentTypes(base))
    {
        return base;
    }
    for (const ComponentType& type : GetComponentTypes(base))
    {
        if (defaults.contains(key.name) && defaults.at(key.name).at("type") == type.name)
        {
            return type.id;
        }
    }
    return std::nullopt;
}

/// \return what must be given in a section
std::vector<SchemaMaker::Way>
SchemaMaker::FindRequiredWays(const Section& section) const
{
    std::vector<Way> ways;
    const TypeId base = GetSectionBase(section);
    FindRequiredWays({{section.name, section.name, base, GetSectionStandard(section), TypeId()}},
                     ways);
    return ways;
}

/// Finds the components that have no default.
void
SchemaMaker::FindRequiredWays(Way way, std::vector<Way>& found) const
{
    const Step last = way.back();
    if (HasComponentTypes(last.base) && !last.standard)
    {
        found.push_back(way);
    }
    for (const ComponentType& type : GetComponentTypes(last.base))
    {
        way.back().type = type.id;
        const Json defaults = GetDefaults(type.id, last.base);
        for (const ComponentKey& key : GetComponentKeys(type.id))
        {
            if (!key.Is(ValueKind::Shape::Component))
            {
                continue;
            }
            const TypeId base = GetInnerBase(key.attribute);
            const bool around = std::any_of(way.begin(), way.end(), [&](const Step& step) {
                return step.base == base;
            });
            if (!around)
            {
                Way longer = way;
                longer.push_back({key.name,
                                  last.path + "." + key.name,
                                  base,
                                  FindStandard(key, defaults),
                                  TypeId()});
                FindRequiredWays(std::move(longer), found);
            }
        }
    }
}

/// \return a schema of the components of a step that have the type which leads on
Json
SchemaMaker::HasType(const Step& step)
{
    if (!HasComponentTypes(step.base))
    {
        return true;
    }
    const Json names =
        MakeWordSchema(GetNames({GetComponentTypeName(step.type, step.base), step.type}));
    Json map = HasKeys({"type"});
    map.update(ForKey("type", names));
    std::vector<Json> choices{names, std::move(map)};
    if (step.standard == step.type)
    {
        choices.push_back({{"type", "object"}, {"not", {{"required", {"type"}}}}});
    }
    return MakeAnyOf(std::move(choices));
}

/// \return what the value of a step must have for the last step to be there
Json
SchemaMaker::RequireRest(const Way& way, std::size_t step)
{
    if (step + 1 == way.size())
    {
        return MakeCondition({{"type", "object"}}, HasKeys({"type"}));
    }
    Json rest = ForKey(way[step + 1].key, RequireRest(way, step + 1));
    if (step + 2 == way.size())
    {
        rest.update(HasKeys({way.back().key}));
    }
    return MakeCondition(HasType(way[step]), std::move(rest));
}

/// \return the dotted keys with which a sweep can give the last step, or one from a step on
std::vector<std::string>
SchemaMaker::GetKeysFrom(const Way& way, std::size_t step)
{
    std::vector<std::string> keys;
    for (; step < way.size(); ++step)
    {
        keys.push_back(way[step].path);
        keys.push_back(way[step].path + ".type");
    }
    return keys;
}

/// \return a schema of sweeps that vary one of some keys
Json
SchemaMaker::GivesAny(const std::vector<std::string>& keys)
{
    Json any{{"type", "object"}, {"anyOf", Json::array()}};
    for (const std::string& key : keys)
    {
        any["anyOf"].push_back({{"required", {key}}});
    }
    const Json anyOfList{{"type", "array"}, {"contains", any}};
    Json zip = HasKeys({"zip"});
    zip.update(ForKey("zip", MakeAnyOf({any, anyOfList})));
    Json points = HasKeys({"points"});
    points.update(ForKey("points", anyOfList));
    return MakeAnyOf({any, std::move(zip), std::move(points)});
}

/// \return what must be given, and what must not, depending on what the descriptor asks for
Json
SchemaMaker::MakeKindCondition() const
{
    Json isStudy = Json::array();
    Json others = Json::object();
    for (const Section& section : GetSections())
    {
        if (section.kind == ExperimentKind::Simulation)
        {
            others[section.name] = false;
            continue;
        }
        std::vector<std::string> swept;
        for (const auto& [key, value] : m_sweptKeys.items())
        {
            if (key.compare(0, section.name.size(), section.name) == 0)
            {
                swept.push_back(key);
            }
        }
        isStudy.push_back(HasKeys({section.name}));
        Json given = HasKeys({"sweep"});
        given.update(ForKey("sweep", GivesAny(swept)));
        isStudy.push_back(std::move(given));
    }
    return {{"if", {{"anyOf", std::move(isStudy)}}},
            {"then", {{"properties", std::move(others)}}},
            {"else", {{"allOf", MakeRequirements()}}}};
}

/// \return what a simulation must be given, unless a sweep gives it
Json
SchemaMaker::MakeRequirements() const
{
    Json requirements = Json::array();
    for (const Section& section : GetSections())
    {
        for (const Way& way : FindRequiredWays(section))
        {
            Json given = HasKeys({"sweep"});
            given.update(ForKey("sweep", GivesAny(GetKeysFrom(way, 0))));
            Json whole = ForKey(section.name, RequireRest(way, 0));
            if (way.size() == 1)
            {
                whole["required"] = {section.name};
            }
            requirements.push_back({{"if", std::move(given)}, {"else", std::move(whole)}});
        }
    }
    return requirements;
}

/// \return what must be given in the whole components that a sweep varies
Json
SchemaMaker::MakeSweepRequirements() const
{
    Json requirements = Json::array();
    for (const Section& section : GetSections())
    {
        for (const Way& way : FindRequiredWays(section))
        {
            for (std::size_t i = 0; i < way.size(); ++i)
            {
                const std::string& path = way[i].path;
                const Json value = WithLabel(RequireRest(way, i));
                Json lists = ForKey(path, {{"items", value}});
                Json single = ForKey(path, value);
                std::vector<std::string> deeper = GetKeysFrom(way, i + 1);
                if (i + 1 < way.size())
                {
                    // The short form with only a type has no keys.
                    const Json other = WithLabel({{"not", HasType(way[i])}});
                    lists["properties"][path + ".type"] = {{"items", other}};
                    single["properties"][path + ".type"] = other;
                }
                else
                {
                    deeper.push_back(path + ".type");
                }
                Json whole = lists;
                whole["properties"]["zip"] = lists;
                whole["properties"]["zip"]["items"] = lists;
                whole["properties"]["points"] = {{"items", std::move(single)}};
                requirements.push_back({{"if", GivesAny(deeper)}, {"else", std::move(whole)}});
            }
        }
    }
    return requirements;
}

Json
SchemaMaker::MakeLabel()
{
    const std::vector<PlainKey>& keys = GetPlainKeys();
    const auto label = std::find_if(keys.begin(), keys.end(), [](const PlainKey& key) {
        return key.path == "component.label";
    });
    return {{"description", label->meaning + "\n\nDefault: none"},
            {"type", {"string", "number", "boolean"}},
            {"pattern", "^[^\\s](.*[^\\s])?$"},
            {"maxLength", 60}};
}

void
SchemaMaker::AddSweep()
{
    m_sweptKeys["seed"] = {{"$ref", "#/properties/seed"}};
    for (const Section& section : GetSections())
    {
        m_sweptKeys[section.name] = {{"$ref", "#/properties/" + section.name}};
    }
    for (const ComponentPath& slot : FindComponentPaths())
    {
        if (HasComponentTypes(slot.base))
        {
            m_sweptKeys[slot.path + ".type"] = MakeTypeName(slot.base);
        }
    }
    Json apart = Json::array();
    for (const DottedKey& key : ListDottedKeys())
    {
        // Types of one parent have its keys in common.
        std::vector<Json> choices;
        std::vector<Json> known;
        for (const DottedKey::Owner& owner : key.owners)
        {
            const std::string definition = GetTypeDefinition(owner.type, owner.slot.base);
            Json schema = m_definitions.at(definition)
                              .at("properties")
                              .at(key.path.substr(key.path.rfind('.') + 1));
            if (std::find(known.begin(), known.end(), schema) == known.end())
            {
                known.push_back(std::move(schema));
                choices.push_back(Refer(definition + "/properties/" + owner.key.name));
            }
        }
        const Json value = MakeAnyOf(std::move(choices));
        for (const std::string& path : key.GetPaths())
        {
            m_sweptKeys[path] = value;
            if (path != key.path)
            {
                apart.push_back(HasNotBoth(key.path, path));
            }
        }
    }
    for (auto& [key, value] : m_sweptKeys.items())
    {
        value = WithLabel(value);
    }
    Json axes = Json::object();
    Json lists = Json::object();
    for (const auto& [key, value] : m_sweptKeys.items())
    {
        lists[key] = MakeListSchema(value);
        lists[key]["minItems"] = 1;
        axes[key] = lists[key];
        axes[key]["uniqueItems"] = true;
    }
    // Keys of components that have names of the user's own; a schema cannot say which.
    Json named = Json::object();
    for (const DottedKey& key : ListDottedKeys())
    {
        const ComponentKey& first = key.owners.front().key;
        if (first.Is(ValueKind::Shape::ComponentList) && GetListChecker(first.attribute).IsNamed())
        {
            named["^" + key.path + "\\."] = Json::object();
        }
    }
    Json namedLists = Json::object();
    for (const auto& [pattern, value] : named.items())
    {
        namedLists[pattern] = MakeListSchema(value);
        namedLists[pattern]["minItems"] = 1;
    }
    Json zip = MakeMap(std::move(lists));
    zip["patternProperties"] = namedLists;
    zip["minProperties"] = 1;
    zip["allOf"] = apart;
    m_definitions["zip"] = std::move(zip);
    Json point = MakeMap(m_sweptKeys);
    point["patternProperties"] = named;
    point["minProperties"] = 1;
    point["allOf"] = apart;
    std::map<std::string, Json> reserved;
    reserved["zip"] = MakeChoice({{"type", "array"}}, MakeListSchema(Refer("zip")), Refer("zip"));
    reserved["points"] = MakeListSchema(std::move(point));
    reserved["points"]["minItems"] = 1;
    reserved["repeat"] = MakeCountSchema(1, 100'000);
    reserved["repeat"]["default"] = 1;
    reserved["baseline"] = {{"type", "object"},
                            {"additionalProperties", {{"type", {"string", "number", "boolean"}}}}};
    for (const PlainKey& key : GetPlainKeys())
    {
        const std::string name = key.path.substr(key.path.rfind('.') + 1);
        if (key.path == "sweep." + name)
        {
            axes[name] = {{"description", key.meaning}};
            axes[name].update(reserved.at(name));
        }
    }
    Json sweep = MakeMap(std::move(axes));
    sweep["patternProperties"] = namedLists;
    sweep["allOf"] = MakeSweepRequirements();
    sweep["allOf"].insert(sweep["allOf"].end(), apart.begin(), apart.end());
    // Seeds are varied by a list or by their number.
    const Json noSeed = ForKey("seed", false);
    Json noSeeds = noSeed;
    noSeeds["properties"]["zip"] = noSeed;
    noSeeds["properties"]["zip"]["items"] = noSeed;
    sweep["allOf"].push_back(MakeCondition(HasKeys({"repeat"}), std::move(noSeeds)));
    m_definitions["sweep"] = std::move(sweep);
}

} // namespace

Json
MakeJsonSchema()
{
    return SchemaMaker().Make();
}

} // namespace ns3::rails
