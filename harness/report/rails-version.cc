// SPDX-License-Identifier: GPL-2.0-only
#include "rails-version.h"

#include "ns3/rails-sha256.h"

#include <cstddef>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>

// The build system passes these macros; other builds have no values.
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

std::set<std::string>
FindOwnLibraries()
{
    std::set<std::string> files;
    // One function of each library.
    for (void* function :
         {reinterpret_cast<void*>(&GetVersionInfo), reinterpret_cast<void*>(&ComputeSha256)})
    {
        Dl_info info{};
        std::error_code error;
        if (dladdr(function, &info) != 0 && info.dli_fname)
        {
            files.insert(std::filesystem::canonical(info.dli_fname, error).string());
        }
    }
    return files;
}

std::string
HashProgram()
{
    Sha256 hash;
    std::set<std::string> files = GetOwnLibraries();
    files.insert("/proc/self/exe");
    for (const std::string& name : files)
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

const std::set<std::string>&
GetOwnLibraries()
{
    static const std::set<std::string> files = FindOwnLibraries();
    return files;
}

const VersionInfo&
GetVersionInfo()
{
    static const VersionInfo version = FindVersionInfo();
    return version;
}

bool
IsSlowBuild()
{
// Tests under sanitizers are not optimised either, but need no warning.
#if defined(NS3_BUILD_PROFILE_DEBUG) || !(defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__))
    return true;
#else
    return false;
#endif
}

void
WarnOfSlowBuild()
{
    if (IsSlowBuild())
    {
        std::cerr << "**************************************************************\n"
                     "*  This is a debug build: it is many times slower than an    *\n"
                     "*  optimized one. For results: ns3 configure -d optimized    *\n"
                     "**************************************************************"
                  << std::endl;
    }
}

} // namespace ns3::rails
