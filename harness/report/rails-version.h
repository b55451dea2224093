// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_VERSION_H
#define RAILS_VERSION_H

#include "rails-result.h"

#include <set>
#include <string>

namespace ns3::rails
{

/// \return the versions of this program; computed once
const VersionInfo& GetVersionInfo();

/// \return the files of the module's own libraries (model and harness), or the program when they
/// are linked into it; computed once
const std::set<std::string>& GetOwnLibraries();

/// \return true when this program was built without optimisation, or in ns-3's debug profile
bool IsSlowBuild();

/// Warns on standard error when IsSlowBuild().
void WarnOfSlowBuild();

} // namespace ns3::rails

#endif // RAILS_VERSION_H
