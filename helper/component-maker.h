// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPONENT_MAKER_H
#define COMPONENT_MAKER_H

#include "ns3/attribute.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Names of attributes, and what they are set to.
using AttributeList =
    std::vector<std::pair<std::string, std::reference_wrapper<const AttributeValue>>>;

/**
 * \param type name of a class, with or without "ns3::rails::"
 * \param attributes that differ from the usual ones
 * \return an object of it
 * \throws ConfigurationError when attributes that are set, or left out, contradict each other
 */
Ptr<Object> MakeComponent(const std::string& type, const AttributeList& attributes);

inline void
AddAttributes(AttributeList& /* list */)
{
}

/// Adds names and values that are given in turn.
template <typename... Others>
void
AddAttributes(AttributeList& list,
              const std::string& name,
              const AttributeValue& value,
              const Others&... others)
{
    list.emplace_back(name, value);
    AddAttributes(list, others...);
}

/// The same with names and values in turn. \tparam Base class that the object has to be of
template <typename Base, typename... Attributes>
Ptr<Base>
MakeComponent(const std::string& type, const Attributes&... attributes)
{
    AttributeList list;
    AddAttributes(list, attributes...);
    return MakeComponent(type, list)->template GetObject<Base>();
}

} // namespace ns3::rails

#endif // COMPONENT_MAKER_H
