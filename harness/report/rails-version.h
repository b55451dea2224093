// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_VERSION_H
#define RAILS_VERSION_H

#include "rails-result.h"

#include <set>
#include <string>

namespace ns3::rails
{

/// \return what this program was made with; found out once
const VersionInfo& GetVersionInfo();

/// \return the files of the module's own libraries (the models' and the harness's), or the program
/// where they are linked into it; found out once
const std::set<std::string>& GetOwnLibraries();

/// \return true when this program was built without optimisation, or with ns-3's checks
bool IsSlowBuild();

/// Tells on standard error of a slow build.
void WarnOfSlowBuild();

} // namespace ns3::rails

#endif // RAILS_VERSION_H
