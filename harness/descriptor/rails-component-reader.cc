// SPDX-License-Identifier: GPL-2.0-only
#include "rails-component-reader.h"

#include "rails-entry-form.h"
#include "rails-label.h"

#include "ns3/key-rule.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nearest-name.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// A former key of components of a type.
struct GoneKey
{
    const char* type;
    const char* key;
    const char* reason;
};

constexpr GoneKey kGoneKeys[] = {
    {"ns3::rails::FlowEngineChoice", "threads", "rates are found by one thread"},
    {"ns3::rails::MicroMoeExpertPolicy", "library", "lp_solve solves all linear programs"},
};

/// \return the remedy for an unknown key of a component
std::string
SuggestKey(const std::string& type, const std::string& key, const std::vector<std::string>& known)
{
    for (const GoneKey& gone : kGoneKeys)
    {
        if (type == gone.type && key == gone.key)
        {
            return ": there is none any more, as " + std::string(gone.reason) + "; remove it";
        }
    }
    return SuggestName(key, known);
}

} // namespace

ComponentReader::ComponentReader(std::string folder, DiagnosticList& diagnostics)
    : m_folder(std::move(folder)),
      m_diagnostics(diagnostics)
{
}

Ptr<Object>
ComponentReader::Read(TypeId base,
                      const std::string& path,
                      const YamlNode* node,
                      const Place& place,
                      Ptr<Object> standard)
{
    YamlNode map;
    if (node && node->kind == YamlNode::Kind::Scalar && HasComponentTypes(base))
    {
        // `congestion_control: dcqcn` is short for `congestion_control: {type: dcqcn}`.
        map.kind = YamlNode::Kind::Map;
        map.place = node->place;
        map.entries.push_back({"type", node->place, *node});
        node = &map;
    }
    if (node && node->kind != YamlNode::Kind::Map)
    {
        const std::string types =
            HasComponentTypes(base) ? ", or a type: " + JoinNames(GetComponentTypeNames(base)) : "";
        m_diagnostics.Add(node->place,
                          "expected a map of the keys of '" + path + "'" + types + "; found " +
                              node->Describe());
        return nullptr;
    }
    Ptr<Object> component = Construct(base, path, node, place, standard);
    if (!component)
    {
        return nullptr;
    }
    if (node)
    {
        Fill(*component,
             GetComponentTypeName(component->GetInstanceTypeId(), base),
             base,
             path,
             *node);
    }
    else
    {
        SetKeys(*component, path, nullptr, place);
    }
    return component;
}

Ptr<Object>
ComponentReader::Construct(TypeId base,
                           const std::string& path,
                           const YamlNode* node,
                           const Place& place,
                           Ptr<Object> standard)
{
    const YamlEntry* type = node && HasComponentTypes(base) ? node->Find("type") : nullptr;
    if (type)
    {
        return ConstructType(base, path, type->value);
    }
    if (standard)
    {
        return standard;
    }
    if (!HasComponentTypes(base))
    {
        return CreateComponent(base);
    }
    m_diagnostics.Add(place,
                      "required key '" + path +
                          ".type' is missing; known: " + JoinNames(GetComponentTypeNames(base)));
    return nullptr;
}

Ptr<Object>
ComponentReader::ConstructType(TypeId base, const std::string& path, const YamlNode& type)
{
    const std::vector<ComponentType>& types = GetComponentTypes(base);
    if (type.kind != YamlNode::Kind::Scalar)
    {
        m_diagnostics.Add(type.place,
                          "expected the type of '" + path + "', one of " +
                              JoinNames(GetComponentTypeNames(base)) + "; found " +
                              type.Describe());
        return nullptr;
    }
    const auto chosen = std::find_if(types.begin(), types.end(), [&](const ComponentType& known) {
        return known.IsCalled(type.text);
    });
    if (chosen == types.end())
    {
        m_diagnostics.Add(type.place,
                          "unknown type '" + type.text + "' of '" + path + "'" +
                              SuggestType(type.text, base));
        return nullptr;
    }
    return CreateComponent(chosen->id);
}

/**
 * \param name of the component, for messages
 * \return false after an error
 */
