// SPDX-License-Identifier: GPL-2.0-only
#include "rails-about.h"

#include "ns3/attribute.h"

#include <cstddef>

namespace ns3::rails
{

namespace
{

const char* const kAbout = "About";

} // namespace

TypeId
AddAbout(TypeId id, const std::string& help)
{
    // A parent that says what it is has taken the plain name.
    std::string name = kAbout;
    for (TypeId::AttributeInformation found; id.LookupAttributeByName(name, &found);)
    {
        name += "It";
    }
    return id.AddAttribute(name,
                           help,
                           0,
                           EmptyAttributeValue(),
                           MakeEmptyAttributeAccessor(),
                           MakeEmptyAttributeChecker());
}

std::string
GetAbout(TypeId id)
{
    for (std::size_t i = 0; i < id.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation attribute = id.GetAttribute(i);
        if (attribute.name.rfind(kAbout, 0) == 0 && attribute.flags == 0)
        {
            return attribute.help;
        }
    }
    return "";
}

} // namespace ns3::rails
