// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ENTRY_FORM_H
#define RAILS_ENTRY_FORM_H

#include "component-registry.h"
#include "rails-yaml-tree.h"

#include "ns3/component-list.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ns3::rails
{

/* Short forms of components in a list. `{type: compute, duration: 2ms}` can be `compute: 2ms`, as
 * the type has one key, and `{type: dispatch}` can be `dispatch`.
 */

/// \return the checker of an attribute whose value is a list of components
const ComponentListChecker& GetListChecker(const TypeId::AttributeInformation& attribute);

/// \return the only key of a type, for the short form; nullptr for types with more keys or none
const ComponentKey* FindOnlyKey(TypeId type);

/// \return true when a descriptor must set at least one key of this type
bool NeedsKeys(TypeId type);

/// \return the expected form of the list, for messages: "a list of phases (dispatch, gap: TIME)"
std::string DescribeExpectedList(const ComponentListChecker& checker);

/**
 * \param node a component of the list, in any form
 * \return the component as a map of its keys
 * \throws DescriptorError for another form or an unknown type
 */
YamlNode ExpandEntry(const ComponentListChecker& checker, const YamlNode& node);

/**
 * \param type of a component of a list
 * \param keys its keys with their values, including `type` if it has types
 * \return the shortest form
 */
nlohmann::ordered_json ShortenEntry(TypeId type, nlohmann::ordered_json keys);

} // namespace ns3::rails

#endif // RAILS_ENTRY_FORM_H