bool
ComponentReader::CheckKeys(const Object& component,
                           const std::string& name,
                           TypeId base,
                           const std::string& path,
                           const YamlNode& node)
{
    const std::vector<ComponentKey>& keys = GetComponentKeys(component.GetInstanceTypeId());
    const bool hasType = HasComponentTypes(base);
    bool right = true;
    for (const YamlEntry& entry : node.entries)
    {
        if ((hasType && entry.key == "type") ||
            std::any_of(keys.begin(), keys.end(), [&](const ComponentKey& key) {
                return key.name == entry.key;
            }))
        {
            continue;
        }
        if (IsLabel(entry))
        {
            AddLabel(path, entry);
            continue;
        }
        std::vector<std::string> known;
        if (hasType)
        {
            known.emplace_back("type");
        }
        for (const ComponentKey& key : keys)
        {
            known.push_back(key.name);
            if (!key.alias.empty())
            {
                known.push_back(key.alias);
            }
        }
        m_diagnostics.Add(
            entry.place,
            "unknown key '" + entry.key + "' of " + name +
                SuggestKey(component.GetInstanceTypeId().GetName(), entry.key, known));
        right = false;
    }
    return right;
}

/// Stores the user's label of a component.
void
ComponentReader::AddLabel(const std::string& path, const YamlEntry& entry)
{
    try
    {
        m_labels[path] = ReadLabel(entry).text;
    }
    catch (const DescriptorError& error)
    {
        m_diagnostics.Add(error);
    }
}

/// \return false after an error
bool
ComponentReader::SetKeys(Object& component,
                         const std::string& path,
                         const YamlNode* node,
                         const Place& place)
{
    bool right = true;
    for (const ComponentKey& key : GetComponentKeys(component.GetInstanceTypeId()))
    {
        const YamlEntry* entry = node ? node->Find(key.name) : nullptr;
        const Place& at = entry ? entry->place : place;
        try
        {
            const Ptr<AttributeValue> value = ReadValue(component, key, path, entry, at);
            if (value &&
                !GetHolder(component, key)->SetAttributeFailSafe(key.attribute.name, *value))
            {
                m_diagnostics.Add(at, "'" + key.name + "' cannot have this value");
                right = false;
            }
            right = right && (value || !entry);
        }
        catch (const DescriptorError& error)
        {
            const std::string other =
                entry ? FindOtherNumber(component, key, entry->value) : std::string();
            for (const Diagnostic& wrong : error.GetDiagnostics())
            {
                m_diagnostics.Add(wrong.place, wrong.message + other);
            }
            right = false;
        }
        catch (const ConfigurationError& error)
        {
            m_diagnostics.Add(at, error.what());
            right = false;
        }
    }
    return right;
}

/**
 * \return the end of a message about a wrong value, when the key in plural or singular accepts the
 * value: "servers" in place of "server"
 */
std::string
ComponentReader::FindOtherNumber(const Object& component,
                                 const ComponentKey& key,
                                 const YamlNode& value) const
{
    if (value.kind != YamlNode::Kind::Scalar)
    {
        return "";
    }
    const auto isOther = [&key](const std::string& name) {
        const std::vector<std::string> own{key.name, key.alias};
        return std::any_of(own.begin(), own.end(), [&name](const std::string& word) {
            return !word.empty() && (name == word + "s" || word == name + "s");
        });
    };
    for (const ComponentKey& other : GetComponentKeys(component.GetInstanceTypeId()))
    {
        const std::string& name = isOther(other.name) ? other.name : other.alias;
        if (!isOther(name) || other.Is(ValueKind::Shape::Component) ||
            other.Is(ValueKind::Shape::ComponentList) || other.Is(ValueKind::Shape::Unknown))
        {
            continue;
        }
        try
        {
            other.kind->Read(other.attribute, value, m_folder);
            return "; did you mean '" + name + ": " + value.text + "'?";
        }
        catch (const DescriptorError&)
        {
            continue; // it is wrong there too
        }
    }
    return "";
}

