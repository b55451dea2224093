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
 * \param component a component
 * \param base class of the component, or of its types
 * \return all its keys with their values and units, the components inside it included
 */
nlohmann::ordered_json DescribeComponent(const Object& component, TypeId base);

/// \return all components of an experiment, those inside others included; the experiment owns them
std::vector<const Object*> FindComponents(const Experiment& experiment);

/// \return the files that an experiment reads, as its descriptor names them
std::vector<std::string> FindInputFiles(const Experiment& experiment);

} // namespace ns3::rails

#endif // RAILS_EFFECTIVE_CONFIG_H
