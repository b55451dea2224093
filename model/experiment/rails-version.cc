// SPDX-License-Identifier: GPL-2.0-only
#include "rails-version.h"

// The build system passes these; a build by other means does without.
#ifndef RAILS_VERSION
#define RAILS_VERSION "unknown"
#endif
#ifndef RAILS_NS3_VERSION
#define RAILS_NS3_VERSION "unknown"
#endif
#ifndef RAILS_BUILD_PROFILE
#define RAILS_BUILD_PROFILE "unknown"
#endif

namespace ns3::rails
{

VersionInfo
GetVersionInfo()
{
    VersionInfo version;
    version.module = RAILS_VERSION;
    version.ns3 = RAILS_NS3_VERSION;
    version.build = RAILS_BUILD_PROFILE;
#if defined(__clang__)
    version.compiler = __VERSION__; // names the compiler itself
#else
    version.compiler = "GCC " __VERSION__;
#endif
    return version;
}

bool
IsSlowBuild()
{
#if defined(NS3_BUILD_PROFILE_DEBUG) || !defined(__OPTIMIZE__)
    return true;
#else
    return false;
#endif
}

} // namespace ns3::rails
