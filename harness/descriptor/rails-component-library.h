// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_COMPONENT_LIBRARY_H
#define RAILS_COMPONENT_LIBRARY_H

#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A library of components that cannot be used; what() names it, says why and what to do.
class ComponentLibraryError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * Loads components of one's own, which descriptors can then name. They stay until the process ends.
 * \param library path of a shared library, as `./rails build` makes it
 * \return what it brought, "balance: {type: stripe}"; nothing when it was loaded before
 * \throws ComponentLibraryError when it cannot be loaded, is older than the module, or is empty
 */
std::vector<std::string> LoadComponents(const std::string& library);

} // namespace ns3::rails

#endif // RAILS_COMPONENT_LIBRARY_H
