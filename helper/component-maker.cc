// SPDX-License-Identifier: GPL-2.0-only
#include "component-maker.h"

#include "ns3/component-name.h"
#include "ns3/key-rule.h"
#include "ns3/object-factory.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/type-id.h"

#include <set>

namespace ns3::rails
{

namespace
{

const std::string kNamespace = "ns3::rails::";

bool
IsOfKind(TypeId id, TypeId base)
{
    return (id == base || id.IsChildOf(base)) && id.HasConstructor();
}

/// \return a class's name as helpers take it
std::string
GetShortName(TypeId id)
{
    const std::string name = id.GetName();
    const bool isOurs = name.compare(0, kNamespace.size(), kNamespace) == 0;
    return isOurs ? name.substr(kNamespace.size()) : name;
}

/// \return names of the classes of a kind that can be created, without "ns3::rails::"
std::vector<std::string>
ListTypes(TypeId base)
{
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId id = TypeId::GetRegistered(i);
        if (IsOfKind(id, base))
        {
            names.push_back(GetShortName(id));
        }
    }
    return names;
}

/// \return names of the attributes of a class and its bases
std::vector<std::string>
ListAttributes(TypeId id)
{
    std::vector<std::string> names;
    for (bool isLast = false; !isLast; id = id.GetParent())
    {
        for (std::size_t i = 0; i < id.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation known = id.GetAttribute(i);
            if ((known.flags & TypeId::ATTR_SET) != 0) // a class keeps its documentation in others
            {
                names.push_back(known.name);
            }
        }
        isLast = id.GetParent() == id;
    }
    return names;
}

/// \return the class of a name, with or without "ns3::rails::"
TypeId
FindType(const std::string& type, TypeId base)
{
    TypeId id;
    if (!TypeId::LookupByNameFailSafe(kNamespace + type, &id) &&
        !TypeId::LookupByNameFailSafe(type, &id))
    {
        throw ConfigurationError("",
                                 "unknown class '" + type + "'" +
                                     SuggestName(type, ListTypes(base)));
    }
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId other = TypeId::GetRegistered(i);
        if (other != id && other.GetName() == id.GetName())
        {
            throw ConfigurationError("", "two classes are '" + id.GetName() + "': rename yours");
        }
    }
    if (!IsOfKind(id, base))
    {
        throw ConfigurationError("",
                                 "class '" + type + "' is no " + base.GetName() +
                                     " that can be created" + SuggestName(type, ListTypes(base)));
    }
    return id;
}

} // namespace

void
SetComponentAttribute(Object& object, const std::string& name, const AttributeValue& value)
{
    const TypeId id = object.GetInstanceTypeId();
    TypeId::AttributeInformation known;
    if (!id.LookupAttributeByName(name, &known))
    {
        throw ConfigurationError("",
                                 "class '" + GetShortName(id) + "' has no attribute '" + name +
                                     "'" + SuggestName(name, ListAttributes(id)));
    }
    if (!object.SetAttributeFailSafe(name, value))
    {
        throw ConfigurationError(MakeKeyName(name),
                                 "attribute '" + name + "' of class '" + GetShortName(id) +
                                     "' does not take this value: it takes " +
                                     known.checker->GetUnderlyingTypeInformation());
    }
}

Ptr<Object>
MakeComponent(const std::string& type, TypeId base, const AttributeList& attributes)
{
    ObjectFactory factory;
    factory.SetTypeId(FindType(type, base));
    const Ptr<Object> component = factory.Create<Object>();
    std::set<std::string> given;
    for (const auto& [name, value] : attributes)
    {
        SetComponentAttribute(*component, name, value);
        given.insert(MakeKeyName(name));
    }
    if (const auto* const rules = dynamic_cast<const KeyRules*>(PeekPointer(component)))
    {
        for (const KeyRule& rule : rules->GetKeyRules())
        {
            rule.Check(given);
        }
        rules->CheckValues();
    }
    return component;
}

} // namespace ns3::rails
