// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_COMPONENT_LIBRARY_H
#define RAILS_COMPONENT_LIBRARY_H

#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A library of components cannot be used; what() names it, the reason and the fix.
class ComponentLibraryError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * Loads user-defined components, which descriptors can then name, until the process ends.
 * \param library path of a shared library from `./rails build`
 * \return its components, such as "balance: {type: stripe}"; nothing when it was loaded before
 * \throws ComponentLibraryError when loading fails, or the library is older than the module or
 * empty
 */
std::vector<std::string> LoadComponents(const std::string& library);

} // namespace ns3::rails

#endif // RAILS_COMPONENT_LIBRARY_H
