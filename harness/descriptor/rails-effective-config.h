// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_EFFECTIVE_CONFIG_H
#define RAILS_EFFECTIVE_CONFIG_H

#include "rails-experiment.h"

#include "ns3/object.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * \param base class of the component, or base class of its types
 * \param folder base of relative paths of files; empty for absolute paths
 * \return all its keys with their values and units, including the components inside it
 */
nlohmann::ordered_json DescribeComponent(const Object& component,
                                         TypeId base,
                                         const std::string& folder = "");

/// \return all components of an experiment, including inner ones; the experiment owns them
std::vector<const Object*> FindComponents(const Experiment& experiment);

/// \return the input files of an experiment, with the paths of its descriptor
std::vector<std::string> FindInputFiles(const Experiment& experiment);

} // namespace ns3::rails

#endif // RAILS_EFFECTIVE_CONFIG_H
