// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_NESTED_CHECK_H
#define RAILS_NESTED_CHECK_H

#include "rails-error.h"

#include <string>

namespace ns3::rails
{

/**
 * Runs the check of a nested component, and puts the key of that component in front of the key of a
 * ConfigurationError.
 * \param key of the nested component ("matrix")
 * \param check called without arguments
 */
template <typename Check>
void
CheckNested(const std::string& key, Check&& check)
{
    try
    {
        check();
    }
    catch (const ConfigurationError& error)
    {
        throw ConfigurationError(error.GetKey().empty() ? key : key + "." + error.GetKey(),
                                 error.what());
    }
}

} // namespace ns3::rails

#endif // RAILS_NESTED_CHECK_H
