// SPDX-License-Identifier: GPL-2.0-only
#include "component-documentation.h"

#include "ns3/attribute.h"

#include <cstddef>
#include <cstring>

namespace ns3::rails
{

namespace
{

// Not std::string: classes may be registered before global objects of this file are constructed.
const char* const kAbout = "About";
const char* const kAlias = "Alias";
const char* const kFormerName = "FormerName";

TypeId
AddText(TypeId id, const std::string& name, const std::string& text)
{
    return id.AddAttribute(name,
                           text,
                           0,
                           EmptyAttributeValue(),
                           MakeEmptyAttributeAccessor(),
                           MakeEmptyAttributeChecker());
}

/// \return the text of the first attribute of a component itself whose name begins so
std::string
GetText(TypeId id, const std::string& name)
{
    for (std::size_t i = 0; i < id.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation attribute = id.GetAttribute(i);
        if (attribute.name.rfind(name, 0) == 0 && attribute.flags == 0)
        {
            return attribute.help;
        }
    }
    return "";
}

} // namespace

TypeId
SetDocumentation(TypeId id, const std::string& help)
{
    // A documented parent has taken the plain name.
    std::string name = kAbout;
    for (TypeId::AttributeInformation found; id.LookupAttributeByName(name, &found);)
    {
        name += "It";
    }
    return AddText(id, name, help);
}

std::string
GetDocumentation(TypeId id)
{
    return GetText(id, kAbout);
}

TypeId
AddAliases(TypeId id, const AliasList& aliases)
{
    for (const auto& [name, attribute] : aliases)
    {
        AddText(id,
                std::string(kAlias) + name,
                attribute); // a derived class may have the plain name
    }
    return id;
}

AliasList
GetAliases(TypeId id)
{
    AliasList aliases;
    for (bool more = true; more; more = id.HasParent() && id.GetParent() != id, id = id.GetParent())
    {
        for (std::size_t i = 0; i < id.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = id.GetAttribute(i);
            if (attribute.name.rfind(kAlias, 0) == 0 && attribute.flags == 0)
            {
                aliases.emplace_back(attribute.name.substr(std::strlen(kAlias)), attribute.help);
            }
        }
    }
    return aliases;
}

TypeId
AddFormerName(TypeId id, const std::string& name)
{
    return AddText(id, kFormerName, name);
}

std::string
GetFormerName(TypeId id)
{
    return GetText(id, kFormerName);
}

} // namespace ns3::rails
