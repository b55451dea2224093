// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ENTRY_FORM_H
#define RAILS_ENTRY_FORM_H

#include "rails-schema.h"
#include "rails-yaml-tree.h"

#include "ns3/component-list.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ns3::rails
{

/*
 * How a descriptor gives the components of a list. Where they have types, `{type: compute,
 * duration: 2ms}` can be `compute: 2ms`, as the type has one key, and `{type: dispatch}` is
 * `dispatch`.
 */

/// \return the checker of an attribute whose value is a list of components
const ComponentListChecker& GetListChecker(const TypeId::AttributeInformation& attribute);

/// \return the key of a type that has one, which the short form gives; nullptr for other types
const ComponentKey* FindOnlyKey(TypeId type);

/// \return true when a component of this type must be given some of its keys
bool NeedsKeys(TypeId type);

/// \return what is expected of the list, for messages: "a list of phases (dispatch, gap: TIME)"
std::string DescribeExpectedList(const ComponentListChecker& checker);

/**
 * \param node a component of the list
 * \return the same as the map of its keys
 * \throws DescriptorError when it is none of the forms, or has an unknown type
 */
YamlNode ExpandEntry(const ComponentListChecker& checker, const YamlNode& node);

/**
 * \param type type of a component of a list
 * \param keys its keys with their values, `type` among them if it has types
 * \return the shortest of the forms
 */
nlohmann::ordered_json ShortenEntry(TypeId type, nlohmann::ordered_json keys);

} // namespace ns3::rails

#endif // RAILS_ENTRY_FORM_H
