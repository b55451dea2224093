// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_KEY_NAMES_H
#define RAILS_KEY_NAMES_H

#include "rails-diagnostic.h"
#include "rails-override.h"
#include "rails-yaml-tree.h"

#include <string>

namespace ns3::rails
{

// The reader replaces an alias of a key by its declared name at once, so axes, folders and results
// do not depend on the name in the descriptor.

/**
 * \param path dotted path from the top of a descriptor: "topology.servers"
 * \return the path with the declared names of its keys: "topology.domains"
 */
std::string UseDeclaredNames(const std::string& path);

/**
 * Replaces aliases of keys by their declared names.
 * \param [in,out] root a descriptor, including its sweep
 * \param diagnostics takes errors about keys given by both names
 */
void UseDeclaredNames(YamlNode& root, DiagnosticList& diagnostics);

/// Replaces aliases in the key and the value of an override.
void UseDeclaredNames(Override& set, DiagnosticList& diagnostics);

} // namespace ns3::rails

#endif // RAILS_KEY_NAMES_H
