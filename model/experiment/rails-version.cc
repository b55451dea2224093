// SPDX-License-Identifier: GPL-2.0-only
#include "rails-version.h"

#include "ns3/rails-sha256.h"

#include <cstddef>
#include <dlfcn.h>
#include <fstream>
#include <ios>
#include <string>
#include <string_view>

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

namespace
{

/// \return the file of the library or program that this code is in
std::string
FindLibrary()
{
    Dl_info info{};
    return dladdr(reinterpret_cast<void*>(&IsSlowBuild), &info) != 0 && info.dli_fname
               ? info.dli_fname
               : "";
}

std::string
HashProgram()
{
    Sha256 hash;
    for (const std::string& name : {std::string("/proc/self/exe"), FindLibrary()})
    {
        std::ifstream file(name, std::ios::binary);
        std::string part(1 << 20, '\0');
        while (file)
        {
            file.read(part.data(), static_cast<std::streamsize>(part.size()));
            hash.Add(std::string_view(part.data(), static_cast<std::size_t>(file.gcount())));
        }
    }
    return hash.Finish();
}

VersionInfo
FindVersionInfo()
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
    version.program = HashProgram();
    return version;
}

} // namespace

const VersionInfo&
GetVersionInfo()
{
    static const VersionInfo version = FindVersionInfo();
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
