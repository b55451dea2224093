// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPONENT_DOCUMENTATION_H
#define COMPONENT_DOCUMENTATION_H

#include "ns3/type-id.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Sets the help text of a component, for `describe` and the pages made from it. ns-3 keeps help
 * texts of attributes only, so an attribute without a value carries the text.
 * \param id the component, whose parent must be set
 * \param help may end with a sentence in parentheses that names the source
 * \return the component
 */
TypeId SetDocumentation(TypeId id, const std::string& help);

/// \return the text of SetDocumentation(); empty without one
std::string GetDocumentation(TypeId id);

/// Pairs of an alias and its attribute: {"Servers", "Domains"}.
using AliasList = std::vector<std::pair<std::string, std::string>>;

/**
 * Gives keys of a component and of its derived classes further names in descriptors. Results use
 * the attribute names.
 * \param id the component, whose parent must be set
 * \return the component
 */
TypeId AddAliases(TypeId id, const AliasList& aliases);

/// \return the aliases of a component and its parents
AliasList GetAliases(TypeId id);

/**
 * Keeps a name of earlier versions for a component: descriptors may use it, results do not.
 * \param id the component, whose parent must be set
 * \param name in the spelling of the key `type`
 * \return the component
 */
TypeId AddFormerName(TypeId id, const std::string& name);

/// \return the name of AddFormerName(); empty without one
std::string GetFormerName(TypeId id);

} // namespace ns3::rails

#endif // COMPONENT_DOCUMENTATION_H