/// \return the value to set; nullptr for the default, or after an error
Ptr<AttributeValue>
ComponentReader::ReadValue(const Object& component,
                           const ComponentKey& key,
                           const std::string& path,
                           const YamlEntry* entry,
                           const Place& place)
{
    if (!entry && !key.Is(ValueKind::Shape::Component))
    {
        return nullptr;
    }
    const TypeId::AttributeInformation& attribute = key.attribute;
    const bool given = entry && entry->value.kind != YamlNode::Kind::Null;
    if (entry && !given)
    {
        m_diagnostics.Add(place,
                          "'" + entry->key + "' has no value; expected " +
                              (key.Is(ValueKind::Shape::ComponentList)
                                   ? DescribeExpectedList(GetListChecker(attribute))
                                   : key.kind->DescribeExpected(attribute)));
        return nullptr;
    }
    if (key.Is(ValueKind::Shape::ComponentList))
    {
        return ReadList(GetListChecker(attribute), path + "." + key.name, entry->value);
    }
    if (!key.Is(ValueKind::Shape::Component))
    {
        return key.kind->Read(attribute, entry->value, m_folder);
    }
    if (!entry && key.IsOptional())
    {
        return nullptr;
    }
    PointerValue standard;
    attribute.accessor->Get(PeekPointer(GetHolder(component, key)), standard);
    const auto& checker = dynamic_cast<const PointerChecker&>(*attribute.checker);
    const Ptr<Object> read = Read(checker.GetPointeeTypeId(),
                                  path + "." + key.name,
                                  entry ? &entry->value : nullptr,
                                  place,
                                  standard.GetObject());
    return read ? Create<PointerValue>(read) : nullptr;
}

/// \return the components of a list or map; nullptr after an error
Ptr<AttributeValue>
ComponentReader::ReadList(const ComponentListChecker& checker,
                          const std::string& path,
                          const YamlNode& node)
{
    if (node.kind != (checker.IsNamed() ? YamlNode::Kind::Map : YamlNode::Kind::List))
    {
        throw DescriptorError(node.place,
                              "expected " + DescribeExpectedList(checker) + ", found " +
                                  node.Describe());
    }
    const auto list = Create<ComponentListValue>();
    bool whole = true;
    const auto add = [&](const std::string& name, const Ptr<Object>& component) {
        list->Add(name, component);
        whole = whole && component;
    };
    for (std::size_t i = 0; i < node.items.size(); ++i)
    {
        add("", ReadEntry(checker, path + "." + std::to_string(i), node.items[i]));
    }
    for (const auto& [name, place, value] : node.entries)
    {
        add(name, Read(checker.GetBase(), path + "." + name, &value, place));
    }
    return whole ? list : nullptr;
}

Ptr<Object>
ComponentReader::ReadEntry(const ComponentListChecker& checker,
                           const std::string& path,
                           const YamlNode& node)
{
    YamlNode map;
    try
    {
        map = ExpandEntry(checker, node);
    }
    catch (const DescriptorError& error)
    {
        m_diagnostics.Add(error);
        return nullptr;
    }
    const TypeId base = checker.GetBase();
    const Ptr<Object> component = Construct(base, path, &map, node.place, nullptr);
    if (!component)
    {
        return nullptr;
    }
    const std::string name = HasComponentTypes(base)
                                 ? GetComponentTypeName(component->GetInstanceTypeId(), base)
                                 : "a " + checker.GetNoun();
    Fill(*component, name, base, path, map);
    return component;
}

/// Sets the keys of a component. \param name of the component, for messages
void
ComponentReader::Fill(Object& component,
                      const std::string& name,
                      TypeId base,
                      const std::string& path,
                      const YamlNode& node)
{
    const bool known = CheckKeys(component, name, base, path, node);
    if (SetKeys(component, path, &node, node.place) && known)
    {
        CheckRules(component, node);
    }
}

/// Checks the rules between keys of a component.
void
ComponentReader::CheckRules(const Object& component, const YamlNode& node)
{
    const auto* rules = dynamic_cast<const KeyRules*>(&component);
    if (!rules)
    {
        return;
    }
    std::set<std::string> given;
    for (const YamlEntry& entry : node.entries)
    {
        given.insert(entry.key);
    }
    try
    {
        for (const KeyRule& rule : rules->GetKeyRules())
        {
            rule.Check(given);
        }
        rules->CheckValues();
    }
    catch (const ConfigurationError& error)
    {
        const YamlEntry* entry = node.Find(error.GetKey());
        m_diagnostics.Add(entry ? entry->place : node.place, error.what());
    }
}

} // namespace ns3::rails
