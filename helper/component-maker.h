// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPONENT_MAKER_H
#define COMPONENT_MAKER_H

#include "ns3/attribute.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Names of attributes with their values.
using AttributeList =
    std::vector<std::pair<std::string, std::reference_wrapper<const AttributeValue>>>;

/**
 * \param type name of a class, with or without "ns3::rails::"
 * \param base class that it derives from
 * \param attributes to set; the others keep their defaults
 * \return a new object
 * \throws ConfigurationError when there is no such class or attribute, with the nearest name; when
 *     an attribute does not take its value, attributes contradict each other, or a required one is
 *     missing
 */
Ptr<Object> MakeComponent(const std::string& type, TypeId base, const AttributeList& attributes);

/**
 * Sets an attribute of an object.
 * \throws ConfigurationError with the nearest name when the object has no such attribute, and with
 * what the attribute takes when the value does not fit
 */
void SetComponentAttribute(Object& object, const std::string& name, const AttributeValue& value);

inline void
AddAttributes(AttributeList& /* list */)
{
}

/// Adds alternating names and values.
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

/// Creates an object from alternating names and values of attributes.
/// \tparam Base base class of the object
template <typename Base, typename... Attributes>
Ptr<Base>
MakeComponent(const std::string& type, const Attributes&... attributes)
{
    AttributeList list;
    AddAttributes(list, attributes...);
    return MakeComponent(type, Base::GetTypeId(), list)->template GetObject<Base>();
}

} // namespace ns3::rails

#endif // COMPONENT_MAKER_H
