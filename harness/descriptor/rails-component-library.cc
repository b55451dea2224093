// SPDX-License-Identifier: GPL-2.0-only
#include "rails-component-library.h"

#include "component-path.h"
#include "component-registry.h"

#include <algorithm>
#include <cstdint>
#include <dlfcn.h>
#include <filesystem>
#include <system_error>

namespace ns3::rails
{

namespace
{

/// \return true for a file older than the library or program of this code
bool
IsOlderThanModule(const std::filesystem::path& path)
{
    Dl_info module{};
    std::error_code isMissing;
    const auto made = std::filesystem::last_write_time(path, isMissing);
    return !isMissing && dladdr(reinterpret_cast<void*>(&LoadComponents), &module) != 0 &&
           module.dli_fname &&
           made < std::filesystem::last_write_time(module.dli_fname, isMissing) && !isMissing;
}

/// \return the components registered after a number of classes, in the notation of a descriptor
std::vector<std::string>
ListComponentsFrom(uint16_t registered)
{
    std::vector<TypeId> fresh;
    for (uint16_t i = registered; i < TypeId::GetRegisteredN(); ++i)
    {
        fresh.push_back(TypeId::GetRegistered(i));
    }
    std::vector<std::string> components;
    for (const ComponentPath& slot : FindComponentPaths())
    {
        for (const ComponentType& type : GetComponentTypes(slot.base))
        {
            if (std::find(fresh.begin(), fresh.end(), type.id) != fresh.end())
            {
                components.push_back(slot.path + ": {type: " + type.name + "}");
            }
        }
    }
    return components;
}

/// Refuses a library with a component whose name another one has.
/// \param registered number of classes before the library was loaded
void
RefuseTakenNames(const std::string& library, uint16_t registered)
{
    for (uint16_t i = registered; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId fresh = TypeId::GetRegistered(i);
        for (const ComponentPath& slot : FindComponentPaths())
        {
            const std::string base = slot.base.GetName();
            if (!fresh.IsChildOf(slot.base))
            {
                continue;
            }
            const std::string name = MakeTypeName(fresh.GetName(), base);
            for (uint16_t j = 0; j < registered; ++j)
            {
                const TypeId known = TypeId::GetRegistered(j);
                if (known.IsChildOf(slot.base) && known.HasConstructor() &&
                    MakeTypeName(known.GetName(), base) == name)
                {
                    throw ComponentLibraryError(library + ": error: its class " + fresh.GetName() +
                                                " would be '" + name + "' in descriptors, as " +
                                                known.GetName() + " is: rename it");
                }
            }
        }
    }
}

} // namespace

std::vector<std::string>
LoadComponents(const std::string& library)
{
    const std::filesystem::path path = std::filesystem::absolute(library);
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr)
    {
        return {};
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
    {
        throw ComponentLibraryError(library +
                                    ": error: this is a folder; './rails build' makes a library of "
                                    "the components in one");
    }
    if (IsOlderThanModule(path)) // whose classes may have been others then
    {
        throw ComponentLibraryError(
            library + ": error: the library of components was built before the module "
                      "was; './rails build' its folder again, or use --with");
    }
    const uint16_t registered = TypeId::GetRegisteredN();
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
    {
        const char* reason = dlerror();
        throw ComponentLibraryError(library +
                                    ": error: the library of components cannot be loaded: " +
                                    (reason ? reason : "unknown reason"));
    }
    RefuseTakenNames(library, registered);
    std::vector<std::string> components = ListComponentsFrom(registered);
    if (components.empty())
    {
        throw ComponentLibraryError(
            library + ": error: it brings no component that was not there before: a class with a "
                      "name of its own, a base such as ns3::rails::Balancer in SetParent, "
                      "AddConstructor, and NS_OBJECT_ENSURE_REGISTERED");
    }
    return components;
}

} // namespace ns3::rails
