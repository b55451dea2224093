// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ABOUT_H
#define RAILS_ABOUT_H

#include "ns3/type-id.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Says what a component is, for `describe` and the pages made from it. ns-3 keeps help texts of
 * attributes and none of classes, so it becomes that of an attribute without a value.
 * \param id the component, whose parent must be set
 * \param help what it is; a last sentence in parentheses is its source
 * \return the component
 */
TypeId AddAbout(TypeId id, const std::string& help);

/// \return what AddAbout() said of a component; empty when nothing did
std::string GetAbout(TypeId id);

/// Other names of attributes with the attributes: {"Servers", "Domains"}.
using AliasList = std::vector<std::pair<std::string, std::string>>;

/**
 * Gives keys of a component, or of those derived from it, other names in descriptors. Results know
 * them by the attributes.
 * \param id the component, whose parent must be set
 * \return the component
 */
TypeId AddAliases(TypeId id, const AliasList& aliases);

/// \return what AddAliases() said of a component and its parents
AliasList GetAliases(TypeId id);

/**
 * Gives a component a name that it had in earlier versions: descriptors may use it, results do not.
 * \param id the component, whose parent must be set
 * \param name as `type` has it
 * \return the component
 */
TypeId AddFormerName(TypeId id, const std::string& name);

/// \return what AddFormerName() said of a component; empty when nothing did
std::string GetFormerName(TypeId id);

} // namespace ns3::rails

#endif // RAILS_ABOUT_H
