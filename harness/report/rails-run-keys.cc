// SPDX-License-Identifier: GPL-2.0-only
#include "rails-run-keys.h"

#include "rails-version.h"

#include "ns3/rails-effective-config.h"
#include "ns3/rails-sha256.h"

#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <ios>
#include <link.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <typeinfo>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;

/**
 * \return the library of a class; empty for the program itself, or when unknown
 */
fs::path
FindLibrary(const std::type_info& type)
{
    // Every library that mentions a class without virtual functions of its own may hold a copy of
    // what the compiler makes for it, but only one defines its TypeId.
    const std::string name = type.name();
    const bool isNested = name.size() > 1 && name.front() == 'N' && name.back() == 'E';
    const std::string symbol =
        isNested ? "_Z" + name.substr(0, name.size() - 1) + "9GetTypeIdEv" : "";
    const void* function = isNested ? dlsym(RTLD_DEFAULT, symbol.c_str()) : nullptr;
    Dl_info info{};
    void* map = nullptr;
    if (dladdr1(function ? function : &type, &info, &map, RTLD_DL_LINKMAP) == 0 || !map)
    {
        return {};
    }
    std::error_code error; // the program itself has no name there
    return fs::canonical(static_cast<const link_map*>(map)->l_name, error);
}

} // namespace

std::string
MakeLibraryName(const std::string& file)
{
    const fs::path path(file);
    const std::string stem = path.stem().string();
    constexpr std::size_t digits = 12;
    const std::size_t dash = stem.size() > digits ? stem.size() - digits - 1 : 0;
    const bool isBuilt = dash > 0 && stem[dash] == '-' && path.extension() == ".so" &&
                         stem.find_first_not_of("0123456789abcdef", dash + 1) == std::string::npos;
    return isBuilt ? stem.substr(0, dash) : path.filename().string();
}

VersionInfo
RunKeys::FindVersion(const Experiment& experiment)
{
    VersionInfo version = GetVersionInfo();
    const std::set<std::string>& own = GetOwnLibraries();
    for (const Object* component : FindComponents(experiment))
    {
        const std::string& library = GetLibrary(typeid(*component));
        if (library.empty() || own.count(library) > 0)
        {
            continue;
        }
        const std::string& digest = GetDigest(library);
        const auto [known, isNew] = version.libraries.emplace(MakeLibraryName(library), digest);
        if (!isNew && known->second != digest)
        {
            version.libraries.emplace(library, digest); // two of one name
        }
    }
    return version;
}

std::string
RunKeys::Compute(const Experiment& experiment, const VersionInfo& version)
{
    nlohmann::json makers;
    makers["module"] = version.module;
    makers["ns3"] = version.ns3;
    makers["program"] = version.program;
    makers["libraries"] = version.libraries;
    makers["files"] = nlohmann::json::array();
    for (const std::string& file : FindInputFiles(experiment))
    {
        makers["files"].push_back(GetDigest(file));
    }
    // One JSON object with sorted keys.
    return ComputeSha256("{\"config\":" + experiment.canonicalConfig + "," +
                         makers.dump().substr(1));
}

std::string
RunKeys::Compute(const Experiment& experiment)
{
    return Compute(experiment, FindVersion(experiment));
}

const std::string&
RunKeys::GetLibrary(const std::type_info& type)
{
    const auto [library, isNew] = m_libraries.emplace(type, "");
    if (isNew)
    {
        library->second = FindLibrary(type).string();
    }
    return library->second;
}

const std::string&
RunKeys::GetDigest(const std::string& file)
{
    const auto [digest, isNew] = m_digests.emplace(file, "");
    if (isNew)
    {
        std::ifstream stream(file, std::ios::binary);
        Sha256 hash;
        for (std::string piece(1 << 20, '\0'); stream;)
        {
            stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
            hash.Add(std::string_view(piece).substr(0, static_cast<std::size_t>(stream.gcount())));
        }
        digest->second = hash.Finish();
    }
    return digest->second;
}

} // namespace ns3::rails
