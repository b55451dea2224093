// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_VERSION_H
#define RAILS_VERSION_H

#include "rails-result.h"

namespace ns3::rails
{

/// \return what this program was made with; found out once
const VersionInfo& GetVersionInfo();

/// \return true when this program was built without optimisation, or with ns-3's checks
bool IsSlowBuild();

} // namespace ns3::rails

#endif // RAILS_VERSION_H
