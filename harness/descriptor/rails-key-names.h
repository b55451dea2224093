// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_KEY_NAMES_H
#define RAILS_KEY_NAMES_H

#include "rails-diagnostic.h"
#include "rails-override.h"
#include "rails-yaml-tree.h"

#include <string>

namespace ns3::rails
{

// Keys that have two names are known by the declared one as soon as a text is read: axes, folders
// and results are the same whichever was typed.

/**
 * \param path dotted path from the top of a descriptor: "topology.servers"
 * \return the same with the declared names of its keys: "topology.domains"
 */
std::string UseDeclaredNames(const std::string& path);

/**
 * Puts the declared names of keys in place of their others.
 * \param [in,out] root a descriptor, its sweep included
 * \param diagnostics takes keys that are given by both names
 */
void UseDeclaredNames(YamlNode& root, DiagnosticList& diagnostics);

/// The same for a value that takes the place of a descriptor's.
void UseDeclaredNames(Override& set, DiagnosticList& diagnostics);

} // namespace ns3::rails

#endif // RAILS_KEY_NAMES_H
